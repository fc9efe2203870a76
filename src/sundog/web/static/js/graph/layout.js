// Where pages stand: those that lead to the centre, the centre, and those that it leads to, each in columns.

import { byKind } from "../kinds.js";

const ROW = 28;
const HEAD = 30;
const NARROW = 760;
const GAP = 90; // between columns, for links

// Gives {places: page → {x, y, width, side}, columns: [{x, title}], width, height}.
export function layout(graph, width) {
  const groups = grouped(graph);
  return width < NARROW ? inOneColumn(groups, width) : inColumns(groups, width);
}

function grouped({ nodes, links }) {
  const centres = new Set(nodes.filter((node) => node.distance === 0).map((node) => node.page));
  const targets = new Set(links.filter((link) => centres.has(link.from)).map((link) => link.to));
  const above = ancestors(nodes, centres);
  const side = (node) => (centres.has(node.page) ? "centre" : targets.has(node.page) && !above.has(node.page) ? "to" : "from");
  const groups = { from: [], centre: [], to: [] };
  for (const node of nodes) groups[side(node)].push(node);
  groups.to.sort(byKind);
  groups.from.sort((a, b) => a.distance - b.distance);
  return groups;
}

// The pages by which the centre was found.
function ancestors(nodes, centres) {
  const parents = new Map(nodes.map((node) => [node.page, node.parent]));
  const found = new Set();
  for (let page of centres) {
    while ((page = parents.get(page) ?? null) !== null && !found.has(page) && !centres.has(page)) found.add(page);
  }
  return found;
}

const TITLES = { from: "Lead here", centre: "", to: "It leads to" };

// With nothing on the left, what the centre leads to stands on both sides of it.
function inColumns(groups, width) {
  const onLeft = groups.from.length ? [] : groups.to.slice(Math.ceil(groups.to.length / 2));
  const left = groups.from.length ? ["from", groups.from] : ["to", onLeft];
  const lists = [left, ["centre", groups.centre], ["to", groups.to.slice(0, groups.to.length - onLeft.length)]];
  const step = width / lists.length;
  const height = HEAD + ROW * Math.max(...lists.map(([, list]) => list.length), 3);
  const places = new Map();
  const columns = lists.map(([side, list], i) => {
    const top = side === "centre" ? Math.max(HEAD, Math.min(height / 2, 240) - (ROW * list.length) / 2) : HEAD;
    list.forEach((node, row) => places.set(node.page, { x: i * step + 12, y: top + ROW * (row + 0.5), width: step - (i < lists.length - 1 ? GAP : 22), side }));
    return { x: i * step + 6, y: 14, title: list.length ? TITLES[side] : "" };
  });
  return { places, columns, width, height };
}

function inOneColumn(groups, width) {
  const places = new Map();
  const columns = [];
  let y = 0;
  for (const [side, indent] of [["from", 0], ["centre", 18], ["to", 36]]) {
    if (!groups[side].length) continue;
    if (TITLES[side]) columns.push({ x: 4 + indent, y: y + 18, title: TITLES[side] });
    y += TITLES[side] ? HEAD : 10;
    for (const node of groups[side]) {
      places.set(node.page, { x: 12 + indent, y: y + ROW / 2, width: width - indent - 24, side, isNarrow: true });
      y += ROW;
    }
  }
  return { places, columns, width, height: y + 6 };
}
