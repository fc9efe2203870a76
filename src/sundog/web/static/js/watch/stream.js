// The pages as they come in, the latest first.

import { byId, fill, h, keyedList, shownAddress, shownTime } from "../dom.js";
import { questionOf } from "../explain.js";
import { decimal, plural } from "../format.js";
import { kindOf } from "../kinds.js";
import { typeTags } from "../lists.js";

const MOST = Number(byId("stream").dataset.most); // as many as a new watcher is sent
const KINDS = JSON.parse(byId("stream-kinds").dataset.kinds);
let kind = "all";
let held = false;
let pages = [];

const buttons = Object.entries(KINDS).map(([name, text]) =>
  h("button", { type: "button", "aria-pressed": String(name === kind), onclick: () => choose(name) }, text));
fill(byId("stream-kinds"), buttons);

function choose(name) {
  kind = name;
  Object.keys(KINDS).forEach((each, i) => buttons[i].setAttribute("aria-pressed", String(each === name)));
  show();
}

const keyOf = (page) => `${page.page} ${page.at}`;

const showItems = keyedList(byId("stream"), keyOf, item); // those that stay keep the focus

const wanted = (page) => kind === "all" || kindOf(page) === kind;

function item(page) {
  const facts = [
    page.status && `HTTP ${page.status}`,
    page.reason,
    page.statements ? plural(page.statements, "statement") : "",
    page.score !== null && `score ${decimal(page.score)}`,
    page.depth !== null && plural(page.depth, "link") + " from a seed",
  ];
  return h("li", {},
    h("span", { class: `mark ${kindOf(page)}`, role: "img", "aria-label": kindOf(page) }),
    h("a", { class: "cut", title: `Why ${page.url}?`, href: questionOf(page.url) }, shownAddress(page.url)),
    h("span", { class: "number muted" }, page.reward > 0 ? `+${decimal(page.reward)}` : ""),
    h("span", { class: "more" }, h("span", { class: "number" }, shownTime(page.at)), facts.filter(Boolean).map((fact) => h("span", { class: "wrap" }, fact)),
      h("span", {}, typeTags(page.types, 4))));
}

function show() {
  const found = pages.filter(wanted);
  showItems(found);
  byId("no-pages").hidden = found.length > 0;
  if (pages.length) byId("no-pages").textContent = "No page of this kind among the last ones.";
}

// After a break the server sends the last ones again.
export function addPages(sent) {
  const known = new Set(pages.map(keyOf));
  const news = sent.filter((page) => !known.has(keyOf(page)));
  pages = [...news.slice(-MOST).reverse(), ...pages].slice(0, MOST);
  if (!held) show();
}

byId("hold").addEventListener("click", (event) => {
  held = !held;
  event.currentTarget.setAttribute("aria-pressed", String(held));
  event.currentTarget.textContent = held ? "Follow" : "Hold";
  if (!held) show();
});
