// A table whose rows the server sorts and pages.

import { fill, h, refill } from "./dom.js";
import { count } from "./format.js";

export const A_PAGE = 50;

// `columns` are {key, name, cell(row), sorts, number}; `state` has sort, descending and offset; `changed` asks anew.
export function showTable(place, { columns, rows, total, state, changed, empty }) {
  if (!rows.length && state.offset === 0) return fill(place, h("p", { class: "empty" }, empty));
  const heading = (column) => h("th", { class: column.number ? "number" : "", "aria-sort": sortOf(column, state), title: column.title },
    column.sorts ? h("button", { type: "button", class: "sort", "data-does": column.key, onclick: () => resort(column, state, changed) }, column.name, arrow(column, state)) : column.name);
  refill(place,
    h("div", { class: "scroll" }, h("table", { class: "data" },
      h("thead", {}, h("tr", {}, columns.map(heading))),
      h("tbody", {}, rows.map((row) => h("tr", {}, columns.map((column) => h("td", { class: [column.number && "number", column.kind].filter(Boolean).join(" ") }, column.cell(row)))))))),
    pager(total, rows.length, state, changed));
  return undefined;
}

const sortOf = (column, state) => (column.key === state.sort ? (state.descending ? "descending" : "ascending") : null);
const arrow = (column, state) => (column.key === state.sort ? (state.descending ? "↓" : "↑") : "");

function resort(column, state, changed) {
  const again = column.key === state.sort;
  Object.assign(state, { sort: column.key, descending: again ? !state.descending : Boolean(column.number), offset: 0 });
  changed();
}

function pager(total, shown, state, changed) {
  if (total <= A_PAGE) return null;
  const go = (offset) => () => (Object.assign(state, { offset }), changed());
  return h("div", { class: "pager" },
    h("span", {}, `${count(state.offset + 1)} to ${count(state.offset + shown)} of ${count(total)}`),
    h("button", { type: "button", "data-does": "before", disabled: state.offset === 0, onclick: go(Math.max(0, state.offset - A_PAGE)) }, "Before"),
    h("button", { type: "button", "data-does": "next", disabled: state.offset + shown >= total, onclick: go(state.offset + A_PAGE) }, "Next"));
}

// Calls once somebody has stopped typing.
export function settled(act, milliseconds = 250) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
}
