// One page of a crawl: its statements, its links, and why it was chosen.

import { crawlPath, get } from "./api.js";
import { byId, fill, h, outLink, shownAddress } from "./dom.js";
import { asked, explanation, waitedFor } from "./explain.js";
import { bytes, count, dateAndTime, decimal, duration, plural } from "./format.js";
import { crawlId, followHeader } from "./header.js";
import { dataOf, graphAround, typeTags } from "./lists.js";
import { itemTable } from "./new/pattern_results.js";
import { statementTree, syntaxNames } from "./tree.js";

async function show() {
  let page;
  try {
    page = await get(`${crawlPath(crawlId)}/pages/${byId("page").dataset.page}`);
  } catch (error) {
    return fill(byId("page"), h("p", { class: "note bad" }, error.message));
  }
  showFacts(page);
  showPicture(page);
  showItems(page);
  showStatements(page);
  showLinks(page);
  try {
    fill(byId("why"), explanation(await waitedFor(byId("why"), asked(page.url))));
  } catch (error) {
    fill(byId("why"), h("p", { class: "note bad" }, error.message));
  }
  return undefined;
}

function showFacts(page) {
  const rows = [
    ["Address", outLink(page.url)],
    ["Answer", [page.status && `HTTP ${page.status}`, page.reason, page.seconds !== null && `in ${duration(page.seconds)}`].filter(Boolean).join(", ")],
    ["Relevant", page.kind === "fetched" && (page.reward > 0 ? `yes, reward ${decimal(page.reward)}` : "no")],
    ["Fetched", page.at && dateAndTime(page.at)],
    ["Found", page.parent === null || page.parent === undefined ? "a seed, or named by a robots.txt" : [h("a", { href: dataOf(page.parent) }, "on this page"), `, ${plural(page.depth, "link")} from a seed`]],
    ["Browser", page.render && renderWords(page.render)],
    ["Redirects", (page.redirects ?? []).map((url) => h("div", {}, outLink(url)))],
    ["Faults", (page.faults ?? []).map((fault) => h("div", { class: "hint" }, [fault].flat().join(": ")))],
    ["Types", typeTags(page.types ?? [], 12)],
    ["Graph", h("a", { href: graphAround(page.page) }, "Around this page")],
  ];
  fill(byId("facts"), h("dl", { class: "facts" }, rows.filter(([, value]) => value && value.length !== 0).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
}

function renderWords({ failure, action, seconds, requests, size, refused }) {
  if (action === "plain") return "not rendered";
  const cost = `in ${duration(seconds)}, ${plural(requests, "request")} of its scripts with ${bytes(size)}, ${count(refused)} refused`;
  return failure ? `could not be rendered, ${cost}: ${failure}` : `rendered ${cost}`;
}

function showPicture({ page, render }) {
  byId("picture").hidden = !render?.screenshot;
  if (render?.screenshot) fill(byId("screenshot"), h("img", { src: `${crawlPath(crawlId)}/pages/${page}/screenshot`, alt: "The page as the browser of the crawl showed it" }));
}

function showItems(page) {
  const items = page.items ?? [];
  byId("items").hidden = items.length === 0;
  const patterns = [...new Set(items.map(({ pattern }) => pattern))];
  fill(byId("item-list"), patterns.map((name) => h("div", {}, h("h3", {}, name), itemTable(items.filter(({ pattern }) => pattern === name).map(({ item }) => item)))));
}

function showStatements(page) {
  const syntaxes = Object.entries(page.statements ?? {}).filter(([, statements]) => statements.length);
  byId("page-words").textContent = plural(syntaxes.reduce((sum, [, statements]) => sum + statements.length, 0), "statement");
  fill(byId("statements"), syntaxes.length
    ? syntaxes.map(([syntax, statements]) => h("div", {}, h("h3", {}, syntaxNames[syntax] ?? syntax), statementTree(statements)))
    : h("p", { class: "empty" }, h("b", {}, "No structured data"), page.kind === "fetched" ? "The page has none, or it was not kept." : `The page was not read: ${page.reason || page.kind}`));
}

function showLinks(page) {
  const links = page.links ?? [];
  byId("links-words").textContent = links.length ? plural(links.length, "link") : "";
  fill(byId("links"), links.length
    ? links.map((link) => h("div", { class: "cut" }, h("a", { href: link.fetched ? dataOf(link.page) : graphAround(link.page), title: link.url, class: link.fetched ? "" : "muted" }, shownAddress(link.url)), link.text && h("small", {}, ` ${link.text}`)))
    : h("p", { class: "empty" }, "It has none that may be followed."));
}

followHeader();
show();
