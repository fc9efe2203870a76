// Exploration and exploitation over the crawl, below the harvest and in step with it.

import { LEFT, RIGHT } from "../charts.js";
import { byId, fill, svg } from "../dom.js";
import { count, percent } from "../format.js";
import { pagesWhere } from "../lists.js";

const HEIGHT = 44;
const RECENT = 5; // stretches that are the present
let stretches = [];

// With one host there is nothing to choose between.
export function showExploration(tried, hosts) {
  stretches = hosts === 1 ? [] : tried;
  byId("balance").hidden = stretches.length < 2;
  if (stretches.length >= 2) draw();
}

function draw() {
  const width = byId("harvest").clientWidth || 760;
  const right = Math.max(10, stretches.at(-1)[0]);
  const x = (pages) => LEFT + ((width - LEFT - RIGHT) * pages) / right;
  const blocks = stretches.map(([end, trials], i) => {
    const begin = i ? stretches[i - 1][0] : 0;
    const share = trials / (end - begin);
    const [left, wide] = [x(begin), Math.max(0.5, x(end) - x(begin) - (stretches.length > 30 ? 1 : 2))];
    return svg("a", { href: pagesWhere({ first: begin + 1, last: end }), tabindex: -1 }, // by keyboard, the curve above does the same
      svg("title", {}, `Pages ${count(begin + 1)} to ${count(end)}: ${percent(share)} of hosts that had given nothing yet`),
      svg("rect", { class: "trial", x: left, y: 0, width: wide, height: HEIGHT * share }),
      svg("rect", { class: "use", x: left, y: HEIGHT * share, width: wide, height: HEIGHT * (1 - share) }));
  });
  const words = wordsOf();
  fill(byId("balance-strip"), svg("svg", { class: "strip", viewBox: `0 0 ${width} ${HEIGHT}`, width: "100%", height: HEIGHT, role: "img", "aria-label": words }, blocks));
  byId("balance-words").textContent = words;
}

function wordsOf() {
  const before = stretches.at(-RECENT - 1)?.[0] ?? 0;
  const pages = stretches.at(-1)[0] - before;
  const trials = stretches.slice(-RECENT).reduce((sum, [, each]) => sum + each, 0);
  return `Of the last ${count(pages)} pages, ${percent(1 - trials / pages)} came from hosts that had given something relevant before (exploitation), ${percent(trials / pages)} from others (exploration).`;
}

new ResizeObserver(() => stretches.length >= 2 && draw()).observe(byId("harvest"));
