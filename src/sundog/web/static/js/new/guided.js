// A new crawl by four questions.

import { withScheme } from "../addresses.js";
import { pageOf, post } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { chosenPatterns, hasChosen, rendering } from "./example.js";
import "./picture.js";
import { preview } from "./preview.js";
import { seeds } from "./seeds.js";
import { forget, forgetPatterns, keepForExpert, keptPatterns, remember } from "./stored_draft.js";
import { typeName } from "./types.js";

const form = byId("form");
const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`).value;

function objective() {
  const want = chosen("want");
  if (want === "type") return `type:schema:${required("type", typeName(), "Choose a type of schema.org.")}`;
  if (want === "keyword") {
    const words = byId("keyword").value.split(",").map((word) => word.trim()).filter(Boolean);
    required("keyword", words[0], "Give a word or a phrase.");
    return words.map((word) => `keyword:${/[\s()+>"]/.test(word) ? `"${word.replaceAll('"', "")}"` : word}`).join(" or ");
  }
  return want === "patterns" ? "patterns" : "any";
}

function required(id, value, sentence) {
  byId(id).setAttribute("aria-invalid", String(!value));
  if (value) return value;
  byId(id).focus();
  throw new Error(sentence);
}

async function draft() {
  const minutes = Number(byId("minutes").value);
  return {
    seeds: seeds(),
    objective: objective(),
    budget: Number(byId("budget").value) || null,
    seconds: minutes > 0 ? minutes * 60 : null,
    delay: Number(byId("delay").value),
    stay: chosen("stay"),
    title: byId("title").value.trim(),
    owner: byId("owner").value.trim(),
    email: byId("email")?.value.trim() ?? "",
    webhook: byId("webhook")?.value.trim() ?? "",
    warc: byId("warc").checked,
    render: rendering(),
    ...(chosen("want") === "patterns" ? { patterns: await patterns(), items: Number(byId("items").value) || null } : {}),
  };
}

// What was clicked counts more than what an expert has written before.
const patterns = () => (hasChosen() || !keptPatterns() ? chosenPatterns() : keptPatterns());

function showKeptPatterns() {
  const names = [...keptPatterns().matchAll(/^\s*\[\[?patterns\.(\w+)/gm)].map(([, kind]) => kind);
  fill(byId("kept-patterns"), names.length > 0 && h("div", { class: "note" },
    h("p", {}, `Patterns of the expert mode are used as they are (${[...new Set(names)].map((kind) => `${names.filter((each) => each === kind).length} ${kind}`).join(", ")}), unless you choose something on a page.`),
    h("button", { type: "button", onclick: () => (forgetPatterns(), showKeptPatterns()) }, "Forget them")));
}

function showError(error, place = byId("trouble")) {
  fill(place, error && h("p", { class: "note bad" }, error.message));
}

async function act(button, does, place = byId("trouble")) {
  showError(null);
  button.setAttribute("aria-busy", "true");
  try {
    await does();
  } catch (error) {
    showError(error, place);
  }
  button.removeAttribute("aria-busy");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  act(byId("begin"), async () => {
    const { id } = await post("/api/crawls", await draft());
    forget();
    location.assign(pageOf(id));
  });
});
byId("to-expert").addEventListener("click", () =>
  act(byId("to-expert"), async () => {
    const wanted = await draft();
    const checked = await post("/api/check", wanted);
    if (!checked.ok) throw new Error(checked.errors[0].message);
    const { title, owner, email, webhook } = wanted;
    keepForExpert({ title, owner, email, webhook, spec: checked.spec, files: {} });
    location.assign("/new/expert");
  }));
byId("try-page").addEventListener("click", (event) => {
  const button = event.currentTarget;
  act(button, async () => {
    const url = byId("example").value.trim() || (chosen("want") === "patterns" && byId("like").value.trim()) || seeds()[0];
    if (!url) throw new Error("Give a seed or an example page first.");
    const wanted = await draft();
    await preview(byId("preview"), withScheme(url), { ...wanted, seeds: wanted.seeds.length ? wanted.seeds : [withScheme(url)] }, button);
  }, byId("preview"));
});
form.addEventListener("change", () => {
  showError(null);
  for (const want of ["type", "keyword", "patterns"]) byId(`want-${want}`).hidden = chosen("want") !== want;
  byId("enough").hidden = chosen("want") !== "patterns";
});
byId("example").addEventListener("keydown", (event) => {
  if (event.key === "Enter") (event.preventDefault(), byId("try-page").click());
});
remember(form);
showKeptPatterns();
form.dispatchEvent(new Event("change"));
