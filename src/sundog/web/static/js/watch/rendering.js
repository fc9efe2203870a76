// Pages, time and data by action: what was fetched plainly, and what a browser rendered.

import { crawlPath, get } from "../api.js";
import { byId, fill, h } from "../dom.js";
import { bytes, count, duration } from "../format.js";
import { crawlId } from "../header.js";

const NAMES = { plain: "fetched plainly", render: "rendered", check: "rendered as a check" };

// A crawl that has not begun has none; events say when there is more.
const actionsOf = () => get(`${crawlPath(crawlId)}/rendering`).catch(() => ({ actions: [] }));

export async function showRendering() {
  const { actions } = await actionsOf();
  byId("rendering-card").hidden = actions.length === 0;
  fill(byId("rendering"), actions.map((line) => h("tr", {}, [
    h("td", {}, NAMES[line.action] ?? line.action),
    ...[count(line.pages), count(line.had), count(line.gained), count(line.failed), duration(line.seconds), duration(line.cpu), count(line.requests), bytes(line.size), count(line.refused)]
      .map((words) => h("td", { class: "number" }, words)),
  ])));
}
