// A map without tiles: coordinates on a net of meridians and parallels, to zoom and to move. Nothing is loaded from elsewhere.

import { crawlPath, get } from "../api.js";
import { fill, h, svg } from "../dom.js";
import { compact, count, plural } from "../format.js";
import { crawlId } from "../header.js";
import { entityPath } from "./cells.js";
import { condition, without } from "./conditions.js";
import { asked } from "./state.js";

const [LOWEST, HIGHEST] = [300, 520]; // pixels of its height
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30];
const MOST_NORTH = 84; // degrees: Mercator has no poles
const SMALLEST = 0.002; // degrees of the width

const mercator = (latitude) => (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI;
const latitudeOf = (y) => ((Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI) - 90;
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export class EntityMap {
  // `filter(texts)` gets new filters for what is within the map.
  constructor(place, filter) {
    Object.assign(this, { place, filter, view: null, turn: 0, key: "" });
    [this.wide, this.high] = [960, 480];
    this.drawing = svg("svg", { class: "map", role: "group", "aria-label": "Map", tabindex: 0 });
    this.note = h("p", { class: "hint", role: "status" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.follow();
    new ResizeObserver(() => this.resize()).observe(place);
  }

  resize() {
    if (!this.view || !this.place.clientWidth || this.place.clientWidth === this.wide) return;
    this.measure();
    this.moveTo(this.view);
  }

  measure() {
    this.wide = this.place.clientWidth || this.wide;
    this.high = clamp(this.wide / 2, LOWEST, HIGHEST);
    this.drawing.setAttribute("viewBox", `0 0 ${this.wide} ${this.high}`);
  }

  // The first time, and when other rows are shown, the map shows all of them.
  async show(state, found) {
    Object.assign(this, { state, found });
    const zoom = (factor) => () => this.zoom(factor);
    fill(this.place,
      h("div", { class: "row between" }, this.note,
        h("span", { class: "row" },
          h("button", { type: "button", "aria-label": "Closer", onclick: zoom(0.5) }, "+"), h("button", { type: "button", "aria-label": "Farther", onclick: zoom(2) }, "−"),
          h("button", { type: "button", onclick: () => this.showEverything() }, "Show all"),
          h("button", { type: "button", onclick: () => this.keepArea() }, "Only this area"))),
      h("div", { class: "map-frame" }, this.drawing, this.tip));
    this.measure();
    const key = JSON.stringify(asked(state));
    if (key !== this.key || !this.view) {
      this.key = key;
      await this.showEverything();
    } else await this.load();
  }

  async showEverything() {
    this.view = { x: 0, y: 0, width: 360 };
    const { spots } = (await this.load()) ?? { spots: [] };
    if (!spots.length) return;
    const xs = spots.map(({ longitude }) => longitude);
    const ys = spots.map(({ latitude }) => mercator(clamp(latitude, -MOST_NORTH, MOST_NORTH)));
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.view = { x: (west + east) / 2, y: (south + north) / 2, width: clamp(1.15 * Math.max(east - west, ((north - south) * this.wide) / this.high, 0.05), SMALLEST, 360) };
    await this.load();
  }

  get bounds() {
    const { x, y, width } = this.view;
    const half = (width * this.high) / this.wide / 2;
    const [south, north] = [y - half, y + half].map((each) => clamp(latitudeOf(each), -90, 90));
    return { south: south <= -MOST_NORTH ? -90 : south, north: north >= MOST_NORTH ? 90 : north, west: clamp(x - width / 2, -180, 180), east: clamp(x + width / 2, -180, 180) };
  }

  at(latitude, longitude) {
    const { x, y, width } = this.view;
    const scale = this.wide / width;
    return [this.wide / 2 + (longitude - x) * scale, this.high / 2 - (mercator(clamp(latitude, -MOST_NORTH, MOST_NORTH)) - y) * scale];
  }

  async load() {
    const mine = ++this.turn;
    this.draw([]);
    try {
      const found = await get(`${crawlPath(crawlId)}/entities/map`, [...asked(this.state), ...Object.entries(this.bounds)]);
      if (mine !== this.turn) return null;
      this.columns = [found.latitude, found.longitude];
      this.spots = found.spots;
      this.draw(found.spots);
      this.note.textContent = `${plural(found.inside, "entity", "entities")} here, of ${count(found.total)}. Coordinates: ${found.latitude} and ${found.longitude}.`;
      return found;
    } catch (error) {
      this.note.textContent = error.message;
      return null;
    }
  }

  draw(spots) {
    const most = Math.max(1, ...spots.map(({ number }) => number));
    const radius = ({ number }) => (number === 1 ? 5 : 8 + 10 * Math.sqrt(Math.min(1, number / most)));
    fill(this.drawing, svg("rect", { class: "sea", width: this.wide, height: this.high }), this.net(), this.apart(spots, radius).map((spot) => this.spot(spot, radius(spot))));
  }

  // Spots that would cover each other are one.
  apart(spots, radius) {
    const kept = [];
    for (const spot of [...spots].sort((a, b) => b.number - a.number)) {
      const [x, y] = this.at(spot.latitude, spot.longitude);
      const near = kept.find((other) => Math.hypot(other.x - x, other.y - y) < other.radius + radius(spot));
      if (near) near.number += spot.number;
      else kept.push({ ...spot, x, y, radius: radius(spot) });
    }
    return kept;
  }

  net() {
    const { south, north, west, east } = this.bounds;
    const step = STEPS.find((each) => this.view.width / each <= 12) ?? 30;
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    const parts = [];
    for (let at = Math.ceil(west / step); at * step <= east; at++) {
      const [x] = this.at(0, at * step);
      parts.push(svg("line", { class: at ? "net" : "net zero", x1: x, x2: x, y1: 0, y2: this.high }), svg("text", { x: x + 4, y: this.high - 6 }, degrees(at * step, digits, "E", "W")));
    }
    for (let at = Math.ceil(Math.max(south, -MOST_NORTH) / step); at * step <= Math.min(north, MOST_NORTH); at++) {
      const [, y] = this.at(at * step, 0);
      parts.push(svg("line", { class: at ? "net" : "net zero", x1: 0, x2: this.wide, y1: y, y2: y }), svg("text", { x: 6, y: y - 4 }, degrees(at * step, digits, "N", "S")));
    }
    return parts;
  }

  spot(spot, radius) {
    const { x, y } = spot;
    const label = spot.number === 1 ? spot.name || "no name" : `${plural(spot.number, "entity", "entities")}, such as ${spot.name || "one without a name"}`;
    const circle = svg("circle", { cx: x, cy: y, r: radius });
    const show = () => this.showTip(x, y, label, spot);
    const group = spot.number === 1
      ? svg("a", { class: "spot", href: entityPath(spot.entity), "aria-label": label }, circle)
      : svg("g", { class: "spot many", role: "button", tabindex: 0, "aria-label": label }, circle, svg("text", { x, y: y + 4, "text-anchor": "middle" }, compact(spot.number)));
    for (const event of ["pointerenter", "focus"]) group.addEventListener(event, show);
    for (const event of ["pointerleave", "blur"]) group.addEventListener(event, () => (this.tip.hidden = true));
    if (spot.number > 1) {
      const closer = () => this.moveTo({ x: spot.longitude, y: mercator(spot.latitude), width: Math.max(SMALLEST, this.view.width / 4) });
      group.addEventListener("click", () => !this.moved && closer());
      group.addEventListener("keydown", (event) => event.key === "Enter" && closer());
    }
    return group;
  }

  showTip(x, y, label, { latitude, longitude, number }) {
    fill(this.tip, h("b", {}, label), h("small", {}, `${latitude.toFixed(4)}, ${longitude.toFixed(4)}${number > 1 ? " · click to come closer" : ""}`));
    this.tip.style.setProperty("--x", `${(100 * x) / this.wide}%`);
    this.tip.style.setProperty("--y", `${(100 * y) / this.high}%`);
    this.tip.classList.toggle("left", x > this.wide / 2);
    this.tip.hidden = false;
  }

  zoom(factor, [x, y] = [this.view.x, this.view.y]) {
    const width = clamp(this.view.width * factor, SMALLEST, 360);
    const kept = width / this.view.width;
    this.moveTo({ x: x + (this.view.x - x) * kept, y: y + (this.view.y - y) * kept, width });
  }

  moveTo({ x, y, width }) {
    this.view = { x: clamp(x, -180, 180), y: clamp(y, -mercator(MOST_NORTH), mercator(MOST_NORTH)), width };
    this.tip.hidden = true;
    this.draw(this.spots ?? []);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 200);
  }

  follow() {
    const place = (event) => {
      const box = this.drawing.getBoundingClientRect();
      const scale = this.view.width / box.width;
      return [this.view.x + (event.clientX - box.left - box.width / 2) * scale, this.view.y - (event.clientY - box.top - box.height / 2) * scale];
    };
    let from = null;
    this.drawing.addEventListener("wheel", (event) => (event.preventDefault(), this.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, place(event))));
    this.drawing.addEventListener("pointerdown", (event) => ((from = place(event)), (this.moved = false)));
    window.addEventListener("pointerup", () => (from = null));
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = place(event);
      if (Math.abs(x - from[0]) + Math.abs(y - from[1]) < this.view.width / 200) return;
      this.moved = true;
      this.moveTo({ ...this.view, x: this.view.x + from[0] - x, y: this.view.y + from[1] - y });
    });
    this.drawing.addEventListener("keydown", (event) => {
      const step = this.view.width / 8;
      const to = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
      if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 0.5 : 2);
      else if (to) event.preventDefault(), this.moveTo({ ...this.view, x: this.view.x + to[0], y: this.view.y + to[1] });
    });
  }

  keepArea() {
    const { south, north, west, east } = this.bounds;
    const [latitude, longitude] = this.columns;
    const between = (column, low, high) => [condition(column, ">=", low.toFixed(5)), condition(column, "<=", high.toFixed(5))].join(" and ");
    const others = without(this.found.conditions, latitude).filter((text) => without(this.found.conditions, longitude).includes(text));
    this.filter([...others, between(latitude, south, north), between(longitude, west, east)]);
  }
}

const degrees = (value, digits, positive, negative) => `${Math.abs(value).toFixed(digits)}°${value > 0 ? positive : value < 0 ? negative : ""}`;
