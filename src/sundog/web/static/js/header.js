// The head of every page about one crawl: its name, state, and what can be done with it.

import { actionButtons, nameOf, stateChip } from "./actions.js";
import { crawlPath, get, repeat } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { objectiveWords } from "./format.js";

export const crawlId = byId("crawl").dataset.id;
let shown = "";

export function showHeader(crawl) {
  if (crawl === null) return location.assign("/");
  const news = JSON.stringify([crawl.title, crawl.state, crawl.reason, crawl.actions, crawl.warning, crawl.stage, crawl.budget, crawl.owner]);
  if (news === shown) return;
  shown = news;
  document.title = `${nameOf(crawl)} · Sundog`;
  byId("crawl-name").textContent = nameOf(crawl);
  fill(byId("crawl-state"), stateChip(crawl));
  const words = [objectiveWords(crawl.objective), `policy ${crawl.policy}`, crawl.owner && `for ${crawl.owner}`];
  if (crawl.state !== "failed") words.push(crawl.reason_words);
  if (crawl.state === "running" || crawl.state === "starting") words.push(crawl.stage);
  byId("crawl-about").textContent = words.filter(Boolean).join(" · ");
  const name = document.activeElement?.closest("#crawl-actions") && document.activeElement.dataset.does;
  fill(byId("crawl-actions"), actionButtons(crawl, showHeader, "plainly"));
  if (name) byId("crawl-actions").querySelector(`[data-does="${name}"]`)?.focus();
  fill(byId("crawl-note"),
    crawl.state === "failed" && h("p", { class: "note bad" }, `It could not go on: ${crawl.reason}`),
    crawl.warning && h("p", { class: "note warn" }, crawl.warning));
  return undefined;
}

// For pages that do not listen to events.
export const followHeader = () =>
  repeat(3, async () => {
    try {
      showHeader(await get(crawlPath(crawlId)));
    } catch (error) {
      if (error.status === 404) location.assign("/");
    }
  });
