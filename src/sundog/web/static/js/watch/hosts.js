// The hosts: which are made use of, which are tried, which sleep; and whether they were asked too often.

import { interval } from "../charts.js";
import { byId, fill, h, keyedList, shownTime, svg } from "../dom.js";
import { count, duration, percent, plural } from "../format.js";
import { pagesWhere } from "../lists.js";

const FEW = 5; // a host with fewer pages has only been tried
const showRows = keyedList(byId("hosts"), (host) => host.host, row);

function row(host) {
  const pages = host.good + host.bad;
  return h("tr", {},
    h("td", { class: "host" }, h("a", { class: "cut", title: `Pages of ${host.host}`, href: pagesWhere({ host: host.host }), "data-does": "all" }, host.host)),
    h("td", { class: "record" },
      h("span", { class: "bar two", role: "img", "aria-label": `${host.good} relevant, ${host.bad} other` },
        h("i", { "--share": pages ? (host.good / pages) * width(pages) : 0 }),
        h("i", { "--share": pages ? (host.bad / pages) * width(pages) : 0 })),
      h("small", { class: "number" }, h("span", {}, counted(host, "relevant", host.good), `, ${count(host.bad)} other`),
        host.failed ? h("span", {}, counted(host, "failed", host.failed)) : null)),
    h("td", {}, host.posterior ? interval(host.posterior) : "–"),
    h("td", { class: "number" }, count(host.queued)),
    h("td", { class: "number", title: host.delay === null ? "" : `asked for: ${duration(host.delay)}` }, host.gap === null || host.gap === undefined ? "–" : duration(host.gap)),
    h("td", {}, rest(host)));
}

const counted = (host, kind, number) =>
  number ? h("a", { href: pagesWhere({ kind, host: host.host }), "data-does": kind }, `${count(number)} ${kind}`) : `0 ${kind}`;

// Hosts differ by orders of magnitude: a bar's length grows with the logarithm.
const width = (pages) => Math.min(1, 0.12 + 0.22 * Math.log10(Math.max(1, pages)));

const sleeps = (host) => host.asleep_until !== null && host.asleep_until !== undefined;

function rest(host) {
  if (sleeps(host)) return host.asleep_until < 0
    ? h("span", { class: "chip", title: "until an answer has come, or for good if it was given up" }, "asleep")
    : h("span", { class: "chip", title: "asleep until then" }, shownTime(host.asleep_until));
  if (host.queued === null || host.queued === undefined) return "–"; // the crawl does not run
  return h("span", { class: "muted" }, host.queued ? "awake" : "nothing waits");
}

export function showHosts({ hosts, count: all, politeness }) {
  showRows(hosts);
  byId("no-hosts").hidden = hosts.length > 0;
  byId("hosts-count").textContent = all > hosts.length ? `the best ${hosts.length} of ${count(all)}` : count(all);
  const pages = hosts.map((host) => host.good + host.bad);
  const total = pages.reduce((sum, each) => sum + each, 0);
  const best = [...pages].sort((a, b) => b - a).slice(0, 5).reduce((sum, each) => sum + each, 0);
  const tried = pages.filter((each) => each < FEW).length;
  byId("hosts-words").textContent = total && hosts.length > FEW
    ? `${percent(best / total)} of the pages came from 5 hosts; ${plural(tried, "host")} with fewer than ${FEW} pages`
    : "";
  byId("host-figure").hidden = hosts.length < FEW;
  byId("host-columns").classList.toggle("wide-left", hosts.length >= FEW);
  if (hosts.length >= FEW) drawMap(hosts);
  showPoliteness(politeness);
}

function showPoliteness(politeness) {
  if (!politeness) return;
  const words = politeness.asked_again
    ? `${plural(politeness.asked_again, "host")} with a delay ${politeness.asked_again === 1 ? "was" : "were"} asked more than once; ${politeness.too_soon ? count(politeness.too_soon) : "none"} of them too soon.`
    : "No host that asks for a delay, or was given one, has been asked twice.";
  fill(byId("politeness"), h("div", { class: "row" },
    politeness.asked_again > 0 && h("span", { class: `chip ${politeness.kept ? "good" : "bad"}` }, politeness.kept ? "delays kept" : "delays not kept"),
    h("span", { class: "muted" }, words)));
}

const WIDTH = 380;
const HEIGHT = 300;
const LEFT = 44;

function drawMap(hosts) {
  const seen = hosts.filter((host) => host.posterior && host.good + host.bad > 0);
  const most = Math.max(10, ...seen.map((host) => host.good + host.bad));
  const x = (pages) => LEFT + 8 + ((WIDTH - LEFT - 30) * Math.log(pages)) / Math.log(most);
  const y = (share) => HEIGHT - 34 - (HEIGHT - 62) * share;
  const dots = seen.map((host) => {
    const pages = host.good + host.bad;
    const [mean, low, high] = host.posterior;
    return svg("a", { href: pagesWhere({ host: host.host }), tabindex: -1 }, // by keyboard, the table beside it does the same
      svg("title", {}, `${host.host}: ${count(host.good)} of ${count(pages)} pages relevant, ${count(host.queued)} waiting`),
      pages >= FEW && svg("line", { class: "whisker", x1: x(pages), x2: x(pages), y1: y(low), y2: y(high) }),
      svg("circle", { class: sleeps(host) ? "asleep" : "", cx: x(pages), cy: y(mean), r: 4 + Math.min(8, Math.log10(1 + (host.queued ?? 0)) * 2) }));
  });
  fill(byId("host-map"), svg("svg", { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "img", "aria-label": "Hosts by pages fetched and share that was relevant" },
    [0, 0.5, 1].map((share) => [
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 10, y1: y(share), y2: y(share) }),
      svg("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, `${share * 100}%`)]),
    svg("text", { x: LEFT - 38, y: 10 }, "relevant"),
    svg("text", { x: LEFT, y: HEIGHT - 8 }, "1 page fetched"),
    svg("text", { x: WIDTH - 10, y: HEIGHT - 8, "text-anchor": "end" }, `${count(most)} pages`),
    dots));
}
