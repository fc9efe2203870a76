// What patterns find on a page: items as a table, links, stops and faults.

import { h, outLink } from "../dom.js";
import { plural, shortUrl } from "../format.js";

export function patternYields(patterns) {
  return (patterns ?? []).map((pattern) =>
    h("div", { class: "yield" },
      h("h3", {}, pattern.name, h("small", {}, ` ${pattern.kind} pattern`)),
      pattern.error && h("p", { class: "note bad" }, pattern.error),
      (pattern.items ?? []).length > 0 && itemTable(pattern.items),
      (pattern.links ?? []).length > 0 && h("details", {}, h("summary", {}, plural(pattern.links.length, "link")), pattern.links.slice(0, 50).map((url) => h("div", { class: "cut" }, outLink(url, shortUrl(url))))),
      pattern.matches === false && !pattern.error && h("p", { class: "hint" }, "finds nothing on this page")));
}

const MOST_ROWS = 20;

export function itemTable(items) {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, names.map((name) => h("th", {}, name)))),
    h("tbody", {}, items.slice(0, MOST_ROWS).map((item) => h("tr", {}, names.map((name) => h("td", {}, valueText(item[name]))))))),
    items.length > MOST_ROWS && h("p", { class: "hint" }, `and ${items.length - MOST_ROWS} more`));
}

export function valueText(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, each]) => `${name}: ${valueText(each)}`).join("; ");
  return String(value);
}
