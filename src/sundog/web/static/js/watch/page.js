// Watches a crawl: everything here comes by events.

import { crawlPath, get } from "../api.js";
import { HarvestChart } from "../charts.js";
import { tried } from "../dialogs.js";
import { byId, fill, h, outLink } from "../dom.js";
import { listen } from "../events.js";
import { explain, followQuestions } from "../explain.js";
import { duration } from "../format.js";
import { crawlId, showHeader } from "../header.js";
import { pagesWhere } from "../lists.js";
import { showExploration } from "./exploration.js";
import { showFigures } from "./figures.js";
import { showFound } from "./found.js";
import { showHosts } from "./hosts.js";
import { showRendering } from "./rendering.js";
import { showShards } from "./shards.js";
import { addPages } from "./stream.js";

let last = null;
const chart = new HarvestChart(byId("harvest"), (first, last) => location.assign(pagesWhere({ first, last })));

function showHarvest(harvest) {
  byId("bfs-legend").hidden = harvest.bfs.length < 2;
  chart.show(harvest);
  showExploration(harvest.tried, last?.hosts);
}

function showAsked(crawl) {
  const facts = [
    ["Seeds", crawl.seeds.slice(0, 5).map((seed) => h("div", {}, outLink(seed)))],
    ["Looks for", crawl.objective === "patterns" ? "what its data patterns find" : h("code", {}, crawl.objective)],
    ["Policy", [crawl.policy, ...Object.entries(crawl.parameters).map(([name, value]) => ` ${name}=${value}`)].join(",")],
    ["Delay", duration(crawl.delay)],
    ["About", crawl.description],
    ["E-mail", crawl.email && `${crawl.email} gets a message when it ends`],
  ];
  fill(byId("asked"), facts.filter(([, value]) => value && value.length !== 0).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  if (crawl.seeds.length > 5) byId("asked").querySelector("dd").append(`and ${crawl.seeds.length - 5} more`);
}

function showConnection(isThere) {
  fill(byId("crawl-link"), !isThere && h("span", { class: "chip warn" }, "connection lost, trying again"));
}

byId("why").addEventListener("submit", (event) => {
  event.preventDefault();
  explain(byId("why-url").value.trim());
});

listen(crawlId, {
  crawl: (crawl) => (showHeader(crawl), showFigures((last = crawl)), showShards(crawl.shards)),
  pages: ({ pages }) => addPages(pages),
  hosts: showHosts,
  found: (news) => (showFound(news), last && showFigures(last), showRendering()),
  harvest: showHarvest,
  gone: () => location.assign("/"),
}, showConnection);
followQuestions();
tried(async () => showAsked(await get(crawlPath(crawlId))));
showRendering();
