// Queries to ask again: those that are saved with the crawl, for everybody here, and those that this browser has asked.

import { crawlPath, get, post, remove } from "../api.js";
import { tried } from "../dialogs.js";
import { byId, fill, h } from "../dom.js";
import { crawlId } from "../header.js";
import { asked, forgetAll } from "./history.js";

const path = `${crawlPath(crawlId)}/queries`;
const LONGEST = 90; // characters of a query as a line

export function showQueries(current, askFor) {
  const show = ({ queries }) => {
    byId("saved-words").textContent = queries.length ? String(queries.length) : "";
    fill(byId("saved"), queries.length
      ? queries.map((each) => line(each.name, each.query, askFor, () => tried(async () => show(await remove(`${path}?name=${encodeURIComponent(each.name)}`)))))
      : h("li", { class: "muted" }, "None yet. They stay with the crawl, for everybody who uses this site."));
  };
  tried(async () => show(await get(path)));
  byId("save-form").addEventListener("submit", (event) => {
    event.preventDefault();
    tried(async () => {
      show(await post(path, { name: byId("save-name").value.trim(), query: current() }));
      byId("save-name").value = "";
      byId("saved-part").open = true;
    });
  });
  byId("history-part").addEventListener("toggle", () => showHistory(askFor));
}

function showHistory(askFor) {
  const queries = asked(crawlId);
  fill(byId("history"), queries.length
    ? [queries.map((query) => line(query.replaceAll(/\s+/g, " "), query, askFor)),
      h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => (forgetAll(crawlId), showHistory(askFor)) }, "Forget them"))]
    : h("li", { class: "muted" }, "None yet. Only this browser keeps them."));
}

const line = (name, query, askFor, forget) =>
  h("li", {},
    h("button", { type: "button", class: "quiet", title: query.slice(0, 2000), onclick: () => askFor(query) }, name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name),
    forget && h("button", { type: "button", class: "quiet", "aria-label": `Delete ${name}`, onclick: forget }, "Delete"));
