// Which columns are shown, and in which order.

import { open } from "../dialogs.js";
import { h } from "../dom.js";
import { percent } from "../format.js";

const MOST = 12; // shown unless somebody chooses
const IMAGES = /(^|[.:])(image|photo|thumbnail|thumbnailUrl|logo)([.:](url|contentUrl|id|thumbnail))?$/;

export const isImage = ({ name }) => IMAGES.test(name);

// Columns without a choice: the first ones, and the page.
export function usual(columns) {
  const own = columns.filter(({ property }) => property !== null).slice(0, MOST);
  return [...own.map(({ name }) => name), "page"];
}

export const shownColumns = (state, columns) => (state.columns.length ? state.columns : usual(columns));

export function chooseColumns(columns, shown, all, apply) {
  const list = h("ul", { class: "chooser" });
  const order = [...shown, ...columns.map(({ name }) => name).filter((name) => !shown.includes(name))];
  const byName = new Map(columns.map((each) => [each.name, each]));
  for (const name of order) if (byName.has(name)) list.append(item(byName.get(name), shown.includes(name), all, list));
  const search = h("input", { type: "search", placeholder: "Find a column", "aria-label": "Find a column", oninput: () => find(list, search.value) });
  const tick = (isOn) => () => list.querySelectorAll("li:not([hidden]) input").forEach((box) => (box.checked = isOn(box.value)));
  const finish = (names) => () => (apply(names()), dialog.close());
  const ticked = () => [...list.querySelectorAll("input:checked")].map((box) => box.value);
  const dialog = open("Columns", [
    h("div", { class: "row" }, search,
      h("button", { type: "button", class: "quiet", onclick: tick(() => true) }, "All"),
      h("button", { type: "button", class: "quiet", onclick: tick(() => false) }, "None"),
      h("button", { type: "button", class: "quiet", onclick: tick((name) => usual(columns).includes(name)) }, "As at first")),
    list,
    h("div", { class: "row" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "button", class: "main", onclick: finish(ticked) }, "Show these")),
  ]);
}

function item(column, isOn, all, list) {
  const move = (down) => (event) => {
    const row = event.target.closest("li");
    const other = down ? row.nextElementSibling : row.previousElementSibling;
    if (other) list.insertBefore(row, down ? other.nextElementSibling : other);
    event.target.focus();
  };
  return h("li", { "data-name": column.name },
    h("label", {}, h("input", { type: "checkbox", value: column.name, checked: isOn }), h("span", { class: "wrap" }, column.name)),
    h("small", {}, column.kind), h("small", { class: "number" }, percent(column.filled / Math.max(1, all))),
    h("button", { type: "button", class: "quiet", "aria-label": `${column.name} up`, onclick: move(false) }, "↑"),
    h("button", { type: "button", class: "quiet", "aria-label": `${column.name} down`, onclick: move(true) }, "↓"));
}

function find(list, text) {
  for (const row of list.children) row.hidden = !row.dataset.name.toLowerCase().includes(text.trim().toLowerCase());
}
