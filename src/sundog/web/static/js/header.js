// The head of every page about one crawl: its name, state, and what can be done with it.

import { actionButtons, nameOf, stateChip } from "./actions.js";
import { crawlPath, get, pageOf, repeat } from "./api.js";
import { showCode } from "./code.js";
import { byId, fill, h, refill } from "./dom.js";
import { count, objectiveWords } from "./format.js";
import { canNotify, isAsked, notice, toggle } from "./notifications.js";

const HIDDEN = 10_000; // milliseconds between looks while nobody looks at the page
export const crawlId = byId("crawl").dataset.id;
let shown = "";
let last = null;

export function showHeader(crawl) {
  if (crawl === null) return location.assign("/");
  last = crawl;
  document.title = titleOf(crawl);
  notice(crawl);
  const news = JSON.stringify([crawl.title, crawl.state, crawl.reason, crawl.actions, crawl.warning, crawl.stage, crawl.budget, crawl.owner, isAsked(crawl.id)]);
  if (news === shown) return;
  shown = news;
  byId("crawl-name").textContent = nameOf(crawl);
  fill(byId("crawl-state"), stateChip(crawl));
  const words = [objectiveWords(crawl.objective), `policy ${crawl.policy}`, crawl.owner && `for ${crawl.owner}`];
  if (crawl.state !== "failed") words.push(crawl.reason_words);
  if (crawl.state === "running" || crawl.state === "starting") words.push(crawl.stage);
  byId("crawl-about").textContent = words.filter(Boolean).join(" · ");
  refill(byId("crawl-actions"), notifyButton(crawl), h("button", { type: "button", "data-does": "code", onclick: () => showCode(crawl) }, "As code"), actionButtons(crawl, showHeader, "plainly"));
  fill(byId("crawl-note"),
    crawl.state === "failed" && h("p", { class: "note bad" }, `It could not go on: ${crawl.reason} `, !location.pathname.endsWith("/log") && h("a", { href: pageOf(crawl.id, "/log") }, "See its log")),
    crawl.warning && h("p", { class: "note warn" }, crawl.warning));
  return undefined;
}

// Of a crawl that runs, how far it is: for whoever has many tabs.
function titleOf(crawl) {
  const progress = crawl.group === "live" && crawl.budget ? `${Math.floor((100 * crawl.spent) / crawl.budget)}% · ${count(crawl.relevant)} found · ` : "";
  return `${progress}${nameOf(crawl)} · Sundog`;
}

function notifyButton(crawl) {
  if (crawl.group !== "live" || !canNotify()) return null;
  const press = async () => (await toggle(crawl), showHeader(last));
  return h("button", { type: "button", "data-does": "notify", "aria-pressed": String(isAsked(crawl.id)), title: "By this browser, when it ends or needs somebody", onclick: press }, isAsked(crawl.id) ? "Notifies you" : "Notify me");
}

async function look() {
  try {
    showHeader(await get(crawlPath(crawlId)));
  } catch (error) {
    if (error.status === 404) location.assign("/");
  }
}

// For pages that do not listen to events.
export const followHeader = () => repeat(3, look);

setInterval(() => document.hidden && last?.group === "live" && look(), HIDDEN);
