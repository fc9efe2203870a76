// Which entities were made of several descriptions, and why.

import { crawlPath, get } from "../api.js";
import { fill, h, shownAddress } from "../dom.js";
import { count, plural } from "../format.js";
import { crawlId } from "../header.js";
import { entityPath } from "./cells.js";
import { asked } from "./state.js";

const AT_ONCE = 50;

export async function showMerged(place, state, go) {
  const { total, all, merged } = await get(`${crawlPath(crawlId)}/entities/merged`, [...asked(state), ["offset", state.from], ["limit", AT_ONCE]]);
  if (!total) return fill(place, h("p", { class: "empty" }, h("b", {}, "Nothing was merged"), "Every entity here is described once."));
  const step = (name, to, disabled) => h("button", { type: "button", disabled, onclick: () => go(to) }, name);
  return fill(place,
    h("p", { class: "hint" }, `${count(total)} of ${plural(all, "entity", "entities")} are described more than once. Descriptions are one thing if they share an address, a URL, an identifier or a name, and nothing speaks against it.`),
    h("div", { class: "scroll" }, h("table", { class: "merges" },
      h("thead", {}, h("tr", {}, h("th", {}, "Entity"), h("th", { class: "number" }, "Descriptions"), h("th", {}, "Why they are one"), h("th", { class: "number" }, "Say something else"), h("th", {}, "Pages"))),
      h("tbody", {}, merged.map(row)))),
    total > AT_ONCE && h("div", { class: "pager" }, h("span", {}, `${count(state.from + 1)} to ${count(state.from + merged.length)} of ${count(total)}`),
      step("Before", Math.max(0, state.from - AT_ONCE), !state.from), step("Next", state.from + AT_ONCE, state.from + merged.length >= total)));
}

const row = ({ entity, name, url, descriptions, reasons, differences, pages }) => h("tr", {},
  h("td", {}, h("a", { href: entityPath(entity) }, name || shownAddress(url))),
  h("td", { class: "number" }, count(descriptions)),
  h("td", {}, Object.entries(reasons).sort((a, b) => b[1] - a[1]).map(([reason, number]) => h("span", { class: "tag" }, `${reason}${number > 1 ? ` × ${count(number)}` : ""}`))),
  h("td", { class: "number" }, differences ? count(differences) : ""),
  h("td", {}, pages.map((page) => h("span", { class: "cut muted", title: page }, shownAddress(page)))));
