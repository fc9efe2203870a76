// Beside the table: what stands in its columns and how often, to choose from.

import { fill, h, shownAddress, svg } from "../dom.js";
import { count } from "../format.js";
import { choiceText, chosen, condition, partsOf, rangeText, shownEdge, without } from "./conditions.js";

const MOST_VALUES = 4; // facets shown without being asked for
const MOST_RANGES = 3;
const SHOWN = 8; // values of a facet
const HEIGHT = 56;
const WIDTH = 240;

// Which columns are counted: those that have something to choose, those that are filtered, and those asked for.
export function countedColumns(found, opened) {
  const rich = (each) => each.filled >= 0.05 * found.all;
  const of = (kind, most) => found.columns.filter((each) => each.counted === kind && rich(each) && each.name !== "syntax" && each.name !== "host").slice(0, most);
  const filtered = found.conditions.flatMap(({ parts }) => parts.map(({ column }) => column));
  const names = ["host", ...of("values", MOST_VALUES).map(({ name }) => name), ...of("range", MOST_RANGES).map(({ name }) => name), ...filtered, ...opened];
  const known = new Set(found.columns.map(({ name }) => name));
  return [...new Set(names)].filter((name) => known.has(name));
}

// Filters as they are by now, which may not be drawn yet, nor read by the server.
class Filters {
  constructor({ conditions }, { where, change }) {
    this.known = new Map(conditions.map(({ text, parts }) => [text, parts]));
    this.where = where;
    this.change = change;
  }

  get conditions() {
    return this.where().map((text) => ({ text, parts: this.known.get(text) ?? [{}] }));
  }

  // The one of a column; without a text, none.
  set(column, text = "", { sign, values } = {}) {
    const others = without(this.conditions, column);
    this.known.set(text, [{ column, sign, values }]);
    this.change(text ? [...others, text] : others);
  }
}

// `where()` are the filters of now, `change` gets new ones; `more(column, like)` asks for more values of a column;
// `open(column)` counts another one.
export function showFacets(place, found, counts, actions) {
  const scrolled = place.scrollTop;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.does : null;
  const filters = new Filters(found, actions);
  fill(place, counts.map((each) => facet(found, each, filters, actions)), another(found, counts, actions));
  place.scrollTop = scrolled;
  if (focused) place.querySelector(`[data-does="${CSS.escape(focused)}"]`)?.focus();
}

function facet(found, counted, filters, actions) {
  const own = partsOf(found.conditions, counted.column);
  const clear = () => filters.set(counted.column);
  return h("section", { class: "facet", "aria-label": counted.column },
    h("h3", {}, h("span", { class: "cut", title: counted.column }, shownAddress(counted.column)),
      own.length > 0 && h("button", { type: "button", class: "quiet", "data-does": `clear ${counted.column}`, onclick: clear }, "Clear")),
    counted.bins ? histogram(found, counted, filters) : values(found, counted, filters, actions));
}

function values(found, counted, filters, actions) {
  const { column, different, empty } = counted;
  const picked = chosen(found.conditions, column);
  const isEmptyAsked = partsOf(found.conditions, column).some(({ sign }) => sign === "is empty");
  const top = Math.max(1, ...counted.values.map(({ number }) => number));
  const toggle = (value, isOn) => {
    const before = chosen(filters.conditions, column);
    const now = counted.values.map((each) => each.value).filter((each) => (each === value ? isOn : before.has(each.toLowerCase())));
    const unseen = [...before].filter((each) => !counted.values.some(({ value: known }) => known.toLowerCase() === each));
    const all = [...now, ...unseen];
    filters.set(column, all.length ? choiceText(column, all) : "", { sign: "in", values: all });
  };
  const choice = (value, number, isOn, act, label = value) => h("li", {},
    h("label", { class: "choose" },
      h("input", { type: "checkbox", checked: isOn, "data-does": `${column} ${value}`, onchange: ({ target }) => act(target.checked) }),
      h("span", { class: "cut", title: label }, label), h("span", { class: "number muted" }, count(number)),
      h("span", { class: "bar" }, h("i", { "--share": number / top }))));
  if (!counted.values.length && !empty) return h("p", { class: "hint" }, "nothing");
  return [
    counted.like !== undefined && h("input", { type: "search", value: counted.like, "aria-label": `Find among values of ${column}`, placeholder: `Find among ${count(different)}`, "data-does": `find ${column}`, oninput: (event) => actions.more(column, event.target.value) }),
    h("ul", {}, counted.values.map(({ value, number }) => choice(value, number, picked.has(value.toLowerCase()), (isOn) => toggle(value, isOn), value || "(blank)")),
      empty > 0 && choice("", empty, isEmptyAsked, (isOn) => filters.set(column, isOn ? condition(column, "is empty") : ""), "(empty)")),
    counted.like === undefined && different > counted.values.length &&
      h("button", { type: "button", class: "quiet", "data-does": `more ${column}`, onclick: () => actions.more(column, "") }, `${count(different - counted.values.length)} more`),
  ];
}

// Bars to click, or to drag over.
function histogram(found, counted, filters) {
  const { column, kind, bins } = counted;
  if (!bins.length) return h("p", { class: "hint" }, "nothing to count");
  const top = Math.max(...bins.map(({ number }) => number));
  const width = WIDTH / bins.length;
  const isIn = inRange(partsOf(found.conditions, column), kind);
  const label = ({ low, high, number }) => `${edges(kind, low, high)}: ${count(number)}`;
  const bars = bins.map((bin, i) => svg("g", { class: isIn(bin) ? "on" : "" }, svg("title", {}, label(bin)),
    svg("rect", { class: "back", x: i * width, y: 0, width, height: HEIGHT }),
    svg("rect", { class: "bin", x: i * width + 0.5, width: Math.max(1, width - 1), height: size(bin.number, top), y: HEIGHT - size(bin.number, top) })));
  const drawing = svg("svg", { class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${column}: ${bins.filter(({ number }) => number).map(label).slice(0, 30).join("; ")}` }, bars);
  const words = h("span", { class: "hint" });
  const choose = (low, high) => filters.set(column, rangeText(column, kind, low, high));
  draggable(drawing, bars, (from, to) => (words.textContent = from === null ? "" : edges(kind, bins[from].low, bins[to].high)),
    (from, to) => choose(bins[from].low, bins[to].high));
  return [drawing,
    h("div", { class: "axis" }, h("span", {}, bins[0].low === null ? `< ${shownEdge(kind, bins[0].high)}` : shownEdge(kind, bins[0].low)), words,
      h("span", {}, bins.at(-1).high === null ? `${shownEdge(kind, bins.at(-1).low)} +` : shownEdge(kind, bins.at(-1).high))),
    limits(found, counted, filters)];
}

const size = (number, top) => (number ? Math.max(2, (HEIGHT * number) / top) : 0);

function edges(kind, low, high) {
  if (low === null) return `below ${shownEdge(kind, high)}`;
  if (high === null) return `${shownEdge(kind, low)} and more`;
  return low === high ? shownEdge(kind, low) : `${shownEdge(kind, low)} to ${shownEdge(kind, high)}`;
}

function draggable(drawing, bars, show, choose) {
  let from = null;
  let to = null;
  const at = (event) => {
    const box = drawing.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * bars.length)));
  };
  const mark = () => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    bars.forEach((bar, i) => bar.classList.toggle("drag", from !== null && i >= low && i <= high));
    show(from === null ? null : low, high);
  };
  drawing.addEventListener("pointerdown", (event) => (drawing.setPointerCapture(event.pointerId), (from = to = at(event)), mark()));
  drawing.addEventListener("pointermove", (event) => (from === null ? show(at(event), at(event)) : ((to = at(event)), mark())));
  drawing.addEventListener("pointerleave", () => from === null && show(null));
  drawing.addEventListener("pointercancel", () => ((from = null), mark()));
  drawing.addEventListener("pointerup", () => {
    const chosenBars = [Math.min(from, to), Math.max(from, to)];
    from = null;
    mark();
    choose(...chosenBars);
  });
}

// Whether a bar is within the filters of its column.
function inRange(parts, kind) {
  const isDate = kind === "date" || kind === "time";
  const order = (a, b) => (isDate ? String(a).localeCompare(String(b).slice(0, String(a).length)) : Number(a) - secondsOr(b));
  const tests = parts.filter(({ sign }) => [">=", ">", "<=", "<"].includes(sign)).map(({ sign, values: [value] }) => ({ low, high }) =>
    sign.startsWith(">") ? low !== null && order(low, value) >= 0 : high !== null && order(high, value) <= 0);
  return (bin) => tests.length > 0 && tests.every((test) => test(bin));
}

const SIZES = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOr(text) {
  const found = /^([\d.]+)\s*([smhd])/i.exec(text);
  return found ? Number(found[1]) * SIZES[found[2].toLowerCase()] : Number(text);
}

// The same by keyboard.
function limits(found, { column, bins }, filters) {
  const parts = partsOf(found.conditions, column);
  const valueOf = (sign) => parts.find((part) => part.sign.startsWith(sign))?.values[0] ?? "";
  const input = (sign, label) => h("input", { value: valueOf(sign), "aria-label": `${column} ${label}`, placeholder: label, "data-does": `${column} ${sign}`, size: 6 });
  const low = input(">", "from");
  const high = input("<", "to");
  const given = (element, sign) => {
    const text = element.value.trim();
    const before = parts.find((part) => part.sign.startsWith(sign));
    if (!text) return [];
    return [condition(column, before && before.values[0] === text ? before.sign : `${sign}=`, text)];
  };
  const submit = (event) => {
    event.preventDefault();
    const texts = [...given(low, ">"), ...given(high, "<")];
    filters.set(column, texts.join(" and "));
  };
  return bins.length > 1 || parts.length ? h("form", { class: "limits", onsubmit: submit }, low, h("span", { class: "muted" }, "–"), high, h("button", { class: "quiet", "aria-label": `Filter ${column}` }, "Set")) : null;
}

function another(found, counts, actions) {
  const there = new Set(counts.map(({ column }) => column));
  const others = found.columns.filter(({ name }) => !there.has(name) && !["page", "fetched_at", "id", "sources"].includes(name));
  if (!others.length) return null;
  return h("section", { class: "facet" }, h("select", { "aria-label": "Count another column", "data-does": "another", onchange: (event) => actions.open(event.target.value) },
    h("option", { value: "" }, "Count another column"), others.map(({ name }) => h("option", {}, name))));
}
