// A crawl as text to copy: what does the same elsewhere.

import { crawlPath, get } from "./api.js";
import { open, tried } from "./dialogs.js";
import { fill, h } from "./dom.js";

const KINDS = {
  command: ["Command", "In a terminal: begins the same crawl beside this one."],
  spec: ["Spec", "For sundog crawl, or for a new crawl in expert mode."],
  curl_begin: ["curl, begin", "Begins the same crawl on this site. SUNDOG_TOKEN is what stands after token= in the link to the site."],
  curl_read: ["curl, read", "Reads this crawl: its state, its figures, its spec."],
  python: ["Python", "With the library: begins the same crawl, and waits for its end."],
};

export async function showCode(crawl) {
  const code = await tried(() => get(`${crawlPath(crawl.id)}/code`));
  if (!code) return;
  const about = h("p", { class: "hint" });
  const text = h("pre", { tabindex: 0, id: "code", class: "code" });
  const copy = h("button", { type: "button", class: "main", onclick: () => copied(text, copy) }, "Copy");
  const buttons = Object.entries(KINDS).map(([kind, [name]]) => h("button", { type: "button", "data-kind": kind, onclick: () => choose(kind) }, name));
  const choose = (kind) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    about.textContent = KINDS[kind][1];
    text.textContent = code[kind];
    copy.textContent = "Copy";
  };
  choose("command");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = open("The same elsewhere", [h("div", { class: "segments", role: "group", "aria-label": "As" }, buttons), about, text, h("div", { class: "row" }, close, copy)], { broad: true });
}

async function copied(place, button) {
  try {
    await navigator.clipboard.writeText(place.textContent);
  } catch {
    getSelection().selectAllChildren(place); // where there is no clipboard, such as without HTTPS
    document.execCommand("copy");
  }
  fill(button, "Copied");
}
