// What was made of the values and links that were chosen on an example page, and what it finds there and elsewhere.

import { byId, fill, h } from "../dom.js";
import { plural, shortUrl } from "../format.js";
import { change, changeValue, hasOtherStart, onChange, removeValues, state, toggleLink } from "./example.js";
import { itemTable } from "./pattern_results.js";

const TAKEN = { "": "its text", href: "the link’s address", src: "the image’s address", content: "content", datetime: "the date for machines", value: "value", title: "title", alt: "what it shows" };
let askForLink = () => {}; // shows the first page, to click a link on it

export const onAskForLink = (act) => { askForLink = act; };

function show({ chosen, made, trial, trouble }) {
  const place = byId("made");
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  fill(place,
    trouble && h("p", { class: "note bad" }, trouble),
    made && [items(made), fieldTable(made, chosen), linkList(made, chosen), (made.open || chosen.follow !== "links") && question(made, chosen), trialResults(made, trial)],
    !made && !trouble && chosen.links.length > 0 && h("p", { class: "note" }, "Click a value, too: links alone bring no data."));
  if (key) [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus();
  showOrder(made, chosen);
}

function items({ parts }) {
  const choice = (value, pressed, text) => h("button", { type: "button", "aria-pressed": String(pressed), "data-key": `item-${value}`, onclick: () => change({ item: value }) }, text);
  return h("div", { class: "row between" },
    h("h3", { id: "item-is" }, "An item is"),
    h("div", { class: "segments", role: "group", "aria-labelledby": "item-is" },
      choice("part", parts.length > 0, parts.length ? `one of ${parts.length} parts of the page` : "a part of the page"),
      choice("page", parts.length === 0, "the whole page")));
}

function fieldTable({ fields }, { values }) {
  return h("ul", { class: "chosen" }, fields.map((field) => {
    const elements = field.values.map((number) => values[number]?.element);
    const first = values[field.values[0]];
    return h("li", {},
      h("div", { class: "row nowrap" },
        h("input", { value: field.name, "aria-label": `Name of the field ${field.name}`, spellcheck: "false", "data-key": `name-${elements[0]}`, onchange: ({ target }) => changeValue(elements[0], { name: target.value.trim() }) }),
        field.attributes.length > 1 && h("select", { "aria-label": `What is taken for ${field.name}`, "data-key": `take-${elements[0]}`, onchange: ({ target }) => changeValue(elements[0], { attribute: target.value }) },
          field.attributes.map((name) => h("option", { value: name, selected: name === (first?.attribute ?? taken(field)) }, TAKEN[name]))),
        h("button", { type: "button", class: "quiet", "aria-label": `Do not take ${field.name}`, "data-key": `remove-${elements[0]}`, onclick: () => removeValues(elements) }, "×")),
      h("p", { class: "hint wrap" }, `${field.list ? `in ${field.list}: ` : ""}${field.count > 1 ? `${field.count} on this page: ` : ""}${field.found.slice(0, 3).join(" · ")}${field.found.length > 3 ? " …" : ""}`, h("br"), h("small", {}, `${field.type} · ${field.why}`)));
  }));
}

// An image is taken by its address, a time by its date.
const taken = (field) => (field.type === "url" && field.attributes.includes("src") ? "src" : field.type === "date" && field.attributes.includes("datetime") ? "datetime" : "");

function linkList({ links, next_page }, { links: clicked, nextPage }) {
  return h("div", { class: "stack small" },
    h("h3", {}, "Links that are followed"),
    links.map(({ name, count, found }) => h("p", { class: "hint wrap" }, h("b", {}, name), ` ${plural(count, "link")}: ${found.slice(0, 3).join(" · ")}${found.length > 3 ? " …" : ""}`)),
    clicked.length > 0 && h("div", { class: "row" }, clicked.map(({ element, on, text }) =>
      h("button", { type: "button", class: "quiet", "aria-label": `Do not follow links like ${text}`, onclick: () => toggleLink(element, on, text) }, `${text.slice(0, 30) || "link"} ×`))),
    (next_page || !nextPage) && h("label", { class: "row check" }, h("input", { type: "checkbox", checked: nextPage, "data-key": "next", onchange: ({ target }) => change({ nextPage: target.checked }) }), "the next page of a list, and so on"),
    !links.length && !next_page && h("p", { class: "hint" }, "None yet."));
}

// Nobody can guess it, so it is asked.
function question({ open }, { follow }) {
  const choice = (value, text) => h("label", { class: "row check" }, h("input", { type: "radio", name: "follow", value, checked: follow === value, "data-key": `follow-${value}`, onchange: () => change({ follow: value }) }), text);
  return h("div", { class: open ? "note warn" : "note", role: "group", "aria-label": "Which links are followed?" },
    h("p", {}, open || "No link pattern was made. This is what you have chosen:"),
    h("button", { type: "button", onclick: () => askForLink() }, hasOtherStart() ? "Click a link on the first page" : "Click a link on the page"),
    choice("every", "follow every link"),
    choice("none", "follow none: read the seeds only"));
}

function trialResults(made, trial) {
  if (!trial) return null;
  if (!trial.pages && !trial.trouble) return h("p", { class: "working" }, "Two other pages are being fetched");
  if (trial.trouble) return h("p", { class: "note bad" }, trial.trouble);
  return h("div", { class: "stack small", id: "finds" },
    h("h3", {}, "What it finds"),
    trial.pages.map(({ url, trouble, patterns }, number) => pageResult(number ? shortUrl(url) : "this page", url, trouble, patterns)),
    trial.pages.length < 3 && h("p", { class: "hint" }, "No link leads to another page on which it could be tried."));
}

function pageResult(name, url, trouble, patterns) {
  if (trouble) return h("p", { class: "hint wrap" }, h("b", {}, name), ` ${trouble}`);
  const data = patterns.filter(({ kind }) => kind === "data");
  const found = data.reduce((sum, each) => sum + each.found, 0);
  const errors = data.flatMap((each) => each.errors);
  return h("details", { class: found ? "" : "none" },
    h("summary", { title: url }, h("b", {}, name), ` ${plural(found, "item")}`),
    errors.map((error) => h("p", { class: "hint wrap" }, error)),
    data.filter(({ items: each }) => each.length).map(({ items: each }) => itemTable(each)));
}

// What is taken can be the order of the result.
function showOrder(made, { order }) {
  const fields = made?.fields.filter((field) => !field.list) ?? [];
  byId("order-by").hidden = !fields.length;
  const options = fields.flatMap(({ name, type }) => (type === "number" || type === "date"
    ? [[`-${name}`, `${name}, the greatest first`], [name, `${name}, the smallest first`]]
    : [[name, name]]));
  fill(byId("order"), h("option", { value: "" }, "as found"), options.map(([value, text]) => h("option", { value }, text)));
  byId("order").value = options.some(([value]) => value === order) ? order : "";
}

byId("order").addEventListener("change", ({ target }) => change({ order: target.value }));
onChange(show);
show(state());
