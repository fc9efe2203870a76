// Rounds of a crawl: what broke, what each did, what has changed; one more, or a schedule.

import { crawlPath, get, post, remove, repeat } from "./api.js";
import { byId, fill, h, outLink } from "./dom.js";
import { dateAndTime, duration, plural } from "./format.js";
import { crawlId, followHeader } from "./header.js";

const COLUMNS = ["round", "began", "new", "revisited", "changed", "gone", "failed"];
const path = crawlPath(crawlId);

const table = (place, names, rows) =>
  fill(place, h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col" }, name)))), h("tbody", null, rows));

function showHealth({ round, hosts, alarms, ended }) {
  byId("health-words").textContent = !round
    ? "There was no round yet: nothing can be compared."
    : `${plural(hosts, "host")} compared with ${hosts === 1 ? "its" : "their"} own past up to round ${round}. ${alarms.length ? "" : "Nothing broke."} ${ended.length ? `Over: ${plural(ended.length, "alarm")}.` : ""}`;
  fill(byId("alarms"), alarms.map(alarm));
}

const alarm = (each) =>
  h("article", { class: "alarm" },
    h("h3", null, `${each.host}: ${each.cause}${each.is_new ? " (new)" : ""}`),
    h("p", null, `${each.what}; ${each.wrong} of ${each.visits} visits, usually ${(100 * each.usual).toFixed(1)}%, since round ${each.since}.`),
    h("p", { class: "wrap" }, "For example ", outLink(each.example), `: ${each.evidence}`),
    h("p", { class: "hint" }, each.advice));

const cell = (round, name) => (name === "began" && round.began ? dateAndTime(Date.parse(round.began) / 1000) : String(round[name] ?? ""));

function showRounds({ rounds }) {
  table(byId("rounds"), COLUMNS, rounds.map((each) => h("tr", null, COLUMNS.map((name) => h("td", null, cell(each, name))))));
}

function showChanges({ changes, more }) {
  byId("changes-words").textContent = `In the last round: ${changes.length}${more ? " or more" : ""}.`;
  table(byId("changes"), ["change", "page", "type"], changes.map((each) =>
    h("tr", null, h("td", null, each.change), h("td", { class: "wrap" }, outLink(each.url)), h("td", null, each.type ?? ""))));
}

function showSchedule(crawl) {
  byId("unschedule").hidden = !crawl.every;
  byId("schedule-words").textContent = crawl.every ? `A round every ${duration(crawl.every)}, of ${crawl.round_budget} fetches.` : "No schedule: rounds are made when you ask for one.";
}

async function act(doing) {
  try {
    showSchedule(await doing());
    byId("schedule-words").append(" Done.");
  } catch (error) {
    byId("schedule-words").textContent = error.message;
  }
}

const budget = () => Number(byId("round-budget").value);
byId("refresh-now").addEventListener("click", () => act(() => post(`${path}/refresh`, { budget: budget() })));
byId("unschedule").addEventListener("click", () => act(() => remove(`${path}/schedule`)));
byId("schedule").addEventListener("submit", (event) => {
  event.preventDefault();
  act(() => post(`${path}/schedule`, { budget: budget(), every: byId("round-every").value || "1d" }));
});

let seen = null; // how many rounds there were, so that nothing is read again without need
followHeader();
repeat(5, async () => {
  try {
    const crawl = await get(path);
    if (seen === null) showSchedule(crawl);
    if (crawl.rounds === seen) return;
    showRounds(await get(`${path}/rounds`));
    showHealth(await get(`${path}/health`));
    showChanges(crawl.rounds ? await get(`${path}/changes`) : { changes: [], more: false });
    seen = crawl.rounds;
  } catch (error) {
    byId("health-words").textContent = error.message;
  }
});
