// What is shown of the entities is in the address: type, filters, columns, order, rows, view. "Back" brings it back.

const START = "#entities/";
const SCHEMA = /^http:\/\/schema\.org\//;
export const ROWS = ["50", "200", "all"];
export const VIEWS = ["table", "map", "merged"];
export const WITH_IMAGES = "images";

export const nothing = () => ({ type: "", where: [], search: "", columns: [], sort: "", descending: false, from: 0, rows: "50", view: "table", images: false });

export function fromAddress() {
  const given = new URLSearchParams(location.hash.startsWith(START) ? location.hash.slice(START.length) : "");
  const one = (name, known) => (known.includes(given.get(name)) ? given.get(name) : known[0]);
  return {
    type: given.get("type") ?? "",
    where: given.getAll("where"),
    search: given.get("search") ?? "",
    columns: given.getAll("column"),
    sort: given.get("sort") ?? "",
    descending: given.has("descending"),
    from: Math.max(0, Number.parseInt(given.get("from") ?? "0", 10) || 0),
    rows: one("rows", ROWS),
    view: one("view", VIEWS),
    images: given.has(WITH_IMAGES),
  };
}

export function address(state) {
  const given = new URLSearchParams({ type: state.type.replace(SCHEMA, "") });
  for (const each of state.where) given.append("where", each);
  for (const each of state.columns) given.append("column", each);
  for (const name of ["search", "sort"]) if (state[name]) given.set(name, state[name]);
  if (state.descending) given.set("descending", "1");
  if (state.from) given.set("from", state.from);
  if (state.rows !== ROWS[0]) given.set("rows", state.rows);
  if (state.view !== VIEWS[0]) given.set("view", state.view);
  if (state.images) given.set(WITH_IMAGES, "1");
  return START + given;
}

// Which rows: what every request of the API is given.
export const asked = ({ type, where, search }) => [["type", type], ...where.map((each) => ["where", each]), ...(search ? [["search", search]] : [])];

// And in which order, with which columns.
export const ordered = ({ sort, descending }, columns) => [...columns.map((name) => ["column", name]), ...(sort ? [["sort", sort]] : []), ...(descending ? [["descending", "true"]] : [])];
