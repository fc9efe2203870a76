// The budget's bar and the figures beside it.

import { crawlPath } from "../api.js";
import { bar } from "../charts.js";
import { byId, fill, h, refill } from "../dom.js";
import { compact, count, duration, percent, rate } from "../format.js";
import { pagesWhere } from "../lists.js";
import { itemsFound } from "./found.js";

const listed = (kind, number, words = count(number)) => (number ? h("a", { href: pagesWhere({ kind }), "data-does": kind }, words) : words);

const estimated = ({ estimate, low, high }) => [`about ${compact(Math.round(estimate))}`, `${compact(Math.round(low))} to ${compact(Math.round(high))}`];

export function showFigures(crawl) {
  const share = crawl.budget ? crawl.spent / crawl.budget : 0;
  fill(byId("budget-bar"), bar(share, `${percent(share)} of the budget is spent`, "large"));
  byId("budget-words").textContent = `${count(crawl.spent)} of ${count(crawl.budget)} ${crawl.unit}`;
  const live = crawl.has_process;
  const figures = [
    ["Relevant pages", listed("relevant", crawl.relevant), crawl.harvest === null ? "" : percent(crawl.harvest)],
    [crawl.recent_pages === 1 ? "Of the last page" : `Of the last ${count(crawl.recent_pages)} pages`, percent(crawl.recent)],
    live && ["Pages a second", rate(crawl.pages_per_second)],
    crawl.objective === "patterns" && ["Items", compact(itemsFound())],
    (crawl.objective !== "patterns" || crawl.statements > 0) && ["Statements", compact(crawl.statements)],
    ["Hosts", compact(crawl.hosts)],
    live && ["Waiting", compact(crawl.queued), crawl.in_flight ? `${count(crawl.in_flight)} in flight` : ""],
    crawl.left && ["Wanted pages left", ...estimated(crawl.left)],
    crawl.left?.entities && ["Entities left", ...estimated(crawl.left.entities)],
    live && ["Hosts asleep", count(crawl.asleep)],
    ["Failed pages", listed("failed", crawl.failed), crawl.refused ? listed("refused", crawl.refused, `${compact(crawl.refused)} refused`) : ""],
    crawl.redirected > 0 && ["Redirects to known pages", listed("redirect", crawl.redirected)],
    crawl.internal > 0 && ["Internal errors", count(crawl.internal), h("a", { href: `${crawlPath(crawl.id)}/errors`, title: "On these pages Sundog itself failed: how, it has written down" }, "errors.log")],
    crawl.looked_at > 0 && ["HEAD requests", count(crawl.looked_at)],
    ["Time", duration(crawl.seconds), live && crawl.seconds_left !== null ? `${duration(crawl.seconds_left)} left` : ""],
  ];
  refill(byId("figures"), figures.filter(Boolean).map(([name, value, more]) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value, more && h("small", {}, " ", more)))));
}
