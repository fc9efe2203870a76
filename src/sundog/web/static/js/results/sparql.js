// Questions in SPARQL, answered as a table that can be taken along.

import { crawlPath, post } from "../api.js";
import { byId, fill, h, outLink } from "../dom.js";
import { duration, localName, plural, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { Editor } from "../new/editor.js";
import { save } from "./downloads.js";

const EXAMPLES = {
  "Things by type": "SELECT ?type (COUNT(*) AS ?number) {\n  GRAPH ?page { ?thing a ?type }\n}\nGROUP BY ?type ORDER BY DESC(?number)",
  "Names and pages": "SELECT ?name ?type ?page {\n  GRAPH ?page { ?thing a ?type ; schema:name ?name }\n  FILTER(isLiteral(?name))\n}\nLIMIT 100",
  "Properties of a type": "SELECT ?property (COUNT(*) AS ?number) (SAMPLE(?value) AS ?example) {\n  GRAPH ?page { ?thing a schema:Recipe ; ?property ?value }\n}\nGROUP BY ?property ORDER BY DESC(?number)",
  "Sites by things": "SELECT ?site (COUNT(?thing) AS ?things) {\n  GRAPH ?page { ?thing a ?type }\n  BIND(REPLACE(STR(?page), '^https?://([^/]*).*$', '$1') AS ?site)\n}\nGROUP BY ?site ORDER BY DESC(?things)",
};
let editor;

export function showSparql() {
  const [first] = Object.values(EXAMPLES);
  editor = new Editor(byId("query"), { label: "Query", text: first, rows: 9 });
  fill(byId("examples"), Object.entries(EXAMPLES).map(([name, text]) => h("button", { type: "button", class: "quiet", onclick: () => ((editor.text = text), ask()) }, name)));
  editor.area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
  });
  byId("ask").addEventListener("click", ask);
}

async function ask() {
  byId("ask").setAttribute("aria-busy", "true");
  fill(byId("answer-words"));
  fill(byId("answer-download"));
  try {
    show(await post(`${crawlPath(crawlId)}/query`, { query: editor.text }));
    editor.mark([]);
  } catch (error) {
    const at = /(?:line |at )(\d+)[:, ]/.exec(error.message);
    editor.mark(at ? [{ line: Number(at[1]) }] : []);
    fill(byId("answer"), h("p", { class: "note bad" }, error.message));
  }
  byId("ask").removeAttribute("aria-busy");
}

function show(answer) {
  if (answer.boolean !== null) {
    byId("answer-words").textContent = duration(answer.seconds);
    return fill(byId("answer"), h("p", { class: "note good" }, answer.boolean ? "Yes." : "No."));
  }
  const words = [plural(answer.rows.length, "row"), answer.cut && "and more: add a LIMIT or a condition", duration(answer.seconds), answer.behind && `${plural(answer.behind, "page")} not read yet`];
  byId("answer-words").textContent = words.filter(Boolean).join(", ");
  if (!answer.rows.length) return fill(byId("answer"), h("p", { class: "empty" }, "No answers."));
  fill(byId("answer-download"), h("button", { type: "button", onclick: () => download(answer) }, "Download as CSV"));
  return fill(byId("answer"), h("div", { class: "scroll" }, h("table", { class: "data" },
    h("thead", {}, h("tr", {}, answer.columns.map((name) => h("th", {}, name)))),
    h("tbody", {}, answer.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, shown(cell)))))))));
}

function shown(cell) {
  if (cell === null) return "";
  if (cell.type !== "uri") return h("span", { class: "long" }, cell.value);
  const isTerm = /schema\.org|w3\.org|xmlns\.com|purl\.org/.test(cell.value);
  return outLink(cell.value, isTerm ? localName(cell.value) : shortUrl(cell.value), { class: "cut" });
}

function download(answer) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [answer.columns, ...answer.rows.map((row) => row.map((cell) => cell?.value ?? ""))].map((row) => row.map(quoted).join(","));
  save(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }), `${crawlId}-answers.csv`);
}
