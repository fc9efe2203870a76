// The picture: nodes that can be chosen, and the links among them.

import { fill, svg } from "../dom.js";
import { plural, shortUrl } from "../format.js";
import { kindOf } from "../kinds.js";
import { layout } from "./layout.js";

const LETTER = 7.4; // pixels, about

export function draw(place, graph, choose) {
  const width = Math.max(300, place.clientWidth - 2);
  const { places, columns, height } = layout(graph, width);
  const centres = new Set(graph.nodes.filter((node) => node.distance === 0).map((node) => node.page));
  const links = graph.links.filter((link) => link.from !== link.to && places.has(link.from) && places.has(link.to));
  const texts = new Map(links.filter((link) => centres.has(link.from) && link.text).map((link) => [link.to, link.text]));
  const parents = new Map(graph.nodes.map((node) => [node.page, node.parent]));
  const lines = links.map((link) => line(link, places, centres, parents));
  const near = (page, isNear) => lines.forEach((each, i) => (links[i].from === page || links[i].to === page) && each.classList.toggle("near", isNear));
  const nodes = graph.nodes.filter((node) => places.has(node.page)).map((node) => nodeOf(node, places.get(node.page), texts.get(node.page), centres.has(node.page), choose, near));
  fill(place, svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Pages and the links among them" },
    lines, columns.map(({ x, y, title }) => svg("text", { class: "column", x, y }, title)), nodes));
  for (const text of place.querySelectorAll("text[data-room]")) fit(text);
}

// Letters differ in width: what was estimated too short is shortened again.
function fit(text) {
  for (let tries = 0; tries < 4; tries += 1) {
    const [wide, room, words] = [text.getComputedTextLength(), Number(text.dataset.room), text.textContent];
    if (wide <= room) return;
    text.textContent = shortened(words.replace("…", ""), Math.max(5, Math.floor((words.length * room) / wide) - 1));
  }
}

// Links of the centre, and those by which pages were found, are always shown; others when one of their ends is pointed at.
function line(link, places, centres, parents) {
  const from = places.get(link.from);
  const to = places.get(link.to);
  const isAside = !centres.has(link.from) && !centres.has(link.to) && !(from.side === "from" && parents.get(link.to) === link.from);
  return svg("path", { class: `link ${isAside ? "aside" : ""}`, d: curve(from, to) });
}

function curve(from, to) {
  if (from.isNarrow || from.x === to.x) {
    const bend = Math.min(from.x, to.x) - 8;
    return `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${to.x} ${to.y}`;
  }
  const isForward = from.x < to.x;
  const start = isForward ? from.x + from.width + 14 : from.x - 6;
  const end = isForward ? to.x - 8 : to.x + to.width + 14;
  const middle = (start + end) / 2;
  return `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
}

function nodeOf(node, at, linkText, isCentre, choose, near) {
  const kind = kindOf(node);
  const patterns = node.patterns.join(", ");
  const few = shortened(patterns || (node.statements ? `${node.statements}` : ""), 18);
  const room = Math.max(6, Math.floor((at.width - 24 - (few.length + 1) * LETTER) / LETTER));
  const label = shortened(shortUrl(node.url), room);
  const words = [node.url, kind, node.items && plural(node.items, "item"), node.statements && plural(node.statements, "statement"), patterns && `patterns: ${patterns}`, linkText && `link text: ${linkText}`].filter(Boolean).join("\n");
  const mark = kind === "failed" || kind === "refused" || kind === "redirect"
    ? svg("rect", { class: "mark", x: at.x - 4, y: at.y - 4, width: 8, height: 8 })
    : svg("circle", { class: "mark", cx: at.x, cy: at.y, r: isCentre ? 6.5 : 4.5 });
  const link = svg("a", { href: `?page=${node.page}`, class: `node ${kind} ${isCentre ? "is-centre" : ""}`, "data-page": node.page, "aria-label": `${node.url}, ${kind}` },
    svg("title", {}, words),
    svg("rect", { class: "ground", x: at.x - 10, y: at.y - 13, width: at.width + 22, height: 26, rx: 6 }),
    mark,
    svg("text", { x: at.x + 13, y: at.y + 4.5, "data-room": at.width - 18 - (few ? few.length * LETTER + 6 : 0) }, label),
    few && svg("text", { class: "few", x: at.x + at.width + 6, y: at.y + 4.5, "text-anchor": "end" }, few));
  link.addEventListener("click", (event) => (event.preventDefault(), choose(node.page)));
  for (const name of ["pointerleave", "blur"]) link.addEventListener(name, () => near(node.page, false));
  link.addEventListener("pointerenter", () => near(node.page, true));
  link.addEventListener("focus", () => near(node.page, link.matches(":focus-visible")));
  return link;
}

// The beginning names the site, and the end differs between pages of one site.
function shortened(text, room) {
  if (text.length <= room) return text;
  const head = Math.max(3, Math.floor(room * 0.4));
  return `${text.slice(0, head)}…${text.slice(text.length - Math.max(2, room - head - 1))}`;
}
