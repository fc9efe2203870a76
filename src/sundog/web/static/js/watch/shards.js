// The shards of a crawl that is divided: which one is behind, rests or was started again.

import { byId, h, keyedList } from "../dom.js";
import { count, rate } from "../format.js";

const showRows = keyedList(byId("shards"), (shard) => shard.shard, row);
const number = (value) => h("td", { class: "number" }, value === null || value === undefined ? "–" : count(value));

function row(shard) {
  const speed = shard.pages_per_second;
  return h("tr", {},
    h("td", { title: shard.node ? `on ${shard.node}` : "" }, String(shard.shard)),
    number(shard.fetched),
    number(shard.lease),
    h("td", { class: "number" }, speed === null || speed === undefined ? "–" : rate(speed)),
    number(shard.queued),
    number(shard.to_send), number(shard.sent), number(shard.received), number(shard.lessons),
    number(shard.restarts),
    h("td", {}, shard.state ? h("span", { class: "chip" }, shard.state) : ""));
}

export function showShards(shards) {
  byId("shards-card").hidden = shards.length === 0;
  showRows(shards);
}
