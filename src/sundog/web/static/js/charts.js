// Small charts, drawn as SVG.

import { fill, h, svg } from "./dom.js";
import { compact, count, percent } from "./format.js";

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

export function countedBars(items, most = 12) {
  const top = Math.max(1, ...items.map((item) => item.count));
  return items.slice(0, most).map((item) =>
    h("div", { class: "counted" },
      h("span", { class: "cut", title: item.name }, item.short ?? item.name),
      h("span", { class: "number muted" }, count(item.count)),
      h("span", { class: "bar" }, h("i", { "--share": item.count / top })),
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

// Relevant pages by fetched pages, with what breadth-first would probably have found.
export class HarvestChart {
  constructor(place) {
    this.width = 760;
    this.drawing = svg("svg", { role: "img", width: "100%", height: HEIGHT });
    this.note = h("p", { class: "hint", "aria-live": "off" });
    fill(place, this.drawing, this.note);
    this.drawing.addEventListener("pointermove", (event) => this.point(event));
    this.drawing.addEventListener("pointerleave", () => this.unpoint());
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
    this.drawing.setAttribute("aria-label", this.summary());
    this.unpoint();
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

  point(event) {
    if (!this.points || this.points.length < 2) return;
    const box = this.drawing.getBoundingClientRect();
    const fetched = (((event.clientX - box.left) / box.width) * this.width - LEFT) / (this.width - LEFT - RIGHT) * this.right;
    const nearest = this.points.reduce((best, each) => (Math.abs(each[0] - fetched) < Math.abs(best[0] - fetched) ? each : best));
    const [x, y] = this.at(...nearest);
    this.mark?.remove();
    this.mark = svg("g", {}, svg("line", { class: "at", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }), svg("circle", { class: "dot", cx: x, cy: y, r: 4 }));
    this.drawing.append(this.mark);
    this.note.textContent = this.words(...nearest);
  }

  unpoint() {
    this.mark?.remove();
    this.note.textContent = this.summary();
  }

  summary() {
    if (!this.last[0]) return "No page has been fetched yet.";
    return this.words(...this.last) + (this.last[1] ? "" : " If it stays so, try seeds nearer to what you want, or ask for something wider.");
  }

  words(fetched, relevant) {
    const row = this.bfs.reduce((best, each) => (!best || Math.abs(each[0] - fetched) < Math.abs(best[0] - fetched) ? each : best), null);
    const other = row ? `; breadth-first: about ${count(row[2])} (${count(row[1])} to ${count(row[3])}), estimated` : "";
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
