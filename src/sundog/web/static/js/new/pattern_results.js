// What patterns find on a page: items as a table, links, stops and faults.

import { h, outLink, shownAddress } from "../dom.js";
import { own, plural, shortUrl } from "../format.js";

const MOST_LINKS = 50;
const MOST_ROWS = 20;

export function patternResults(patterns) {
  return (patterns ?? []).map((pattern) =>
    h("div", { class: "yield" },
      h("h3", {}, pattern.name || "result", h("small", {}, ` ${pattern.kind} pattern, ${pattern.engine}`)),
      pattern.errors.map((error) => h("p", { class: "note bad" }, error)),
      pattern.items.length > 0 && itemTable(pattern.items),
      pattern.links.length > 0 && h("details", {}, h("summary", {}, plural(pattern.found, "link")),
        pattern.links.slice(0, MOST_LINKS).map(({ url, text }) => h("div", { class: "cut" }, outLink(url, text || shortUrl(url))))),
      pattern.errors.length === 0 && nothing(pattern)));
}

function nothing(pattern) {
  if (pattern.kind === "result") return h("p", { class: "hint" }, "is asked when the crawl ends");
  if (pattern.kind === "stop") return h("p", { class: "hint" }, pattern.holds === null ? "depends on the crawl, not on a page" : pattern.holds ? "holds: the crawl would end here" : "does not hold here");
  return pattern.items.length || pattern.links.length ? null : h("p", { class: "hint" }, "finds nothing on this page");
}

export function itemTable(items) {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, names.map((name) => h("th", {}, name)))),
    h("tbody", {}, items.slice(0, MOST_ROWS).map((item) => h("tr", {}, names.map((name) => h("td", {}, valueCell(own(item, name)))))))),
    items.length > MOST_ROWS && h("p", { class: "hint" }, `and ${items.length - MOST_ROWS} more`));
}

// Addresses are links.
export function valueCell(value) {
  const text = valueText(value);
  return /^https?:\/\/\S+$/i.test(text) ? outLink(text, shownAddress(text)) : h("span", { class: "long" }, text);
}

export function valueText(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, each]) => `${name}: ${valueText(each)}`).join("; ");
  return String(value);
}
