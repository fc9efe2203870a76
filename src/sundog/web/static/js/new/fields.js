// Values beside labels on an example page, to be ticked; and ready specs to adapt.

import { withScheme } from "../addresses.js";
import { get } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { changeValue, load, onChange, toggleValue, valueOf } from "./example.js";
import { seeds } from "./seeds.js";
import { keepForExpert } from "./stored_draft.js";

const MANY = 4; // chosen at first
let rows = [];

export async function loadExample(button) {
  button.setAttribute("aria-busy", "true");
  fill(byId("page-fields"));
  rows = [];
  try {
    const typed = byId("like").value.trim() || seeds()[0];
    if (!typed) throw new Error("Give the address of a page first.");
    return await load(withScheme(typed));
  } catch (error) {
    fill(byId("page-fields"), h("p", { class: "note bad" }, error.message));
    return null;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

async function find() {
  const page = await loadExample(byId("find-fields"));
  if (!page) return;
  show(page.fields);
  for (const { element, name } of page.fields.slice(0, MANY)) if (!valueOf(element)) toggleValue(element, { name });
}

function show(fields) {
  if (!fields.length) {
    fill(byId("page-fields"), h("p", { class: "note" }, "Nothing stands beside a label there: no rows of two cells, no definition lists. Click on the page instead."));
    return;
  }
  rows = fields.map((field) => ({
    field,
    take: h("input", { type: "checkbox", "aria-label": `Take ${field.label}`, onchange: () => toggleValue(field.element, { name: field.name }) }),
    named: h("input", { value: field.name, "aria-label": `Name of ${field.label}`, spellcheck: "false", onchange: ({ target }) => changeValue(field.element, { name: target.value.trim() }) }),
    same: h("input", { type: "checkbox", "aria-label": `Only pages where ${field.label} is ${field.sample}`, onchange: ({ target }) => onlySame(field, target.checked) }),
  }));
  fill(byId("page-fields"), h("div", { class: "scroll" }, h("table", { class: "fields" },
    h("thead", {}, h("tr", {}, ["Take", "On the page", "Name", "Only pages like it"].map((name) => h("th", {}, name)))),
    h("tbody", {}, rows.map(({ field, take, named, same }) => h("tr", {},
      h("td", {}, take),
      h("td", { class: "wrap" }, h("b", {}, field.label), " ", field.value),
      h("td", {}, named),
      h("td", {}, h("label", {}, same, "the same"))))))));
}

// Where it must be the same, it is taken too.
const onlySame = ({ element, name }, same) => (valueOf(element) ? changeValue(element, { same }) : toggleValue(element, { name, same }));

onChange(() => {
  for (const { field, take, same } of rows) {
    const value = valueOf(field.element);
    take.checked = Boolean(value);
    same.checked = Boolean(value?.same);
  }
});

async function listReady() {
  const { patterns } = await get("/api/patterns");
  fill(byId("ready"), patterns.length
    ? patterns.map(({ title, description, text }) => h("button", { type: "button", onclick: () => adapt(text) }, h("b", {}, title), h("small", {}, description)))
    : h("p", { class: "hint" }, "There are none in this installation."));
}

function adapt(text) {
  const given = byId("seeds").value.split(/\s+/).filter(Boolean);
  const begun = given.length ? text.replace(/^seeds = .*$/m, `seeds = ${JSON.stringify(given)}`) : text;
  keepForExpert({ spec: begun, owner: byId("owner").value, files: {} });
  location.assign("/new/expert");
}

byId("find-fields").addEventListener("click", find);
byId("like").addEventListener("keydown", (event) => {
  if (event.key === "Enter") (event.preventDefault(), byId("show-page").click());
});
byId("want-patterns").querySelector("details").addEventListener("toggle", listReady, { once: true });
