// Draws the picture of a page and says what was clicked in it. Runs alone in a frame of its own, without modules: the
// frame may load nothing. The page around it sends a port first; all else goes through that.

"use strict";

(() => {
  const allowed = JSON.parse(document.documentElement.dataset.allowed);
  const tags = new Set(allowed.tags);
  const names = new Set(allowed.attributes);
  const byNumber = new Map();
  const numbers = new Map();
  const MARKS = { record: ["outline", "1px dashed #868e98"], found: ["background-color", "#cfe3ff"], clicked: ["outline", "3px solid #1f5fbf"], link: ["outline", "2px solid #b86e00"], hover: ["box-shadow", "0 0 0 2px #1f5fbf, 0 0 0 4px #ffffff"] };
  let marked = [];
  let hovered = null;
  let port = null;

  window.addEventListener("message", (event) => {
    if (port || event.source !== window.parent || !event.ports[0]) return;
    port = event.ports[0];
    port.onmessage = ({ data }) => (data.parts ? draw(data) : mark(data.marks));
  });

  function draw({ parts, sheets }) {
    byNumber.clear();
    numbers.clear();
    document.body.replaceChildren();
    document.adoptedStyleSheets = [...sheets.map(sheetOf), quiet()];
    for (const part of parts) {
      if (part.length === 2) byNumber.get(part[0])?.append(part[1]);
      else drawElement(...part);
    }
    document.body.tabIndex = 0;
    document.body.setAttribute("aria-label", "The page. Arrows go from text to text, Left to what is around, Enter takes it.");
    window.scrollTo(0, 0);
    port.postMessage({ drawn: byNumber.size });
  }

  function sheetOf([media, text]) {
    const sheet = new CSSStyleSheet({ media });
    sheet.replaceSync(text);
    return sheet;
  }

  // What moves cannot be clicked.
  function quiet() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important; } body * { cursor: crosshair !important; }");
    return sheet;
  }

  function drawElement(number, above, tag, attributes) {
    const element = madeElement(number, tag, attributes);
    for (const [name, value] of Object.entries(attributes)) {
      if (!names.has(name)) continue;
      if (name === "style") element.style.cssText = value;
      else element.setAttribute(name, value);
    }
    if (tag === "details") element.open = true;
    byNumber.set(number, element);
    numbers.set(element, number);
    if (element !== document.body && element !== document.documentElement) (byNumber.get(above) ?? document.body).append(element);
  }

  function madeElement(number, tag, attributes) {
    if (tag === "html" && number === 0) return document.documentElement;
    if (tag === "body" && byNumber.size < 2) return document.body;
    if (tag !== "img") return document.createElement(tags.has(tag) && tag !== "html" && tag !== "body" ? tag : "div");
    const image = document.createElement("sundog-image");
    image.textContent = attributes.alt || "image";
    return image;
  }

  // Marks are styles of elements, which no sheet of the page can overrule.
  function mark(marks) {
    for (const [element, name] of marked) element.style.removeProperty(name);
    marked = [];
    for (const [kind, found] of Object.entries(marks)) {
      for (const number of found) {
        const element = byNumber.get(number);
        if (element) set(element, kind);
      }
    }
  }

  function set(element, kind) {
    const [name, value] = MARKS[kind];
    element.style.setProperty(name, value, "important");
    if (kind === "found") set(element, "dark");
    if (kind !== "hover") marked.push([element, name]);
  }
  MARKS.dark = ["color", "#1b1f24"];

  // The smallest element there that has something to take: a text of its own, or an image.
  function takeable(node) {
    for (let element = node; element && element !== document.documentElement; element = element.parentElement) {
      if (numbers.has(element) && hasContent(element)) return element;
    }
    return null;
  }

  const hasContent = (element) => element.localName === "sundog-image" || [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());

  function hover(element) {
    if (element === hovered) return;
    hovered?.style.removeProperty(MARKS.hover[0]);
    hovered = element;
    if (element) set(element, "hover");
  }

  function take(element) {
    if (element) port?.postMessage({ clicked: numbers.get(element), text: element.textContent.trim().replace(/\s+/g, " ").slice(0, 200) });
  }

  document.addEventListener("pointermove", (event) => hover(takeable(event.target)));
  document.documentElement.addEventListener("pointerleave", () => hover(null));
  document.addEventListener("click", (event) => (event.preventDefault(), take(takeable(event.target))), true);
  for (const name of ["auxclick", "submit", "dragstart"]) document.addEventListener(name, (event) => event.preventDefault(), true);

  // By keyboard: the focus goes from one to the next, so that screen readers say what is there.
  document.addEventListener("keydown", (event) => {
    const next = { ArrowDown: () => step(1), ArrowRight: () => step(1), ArrowUp: () => step(-1), ArrowLeft: () => around() }[event.key];
    if (event.key === "Enter" || event.key === " ") take(document.activeElement === document.body ? hovered : document.activeElement);
    else if (!next) return;
    else focus(next());
    event.preventDefault();
  }, true);

  function step(by) {
    const all = [...byNumber.values()].filter((element) => element !== document.body && element !== document.documentElement && hasContent(element) && element.checkVisibility());
    const at = all.indexOf(document.activeElement);
    return all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  }

  function around() {
    const above = document.activeElement.parentElement;
    return above && above !== document.body && numbers.has(above) ? above : null;
  }

  function focus(element) {
    if (!element) return;
    element.tabIndex = -1;
    element.focus({ preventScroll: false });
    hover(element);
  }
})();
