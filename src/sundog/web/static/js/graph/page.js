// The crawl graph around a page: choose one, and it is the centre.

import { crawlPath, get } from "../api.js";
import { byId, fill, h, outLink } from "../dom.js";
import { followQuestions, questionOf } from "../explain.js";
import { decimal, plural } from "../format.js";
import { crawlId, followHeader } from "../header.js";
import { WORDS, kindOf } from "../kinds.js";
import { dataOf, pagesWhere, typeTags } from "../lists.js";
import { settled } from "../table.js";
import { draw } from "./drawing.js";

let shown = null;
let address = ""; // of what is shown

async function show(wanted, isNew = true) {
  try {
    const graph = await get(`${crawlPath(crawlId)}/graph`, { ...wanted, most: 48 });
    shown = graph;
    if (isNew) history.pushState(null, "", wanted.page === undefined && !wanted.url ? location.pathname : `?page=${graph.centre}`);
    address = JSON.stringify(fromAddress());
    drawAll(wanted);
    if (isNew) byId("graph").querySelector(`[data-page="${graph.centre}"]`)?.focus({ preventScroll: true });
  } catch (error) {
    fill(byId("graph"), h("p", { class: "note bad" }, error.message));
    fill(byId("centre"));
    byId("graph-words").textContent = "";
  }
}

function drawAll(wanted) {
  if (!shown.nodes.length) {
    fill(byId("centre"));
    return fill(byId("graph"), h("p", { class: "empty" }, h("b", {}, "Nothing to show yet"), "Pages appear here when they have been fetched."));
  }
  const isOne = wanted.page !== undefined || Boolean(wanted.url);
  const centre = shown.nodes.find((node) => node.page === shown.centre);
  byId("graph-title").textContent = isOne ? "Around a page" : "Around the seeds";
  fill(byId("centre"), isOne && about(centre));
  draw(byId("graph"), shown, (page) => show({ page }));
  byId("graph-words").textContent = [
    shown.hidden ? `${plural(shown.hidden, "more link")} ${shown.hidden === 1 ? "is" : "are"} not shown; pages that were fetched come first.` : "",
    shown.nodes.some((node) => node.patterns.length) ? "On the right of a page: the patterns that found something." : "On the right of a page: how many statements it has.",
    "Choose a page to go there; point at one to see its links.",
  ].join(" ");
  return undefined;
}

function about(node) {
  const facts = [WORDS[kindOf(node)], node.reward ? `reward ${decimal(node.reward)}` : "", node.items ? plural(node.items, "item") : "", node.statements ? plural(node.statements, "statement") : "", node.depth !== null ? `${plural(node.depth, "link")} from a seed` : ""];
  return [
    h("div", { class: "wrap" }, outLink(node.url)),
    h("div", { class: "row" },
      h("span", { class: "muted" }, facts.filter(Boolean).join(" · "), " ", typeTags(node.types, 6), node.patterns.map((name) => h("span", { class: "tag hit" }, name))),
      h("span", { class: "row" },
        node.kind !== "frontier" && h("a", { href: dataOf(node.page) }, "Its data"),
        h("a", { href: questionOf(node.url) }, "Why this URL?"),
        URL.canParse(node.url) && h("a", { href: pagesWhere({ host: new URL(node.url).host }) }, "Pages of its host"))),
  ];
}

async function suggest() {
  const search = byId("find-url").value.trim();
  if (search.length < 2 || /^https?:\/\/.+\/./.test(search)) return;
  const { pages } = await get(`${crawlPath(crawlId)}/pages`, { search, kind: "all", limit: 12 });
  fill(byId("found-urls"), pages.map((page) => h("option", { value: page.url })));
}

byId("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = byId("find-url").value.trim();
  if (!text) return show({});
  if (/^https?:\/\//i.test(text)) return show({ url: text });
  const { pages } = await get(`${crawlPath(crawlId)}/pages`, { search: text, kind: "all", limit: 1 });
  if (pages.length) return show({ page: pages[0].page });
  if (text.includes("/")) return show({ url: text }); // one that was not fetched
  return fill(byId("graph"), h("p", { class: "empty" }, h("b", {}, "No page is like that"), "Give a part of the address of a page that was fetched, or the whole address of any."));
});
byId("find-url").addEventListener("input", settled(suggest));
byId("to-seeds").addEventListener("click", () => show({}));
window.addEventListener("popstate", () => JSON.stringify(fromAddress()) !== address && show(fromAddress(), false)); // a question leaves the graph as it is
window.addEventListener("resize", settled(() => shown && draw(byId("graph"), shown, (page) => show({ page }))));

function fromAddress() {
  const given = new URLSearchParams(location.search);
  if (given.has("page")) return { page: Number(given.get("page")) };
  return given.has("url") ? { url: given.get("url") } : {};
}

followHeader();
followQuestions();
show(fromAddress(), false);
