// The table. Its head and its first column stay in place. All rows of a large table are fetched as they come into sight.

import { fill, h } from "../dom.js";
import { count } from "../format.js";
import { cellOf, isNumeric, widthOf } from "./cells.js";

const TALL = 44; // pixels of a row, where all are shown
const TALL_WITH_IMAGES = 72;
const AT_ONCE = 100; // rows fetched
const BESIDE = 10; // rows kept above and below what is seen
const TALLEST = 8_000_000; // pixels: browsers draw no element that is much taller
const KEPT = 60; // parts of AT_ONCE rows

export class Grid {
  // `sort(name)` and `go(from)` are what somebody asks for; `fetch(from, limit)` gives rows.
  constructor(place, { sort, go, fetch }) {
    Object.assign(this, { place, sort, go, fetch });
  }

  show(found, columns, state) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    const left = this.place.querySelector(".grid")?.scrollLeft ?? 0;
    Object.assign(this, { total: found.total, columns, state });
    if (!found.rows.length && !state.from) {
      fill(this.place, h("p", { class: "empty" }, h("b", {}, "Nothing is like that"), "Take a filter away, or search for something else."));
      return;
    }
    this.body = h("tbody", {});
    this.scroller = h("div", { class: "grid", tabindex: 0, role: "region", "aria-label": "Entities" }, this.table(found.rows));
    if (state.rows === "all") this.showAll(found.rows);
    else fill(this.body, found.rows.map((row) => this.row(row)));
    fill(this.place, this.scroller, state.rows === "all" ? null : this.pager(found.rows.length));
    this.scroller.scrollLeft = left;
    if (this.isVirtual) this.draw();
    if (focused) this.place.querySelector(`[data-does="${CSS.escape(focused)}"]`)?.focus();
  }

  table(rows) {
    const widths = this.columns.map((column) => widthOf(column, rows, this.state.images));
    const heading = (column) => {
      const way = column.name === this.state.sort ? (this.state.descending ? "descending" : "ascending") : null;
      return h("th", { class: isNumeric(column) ? "number" : "", "aria-sort": way, scope: "col", title: `${column.name}: ${column.kind}${column.unparsed ? `, and ${count(column.unparsed)} texts` : ""}` },
        h("button", { type: "button", class: "sort", "data-does": `sort ${column.name}`, onclick: () => this.sort(column) }, h("span", { class: "cut" }, column.name), way && (this.state.descending ? " ↓" : " ↑")));
    };
    return h("table", { class: this.state.rows === "all" ? "data fixed" : "data", "--wide": `${widths.reduce((sum, width) => sum + width, 0)}px`, "aria-rowcount": this.total },
      h("colgroup", {}, widths.map((width) => h("col", { "--width": `${width}px` }))),
      h("thead", {}, h("tr", {}, this.columns.map(heading))),
      this.body);
  }

  row(row) {
    if (!row) return h("tr", { class: "coming" }, this.columns.map(() => h("td", {}, h("i", {}))));
    return h("tr", {}, this.columns.map((column, i) => h("td", { class: isNumeric(column) ? "number" : "" }, cellOf(column, row, { isFirst: i === 0, images: this.state.images }))));
  }

  pager(shown) {
    const { from } = this.state;
    const step = Number(this.state.rows);
    if (this.total <= step && !from) return null;
    const button = (name, to, disabled) => h("button", { type: "button", "data-does": name, disabled, onclick: () => this.go(to) }, name);
    return h("div", { class: "pager" },
      h("span", {}, shown ? `${count(from + 1)} to ${count(from + shown)} of ${count(this.total)}` : `none from ${count(from + 1)} on`),
      button("First", 0, from === 0), button("Before", Math.max(0, from - step), from === 0), button("Next", from + step, from + shown >= this.total));
  }

  // -- all rows ------------------------------------------------------------------------------------

  get isVirtual() {
    return this.state?.rows === "all" && this.body?.isConnected;
  }

  showAll(first) {
    this.tall = this.state.images ? TALL_WITH_IMAGES : TALL;
    this.parts = new Map([[0, first]]); // by their number; a promise is one that is on its way
    this.above = h("tr", { class: "space", "aria-hidden": "true" }, h("td", { colspan: this.columns.length }));
    this.below = h("tr", { class: "space", "aria-hidden": "true" }, h("td", { colspan: this.columns.length }));
    this.height = Math.min(TALLEST, this.total * this.tall);
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    if (this.height < this.total * this.tall) this.scaleScrolling();
  }

  // Of more rows than a browser has pixels for, a pixel of the scroll bar is several; a turn of the wheel is as long as ever.
  scaleScrolling() {
    const scale = (this.total * this.tall) / this.height;
    const by = (pixels) => (this.scroller.scrollTop += pixels / scale);
    this.scroller.addEventListener("wheel", (event) => {
      if (event.ctrlKey || !event.deltaY) return;
      event.preventDefault();
      by(event.deltaMode ? event.deltaY * this.tall : event.deltaY);
      this.scroller.scrollLeft += event.deltaX;
    });
    this.scroller.addEventListener("keydown", (event) => {
      const page = this.scroller.clientHeight - 2 * this.tall;
      const step = { ArrowDown: this.tall, ArrowUp: -this.tall, PageDown: page, PageUp: -page }[event.key];
      if (!step || event.target !== this.scroller) return;
      event.preventDefault();
      by(step);
    });
  }

  draw() {
    if (!this.isVirtual) return;
    const { scrollTop, clientHeight } = this.scroller;
    const seen = clientHeight / this.tall;
    const isScaled = this.height < this.total * this.tall;
    const share = Math.min(1, scrollTop / Math.max(1, this.height - clientHeight));
    const top = isScaled ? share * Math.max(0, this.total - seen) : scrollTop / this.tall;
    const from = Math.max(0, Math.floor(top) - BESIDE);
    const to = Math.min(this.total, Math.ceil(top + seen) + BESIDE);
    const rows = [];
    for (let at = from; at < to; at++) rows.push(this.row(this.rowAt(at)));
    const above = Math.max(0, scrollTop - (top - from) * this.tall);
    this.above.firstChild.style.height = `${above}px`;
    this.below.firstChild.style.height = `${Math.max(0, this.height - above - rows.length * this.tall)}px`;
    fill(this.body, this.above, rows, this.below);
    this.scroller.setAttribute("aria-label", `Entities ${count(from + 1)} to ${count(to)} of ${count(this.total)}`);
  }

  rowAt(at) {
    const part = Math.floor(at / AT_ONCE);
    const rows = this.parts.get(part);
    if (Array.isArray(rows) && rows.length > at % AT_ONCE) return rows[at % AT_ONCE];
    if (!rows || Array.isArray(rows)) this.ask(part);
    return null;
  }

  async ask(part) {
    const { parts, body } = this;
    const coming = this.fetch(part * AT_ONCE, AT_ONCE);
    parts.set(part, coming);
    try {
      parts.set(part, await coming);
    } catch {
      parts.delete(part); // asked again when it is seen again
      return;
    }
    while (parts.size > KEPT) parts.delete(parts.keys().next().value);
    if (body === this.body) this.draw();
  }
}
