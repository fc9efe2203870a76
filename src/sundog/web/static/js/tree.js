// Statements as a tree: things with their properties, things within things.

import { h, outLink } from "./dom.js";
import { localName, plural } from "./format.js";

const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const NAMES = JSON.parse(document.body.dataset.names); // properties by which things are called
const DEEPEST = 8;
const LONG = 400; // characters of a value shown at once
const MANY = 60; // things shown at once

export function statementTree(statements) {
  const bySubject = new Map();
  for (const [subject, property, object] of statements) {
    if (!bySubject.has(subject)) bySubject.set(subject, []);
    bySubject.get(subject).push([property, object]);
  }
  const within = new Set(statements.filter(([subject, , object]) => subject !== object && bySubject.has(object)).map(([, , object]) => object));
  const roots = [...bySubject.keys()].filter((subject) => !within.has(subject));
  const shown = roots.length ? roots : [...bySubject.keys()].slice(0, 1); // all in a circle
  return h("ul", { class: "tree" },
    shown.slice(0, MANY).map((subject) => h("li", {}, thing(bySubject, subject, new Set(), shown.length <= 3))),
    shown.length > MANY && h("li", { class: "muted" }, `and ${plural(shown.length - MANY, "more thing")}`));
}

function thing(bySubject, subject, above, isOpen) {
  const statements = bySubject.get(subject);
  const path = new Set(above).add(subject);
  const types = statements.filter(([property]) => property === TYPE).map(([, type]) => type);
  const grouped = new Map();
  for (const [property, value] of statements) {
    if (property === TYPE) continue;
    if (!grouped.has(property)) grouped.set(property, []);
    grouped.get(property).push(value);
  }
  const rows = [...grouped].map(([property, values]) => h("li", {}, propertyRow(bySubject, property, values, path)));
  return h("details", { open: isOpen },
    h("summary", {}, h("span", { class: "kind", title: types.join(" ") }, types.map(localName).join(", ") || "thing"), " ", nameOf(statements) ?? (subject.startsWith("_:") ? "" : subject)),
    h("ul", {}, !subject.startsWith("_:") && h("li", {}, h("span", { class: "property" }, "address "), outLink(subject)), rows));
}

function propertyRow(bySubject, property, values, path) {
  const label = h("span", { class: "property", title: property }, `${localName(property)} `);
  const shown = values.map((value) => {
    const nested = bySubject.has(value) && !path.has(value) && path.size < DEEPEST;
    return nested ? thing(bySubject, value, path, path.size < 3) : text(value);
  });
  if (shown.length === 1) return [label, shown[0]];
  return [label, h("ul", {}, shown.map((each) => h("li", {}, each)))];
}

function text(value) {
  if (/^https?:\/\//i.test(value)) return outLink(value);
  if (value.startsWith("_:")) return h("span", { class: "muted" }, "a thing described above");
  if (value.length <= LONG) return value;
  return h("details", {}, h("summary", {}, `${value.slice(0, LONG)}…`), value);
}

function nameOf(statements) {
  for (const name of NAMES) {
    const found = statements.find(([property]) => localName(property).toLowerCase() === name);
    if (found && found[1].length < 200 && !found[1].startsWith("_:")) return found[1];
  }
  return undefined;
}

export const syntaxNames = JSON.parse(document.body.dataset.syntaxes);
