// A new crawl by its spec.

import { withScheme } from "../addresses.js";
import { crawlPath, get, pageOf, post } from "../api.js";
import { confirmed, tried } from "../dialogs.js";
import { byId, fill, h } from "../dom.js";
import { Editor, fileButton } from "./editor.js";
import { Patterns } from "./patterns.js";
import { PolicyForm } from "./policy.js";
import { preview } from "./preview.js";
import { keepForGuided, takeForExpert } from "./stored_draft.js";
import { join, partOf, split, valueOf } from "./toml.js";

const START = byId("spec").dataset.start; // what a spec may begin with
const spec = new Editor(byId("spec"), { label: "Spec", text: START, rows: 14, changed: () => (unmark(), policy.read()) });
const patterns = new Patterns(unmark);
const policy = new PolicyForm(spec);
const files = new Map();

function whole() {
  return join({ spec: spec.text, ...patterns.parts });
}

function draft() {
  const about = Object.fromEntries(["owner", "title", "description"].map((id) => [id, byId(id).value.trim()]));
  const email = byId("email").disabled ? "" : byId("email").value.trim();
  const webhook = byId("webhook")?.value.trim() ?? "";
  return { ...about, email, webhook, spec: whole().text, files: Object.fromEntries([...files].map(([name, editor]) => [name, editor.text])) };
}

function addFile(name, text) {
  const place = h("div", {});
  const row = h("div", { class: "stack" },
    h("div", { class: "row between" }, h("code", {}, name), h("button", { type: "button", class: "quiet", onclick: () => (files.delete(name), row.remove()) }, "Remove")), place);
  files.set(name, new Editor(place, { label: name, text, rows: 6, changed: unmark }));
  byId("files").append(row);
}

function unmark() {
  fill(byId("trouble"));
  fill(byId("checked"));
}

const editorOf = (part) => (part === "spec" ? spec : patterns.editor(part));

function showErrors(errors) {
  const { begins } = whole();
  const placed = errors.map((error) => {
    if (files.has(error.place)) return { ...error, editor: files.get(error.place), where: error.place };
    if (!error.line) return error;
    const { part, line } = partOf(begins, error.line);
    return { ...error, line, editor: editorOf(part), where: part === "spec" ? "spec" : `${part} pattern`, part };
  });
  for (const editor of [spec, ...patterns.editors, ...files.values()]) editor.mark(placed.filter((error) => error.editor === editor));
  fill(byId("trouble"), errors.length > 0 && h("ul", { class: "wrongs" }, placed.map((error) => h("li", { class: "note bad" },
    error.line ? h("button", { type: "button", class: "plain", onclick: () => show(error) }, `${error.where}, line ${error.line}${error.column ? `, column ${error.column}` : ""}`) : null,
    error.line ? ": " : "", error.message))));
}

function show(error) {
  if (error.part && error.part !== "spec") patterns.choose(error.part);
  error.editor.goTo(error.line, error.column);
}

async function check() {
  const answer = await post("/api/check", draft());
  showErrors(answer.errors);
  fill(byId("checked"), answer.ok && h("span", { class: "chip good" }, "It can begin"));
  return answer.ok;
}

async function busy(button, act) {
  button.setAttribute("aria-busy", "true");
  await tried(act);
  button.removeAttribute("aria-busy");
}

// Says what the guided form cannot, before it is lost.
async function toGuided() {
  if (!(await check())) return;
  const { fields, lost } = await post("/api/guided", draft());
  const text = `The guided form has no questions for ${lost.join(", ")}. There, the crawl would have the usual values.`;
  if (lost.length && !(await confirmed("Leave something out?", text, "Leave it out"))) return;
  keepForGuided(fields);
  location.assign("/new");
}

function use({ owner = "", email = "", webhook = "", title = "", description = "", spec: text = START, files: sent = {} }) {
  const parts = split(text);
  spec.text = `${parts.spec}\n`;
  patterns.use(parts);
  Object.entries({ owner, email, title: title || valueOf(text, "", "title") || "", description: description || valueOf(text, "", "description") || "" }).forEach(([id, value]) => (byId(id).value = value));
  if (byId("webhook")) byId("webhook").value = webhook;
  for (const [name, content] of Object.entries(sent)) addFile(name, content);
  policy.read();
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy(byId("begin"), async () => {
    if (await check()) location.assign(pageOf((await post("/api/crawls", draft())).id));
  });
});
byId("check").addEventListener("click", () => busy(byId("check"), check));
byId("to-guided").addEventListener("click", () => busy(byId("to-guided"), toGuided));
byId("try-page").addEventListener("click", (event) => {
  const button = event.currentTarget;
  busy(button, async () => {
    if (!(await check())) return fill(byId("preview"), h("p", { class: "note warn" }, "Mend the spec first: what is wrong stands below it."));
    const url = byId("example").value.trim() || firstSeed();
    return preview(byId("preview"), withScheme(url), draft(), button);
  });
});
byId("example").addEventListener("keydown", (event) => {
  if (event.key === "Enter") (event.preventDefault(), byId("try-page").click());
});

const firstSeed = () => /https?:\/\/[^"'\s]+/.exec(spec.text)?.[0] ?? "";

fill(byId("spec-upload"), fileButton("spec-file", "Upload", (_, text) => use({ spec: text, owner: byId("owner").value, email: byId("email").value })));
fill(byId("file-upload"), fileButton("any-file", "Upload a file", addFile));
const copied = new URLSearchParams(location.search).get("copy");
const kept = takeForExpert();
if (copied) tried(async () => use(await get(`${crawlPath(copied)}/draft`)));
else if (kept) use(kept);
