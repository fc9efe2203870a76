// What a crawl has found: one tab at a time, and the address remembers which.

import { byId } from "../dom.js";
import { followHeader } from "../header.js";
import { followDownloads } from "./downloads.js";
import { showEntities } from "./entities.js";
import { showPages } from "./pages.js";
import { hasResult, showResult } from "./result.js";
import { showSparql } from "./sparql.js";

const TABS = { result: showResult, entities: showEntities, pages: showPages, sparql: showSparql, downloads: () => {} };
const begun = new Set();

function choose(chosen) {
  for (const name of Object.keys(TABS)) {
    byId(name).hidden = name !== chosen;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === chosen));
    byId(`tab-${name}`).tabIndex = name === chosen ? 0 : -1;
  }
  if (!begun.has(chosen)) TABS[chosen]();
  begun.add(chosen);
}

const fromAddress = () => {
  const name = location.hash.slice(1).split("/")[0];
  return Object.hasOwn(TABS, name) ? name : null;
};

for (const name of Object.keys(TABS)) {
  byId(`tab-${name}`).addEventListener("click", () => (history.replaceState(null, "", `#${name}`), choose(name)));
}
byId("kinds").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const shown = Object.keys(TABS).filter((name) => !byId(`tab-${name}`).hidden);
  const at = shown.findIndex((name) => byId(`tab-${name}`).getAttribute("aria-selected") === "true");
  byId(`tab-${shown[(at + step + shown.length) % shown.length]}`).click();
  document.querySelector('#kinds [aria-selected="true"]').focus();
});
window.addEventListener("hashchange", () => fromAddress() && choose(fromAddress()));
followHeader();
followDownloads();
const asked = fromAddress();
if (asked && asked !== "result") choose(asked);
hasResult().then((isThere) => {
  byId("tab-result").hidden = !isThere;
  for (const link of document.querySelectorAll("[data-of-patterns]")) link.hidden = !isThere;
  if (!asked || asked === "result") choose(isThere ? "result" : "entities");
});
