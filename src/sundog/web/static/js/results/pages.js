// The pages of a crawl: which of them, in which order, is in the address.

import { remember, stateOf } from "../address_state.js";
import { crawlPath, get } from "../api.js";
import { byId, fill, h, shownAddress, shownTime } from "../dom.js";
import { count, decimal, localName, plural } from "../format.js";
import { crawlId } from "../header.js";
import { dataOf, entitiesOf, typeTags } from "../lists.js";
import { A_PAGE, settled, showTable } from "../table.js";
import { syntaxNames } from "../tree.js";

const VIEW = "pages";
const START = { kind: "relevant", search: "", host: "", type: "", trouble: "", syntax: "", fault: "", first: "", last: "", sort: "at", descending: true, offset: 0 };
const TYPED = ["search", "host", "type", "first", "last"]; // have a field of the same name each
const CHOSEN = ["kind", "trouble", "syntax"];
const COLUMNS = [
  { key: "url", name: "Address", sorts: true, cell: (page) => h("a", { class: "cut", href: dataOf(page.page), title: page.url }, shownAddress(page.url)) },
  { key: "types", name: "Types", cell: (page) => typeTags(page.types, 4) },
  { key: "reward", name: "Reward", sorts: true, number: true, cell: (page) => decimal(page.reward) },
  { key: "score", name: "Score", sorts: true, number: true, cell: (page) => decimal(page.score) },
  { key: "statements", name: "Statements", sorts: true, number: true, cell: (page) => count(page.statements) },
  { key: "depth", name: "Depth", sorts: true, number: true, cell: (page) => count(page.depth) },
  { key: "status", name: "Answer", sorts: true, cell: (page) => page.reason || (page.status ? `HTTP ${page.status}` : "") },
  { key: "at", name: "Fetched", sorts: true, number: true, cell: (page) => shownTime(page.at) },
];
const field = (name) => byId(`page-${name}`);
let state = { ...START };
let turn = 0;

export function showPages() {
  state = stateOf(VIEW, START);
  for (const name of [...TYPED, ...CHOSEN]) field(name).value = state[name];
  ask();
}

function change(news, how) {
  Object.assign(state, { offset: 0 }, news);
  remember(VIEW, state, START, how);
  ask();
}

async function ask() {
  const mine = ++turn;
  showFilters();
  try {
    const { total, pages } = await get(`${crawlPath(crawlId)}/pages`, { ...state, limit: A_PAGE });
    if (mine !== turn) return;
    byId("page-count").textContent = plural(total, "page");
    showTable(byId("page-table"), { columns: COLUMNS, rows: pages, total, state, changed: () => change({ offset: state.offset }), empty: "No page is like that." });
  } catch (error) {
    if (mine !== turn) return;
    byId("page-count").textContent = "";
    fill(byId("page-table"), h("p", { class: "note bad" }, error.message));
  }
}

// What the list is cut down to, besides what stands beside the search; each can be taken away.
function showFilters() {
  const { host, type, trouble, syntax, fault, first, last } = state;
  const filters = [
    host && [`of ${host}`, ["host"]],
    type && [`with ${localName(type)}`, ["type"]],
    trouble && [[...field("trouble").options].find(({ value }) => value === trouble)?.text ?? trouble, ["trouble"]],
    syntax && [`with ${syntaxNames[syntax] ?? syntax}`, ["syntax"]],
    fault && [fault, ["fault"]],
    (first || last) && [`number ${first || 1} to ${last || "the last"}`, ["first", "last"]],
  ];
  fill(byId("page-filters"), filters.filter(Boolean).map(([words, names]) =>
    h("span", { class: "chip filter" }, h("span", { class: "wrap" }, words),
      h("button", { type: "button", class: "plain", "aria-label": `Without: ${words}`, onclick: () => without(names) }, "×"))),
  type && h("a", { href: entitiesOf(type) }, "Things of this type"));
}

function without(names) {
  for (const name of names) if (byId(`page-${name}`)) field(name).value = "";
  change(Object.fromEntries(names.map((name) => [name, ""])));
}

const typed = settled(() => change(Object.fromEntries(TYPED.map((name) => [name, field(name).value.trim()])), { isTyping: true }));
for (const name of TYPED) field(name).addEventListener("input", typed);
for (const name of CHOSEN) field(name).addEventListener("change", () => change({ [name]: field(name).value }));
byId("page-more").addEventListener("toggle", async () => {
  if (byId("known-types").childElementCount) return;
  const { types } = await get(`${crawlPath(crawlId)}/types`);
  fill(byId("known-types"), types.map(({ short }) => h("option", { value: short })));
});
