// Notices by the browser, for crawls that somebody has asked them for with a click; while one of the pages is open.

import { nameOf } from "./actions.js";
import { pageOf } from "./api.js";
import { showMessage } from "./dialogs.js";
import { count } from "./format.js";

const key = (id) => `sundog.notify ${id}`;
let before = null; // the crawl as it was last

export const canNotify = () => "Notification" in window && Notification.permission !== "denied";
export const isAsked = (id) => canNotify() && Notification.permission === "granted" && localStorage.getItem(key(id)) === "yes";

export async function toggle(crawl) {
  if (isAsked(crawl.id)) {
    localStorage.removeItem(key(crawl.id));
    return;
  }
  if ((await Notification.requestPermission()) !== "granted") {
    showMessage("The browser does not allow notices of this site: its settings can change that.", "bad");
    return;
  }
  localStorage.setItem(key(crawl.id), "yes");
}

// Tells of the end of a crawl, and of what it needs somebody for.
export function notice(crawl) {
  const was = before;
  before = crawl;
  if (!was || !isAsked(crawl.id)) return;
  if (was.group === "live" && crawl.group !== "live") {
    show(crawl, `${nameOf(crawl)}: ${crawl.state}`, [`${count(crawl.relevant)} relevant of ${count(crawl.fetched)} pages`, crawl.reason_words].filter(Boolean).join(" · "));
    localStorage.removeItem(key(crawl.id));
  } else if (trouble(crawl) && trouble(crawl) !== trouble(was)) {
    show(crawl, `${nameOf(crawl)} needs attention`, trouble(crawl));
  }
}

const trouble = ({ stage, warning }) => (stage.startsWith("paused") ? `It is ${stage}` : warning);

function show(crawl, title, body) {
  const shown = new Notification(title, { body, tag: `sundog ${crawl.id}`, icon: "/static/icon.svg" });
  shown.onclick = () => (window.focus(), location.assign(pageOf(crawl.id)));
}
