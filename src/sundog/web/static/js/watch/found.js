// Types, properties and syntaxes that were found, and what went wrong, by kind.

import { countedBars } from "../charts.js";
import { byId, fill, h, refill } from "../dom.js";
import { entitiesOf, itemsOf, pagesWhere, statementsWith } from "../lists.js";

const UNITS = { data: "item", link: "link" };
// What is counted, and where it can be seen.
const KINDS = {
  types: { name: "Types", words: "Pages with things of the type.", unit: () => "page", link: ({ name }) => pagesWhere({ type: name }), more: ({ name }) => [h("a", { href: entitiesOf(name), title: `All ${name}`, "data-does": `things ${name}` }, "things"), " · "] },
  properties: { name: "Properties", words: "Statements with the property.", unit: () => "statement", link: ({ name }) => statementsWith(name) },
  syntaxes: { name: "Syntaxes", words: "Statements in the syntax.", unit: () => "statement", link: ({ name }) => pagesWhere({ syntax: name }) },
  patterns: { name: "Patterns", words: "Items of data patterns, and links of link patterns.", unit: ({ kind }) => UNITS[kind], link: ({ kind, pattern }) => kind === "data" && itemsOf(pattern) },
};
const TROUBLES = {
  troubles: { name: "Pages that failed", tone: "bad", link: ({ name }) => pagesWhere({ kind: "failed", trouble: name }) },
  refusals: { name: "Links that were refused", tone: "plain", link: ({ name }) => pagesWhere({ kind: "refused", trouble: name }) },
  faults: { name: "Faulty data on pages", tone: "warn", link: ({ name }) => pagesWhere({ fault: name }) },
};
let chosen = "types";
let found = {};

const buttons = Object.entries(KINDS).map(([kind, { name }]) =>
  h("button", { type: "button", "aria-pressed": String(kind === chosen), onclick: () => choose(kind) }, name));
fill(byId("found-kinds"), buttons);
const ofPatterns = buttons.at(-1);
ofPatterns.hidden = true;

function choose(kind) {
  chosen = kind;
  Object.keys(KINDS).forEach((each, i) => buttons[i].setAttribute("aria-pressed", String(each === kind)));
  showChosen();
}

function showChosen() {
  const items = found[chosen] ?? [];
  refill(byId("found"), items.length
    ? [h("p", { class: "hint" }, KINDS[chosen].words), countedBars(items, KINDS[chosen])]
    : h("p", { class: "empty" }, "Nothing yet."));
}

export const itemsFound = () =>
  (found.patterns ?? []).filter(({ kind }) => kind === "data").reduce((sum, { count }) => sum + count, 0);

export function showFound(news) {
  const patterns = (news.patterns ?? []).map(({ name, kind, found: number }) => ({ kind, pattern: name, name: `${kind} pattern ${name}`, short: `${name} · ${kind}`, count: number }));
  found = { ...news, patterns };
  if (patterns.length && ofPatterns.hidden) (ofPatterns.hidden = false), choose("patterns");
  showChosen();
  const groups = Object.entries(TROUBLES).filter(([kind]) => news[kind]?.length);
  refill(byId("troubles"), groups.length
    ? groups.map(([kind, { name, ...how }]) => h("div", { class: "group" }, h("h3", {}, name), countedBars(news[kind], { most: 8, ...how })))
    : h("p", { class: "empty" }, "Nothing so far."));
}
