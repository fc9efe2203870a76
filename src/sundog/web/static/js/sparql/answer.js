// An answer to a query: a table, yes or no, or a graph as Turtle. Files are asked for anew, from the endpoint, and whole.

import { crawlPath, postText } from "../api.js";
import { tried } from "../dialogs.js";
import { byId, fill, h, outLink } from "../dom.js";
import { duration, localName, plural, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { save } from "../results/downloads.js";

const TABLES = { CSV: ["text/csv", "csv"], JSON: ["application/sparql-results+json", "json"], XML: ["application/sparql-results+xml", "xml"] };
const GRAPHS = { Turtle: ["text/turtle", "ttl"], "N-Triples": ["application/n-triples", "nt"], "JSON-LD": ["application/ld+json", "jsonld"] };
const MOST_SHOWN = 100_000; // characters of a graph

const fromEndpoint = (query, type) => postText(`${crawlPath(crawlId)}/sparql`, query, { "Content-Type": "application/sparql-query", Accept: type });

// These give functions that show, since another query may have been asked by then.
export function showAnswer(query, answer) {
  return () => {
    if (answer.boolean !== null) {
      say(answer);
      fill(byId("answer"), h("p", { class: "note good" }, answer.boolean ? "Yes." : "No."));
      return;
    }
    say(answer, plural(answer.rows.length, "row"), answer.cut && "and more: the files have them, or add a LIMIT or a condition");
    if (!answer.rows.length) {
      fill(byId("answer"), h("p", { class: "empty" }, "No answers."));
      return;
    }
    offer(query, TABLES);
    fill(byId("answer"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answer" }, h("table", { class: "data" },
      h("thead", {}, h("tr", {}, answer.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, answer.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, shown(cell)))))))));
  };
}

export async function showGraph(query) {
  const began = performance.now();
  const { text, headers } = await fromEndpoint(query, "text/turtle");
  const [seconds, behind] = [(performance.now() - began) / 1000, Number(headers.get("sundog-pages-behind"))];
  return () => {
    const isCut = text.length > MOST_SHOWN;
    say({ seconds, behind }, text ? "a graph, as Turtle" : "an empty graph", isCut && "its beginning: the files have all of it");
    if (text) offer(query, GRAPHS);
    fill(byId("answer"), text
      ? h("pre", { class: "turtle", tabindex: "0", role: "region", "aria-label": "Answer" }, isCut ? text.slice(0, text.lastIndexOf("\n", MOST_SHOWN)) : text)
      : h("p", { class: "empty" }, "No answers."));
  };
}

function say({ seconds, behind }, ...words) {
  byId("answer-words").textContent = [...words, duration(seconds), behind && `${plural(behind, "page")} not read yet`].filter(Boolean).join(", ");
}

function offer(query, formats) {
  fill(byId("answer-download"), "Download as ", Object.entries(formats).map(([name, [type, ending]]) => {
    const button = h("button", { type: "button", class: "quiet", "aria-label": `Download as ${name}`, onclick: async () => {
      button.setAttribute("aria-busy", "true");
      const file = await tried(() => fromEndpoint(query, type));
      if (file) save(new Blob([file.text], { type }), `${crawlId}-answers.${ending}`);
      button.removeAttribute("aria-busy");
    } }, name);
    return button;
  }));
}

function shown(cell) {
  if (cell === null) return "";
  if (cell.type !== "uri") return h("span", { class: "long", title: typeOf(cell) }, cell.value);
  const isTerm = /schema\.org|w3\.org|xmlns\.com|purl\.org/.test(cell.value);
  return outLink(cell.value, isTerm ? localName(cell.value) : shortUrl(cell.value), { class: "cut" });
}

const typeOf = (cell) => (cell["xml:lang"] ? `@${cell["xml:lang"]}` : cell.datatype ? localName(cell.datatype) : null);
