// The result document of a crawl with patterns, as a table; and the items that it was made of. The address has both states.

import { remember, stateOf } from "../address_state.js";
import { crawlPath, get, getFile } from "../api.js";
import { byId, fill, h, outLink, shownAddress } from "../dom.js";
import { count, own, plural } from "../format.js";
import { crawlId } from "../header.js";
import { dataOf } from "../lists.js";
import { valueCell, valueText } from "../new/pattern_results.js";
import { A_PAGE, settled, showTable } from "../table.js";
import { rowsOf } from "./documents.js";
import { save } from "./downloads.js";

const VIEW = "result";
const START = { pattern: "", search: "", sort: "", descending: false, offset: 0, "result-sort": "", "result-descending": false, "result-offset": 0 };
const order = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
let state = { ...START };
let made = null; // {blob, name, rows}
let patterns = null;
let turn = 0;

export async function showResult() {
  state = stateOf(VIEW, START);
  byId("item-search").value = state.search;
  if (made) showRows();
  else makeDocument();
  if (patterns === null) await listPatterns();
  if (!patterns.length) return;
  byId("item-pattern").value = state.pattern || patterns[0];
  showItems();
}

function change(news, how) {
  Object.assign(state, news);
  remember(VIEW, state, START, how);
}

async function makeDocument() {
  try {
    const { blob, name } = await getFile(`${crawlPath(crawlId)}/result`);
    const rows = await rowsOf(blob, name);
    made = { blob, name, rows };
    byId("result-words").textContent = rows ? `${plural(rows.length, "row")}, ${name.split(".").pop().toUpperCase()}` : "";
    if (rows === null) fill(byId("result-shown"), h("p", { class: "empty" }, `${name} is no text: download it.`));
    else showRows();
  } catch (error) {
    byId("result-download").hidden = true;
    fill(byId("result-shown"), h("p", { class: "note warn" }, error.message));
  }
}

// The whole document is here, so it is sorted and paged here; until somebody sorts it, its own order counts.
function showRows() {
  const { rows } = made;
  if (rows === null) return;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({ key: name, name, sorts: true, cell: (row) => valueCell(own(row, name)) }));
  const shown = { sort: state["result-sort"], descending: state["result-descending"], offset: state["result-offset"] };
  const direction = shown.descending ? -1 : 1;
  const text = (row) => valueText(own(row, shown.sort));
  const sorted = shown.sort ? [...rows].sort((a, b) => !text(a) - !text(b) || direction * order.compare(text(a), text(b))) : rows;
  const changed = () => (change({ "result-sort": shown.sort, "result-descending": shown.descending, "result-offset": shown.offset }), showRows());
  showTable(byId("result-shown"), { columns, rows: sorted.slice(shown.offset, shown.offset + A_PAGE), total: rows.length, state: shown, changed, empty: "The result is empty so far." });
}

async function listPatterns() {
  const found = await get(`${crawlPath(crawlId)}/patterns`);
  const data = found.patterns.filter(({ kind }) => kind === "data");
  patterns = data.map(({ name }) => name);
  fill(byId("item-pattern"), data.map((each) => h("option", { value: each.name }, `${each.name} (${count(each.found)})`)));
  if (!data.length) fill(byId("item-table"), h("p", { class: "empty" }, h("b", {}, "No items yet"), "No data pattern has matched so far."));
}

// A page that was asked is in this site.
function linked(link) {
  if (!link) return null;
  return link.page === null ? outLink(link.url, shownAddress(link.url)) : h("a", { class: "cut", href: dataOf(link.page), title: link.url }, shownAddress(link.url));
}

async function showItems() {
  const mine = ++turn;
  const { search, sort, descending, offset } = state;
  const { total, columns, items } = await get(`${crawlPath(crawlId)}/items`, { pattern: byId("item-pattern").value, search, sort, descending, offset, limit: A_PAGE });
  if (mine !== turn) return;
  byId("item-count").textContent = plural(total, "item");
  const fields = columns.map((name) => ({ key: name, name, sorts: true, cell: ({ item, links }) => linked(own(links, name)) ?? valueCell(own(item, name)) }));
  const source = { key: "page", name: "Page", kind: "source", cell: ({ page, url }) => h("a", { class: "cut", href: dataOf(page), title: url }, shownAddress(url)) };
  const changed = () => (remember(VIEW, state, START), showItems());
  showTable(byId("item-table"), { columns: [...fields, source], rows: items, total, state, changed, empty: "No item is like that." });
}

byId("item-pattern").addEventListener("change", (event) => (change({ pattern: event.target.value, sort: "", descending: false, offset: 0 }), showItems()));
byId("item-search").addEventListener("input", settled(() => (change({ search: byId("item-search").value.trim(), offset: 0 }, { isTyping: true }), showItems())));
byId("result-download").addEventListener("click", () => made && save(made.blob, made.name));
