// Download what I see: the same rows, columns and order as a file; and the command that makes it.

import { crawlPath } from "../api.js";
import { h } from "../dom.js";
import { crawlId } from "../header.js";
import { download } from "../results/downloads.js";
import { asked, ordered } from "./state.js";

const FORMATS = { csv: "CSV", json: "JSON", parquet: "Parquet" };

// `current` gives the state, the columns that are shown, and all there are.
export function downloadMenu(current) {
  const all = h("input", { type: "checkbox" });
  const command = h("code", { class: "command" });
  const columns = () => (all.checked ? current().all : current().columns);
  const take = (format) => async (event) => {
    const { target } = event;
    if (target.getAttribute("aria-busy")) return;
    target.setAttribute("aria-busy", "true");
    const { state } = current();
    await download(`${crawlPath(crawlId)}/entities/export/${format}?${new URLSearchParams([...asked(state), ...ordered(state, columns())])}`);
    target.removeAttribute("aria-busy");
  };
  const menu = h("details", { class: "menu" }, h("summary", { class: "button" }, "Download"),
    h("div", {},
      h("p", { class: "hint" }, "What you see: these rows, columns and this order."),
      h("div", { class: "row" }, Object.entries(FORMATS).map(([format, name]) => h("button", { type: "button", "data-take": format, onclick: take(format) }, name))),
      h("label", { class: "check" }, all, "all columns"),
      h("p", { class: "hint" }, "The same on the command line:"), command));
  const refresh = () => (command.textContent = commandLine(current().state, all.checked ? [] : columns()));
  menu.addEventListener("toggle", refresh);
  all.addEventListener("change", refresh);
  return menu;
}

function commandLine({ type, where, search, sort, descending }, columns) {
  const names = columns.map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(",");
  const words = ["sundog", "export", shell(crawlId), "--format", "csv", "--type", shell(type.replace(/^http:\/\/schema\.org\//, ""))];
  for (const each of where) words.push("--where", shell(each));
  if (search) words.push(`--search=${shell(search)}`);
  if (columns.length) words.push("--columns", shell(names));
  if (sort) words.push("--sort", shell(sort));
  if (descending) words.push("--descending");
  return words.join(" ");
}

const shell = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
