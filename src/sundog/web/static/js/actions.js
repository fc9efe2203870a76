// What can be done with a crawl, and its state as a chip.

import { crawlPath, pageOf, post, remove } from "./api.js";
import { askNumber, confirmed, showMessage, tried } from "./dialogs.js";
import { h } from "./dom.js";

const VERBS = { budget: "Budget", pause: "Pause", resume: "Resume", stop: "Stop", delete: "Delete" };

const capital = (word) => word[0].toUpperCase() + word.slice(1);

export const stateChip = (crawl) => h("span", { class: `chip ${crawl.tone}` }, crawl.state);

export const nameOf = (crawl) => crawl.title || crawl.id;

// Buttons for all that may be asked for now. `done` is called after each.
export function actionButtons(crawl, done, kind = "quiet") {
  const button = (name, text, act) =>
    h("button", { type: "button", class: `${kind}${name === "delete" ? " danger" : ""}`, "data-does": name, onclick: act, "aria-label": `${text} ${nameOf(crawl)}` }, text);
  return [
    ...crawl.actions.filter((name) => name !== "delete" && (name !== "budget" || kind !== "quiet")).map((name) => button(name, verb(crawl, name), () => perform(crawl, name, done))),
    h("a", { class: kind === "quiet" ? "button-quiet" : "button", href: `/new/expert?copy=${encodeURIComponent(crawl.id)}`, "data-does": "copy" }, "Copy"),
    ...(crawl.actions.includes("delete") ? [button("delete", "Delete", () => erase(crawl, done))] : []),
  ];
}

const verb = (crawl, name) => (name === "resume" && crawl.state === "finished" ? "Go on" : VERBS[name] ?? name);

async function perform(crawl, name, done) {
  let body;
  if (name === "resume" && crawl.state === "finished") {
    const budget = await askNumber("Go on with a larger budget", `${capital(crawl.unit)} in all`, { value: crawl.budget * 2, least: crawl.spent + 1, verb: "Go on" });
    if (!budget) return;
    body = { budget };
  }
  if (name === "budget") {
    const budget = await askNumber("Change the budget", `${capital(crawl.unit)} in all`, { value: crawl.budget * 2, least: Math.max(1, crawl.spent), verb: "Change" });
    if (!budget) return;
    body = { budget };
  }
  const answer = await tried(() => post(`${crawlPath(crawl.id)}/${name}`, body));
  if (answer) done(answer);
}

async function erase(crawl, done) {
  const text = `“${nameOf(crawl)}” and all that it has found will be gone. This cannot be undone.`;
  if (!(await confirmed("Delete this crawl?", text, "Delete"))) return;
  const gone = await tried(async () => (await remove(crawlPath(crawl.id)), true));
  if (!gone) return;
  showMessage(`${nameOf(crawl)} is deleted`);
  done(null);
}

export async function beginDemo() {
  const crawl = await tried(() => post("/api/demo"));
  if (crawl) location.assign(pageOf(crawl.id));
}
