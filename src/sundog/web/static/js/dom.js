// Elements are made by functions, and texts are always text: no markup is ever put together from strings.

import { clock, dateAndTime, readableUrl, shortUrl } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export const h = (name, attributes, ...children) => filled(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (name.startsWith("--")) element.style.setProperty(name, value);
  else element.setAttribute(name, value === true ? "" : value);
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A link to another site. Whatever a page has in its links, only web addresses become links here.
export function outLink(url, text = readableUrl(url), attributes = {}) {
  if (!/^https?:\/\//i.test(url)) return h("span", { class: "wrap", ...attributes }, text);
  return h("a", { href: url, target: "_blank", rel: "noopener nofollow noreferrer", title: url, ...attributes }, text);
}

const TAIL = 20; // characters

// Addresses of one site begin alike: where there is no room, their middle is left out.
export function shownAddress(url) {
  const text = shortUrl(url);
  const head = Math.max(Math.ceil(text.length / 2), text.length - TAIL);
  return h("span", { class: "address" }, h("span", {}, text.slice(0, head)), h("span", {}, text.slice(head)));
}

export const shownTime = (moment) => h("time", { title: dateAndTime(moment) }, clock(moment));

// Shows items as children of an element, each by its key, and touches only those that have changed.
export function keyedList(parent, keyOf, build) {
  const shown = new Map();
  return (items) => {
    const kept = new Set();
    let place = parent.firstElementChild;
    for (const item of items) {
      const key = String(keyOf(item));
      const text = JSON.stringify(item);
      kept.add(key);
      let entry = shown.get(key);
      if (!entry || entry.text !== text) {
        const element = build(item);
        if (entry) {
          if (place === entry.element) place = element;
          replaceKeepingFocus(entry.element, element);
        }
        entry = { text, element };
        shown.set(key, entry);
      }
      if (entry.element === place) place = place.nextElementSibling;
      else parent.insertBefore(entry.element, place);
    }
    for (const [key, entry] of shown) {
      if (kept.has(key)) continue;
      entry.element.remove();
      shown.delete(key);
    }
  };
}

function replaceKeepingFocus(old, element) {
  const refocus = focusWithin(old);
  old.replaceWith(element);
  refocus(element);
}

// Draws an element's children anew; what does the same as before keeps the focus.
export function refill(element, ...children) {
  const refocus = focusWithin(element);
  fill(element, ...children);
  refocus(element);
}

function focusWithin(place) {
  const name = place.contains(document.activeElement) && document.activeElement.dataset.does;
  return (drawn) => name && drawn.querySelector(`[data-does="${CSS.escape(name)}"]`)?.focus();
}
