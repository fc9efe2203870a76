// What a crawl has found: one tab at a time, and the address remembers which, and what it shows.

import { crawlPath, get } from "../api.js";
import { byId } from "../dom.js";
import { crawlId, followHeader } from "../header.js";
import { showSparql } from "../sparql/bench.js";
import { followDownloads } from "./downloads.js";
import { showEntities } from "./entities.js";
import { showPages } from "./pages.js";
import { showResult } from "./result.js";

const TABS = { result: showResult, entities: once(showEntities), pages: showPages, sparql: once(showSparql), downloads: () => {} };
const last = {}; // the address of each tab when it was left

let at = null;
let usual = "entities";

function choose(chosen) {
  for (const name of Object.keys(TABS)) {
    byId(name).hidden = name !== chosen;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === chosen));
    byId(`tab-${name}`).tabIndex = name === chosen ? 0 : -1;
  }
  TABS[chosen]();
  at = chosen;
}

const fromAddress = () => {
  const name = location.hash.slice(1).split("/")[0];
  return Object.hasOwn(TABS, name) ? name : null;
};

for (const name of Object.keys(TABS)) {
  byId(`tab-${name}`).addEventListener("click", () => {
    last[at] = location.hash;
    history.pushState(null, "", last[name] ?? `#${name}`);
    choose(name);
  });
}
byId("kinds").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const shown = Object.keys(TABS).filter((name) => !byId(`tab-${name}`).hidden);
  const at = shown.findIndex((name) => byId(`tab-${name}`).getAttribute("aria-selected") === "true");
  byId(`tab-${shown[(at + step + shown.length) % shown.length]}`).click();
  document.querySelector('#kinds [aria-selected="true"]').focus();
});
window.addEventListener("popstate", () => choose(fromAddress() ?? usual));
followHeader();
followDownloads();
const asked = fromAddress();
if (asked && asked !== "result") choose(asked);
about().then(({ patterns, formats }) => {
  byId("tab-result").hidden = !patterns;
  for (const each of document.querySelectorAll("[data-offer]")) each.hidden = !formats.includes(each.dataset.offer);
  usual = patterns ? "result" : "entities";
  if (!asked || asked === "result") choose(usual);
});

// For tabs that follow the address by themselves.
function once(show) {
  let isShown = false;
  return () => isShown || ((isShown = true), show());
}

async function about() {
  try {
    return await get(crawlPath(crawlId));
  } catch {
    return { patterns: false, formats: [] };
  }
}
