// Fields of an example page: found by the server, chosen here, made patterns by the server.

import { get, post } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { keepForExpert } from "./stored_draft.js";

const MANY = 4; // chosen at first
let found = [];
let made = null; // patterns for what was chosen last: pages are not asked again for the same

async function find() {
  const button = byId("find-fields");
  const url = byId("like").value.trim();
  if (!url) return fill(byId("page-fields"), h("p", { class: "note warn" }, "Give the address of a page first."));
  button.setAttribute("aria-busy", "true");
  try {
    show((await post("/api/fields", { url })).fields);
  } catch (error) {
    fill(byId("page-fields"), h("p", { class: "note bad" }, error.message));
  }
  button.removeAttribute("aria-busy");
  return undefined;
}

function show(fields) {
  byId("order-by").hidden = fields.length === 0;
  if (!fields.length) {
    found = [];
    return fill(byId("page-fields"), h("p", { class: "note" }, "Nothing stands beside a label there: no rows of two cells, no definition lists. Expert mode can find anything."));
  }
  found = fields.map((field, i) => ({
    ...field,
    take: h("input", { type: "checkbox", checked: i < MANY, "aria-label": `Take ${field.label}` }),
    named: h("input", { value: field.name, "aria-label": `Name of ${field.label}`, spellcheck: "false" }),
    same: h("input", { type: "checkbox", "aria-label": `Only pages where ${field.label} is ${field.sample}` }),
  }));
  fill(byId("page-fields"), h("div", { class: "scroll" }, h("table", { class: "fields" },
    h("thead", {}, h("tr", {}, ["Take", "On the page", "Name", "Only pages like it"].map((name) => h("th", {}, name)))),
    h("tbody", {}, found.map((field) => h("tr", {},
      h("td", {}, field.take),
      h("td", { class: "wrap" }, h("b", {}, field.label), " ", field.value),
      h("td", {}, field.named),
      h("td", {}, h("label", {}, field.same, "the same"))))))));
  for (const { take, named } of found) [take, named].forEach((input) => input.addEventListener("change", order));
  return order();
}

// What was taken can be the order of the result.
function order() {
  const before = byId("order").value;
  const options = taken().flatMap(({ named, type }) => (type === "number" || type === "date"
    ? [[`-${named.value}`, `${named.value}, the greatest first`], [named.value, `${named.value}, the smallest first`]]
    : [[named.value, named.value]]));
  fill(byId("order"), h("option", { value: "" }, "as found"), options.map(([value, text]) => h("option", { value }, text)));
  byId("order").value = options.some(([value]) => value === before) ? before : "";
}

const taken = () => found.filter(({ take }) => take.checked);

// Patterns for what was chosen, as TOML.
export async function chosenPatterns(start) {
  const chosen = found.filter(({ take, same }) => take.checked || same.checked);
  if (!chosen.length) throw new Error("Find the fields of a page first, and choose some.");
  const wanted = {
    url: byId("like").value.trim(),
    start,
    order: byId("order").value,
    chosen: chosen.map(({ named, sample, same }) => ({ name: named.value.trim(), value: sample, same: same.checked })),
  };
  const key = JSON.stringify(wanted);
  if (made?.key !== key) made = { key, patterns: (await post("/api/fields", wanted)).patterns };
  return made.patterns;
}

async function listReady() {
  const { patterns } = await get("/api/patterns");
  fill(byId("ready"), patterns.length
    ? patterns.map(({ title, description, text }) => h("button", { type: "button", onclick: () => adapt(text) }, h("b", {}, title), h("small", {}, description)))
    : h("p", { class: "hint" }, "There are none in this installation."));
}

function adapt(text) {
  const seeds = byId("seeds").value.split(/\s+/).filter(Boolean);
  const begun = seeds.length ? text.replace(/^seeds = .*$/m, `seeds = ${JSON.stringify(seeds)}`) : text;
  keepForExpert({ spec: begun, owner: byId("owner").value, files: {} });
  location.assign("/new/expert");
}

byId("find-fields").addEventListener("click", find);
byId("like").addEventListener("keydown", (event) => {
  if (event.key === "Enter") (event.preventDefault(), find());
});
byId("want-patterns").querySelector("details").addEventListener("toggle", listReady, { once: true });
