// The result document of a crawl with patterns, as a table; and the items that it was made of.

import { crawlPath, get, getFile, pageOf } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { count, plural, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { valueText } from "../new/pattern_results.js";
import { A_PAGE, settled, showTable } from "../table.js";
import { save } from "./downloads.js";
import { rowsOf } from "./documents.js";

const MOST_ROWS = 500; // shown; the download has all
const state = { offset: 0 };
let made = null; // {blob, name}

export async function hasResult() {
  try {
    return Boolean((await get(crawlPath(crawlId))).patterns);
  } catch {
    return false;
  }
}

export function showResult() {
  showDocument();
  listPatterns();
}

async function showDocument() {
  try {
    made = await getFile(`${crawlPath(crawlId)}/result`);
    const { blob, name } = made;
    const rows = await rowsOf(blob, name);
    byId("result-words").textContent = rows ? `${plural(rows.length, "row")}, ${name.split(".").pop().toUpperCase()}` : "";
    fill(byId("result-shown"), rows === null ? h("p", { class: "empty" }, `${name} is no text: download it.`) : rows.length ? table(rows) : h("p", { class: "empty" }, "The result is empty so far."));
  } catch (error) {
    byId("result-download").hidden = true;
    fill(byId("result-shown"), h("p", { class: "note warn" }, error.message));
  }
}

function table(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    h("div", { class: "scroll" }, h("table", { class: "data" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", {}, name)))),
      h("tbody", {}, rows.slice(0, MOST_ROWS).map((row) => h("tr", {}, names.map((name) => h("td", {}, h("span", { class: "long" }, valueText(row[name]))))))))),
    rows.length > MOST_ROWS && h("p", { class: "hint" }, `and ${count(rows.length - MOST_ROWS)} more: the download has all`),
  ];
}

async function listPatterns() {
  const { patterns } = await get(`${crawlPath(crawlId)}/patterns`);
  const data = patterns.filter(({ kind }) => kind === "data");
  fill(byId("item-pattern"), data.map(({ name, found }) => h("option", { value: name }, `${name} (${count(found)})`)));
  if (data.length) return showItems();
  return fill(byId("item-table"), h("p", { class: "empty" }, h("b", {}, "No items yet"), "No data pattern has matched so far."));
}

async function showItems() {
  const { total, columns, items } = await get(`${crawlPath(crawlId)}/items`, { pattern: byId("item-pattern").value, search: byId("item-search").value.trim(), offset: state.offset, limit: A_PAGE });
  byId("item-count").textContent = plural(total, "item");
  const fields = columns.map((name) => ({ key: name, name, cell: ({ item }) => h("span", { class: "long" }, valueText(item[name])) }));
  const source = { key: "page", name: "Page", kind: "source", cell: ({ page, url }) => h("a", { class: "cut", href: pageOf(crawlId, `/pages/${page}`), title: url }, shortUrl(url)) };
  showTable(byId("item-table"), { columns: [...fields, source], rows: items, total, state, changed: showItems, empty: "No item is like that." });
}

const again = settled(() => ((state.offset = 0), showItems()));
byId("item-pattern").addEventListener("change", again);
byId("item-search").addEventListener("input", again);
byId("result-download").addEventListener("click", () => made && save(made.blob, made.name));
