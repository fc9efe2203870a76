// Types, properties and syntaxes that were found, and what went wrong, by kind.

import { countedBars } from "../charts.js";
import { byId, fill, h } from "../dom.js";

const KINDS = { types: "Types", properties: "Properties", syntaxes: "Syntaxes", patterns: "Patterns" };
const TROUBLES = { troubles: "Pages that failed", refusals: "Links that were refused", faults: "Faulty data on pages" };
let chosen = "types";
let found = {};

const buttons = Object.entries(KINDS).map(([kind, name]) =>
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
  fill(byId("found"), items.length ? countedBars(items) : h("p", { class: "empty" }, "Nothing yet."));
}

export const itemsFound = () =>
  (found.patterns ?? []).filter(({ kind }) => kind === "data").reduce((sum, { count }) => sum + count, 0);

export function showFound(news) {
  const patterns = (news.patterns ?? []).map(({ name, kind, found: number }) => ({ kind, name: `${kind} pattern ${name}`, short: `${name} · ${kind}`, count: number }));
  found = { ...news, patterns };
  if (patterns.length && ofPatterns.hidden) (ofPatterns.hidden = false), choose("patterns");
  showChosen();
  const groups = Object.entries(TROUBLES).filter(([kind]) => news[kind]?.length);
  fill(byId("troubles"), groups.length
    ? groups.map(([kind, name]) => h("div", {}, h("h3", {}, name), countedBars(news[kind], 8)))
    : h("p", { class: "empty" }, "Nothing so far."));
}
