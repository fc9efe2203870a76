// Small charts, drawn as SVG.

import { fill, h, svg } from "./dom.js";
import { compact, count, percent, plural } from "./format.js";

export function sparkline(shares, label) {
  const drawing = svg("svg", { class: "spark", viewBox: "0 0 96 24", preserveAspectRatio: "none", role: "img", "aria-label": label });
  if (shares.length < 2) return drawing;
  const points = shares.map((share, i) => [(96 * i) / (shares.length - 1), 22 - 20 * share]);
  const line = `M${points.map((point) => point.map((x) => x.toFixed(1)).join(" ")).join("L")}`;
  drawing.append(svg("path", { class: "under", d: `${line}L96 24L0 24Z` }), svg("path", { d: line }));
  return drawing;
}

export const bar = (share, label, kind = "") =>
  h("span", { class: `bar ${kind}`, role: "img", "aria-label": label }, h("i", { "--share": clamp(share) }));

// `link` gives the address of what an item counts, `unit` its name, and `more` what stands beside it.
export function countedBars(items, { most = 12, tone = "", unit = () => "", link = () => null, more = () => null } = {}) {
  const top = Math.max(1, ...items.map((item) => item.count));
  return items.slice(0, most).map((item) =>
    h("div", { class: "counted" },
      h(link(item) ? "a" : "span", { class: "cut", href: link(item), title: item.name, "data-does": item.name }, item.short ?? item.name),
      h("span", { class: "number muted" }, more(item), unit(item) ? plural(item.count, unit(item)) : count(item.count)),
      h("span", { class: `bar ${tone}` }, h("i", { "--share": item.count / top })),
    ),
  );
}

const clamp = (share) => Math.min(1, Math.max(0, share || 0));

// A mean with its interval on a line from 0 to 1.
export function interval([mean, low, high]) {
  const x = (value) => 4 + 92 * clamp(value);
  const label = `${percent(mean)}, between ${percent(low)} and ${percent(high)}`;
  return svg("svg", { class: "interval", viewBox: "0 0 100 16", width: 100, height: 16, role: "img", "aria-label": label },
    svg("title", {}, label),
    svg("line", { class: "axis", x1: 4, x2: 96, y1: 8, y2: 8 }),
    svg("line", { class: "range", x1: x(low), x2: x(high), y1: 8, y2: 8 }),
    svg("circle", { cx: x(mean), cy: 8, r: 3.5 }),
  );
}

const HEIGHT = 320;
export const LEFT = 52;
export const RIGHT = 8;
const BOTTOM = 30;
const TOP = 10;

const STRETCHES = 60; // as many parts of the crawl can be pointed at
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

// Relevant pages by fetched pages, with what breadth-first would probably have found. `choose(first, last)` is called with
// the numbers of the pages of a stretch.
export class HarvestChart {
  constructor(place, choose) {
    this.width = 760;
    this.choose = choose;
    this.edges = []; // until there is something to draw
    this.drawing = svg("svg", { role: "slider", tabindex: 0, width: "100%", height: HEIGHT });
    this.note = h("p", { class: "hint", "aria-live": "off" });
    fill(place, this.drawing, this.note);
    this.drawing.addEventListener("pointermove", (event) => this.pointAt(this.stretchAt(event)));
    this.drawing.addEventListener("pointerleave", () => this.unpoint());
    this.drawing.addEventListener("blur", () => this.unpoint());
    this.drawing.addEventListener("click", (event) => (this.pointAt(this.stretchAt(event)), this.open()));
    this.drawing.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(place);
  }

  // Drawn for the room that there is, so that its texts stay as large as others.
  resize(width) {
    if (width < 1 || width === this.width) return;
    this.width = width;
    if (this.points) this.show({ points: this.points, bfs: this.bfs });
  }

  show({ points, bfs }) {
    this.points = points;
    this.bfs = bfs;
    this.last = points.at(-1) ?? [0, 0];
    const step = Math.ceil(points.length / STRETCHES);
    this.edges = points.filter((_, i) => i % step === 0 || i === points.length - 1);
    this.right = Math.max(10, this.last[0]);
    this.top = Math.max(5, this.last[1], ...bfs.map((row) => row[3])) * 1.05;
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const line = path(points.map((point) => this.at(...point)));
    const [endX] = this.at(...this.last);
    fill(this.drawing,
      this.grid(),
      bfs.length > 1 && svg("path", { class: "band", d: `${path([...bfs.map((row) => this.at(row[0], row[3])), ...bfs.map((row) => this.at(row[0], row[1])).reverse()])}Z` }),
      bfs.length > 1 && svg("path", { class: "other", d: path(bfs.map((row) => this.at(row[0], row[2]))) }),
      points.length > 1 && svg("path", { class: "under", d: `${line}L${endX} ${HEIGHT - BOTTOM}L${LEFT} ${HEIGHT - BOTTOM}Z` }),
      points.length > 1 && svg("path", { class: "line", d: line }),
    );
    const values = { "aria-label": "Harvest: arrow keys go through the crawl, Enter lists the pages of a stretch", "aria-valuemin": 0, "aria-valuemax": this.edges.length - 1 };
    for (const [name, value] of Object.entries(values)) this.drawing.setAttribute(name, value);
    if (this.stretch && this.drawing === document.activeElement) this.pointAt(Math.min(this.stretch, this.edges.length - 1));
    else this.unpoint();
  }

  at(fetched, relevant) {
    const x = LEFT + ((this.width - LEFT - RIGHT) * fetched) / this.right;
    const y = HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * relevant) / this.top;
    return [x.toFixed(1), y.toFixed(1)];
  }

  grid() {
    const rows = ticks(this.top).map((value) => {
      const [, y] = this.at(0, value);
      return [svg("line", { class: "grid", x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y }),
        svg("text", { x: LEFT - 8, y: Number(y) + 4, "text-anchor": "end" }, compact(value))];
    });
    const columns = ticks(this.right).slice(1).map((value) => {
      const [x] = this.at(value, 0);
      return svg("text", { x, y: HEIGHT - 10, "text-anchor": Number(x) > this.width - 30 ? "end" : "middle" }, compact(value));
    });
    return [rows, columns];
  }

  // Stretches are numbered by their ends among the edges, from 1.
  stretchAt(event) {
    const box = this.drawing.getBoundingClientRect();
    const fetched = (((event.clientX - box.left) / box.width) * this.width - LEFT) / (this.width - LEFT - RIGHT) * this.right;
    const found = this.edges.findIndex(([end], i) => i > 0 && end >= fetched);
    return found < 0 ? this.edges.length - 1 : found;
  }

  onKey(event) {
    if (event.key === "Enter") return this.open();
    const step = STEPS[event.key];
    if (!step) return undefined;
    event.preventDefault();
    return this.pointAt(Math.min(this.edges.length - 1, Math.max(1, (this.stretch || this.edges.length - (step < 0 ? 0 : 1)) + step)));
  }

  pointAt(stretch) {
    if (!this.points || this.edges.length < 2) return;
    this.mark?.remove();
    this.stretch = stretch;
    const [begin, end] = [this.edges[stretch - 1], this.edges[stretch]];
    const [left] = this.at(...begin);
    const [x, y] = this.at(...end);
    this.mark = svg("g", {}, svg("rect", { class: "stretch", x: left, y: TOP, width: Math.max(1, x - left), height: HEIGHT - BOTTOM - TOP }), svg("line", { class: "at", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }), svg("circle", { class: "dot", cx: x, cy: y, r: 4 }));
    this.drawing.append(this.mark);
    this.say(`${this.words(...end)} Of pages ${count(begin[0] + 1)} to ${count(end[0])}, ${count(end[1] - begin[1])} relevant: click to list them.`);
  }

  open() {
    if (this.stretch) this.choose(this.edges[this.stretch - 1][0] + 1, this.edges[this.stretch][0]);
  }

  unpoint() {
    this.mark?.remove();
    this.stretch = 0;
    this.say(this.summary());
  }

  say(words) {
    this.note.textContent = words;
    this.drawing.setAttribute("aria-valuenow", this.stretch);
    this.drawing.setAttribute("aria-valuetext", words);
  }

  summary() {
    if (!this.last[0]) return "No page has been fetched yet.";
    return this.words(...this.last) + (this.last[1] ? "" : " If it stays so, try seeds nearer to what you want, or ask for something wider.");
  }

  words(fetched, relevant) {
    const row = this.bfs.reduce((best, each) => (!best || Math.abs(each[0] - fetched) < Math.abs(best[0] - fetched) ? each : best), null);
    const other = row ? `; breadth-first: about ${count(row[2])} (${count(row[1])} to ${count(row[3])}), replayed` : "";
    return `After ${count(fetched)} pages: ${count(relevant)} relevant (${percent(relevant / fetched)})${other}.`;
  }
}

const path = (points) => `M${points.map((point) => point.join(" ")).join("L")}`;

function ticks(top) {
  const raw = top / 5;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].find((each) => each * magnitude >= raw) * magnitude);
  const found = [];
  for (let value = 0; value <= top; value += step) found.push(value);
  return found;
}
