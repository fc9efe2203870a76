// Entities: a table for each type, what there is to filter it by, a map, what was merged. All of it is in the address.

import { crawlPath, get } from "../api.js";
import { confirmed, showMessage } from "../dialogs.js";
import { byId, fill, h } from "../dom.js";
import { chooseColumns, isImage, shownColumns } from "../entities/columns.js";
import { downloadMenu } from "../entities/downloads.js";
import { countedColumns, showFacets } from "../entities/facets.js";
import { FilterForm, showChips } from "../entities/filters.js";
import { Grid } from "../entities/grid.js";
import { EntityMap } from "../entities/map.js";
import { showMerged } from "../entities/merged.js";
import { address, asked, fromAddress, nothing, ordered } from "../entities/state.js";
import { count, localName, plural, typeName } from "../format.js";
import { crawlId } from "../header.js";
import { settled } from "../table.js";

const FIRST = 100; // rows, where all are shown
const [FEW_VALUES, MANY_VALUES] = [8, 100]; // of a facet
const path = `${crawlPath(crawlId)}/entities`;
const mayLoadImages = byId("entities").dataset.images === "true";
let state = fromAddress();
let found = null; // the latest answer
let types = [];
let opened = []; // columns that are counted because somebody asked
let larger = new Map(); // facets that show more values: column -> what is searched in them
let turn = 0;
let mostLeft = 0; // pages, when reading them began

const grid = new Grid(byId("entity-table"), {
  sort: ({ name, kind }) => change({ sort: name, descending: name === state.sort ? !state.descending : ["integer", "number"].includes(kind) }),
  go: (from) => change({ from }),
  fetch: async (offset, limit) => (await get(path, [...asked(state), ...ordered(state, shownColumns(state, found.columns)), ["offset", offset], ["limit", limit]])).rows,
});
const map = new EntityMap(byId("entity-map"), (where) => change({ where, view: "table" }));
const form = new FilterForm((text) => change({ where: [...state.where, text] }));
byId("entity-tools").append(downloadMenu(() => ({ state, columns: found ? shownColumns(state, found.columns) : [], all: found ? found.columns.map(({ name }) => name) : [] })));

export async function showEntities() {
  try {
    const answer = await get(`${crawlPath(crawlId)}/types`);
    types = answer.types;
    byId("entity-part").hidden = byId("facet-part").hidden = !types.length;
    if (!types.length) return noTypes(answer.behind);
    if (!state.type) {
      state.type = types[0].type;
      if (!location.hash || location.hash === "#entities") history.replaceState(null, "", address(state));
    }
    listTypes();
    load();
    if (answer.behind) setTimeout(refresh, 2500);
  } catch (error) {
    problem(error);
  }
  return undefined;
}

// While pages are still being read.
async function refresh() {
  const answer = await get(`${crawlPath(crawlId)}/types`).catch(() => null);
  if (!answer) return;
  types = answer.types;
  listTypes();
  if (!byId("entities").hidden && state.rows !== "all") load();
  if (answer.behind) setTimeout(refresh, 2500);
}

function noTypes(behind) {
  mostLeft = Math.max(mostLeft, behind);
  if (behind) setTimeout(showEntities, 800);
  fill(byId("type-list"),
    h("p", { class: "hint pad" }, behind ? `Reading what was found: ${plural(behind, "page")} to go` : "No entities yet: no page that was fetched so far has things with a type."),
    behind > 0 && h("progress", { max: mostLeft, value: mostLeft - behind, "aria-label": "Pages read" }));
}

function listTypes() {
  const isShown = (type) => (found ? type === found.type : type === state.type || localName(type) === state.type);
  fill(byId("type-list"), types.map(({ type, short, entities }) =>
    h("button", { type: "button", title: type, "aria-current": isShown(type) ? "true" : null, onclick: () => change({ ...nothing(), type, images: state.images, rows: state.rows }) },
      h("span", {}, typeName(short)), h("span", { class: "number muted" }, count(entities)))));
  const [list, current] = [byId("type-list"), byId("type-list").querySelector("[aria-current]")];
  if (current) list.scrollTo(current.offsetLeft - list.offsetLeft - 8, current.offsetTop - list.offsetTop - 8);
}

// Something else is asked for. `replace`: it is no step that "back" should lead to.
function change(news, { replace = false } = {}) {
  if (news.type && news.type !== state.type) (opened = []), (larger = new Map());
  state = { ...state, from: 0, ...news };
  history[replace ? "replaceState" : "pushState"](null, "", address(state));
  return load();
}

async function load() {
  const mine = ++turn;
  showControls();
  byId("entity-part").setAttribute("aria-busy", "true");
  const known = found && (found.type === state.type || localName(found.type) === state.type) ? shownColumns(state, found.columns) : state.columns;
  const [offset, limit] = state.rows === "all" ? [0, FIRST] : [state.from, Number(state.rows)];
  try {
    const answer = await get(path, [...asked(state), ...ordered(state, known), ["offset", state.view === "merged" ? 0 : offset], ["limit", limit]]);
    if (mine !== turn) return;
    found = answer;
    show();
    await countValues();
  } catch (error) {
    if (mine === turn) problem(error);
  }
  if (mine === turn) byId("entity-part").removeAttribute("aria-busy");
}

function problem(error) {
  fill(byId("entity-problem"), h("p", { class: "note bad" }, error.message));
  fill(byId("entity-table"));
  byId("entity-count").textContent = "";
}

// What does not need an answer: the state itself.
function showControls() {
  for (const [id, name] of [["entity-views", "view"], ["entity-rows", "rows"]]) {
    for (const button of byId(id).children) button.setAttribute("aria-pressed", String(button.value === state[name]));
  }
  byId("entity-images").setAttribute("aria-pressed", String(state.images));
  const search = byId("entity-search");
  if (document.activeElement !== search) search.value = state.search;
  showChips(byId("entity-filters"), state.where, (where) => change({ where }));
}

function show() {
  fill(byId("entity-problem"));
  listTypes();
  byId("type-name").textContent = typeName(found.short);
  byId("type-name").title = found.type;
  byId("entity-count").textContent = found.total === found.all ? plural(found.all, "entity", "entities") : `${count(found.total)} of ${plural(found.all, "entity", "entities")}`;
  byId("behind").textContent = found.behind ? `${plural(found.behind, "page")} not read yet` : "";
  const hasMap = found.coordinates.length > 0;
  byId("view-map").hidden = !hasMap;
  const hasImages = found.columns.some(isImage);
  byId("entity-images").hidden = !hasImages;
  fill(byId("image-note"), state.images && !mayLoadImages && hasImages && h("p", { class: "note" }, "This view has images, which the sites that have them would send you. ", h("button", { type: "button", class: "plain", onclick: askForImages }, "Load images")));
  form.show(found.columns);
  if (state.view === "map" && !hasMap) {
    state = { ...state, view: "table" };
    history.replaceState(null, "", address(state));
    showControls();
  }
  const { view } = state;
  byId("entity-map").hidden = view !== "map";
  byId("entity-merged").hidden = view !== "merged";
  byId("entity-table").hidden = view !== "table";
  byId("entity-rows").hidden = view !== "table";
  if (view === "map") map.show(state, found);
  if (view === "merged") showMerged(byId("entity-merged"), state, (from) => change({ from })).catch(problem);
  if (view !== "table") return;
  const byName = new Map(found.columns.map((column) => [column.name, column]));
  const columns = shownColumns(state, found.columns).filter((name) => byName.has(name)).map((name) => byName.get(name));
  grid.show(found, columns, { ...state, images: state.images && mayLoadImages });
}

// Of a large table, the first counts take long: then each column is asked for by itself.
async function countsOf(columns, most, like) {
  const ask = (names) => get(`${path}/counts`, [...asked(state), ...names.map((name) => ["column", name]), ["most", most], ["like", like]]);
  try {
    return (await ask(columns)).counts;
  } catch (error) {
    if (error.status !== 429 || columns.length < 2) throw error;
  }
  const counts = [];
  for (const name of columns) counts.push(...(await ask([name])).counts);
  return counts;
}

async function countValues() {
  const mine = turn;
  const columns = countedColumns(found, opened);
  try {
    const few = await countsOf(columns.filter((name) => !larger.has(name)), FEW_VALUES, "");
    const many = await Promise.all([...larger].filter(([name]) => columns.includes(name)).map(async ([name, like]) => (await countsOf([name], MANY_VALUES, like)).map((each) => ({ ...each, like }))));
    if (mine !== turn) return;
    const byColumn = new Map([...few, ...many.flat()].map((each) => [each.column, each]));
    showFacets(byId("facets"), found, columns.map((name) => byColumn.get(name)).filter(Boolean), {
      where: () => state.where,
      change: (where) => change({ where }),
      open: (column) => ((opened = [...opened, column]), countValues()),
      more: (column, like) => (larger.set(column, like), like ? countSettled() : countValues()),
    });
  } catch (error) {
    if (mine === turn) fill(byId("facets"), h("p", { class: "note bad" }, error.message));
  }
}

const countSettled = settled(countValues);

async function askForImages() {
  const text = "Images come from the sites that have them. These sites then see your network address and that you look at the image now, but not this site or the crawl. Only addresses with https are asked. Your browser remembers the choice.";
  if (!mayLoadImages && !(await confirmed("Load images from other sites?", text, "Load images"))) return;
  document.cookie = "sundog-images=shown; path=/crawls; max-age=31536000; SameSite=Strict";
  history.replaceState(null, "", address({ ...state, images: true }));
  location.reload(); // the page itself says where images may come from
}

byId("entity-images").addEventListener("click", () => (state.images ? change({ images: false }) : mayLoadImages ? change({ images: true }) : askForImages()));
byId("entity-search").addEventListener("input", settled(() => change({ search: byId("entity-search").value.trim() }, { replace: Boolean(state.search) })));
byId("entity-views").addEventListener("click", ({ target }) => target.value && change({ view: target.value }));
byId("entity-rows").addEventListener("click", ({ target }) => target.value && change({ rows: target.value }));
byId("entity-columns").addEventListener("click", () => found && chooseColumns(found.columns, shownColumns(state, found.columns), found.all, (columns) => (columns.length ? change({ columns }) : showMessage("Choose at least one column.", "bad"))));
byId("facet-part").open = window.matchMedia("(min-width: 900px)").matches;
document.addEventListener("click", ({ target }) => document.querySelectorAll("details.menu[open]").forEach((menu) => menu.contains(target) || (menu.open = false)));
document.addEventListener("keydown", ({ key }) => key === "Escape" && document.querySelectorAll("details.menu[open]").forEach((menu) => (menu.open = false)));
byId("tab-entities").addEventListener("click", () => setTimeout(() => found && history.replaceState(null, "", address(state))));
// After "back", or a link that was pasted.
window.addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#entities") || location.hash === address(state)) return;
  state = fromAddress();
  state.type ||= types[0]?.type ?? "";
  if (state.type) load();
});
