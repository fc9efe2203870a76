// The page of all crawls.

import { actionButtons, beginDemo, nameOf, stateChip } from "./actions.js";
import { remember, stateOf } from "./address_state.js";
import { get, pageOf, repeat } from "./api.js";
import { bar, sparkline } from "./charts.js";
import { showMessage } from "./dialogs.js";
import { byId, h, keyedList } from "./dom.js";
import { ago, compact, count, objectiveWords, percent, plural } from "./format.js";

const VIEW = "crawls";
const START = { search: "", state: "" };
const MANY = 5; // more than these can be searched
const showRows = keyedList(byId("rows"), (crawl) => crawl.id, row);
let all = [];

function row(crawl) {
  return h("tr", {},
    h("td", { class: "name" },
      h("a", { class: "title", href: pageOf(crawl.id) }, nameOf(crawl)),
      h("small", { class: "wrap" }, [crawl.owner, crawl.title && crawl.id, ago(crawl.began)].filter(Boolean).join(" · "))),
    h("td", { class: "wanted wrap" }, objectiveWords(crawl.objective), h("small", {}, `policy ${crawl.policy}`)),
    h("td", { class: "progress" }, bar(crawl.spent / crawl.budget, `${percent(crawl.spent / crawl.budget)} of the budget`),
      h("small", { class: "number" }, `${count(crawl.spent)} of ${compact(crawl.budget)} ${crawl.unit}`)),
    h("td", { class: "harvest" },
      h("div", {}, crawl.sparkline.length > 1 && sparkline(crawl.sparkline, "Share of relevant pages over time"),
        h("span", { class: "number" }, percent(crawl.harvest))),
      h("small", {}, `${compact(crawl.relevant)} relevant pages`)),
    h("td", { class: "state" }, stateChip(crawl), h("small", { class: "reason", title: crawl.reason_words }, crawl.reason_words)),
    h("td", { class: "actions" }, actionButtons(crawl, load)));
}

function fromAddress() {
  for (const [name, value] of Object.entries(stateOf(VIEW, START))) if (name in START) byId(name).value = value;
}

function show() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const group = byId("state").value;
  const found = all.filter((crawl) => {
    const text = `${crawl.id} ${crawl.title} ${crawl.owner} ${crawl.objective} ${crawl.policy}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (!group || crawl.group === group);
  });
  showRows(found);
  byId("unmatched").hidden = found.length > 0;
}

async function load() {
  try {
    const answer = await get("/api/crawls");
    all = answer.crawls;
    byId("none").hidden = all.length > 0;
    byId("some").hidden = all.length === 0;
    byId("filters").hidden = all.length <= MANY && !Object.values(sought()).some(Boolean);
    const shown = answer.total > all.length ? `, ${count(all.length)} of them shown (those that run or wait, and the latest)` : "";
    byId("summary").textContent = all.length
      ? `${plural(answer.total, "crawl")}${shown}, ${count(answer.running)} of at most ${answer.at_once} running at once`
      : "";
    show();
  } catch (error) {
    showMessage(error.message, "bad");
  }
}

const sought = () => ({ search: byId("search").value.trim(), state: byId("state").value });
byId("search").addEventListener("input", () => (remember(VIEW, sought(), START, { isTyping: true }), show()));
byId("state").addEventListener("change", () => (remember(VIEW, sought(), START), show()));
window.addEventListener("popstate", () => (fromAddress(), show()));
fromAddress();
byId("demo")?.addEventListener("click", (event) => {
  event.currentTarget.setAttribute("aria-busy", "true");
  beginDemo().finally(() => byId("demo").removeAttribute("aria-busy"));
});
repeat(2, load);
