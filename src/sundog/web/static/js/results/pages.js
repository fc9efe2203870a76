// The pages of a crawl.

import { crawlPath, get, pageOf } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { clock, count, decimal, localName, plural, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { A_PAGE, settled, showTable } from "../table.js";

const state = { sort: "at", descending: true, offset: 0 };
let turn = 0;
const COLUMNS = [
  { key: "url", name: "Address", sorts: true, cell: (page) => h("a", { class: "cut", href: pageOf(crawlId, `/pages/${page.page}`), title: page.url }, shortUrl(page.url)) },
  { key: "types", name: "Types", cell: (page) => page.types.slice(0, 4).map((type) => h("span", { class: "tag", title: type }, localName(type))) },
  { key: "reward", name: "Reward", sorts: true, number: true, cell: (page) => decimal(page.reward) },
  { key: "score", name: "Score", sorts: true, number: true, cell: (page) => decimal(page.score) },
  { key: "statements", name: "Statements", number: true, cell: (page) => count(page.statements) },
  { key: "depth", name: "Depth", number: true, cell: (page) => count(page.depth) },
  { key: "status", name: "Answer", cell: (page) => page.reason || (page.status ? `HTTP ${page.status}` : "") },
  { key: "at", name: "Fetched", sorts: true, number: true, cell: (page) => clock(page.at) },
];

export async function showPages() {
  const mine = ++turn;
  try {
    const { total, pages } = await get(`${crawlPath(crawlId)}/pages`, { ...state, limit: A_PAGE, search: byId("page-search").value.trim(), kind: byId("page-kind").value });
    if (mine !== turn) return;
    byId("page-count").textContent = plural(total, "page");
    showTable(byId("page-table"), { columns: COLUMNS, rows: pages, total, state, changed: showPages, empty: "No page is like that." });
  } catch (error) {
    fill(byId("page-table"), h("p", { class: "note bad" }, error.message));
  }
}

const search = settled(() => ((state.offset = 0), showPages()));
byId("page-search").addEventListener("input", search);
byId("page-kind").addEventListener("change", search);
