// The SPARQL bench: a query with colours and completion, asked, saved and in the address; its answer to see and to keep.

import { crawlPath, get, post } from "../api.js";
import { tried } from "../dialogs.js";
import { byId, fill, h } from "../dom.js";
import { crawlId } from "../header.js";
import { Editor } from "../new/editor.js";
import { showAnswer, showGraph } from "./answer.js";
import { Completion } from "./completion.js";
import { remember } from "./history.js";
import { showQueries } from "./saved.js";
import { isGraph, tokens } from "./tokens.js";

const EXAMPLES = {
  "Things by type": "SELECT ?type (COUNT(*) AS ?number) {\n  GRAPH ?page { ?thing a ?type }\n}\nGROUP BY ?type ORDER BY DESC(?number)",
  "Names and pages": "SELECT ?name ?type ?page {\n  GRAPH ?page { ?thing a ?type ; schema:name ?name }\n  FILTER(isLiteral(?name))\n}\nLIMIT 100",
  "Properties of a type": "SELECT ?property (COUNT(*) AS ?number) (SAMPLE(?value) AS ?example) {\n  GRAPH ?page { ?thing a schema:Recipe ; ?property ?value }\n}\nGROUP BY ?property ORDER BY DESC(?number)",
  "Sites by things": "SELECT ?site (COUNT(?thing) AS ?things) {\n  GRAPH ?page { ?thing a ?type }\n  BIND(REPLACE(STR(?page), '^https?://([^/]*).*$', '$1') AS ?site)\n}\nGROUP BY ?site ORDER BY DESC(?things)",
  "A graph": "CONSTRUCT {\n  ?thing a ?type ; schema:name ?name\n} WHERE {\n  ?thing a ?type ; schema:name ?name\n}\nLIMIT 100",
};
const START = "#sparql/";
const LONGEST_ADDRESS = 20_000; // characters; a longer query is asked, and not in the address
let editor;
let turn = 0;
let answered = null; // the query whose answer is shown

export function showSparql() {
  const [first] = Object.values(EXAMPLES);
  editor = new Editor(byId("query"), { label: "Query", text: fromAddress() ?? first, rows: 9, tokens });
  fill(byId("examples"), Object.entries(EXAMPLES).map(([name, text]) => h("button", { type: "button", class: "quiet", onclick: () => askFor(text) }, name)));
  editor.area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) askNow();
  });
  byId("ask").addEventListener("click", askNow);
  byId("endpoint").textContent = new URL(`${crawlPath(crawlId)}/sparql`, location.href).href;
  window.addEventListener("hashchange", showAddress);
  showQueries(() => editor.text, askFor);
  tried(async () => new Completion(editor, await get(`${crawlPath(crawlId)}/vocabulary`)));
  if (fromAddress() !== null) answer();
}

function fromAddress() {
  if (!location.hash.startsWith(START)) return null;
  try {
    return decodeURIComponent(location.hash.slice(START.length));
  } catch {
    return null;
  }
}

// After "back", or a link that was pasted.
function showAddress() {
  const query = fromAddress();
  if (query === null || query === answered) return;
  editor.text = query;
  answer();
}

function askFor(query) {
  editor.text = query;
  askNow();
}

function askNow() {
  const query = editor.text;
  const address = START + encodeURIComponent(query);
  if (address !== location.hash && address.length <= LONGEST_ADDRESS) history.pushState(null, "", address);
  remember(crawlId, query);
  answer();
}

async function answer() {
  const mine = ++turn;
  const query = (answered = editor.text);
  byId("ask").setAttribute("aria-busy", "true");
  fill(byId("answer-words"));
  fill(byId("answer-download"));
  try {
    const show = isGraph(query) ? await showGraph(query) : showAnswer(query, await post(`${crawlPath(crawlId)}/query`, { query }));
    if (mine !== turn) return; // another was asked meanwhile
    show();
    editor.mark([]);
  } catch (error) {
    if (mine !== turn) return;
    const at = /(?:line |at )(\d+)[:, ]/.exec(error.message);
    editor.mark(at ? [{ line: Number(at[1]) }] : []);
    fill(byId("answer"), h("p", { class: "note bad", role: "alert" }, error.message));
  }
  byId("ask").removeAttribute("aria-busy");
}
