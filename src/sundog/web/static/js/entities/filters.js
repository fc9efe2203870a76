// The filters above the table: those that hold, and a form for another one.

import { byId, fill, h } from "../dom.js";
import { condition, exampleFor, quoted, signsFor } from "./conditions.js";

// `change` gets the new filters.
export function showChips(place, where, change) {
  const chip = (text, i) => h("li", { class: "filter" },
    h("button", { type: "button", class: "plain", title: "Change it", onclick: () => edit(text, where.filter((_, j) => j !== i), change) }, text),
    h("button", { type: "button", class: "quiet", "aria-label": `Take away ${text}`, "data-does": "take away", onclick: () => change(where.filter((_, j) => j !== i)) }, "×"));
  fill(place, where.map(chip), where.length > 1 && h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => change([]) }, "Clear all")));
  place.hidden = !where.length;
}

function edit(text, others, change) {
  const form = byId("filter-form");
  form.open = true;
  const input = byId("filter-words");
  input.value = text;
  input.focus();
  change(others);
}

export class FilterForm {
  constructor(add) {
    this.column = byId("filter-column");
    this.sign = byId("filter-sign");
    this.value = byId("filter-value");
    this.column.addEventListener("change", () => this.showSigns());
    this.sign.addEventListener("change", () => this.showValue());
    byId("filter-by-column").addEventListener("submit", (event) => (event.preventDefault(), this.submit(add)));
    byId("filter-by-words").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = byId("filter-words");
      if (input.value.trim()) add(input.value.trim());
      input.value = "";
    });
  }

  show(columns) {
    const before = this.column.value;
    this.kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
    fill(this.column, columns.map(({ name }) => h("option", { selected: name === before }, name)));
    if (before !== this.column.value || !this.sign.childElementCount) this.showSigns();
  }

  showSigns() {
    fill(this.sign, Object.entries(signsFor(this.kinds.get(this.column.value))).map(([sign, words]) => h("option", { value: sign }, words)));
    this.showValue();
  }

  showValue() {
    this.value.hidden = this.sign.value.endsWith("empty");
    this.value.placeholder = exampleFor(this.kinds.get(this.column.value));
  }

  submit(add) {
    const value = this.value.value.trim();
    if (this.value.hidden) add(condition(this.column.value, this.sign.value));
    else if (value) add(condition(this.column.value, this.sign.value, quotedFor(this.kinds.get(this.column.value), value)));
    else return this.value.focus();
    this.value.value = "";
    return undefined;
  }
}

// A number, a date or a duration has no "and" in it.
const quotedFor = (kind, value) => (kind === "text" || kind === "url" ? quoted(value) : value);
