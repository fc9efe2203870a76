// One entity: its whole tree, the pages that describe it, and why their descriptions are one thing.

import { crawlPath, get, pageOf } from "../api.js";
import { byId, fill, h, outLink, shownAddress } from "../dom.js";
import { dateAndTime, localName, plural, readableUrl, typeName } from "../format.js";
import { crawlId, followHeader } from "../header.js";
import { syntaxNames } from "../tree.js";

const LONG = 400; // characters of a value shown at once
const MANY = 50; // values of a property shown at once

async function show() {
  try {
    const found = await get(`${crawlPath(crawlId)}/entities/${byId("entity").dataset.entity}`);
    byId("entity-name").textContent = found.name || readableUrl(found.url);
    fill(byId("entity-types"), found.types.map(({ type, short }) => h("a", { class: "tag", href: tableOf(type), title: type }, typeName(short))));
    fill(byId("entity-links"), h("a", { class: "button", href: pageOf(crawlId, `/pages/${found.page}`) }, "Its page"));
    fill(byId("entity-tree"), tree(found.tree));
    showSources(found);
    byId("sources").hidden = false;
  } catch (error) {
    fill(byId("entity-tree"), h("p", { class: "note bad" }, error.message));
  }
}

const tableOf = (type) => `${pageOf(crawlId, "/results")}#entities/${new URLSearchParams({ type })}`;

function tree(value) {
  const rows = Object.entries(value).filter(([key]) => key !== "@type").map(([key, inner]) => h("li", {}, property(key, inner)));
  return h("ul", { class: "tree" }, rows);
}

function property(key, value) {
  const label = h("span", { class: "property" }, `${key === "@id" ? "address" : key} `);
  if (!Array.isArray(value)) return [label, one(value)];
  const rest = value.length > MANY && h("li", {}, h("details", {}, h("summary", {}, `${plural(value.length - MANY, "more value")}`), h("ul", {}, value.slice(MANY).map((each) => h("li", {}, one(each))))));
  return [label, h("ul", {}, value.slice(0, MANY).map((each) => h("li", {}, one(each))), rest)];
}

function one(value) {
  if (value === null || typeof value !== "object") return text(String(value));
  if (Object.hasOwn(value, "@value")) return [text(String(value["@value"])), value["@language"] ? h("small", {}, ` ${value["@language"]}`) : null];
  const types = [value["@type"] ?? []].flat();
  const name = typeof value.name === "string" ? value.name : "";
  return h("details", { open: true }, h("summary", {}, h("span", { class: "kind", title: types.join(" ") }, types.map(localName).join(", ") || "thing"), " ", name.slice(0, 100)), tree(value));
}

function text(value) {
  if (/^https?:\/\/\S+$/i.test(value)) return outLink(value);
  if (value.length <= LONG) return value;
  return h("details", {}, h("summary", {}, `${value.slice(0, LONG)}…`), value);
}

function showSources({ sources, more_sources: more, fetched_at: at }) {
  byId("source-words").textContent = `${plural(sources.length + more, "description")}; the first counts most, and was fetched ${dateAndTime(at)}`;
  fill(byId("source-list"),
    h("ol", { class: "sources" }, sources.map((source, i) => h("li", {}, describe(source, i)))),
    more > 0 && h("p", { class: "hint" }, `and ${plural(more, "more description")}`));
}

function describe({ page, number, syntax, reason, other }, i) {
  const names = syntax.split(", ").map((name) => syntaxNames[name] ?? name).join(", ");
  return [
    h("div", { class: "row" }, number === null ? outLink(page) : h("a", { class: "wrap", href: pageOf(crawlId, `/pages/${number}`), title: page }, shownAddress(page)), h("small", {}, names)),
    h("div", { class: "row" }, reason ? h("span", { class: "tag hit" }, reason) : h("small", {}, i ? "found first" : "counts most"), other && h("small", {}, "says something else:")),
    other && h("div", { class: "other" }, tree(other)),
  ];
}

followHeader();
show();
