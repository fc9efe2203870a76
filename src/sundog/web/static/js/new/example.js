// An example page: what was chosen on it, and the patterns that the server makes of that.

import { post } from "../api.js";
import { byId } from "../dom.js";
import { seeds } from "./seeds.js";

const WAIT = 700; // milliseconds before other pages are fetched: more may be clicked
const nothing = { values: [], links: [], item: "either", nextPage: true, follow: "links", order: "" };
const listeners = [];
let page = null; // as the server has described it
let firstPage = null; // the same of the page where the crawl begins, if it was shown
let chosen = { ...nothing };
let made = null; // { key, ...what the server has made }
let trial = null; // { key, pages } or { key, trouble }
let trouble = "";
let timer = 0;

export const state = () => ({ page, chosen, made, trial, trouble });
export const onChange = (listener) => listeners.push(listener);
const tell = () => listeners.forEach((listener) => listener(state()));

export const rendering = () => (byId("render").checked ? "learned" : "never");

const startUrl = () => {
  const first = seeds()[0] ?? "";
  return first === page?.url ? "" : first;
};
export const hasOtherStart = () => Boolean(startUrl());

// Fetches the page anew; what was chosen on another is forgotten.
export async function load(url) {
  const found = await post("/api/picture", { url, render: rendering() });
  if (page?.url !== url || page.structure !== found.structure) {
    chosen = { ...nothing };
    made = trial = firstPage = null;
  }
  page = found;
  trouble = "";
  tell();
  return page;
}

export async function loadFirstPage() {
  firstPage = await post("/api/picture", { url: startUrl(), render: rendering() });
  return firstPage;
}

const body = () => ({
  url: page.url,
  render: rendering(),
  structure: page.structure,
  start: startUrl(),
  start_structure: startUrl() === firstPage?.url ? firstPage.structure : "",
  values: chosen.values,
  links: chosen.links.map(({ element, on }) => ({ element, on })),
  item: chosen.item,
  next_page: chosen.nextPage,
  follow: chosen.follow,
  order: chosen.order,
});

// -- what is chosen --------------------------------------------------------------------------------

export const valueOf = (element) => chosen.values.find((value) => value.element === element);

export function change(changes) {
  chosen = { ...chosen, ...changes };
  return refresh();
}

export const toggleValue = (element, more = {}) =>
  change({ values: valueOf(element) ? chosen.values.filter((value) => value.element !== element) : [...chosen.values, { element, ...more }] });

export const changeValue = (element, changes) =>
  change({ values: chosen.values.map((value) => (value.element === element ? { ...value, ...changes } : value)) });

export const removeValues = (elements) => change({ values: chosen.values.filter((value) => !elements.includes(value.element)) });

export function toggleLink(element, on, text) {
  const isHere = (link) => link.element === element && link.on === on;
  return change({ links: chosen.links.some(isHere) ? chosen.links.filter((link) => !isHere(link)) : [...chosen.links, { element, on, text }] });
}

// -- what is made of it ----------------------------------------------------------------------------

async function refresh() {
  clearTimeout(timer);
  if (!chosen.values.length) {
    made = trial = null;
    trouble = "";
    return tell();
  }
  tell();
  try {
    await current();
  } catch {
    return undefined; // it is shown
  }
  timer = setTimeout(tryElsewhere, WAIT);
  return undefined;
}

// The patterns for what is chosen now.
async function current() {
  const wanted = body();
  const key = JSON.stringify(wanted);
  if (made?.key === key) return made;
  try {
    const answer = await post("/api/patterns", wanted);
    if (key === JSON.stringify(body())) ((made = { key, ...answer }), (trouble = ""), tell());
    return { key, ...answer };
  } catch (error) {
    if (key === JSON.stringify(body())) ((made = null), (trouble = error.message), tell());
    throw error;
  }
}

async function tryElsewhere() {
  const wanted = body();
  const key = JSON.stringify({ ...wanted, order: "" });
  if (trial?.key === key) return;
  trial = { key };
  tell();
  let found;
  try {
    found = await post("/api/patterns/trial", wanted);
  } catch (error) {
    found = { trouble: error.message };
  }
  if (trial?.key === key) ((trial = { key, ...found }), tell());
}

export const hasChosen = () => chosen.values.length > 0;

// Patterns for a draft, as TOML.
export async function chosenPatterns() {
  if (!chosen.values.length) throw new Error("Click something on an example page first, or find its fields and take some.");
  const { patterns, open } = await current();
  if (open) throw new Error(`${open} Say which links are followed.`);
  return patterns;
}
