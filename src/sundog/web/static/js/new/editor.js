// A text field with line numbers, on which wrong lines are marked; and a way to read a file into it.
// With `tokens`, the text is shown a second time behind the field, in colours, and the field's own is transparent.

import { fill, h } from "../dom.js";

const MOST_COLOURED = 20_000; // characters; a longer text has one colour

export class Editor {
  constructor(place, { label, text = "", rows = 14, changed = () => {}, tokens = null }) {
    [this.place, this.tokens] = [place, tokens];
    this.lines = h("div", { class: "lines", "aria-hidden": "true" });
    this.area = h("textarea", { rows, "aria-label": label, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
    this.colours = h("pre", { class: "colours", "aria-hidden": "true" });
    this.area.addEventListener("input", () => (this.number(), changed()));
    this.area.addEventListener("scroll", () => this.follow());
    fill(place, h("div", { class: tokens ? "editor coloured" : "editor" }, this.lines, tokens ? h("div", { class: "text" }, this.colours, this.area) : this.area));
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

  follow() {
    this.lines.scrollTop = this.area.scrollTop;
    this.colours.style.setProperty("translate", `${-this.area.scrollLeft}px ${-this.area.scrollTop}px`);
  }

  colour() {
    const text = this.area.value;
    const parts = [];
    let end = 0;
    for (const { kind, text: part, at } of text.length <= MOST_COLOURED ? this.tokens(text) : []) {
      parts.push(text.slice(end, at), h("span", { class: kind }, part));
      end = at + part.length;
    }
    fill(this.colours, parts, `${text.slice(end)}\n`);
    this.follow();
  }

  // Where a character is, in pixels from the corner of the editor's place, and how wide that is.
  placeOf(at) {
    const range = document.createRange();
    const texts = document.createTreeWalker(this.colours, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(), before = 0; node; before += node.length, node = texts.nextNode()) {
      if (at > before + node.length) continue;
      range.setStart(node, at - before);
      break;
    }
    const [found, frame] = [range.getBoundingClientRect(), this.place.getBoundingClientRect()];
    return { left: found.left - frame.left, bottom: found.bottom - frame.top, width: frame.width };
  }

  number() {
    if (this.tokens) this.colour();
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
