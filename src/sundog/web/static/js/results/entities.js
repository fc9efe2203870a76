// Entities as a table for each type.

import { crawlPath, get, pageOf } from "../api.js";
import { byId, fill, h, outLink } from "../dom.js";
import { count, localName, plural, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { A_PAGE, settled, showTable } from "../table.js";

const MOST_COLUMNS = 12; // shown; the rest is on the page of an entity
const state = { type: "", sort: "", descending: false, offset: 0 };
let turn = 0;

export async function showEntities() {
  try {
    const { types, behind } = await get(`${crawlPath(crawlId)}/types`);
    listTypes(types);
    if (!types.length) return noTypes(behind);
    byId("entity-filters").hidden = false;
    const known = types.some(({ type }) => type === state.type);
    if (!known) choose(types[0].type);
    if (behind) setTimeout(showEntities, 1500);
  } catch (error) {
    fill(byId("entity-table"), h("p", { class: "note bad" }, error.message));
  }
  return undefined;
}

function noTypes(behind) {
  byId("entity-filters").hidden = true;
  if (behind) setTimeout(showEntities, 800);
  fill(byId("type-list"), h("p", { class: "hint pad" }, "none yet"));
  fill(byId("entity-table"), h("p", { class: "empty" }, h("b", {}, behind ? "Reading what was found" : "No entities yet"), behind ? plural(behind, "page") + " to go" : "No page that was fetched so far has things with a type."));
}

function listTypes(types) {
  fill(byId("type-list"), types.map(({ type, short, entities }) =>
    h("button", { type: "button", title: type, "aria-current": type === state.type ? "true" : null, onclick: () => choose(type) },
      h("span", {}, short.replace(/^schema:/, "")), h("span", { class: "number muted" }, count(entities)))));
}

function choose(type) {
  Object.assign(state, { type, sort: "", descending: false, offset: 0 });
  for (const id of ["entity-search", "filter-text"]) byId(id).value = "";
  fill(byId("filter-column"));
  for (const button of byId("type-list").querySelectorAll("button")) {
    if (button.title === type) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  load();
}

async function load() {
  const mine = ++turn;
  const contains = byId("filter-text").value.trim();
  const wanted = {
    type: state.type, search: byId("entity-search").value.trim(), sort: state.sort, descending: state.descending,
    offset: state.offset, limit: A_PAGE, column: contains ? byId("filter-column").value : "", contains,
  };
  try {
    const found = await get(`${crawlPath(crawlId)}/entities`, wanted);
    if (mine === turn) show(found);
  } catch (error) {
    fill(byId("entity-table"), h("p", { class: "note bad" }, error.message));
  }
}

function show(found) {
  byId("type-name").textContent = localName(found.type);
  byId("type-name").title = found.type;
  byId("entity-count").textContent = plural(found.total, "entity", "entities");
  byId("behind").textContent = found.behind ? `${plural(found.behind, "page")} not read yet` : "";
  const select = byId("filter-column");
  if (!select.childElementCount) fill(select, found.columns.map(({ name }) => h("option", {}, name)));
  const columns = found.columns.slice(0, MOST_COLUMNS).map(({ name, property }) => ({
    key: name, name, title: property, sorts: true, kind: isWide(found.rows, name) ? "wide" : "", cell: (row) => values(row.values[name] ?? []),
  }));
  const source = { key: "page", name: "Page", sorts: true, kind: "source", cell: (row) =>
    h("a", { class: "cut", href: pageOf(crawlId, `/pages/${row.page}`), title: row.url }, shortUrl(row.url)) };
  showTable(byId("entity-table"), { columns: named(columns).concat(source), rows: found.rows, total: found.total, state, changed: load, empty: "Nothing is like that." });
}

const isWide = (rows, name) => rows.some((row) => (row.values[name] ?? []).join(", ").length > 18);

// The name first: it is what one looks for.
const named = (columns) => [...columns].sort((a, b) => rank(a) - rank(b));
const rank = ({ key }) => (["name", "headline", "title"].includes(key) ? 0 : 1);

function values(all) {
  if (all.length === 1 && /^https?:\/\//i.test(all[0])) return outLink(all[0], shortUrl(all[0]), { class: "cut" });
  return h("span", { class: "long", title: all.join("\n").slice(0, 2000) }, all.join(", "));
}

const search = settled(() => ((state.offset = 0), load()));
byId("entity-search").addEventListener("input", search);
byId("filter-text").addEventListener("input", search);
byId("filter-column").addEventListener("change", search);
