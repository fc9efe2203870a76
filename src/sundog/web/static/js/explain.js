// Why this URL, and why not that one.

import { crawlPath, get, pageOf } from "./api.js";
import { bar } from "./charts.js";
import { open } from "./dialogs.js";
import { fill, h, outLink } from "./dom.js";
import { count, decimal, percent, plural, readableUrl } from "./format.js";
import { crawlId } from "./header.js";
import { WORDS } from "./kinds.js";
import { dataOf, graphAround, pagesWhere, typeTags } from "./lists.js";

const PARTS = {
  score: "Score, by which it was compared", estimate: "Expected reward", classifier: "What its link and address look like", host: "The host's record",
  group: "Pages like it", exploration: "For trying something new, and for where it leads", propensity: "Probability of the choice",
};
const STATES = { fetched: "good", failed: "bad", waiting: "live", "in flight": "live" };

// The question is in the address of the pages that watch a crawl and show its graph: back, share and bookmark work.
const MARK = "#why/";
let dialog = null;

export const questionOf = (url) => MARK + encodeURIComponent(url);
export const explain = (url) => (location.hash = questionOf(url));

export function followQuestions() {
  window.addEventListener("hashchange", showQuestion);
  showQuestion();
}

function asksFor() {
  try {
    return location.hash.startsWith(MARK) ? decodeURIComponent(location.hash.slice(MARK.length)) : null;
  } catch {
    return null;
  }
}

function showQuestion() {
  dialog?.close();
  const url = asksFor();
  if (url !== null) answerInDialog(url);
}

async function answerInDialog(url) {
  const [address, place, ways] = [h("p", { class: "wrap" }, outLink(url)), h("div", { class: "stack", role: "status" }), h("span", { class: "row" })];
  const question = location.hash;
  const mine = (dialog = open("Why this URL?", [
    address, place,
    h("div", { class: "row between" }, ways, h("button", { type: "button", onclick: () => mine.close() }, "Close")),
  ], { broad: true }));
  mine.addEventListener("close", () => location.hash === question && history.pushState(history.state, "", location.pathname + location.search));
  try {
    const found = await waitedFor(place, asked(url));
    fill(address, outLink(found.url)); // whole, as the crawl knows it
    fill(place, explanation(found));
    fill(ways, waysFrom(found));
  } catch (error) {
    fill(place, h("p", { class: "note bad" }, error.message));
  }
}

const waysFrom = ({ number, kind }) => number !== null && [
  kind !== "frontier" && h("a", { href: dataOf(number) }, "Its data"),
  h("a", { href: graphAround(number) }, "Its place in the graph"),
];

// Pages that were fetched are explained at once. For others, the choices of the crawl are made again.
export async function waitedFor(place, answer) {
  const words = h("span", {}, "Asking the crawl.");
  fill(place, h("p", { class: "working" }, words));
  const began = Date.now();
  const timer = setInterval(() => {
    words.textContent = `It was not fetched, so the crawl’s choices are made again, up to now: ${Math.round((Date.now() - began) / 1000)} s. The next question will be quicker.`;
  }, 1500);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}

// Explanations take a while, and the server makes a few at once: if it is busy, ask again.
export async function asked(url, tries = 5) {
  try {
    return await get(`${crawlPath(crawlId)}/explain`, { url });
  } catch (error) {
    if (error.status !== 429 || tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return asked(url, tries - 1);
  }
}

export function explanation(found) {
  return [
    h("p", {}, stateOf(found), found.reason ? ` ${found.reason}` : ""),
    facts(found),
    scores("When it was chosen", found.state === "waiting" ? {} : found.decision),
    scores("What it is worth now", found.state === "waiting" ? found.decision : {}),
    instead(found.next_choice),
  ];
}

const stateOf = ({ kind, state }) =>
  kind === "redirect" ? h("span", { class: "chip" }, WORDS.redirect) : h("span", { class: `chip ${STATES[state] ?? ""}` }, state);

function facts({ found = {}, page = {}, host = {}, group = {}, leads = {}, state, parent }) {
  const rows = [
    ["Found", foundWords(found, parent)],
    ["Link text", found.anchor],
    ["Page", pageWords(page)],
    ["Browser", page.browser],
    ["Visited again", page.visited_again],
    ["Types", typeTags(typesOf(page), 12)],
    ["Host", host.name && [h("a", { href: pagesWhere({ host: host.name }) }, host.name), `: ${plural(host.fetched, "page")} fetched, ${count(host.relevant)} relevant, ${count(host.failed)} failed`]],
    ["Leads to", leadWords(leads, state)],
    ["Pages like it", group.shape && [h("code", {}, readableUrl(group.shape)), `: ${plural(group.fetched, "page")} fetched, ${count(group.relevant)} relevant`]],
  ];
  return h("dl", { class: "facts" }, rows.filter(([, value]) => value && value.length !== 0).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

const typesOf = (page) => JSON.parse(page.types ?? "[]"); // as the store keeps them

function foundWords(found, parent) {
  if (!found || Object.keys(found).length === 0) return "";
  if (found.page === null || found.page === undefined) return "a seed, or named by a robots.txt";
  return [h("a", { href: dataOf(parent), title: found.page }, readableUrl(found.page)), `, ${plural(found.depth, "link")} from a seed`];
}

function leadWords(leads, state) {
  const about = state === "waiting" ? "about " : "";
  return Object.entries(leads).map(([shape, pages], at) => [at ? ", " : about, `${decimal(pages)} new of `, h("code", {}, readableUrl(shape))]);
}

function pageWords(page) {
  if (page.reward === undefined) return "";
  const words = [page.status && `HTTP ${page.status}`, `reward ${decimal(page.reward)}`, page.content_type, page.duplicate_of && `the same as ${page.duplicate_of}`];
  return words.filter(Boolean).join(", ");
}

function scores(title, decision) {
  const rows = Object.entries(PARTS).filter(([name]) => typeof decision?.[name] === "number");
  if (!rows.length) return null;
  return h("div", { class: "stack" }, h("h3", {}, title), h("dl", { class: "parts" }, rows.map(([name, words]) => [
    h("dt", {}, words), h("dd", {}, bar(decision[name], percent(decision[name]))), h("dd", { class: "number" }, decimal(decision[name]))])));
}

function instead(next) {
  if (!next?.url) return null;
  return h("p", { class: "note" }, "The next choice would be ", h("a", { href: pageOf(crawlId, questionOf(next.url)) }, readableUrl(next.url)), `, with a score of ${decimal(next.score)}.`);
}
