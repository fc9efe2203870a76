// A text field with line numbers, on which wrong lines are marked; and a way to read a file into it.

import { fill, h } from "../dom.js";

export class Editor {
  constructor(place, { label, text = "", rows = 14, changed = () => {} }) {
    this.lines = h("div", { class: "lines", "aria-hidden": "true" });
    this.area = h("textarea", { rows, "aria-label": label, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
    this.area.addEventListener("input", () => (this.number(), changed()));
    this.area.addEventListener("scroll", () => (this.lines.scrollTop = this.area.scrollTop));
    fill(place, h("div", { class: "editor" }, this.lines, this.area));
    new ResizeObserver(() => (this.lines.style.height = `${this.area.offsetHeight}px`)).observe(this.area);
    this.text = text;
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.number();
  }

  number() {
    const count = this.area.value.split("\n").length;
    if (count === this.lines.childElementCount) return;
    fill(this.lines, Array.from({ length: count }, (_, i) => h("span", {}, String(i + 1))));
  }

  // Marks the lines of these errors, and only them.
  mark(errors) {
    for (const line of this.lines.children) line.className = "";
    for (const { line } of errors) this.lines.children[line - 1]?.classList.add("wrong");
    this.area.setAttribute("aria-invalid", String(errors.length > 0));
  }

  goTo(line, column) {
    const before = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const at = before + Math.max(0, (column ?? 1) - 1);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 4) * 20);
  }
}

export const fileButton = (id, label, take) =>
  h("span", {}, h("label", { class: "button", for: id }, label),
    h("input", { id, type: "file", class: "unseen", onchange: async (event) => {
      const [file] = event.target.files;
      if (file) take(file.name, await file.text());
      event.target.value = "";
    } }));
