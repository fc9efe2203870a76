// An example page as a picture in a frame of its own, to click values and links in it.

import { byId, fill, h } from "../dom.js";
import { open } from "../dialogs.js";
import { shortUrl } from "../format.js";
import { loadFirstPage, onChange, state, toggleLink, toggleValue } from "./example.js";
import { loadExample } from "./fields.js";
import { onAskForLink } from "./made.js";

let port = null; // to the frame, while it is open
let mode = "values";
let on = "example"; // or start: which page is shown

async function show() {
  const page = await loadExample(byId("show-page"));
  if (page) openPicture(page, "example", "values");
}

async function showFirstPage() {
  const { page } = state();
  if (!document.querySelector("dialog.picture")) openPicture(page, "example", "links");
  let first;
  try {
    first = state().made?.open.startsWith("No link was clicked") ? page : await loadFirstPage();
  } catch (error) {
    fill(byId("picture-note"), error.message);
    return;
  }
  draw(first, first === page ? "example" : "start");
  setMode("links");
}

// The panel with what was made is in the dialog while it is open, and in the form otherwise.
function openPicture(page, which, asMode) {
  const made = byId("made");
  const home = made.parentElement;
  const following = made.nextElementSibling;
  const frame = h("iframe", { src: "/new/frame", sandbox: "allow-scripts", referrerpolicy: "no-referrer", title: "The example page, without scripts and images: click what you want" });
  const dialog = open("Click what you want", [
    h("div", { class: "row between" },
      h("p", { id: "picture-note", class: "hint", role: "status" }),
      h("div", { class: "row" },
        h("div", { class: "segments", role: "group", "aria-label": "What a click takes" },
          ["values", "links"].map((name) => h("button", { type: "button", "data-mode": name, onclick: () => setMode(name) }, name === "values" ? "Take values" : "Follow links"))),
        h("button", { type: "button", class: "main", onclick: () => dialog.close() }, "Done"))),
    h("div", { class: "sides" }, frame, h("div", { class: "side-panel" }, made)),
  ]);
  dialog.classList.add("picture");
  dialog.addEventListener("close", () => {
    port = null;
    home.insertBefore(made, following);
    byId("show-page").focus();
  });
  frame.addEventListener("load", () => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => heard(data);
    frame.contentWindow.postMessage(null, "*", [channel.port2]); // its origin is nobody's; it holds nothing but the page
    draw(page, which);
  }, { once: true });
  setMode(asMode);
}

function draw(page, which) {
  on = which;
  port?.postMessage({ parts: page.parts, sheets: page.sheets });
  fill(byId("picture-note"), h("b", {}, page.title || shortUrl(page.final_url)), page.cut ? " This is the beginning: the page is too long to be shown." : "", h("br"), hint());
  mark(state());
}

const hint = () => (mode === "values" ? "Click a value. A second one of its kind makes a list; another makes a field." : "Click a link: all links like it are followed.");

function setMode(name) {
  mode = on === "start" ? "links" : name;
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  const note = byId("picture-note");
  if (note?.lastChild && note.childNodes.length > 1) note.lastChild.replaceWith(hint());
}

// What comes from the frame is a number at most, whatever is in it.
function heard({ clicked, text }) {
  if (!Number.isInteger(clicked)) return;
  if (mode === "links") toggleLink(clicked, on, String(text).slice(0, 200));
  else toggleValue(clicked);
}

function mark({ chosen, made }) {
  const isExample = on === "example";
  port?.postMessage({
    marks: {
      record: isExample ? made?.parts ?? [] : [],
      link: made?.links.filter((link) => link.on === on).flatMap((link) => link.elements) ?? [],
      found: isExample ? made?.fields.flatMap((field) => field.elements) ?? [] : [],
      clicked: [...(isExample ? chosen.values : []), ...chosen.links.filter((link) => link.on === on)].map(({ element }) => element),
    },
  });
}

byId("show-page").addEventListener("click", show);
onAskForLink(showFirstPage);
onChange(mark);
