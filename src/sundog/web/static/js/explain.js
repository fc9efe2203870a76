// Why this URL, and why not that one.

import { crawlPath, get } from "./api.js";
import { bar } from "./charts.js";
import { open } from "./dialogs.js";
import { fill, h, outLink } from "./dom.js";
import { count, decimal, localName, percent, plural } from "./format.js";

const PARTS = {
  score: "Score, by which it was compared", estimate: "Expected reward", classifier: "What its link and address look like", host: "The host's record",
  group: "Pages like it", exploration: "For trying something new", propensity: "Probability of the choice",
};
const STATES = { fetched: "good", failed: "bad", waiting: "live", "in flight": "live" };

export async function explain(crawlId, url) {
  const place = h("div", { class: "stack", role: "status" });
  const dialog = open("Why this URL?", [
    h("p", { class: "wrap" }, outLink(url)), place,
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  ], { broad: true });
  try {
    fill(place, explanation(crawlId, await waitedFor(place, asked(crawlId, url))));
  } catch (error) {
    fill(place, h("p", { class: "note bad" }, error.message));
  }
}

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
export async function asked(crawlId, url, tries = 5) {
  try {
    return await get(`${crawlPath(crawlId)}/explain`, { url });
  } catch (error) {
    if (error.status !== 429 || tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return asked(crawlId, url, tries - 1);
  }
}

export function explanation(crawlId, found) {
  return [
    h("p", {}, h("span", { class: `chip ${STATES[found.state] ?? ""}` }, found.state), found.reason ? ` ${found.reason}` : ""),
    facts(crawlId, found),
    scores("When it was chosen", found.state === "waiting" ? {} : found.decision),
    scores("What it is worth now", found.state === "waiting" ? found.decision : {}),
    instead(found.next_choice),
  ];
}

function facts(crawlId, { found = {}, page = {}, host = {}, group = {} }) {
  const rows = [
    ["Found", foundWords(found)],
    ["Link text", found.anchor],
    ["Page", pageWords(page)],
    ["Types", typesOf(page).map((type) => h("span", { class: "tag", title: type }, localName(type)))],
    ["Host", host.name && `${host.name}: ${plural(host.fetched, "page")} fetched, ${count(host.relevant)} relevant, ${count(host.failed)} failed`],
    ["Pages like it", group.shape && [h("code", {}, group.shape), `: ${plural(group.fetched, "page")} fetched, ${count(group.relevant)} relevant`]],
  ];
  return h("dl", { class: "facts" }, rows.filter(([, value]) => value && value.length !== 0).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

const typesOf = (page) => JSON.parse(page.types ?? "[]").slice(0, 12); // as the store keeps them

function foundWords(found) {
  if (!found || Object.keys(found).length === 0) return "";
  if (found.page === null || found.page === undefined) return "a seed, or named by a robots.txt";
  return [outLink(found.page), `, ${plural(found.depth, "link")} from a seed`];
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
  return h("p", { class: "note" }, "The next choice would be ", outLink(next.url), `, with a score of ${decimal(next.score)}.`);
}
