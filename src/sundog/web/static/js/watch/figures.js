// The budget's bar and the figures beside it.

import { bar } from "../charts.js";
import { byId, fill, h } from "../dom.js";
import { compact, count, duration, percent, rate } from "../format.js";
import { itemsFound } from "./found.js";

export function showFigures(crawl) {
  const share = crawl.budget ? crawl.spent / crawl.budget : 0;
  fill(byId("budget-bar"), bar(share, `${percent(share)} of the budget is spent`, "large"));
  byId("budget-words").textContent = `${count(crawl.spent)} of ${count(crawl.budget)} ${crawl.unit}`;
  const live = crawl.has_process;
  const figures = [
    ["Relevant", count(crawl.relevant), crawl.harvest === null ? "" : percent(crawl.harvest)],
    [`Of the last ${count(crawl.recent_pages)}`, percent(crawl.recent)],
    live && ["Pages a second", rate(crawl.pages_per_second)],
    crawl.objective === "patterns" && ["Items", compact(itemsFound())],
    (crawl.objective !== "patterns" || crawl.statements > 0) && ["Statements", compact(crawl.statements)],
    ["Hosts", compact(crawl.hosts)],
    live && ["Waiting", compact(crawl.queued), crawl.in_flight ? `${count(crawl.in_flight)} in flight` : ""],
    live && ["Hosts asleep", count(crawl.asleep)],
    ["Failed", count(crawl.failed), crawl.refused ? `${compact(crawl.refused)} refused` : ""],
    crawl.looked_at > 0 && ["HEAD requests", count(crawl.looked_at)],
    ["Time", duration(crawl.seconds), live && crawl.seconds_left !== null ? `${duration(crawl.seconds_left)} left` : ""],
  ];
  fill(byId("figures"), figures.filter(Boolean).map(([name, value, more]) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value, more && h("small", {}, ` ${more}`)))));
}
