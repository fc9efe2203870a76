// What an objective and patterns yield on one page.

import { post } from "../api.js";
import { fill, h, outLink } from "../dom.js";
import { bytes, count, decimal, duration, localName, plural, shortUrl } from "../format.js";
import { statementTree, syntaxNames } from "../tree.js";
import { patternResults } from "./pattern_results.js";

export async function preview(place, url, draft, button) {
  button.setAttribute("aria-busy", "true");
  button.disabled = true;
  fill(place, h("p", { class: "empty" }, `Fetching ${shortUrl(url)}`));
  try {
    fill(place, shown(await post("/api/preview", { url, draft })));
  } catch (error) {
    fill(place, h("p", { class: "note bad" }, error.message));
  }
  button.removeAttribute("aria-busy");
  button.disabled = false;
}

function shown(found) {
  if (found.trouble) return h("p", { class: "note bad" }, `There is no page: ${found.trouble}`);
  const syntaxes = Object.entries(found.statements).filter(([, statements]) => statements.length);
  return [
    verdict(found),
    h("dl", { class: "facts" }, [
      ["Address", outLink(found.final_url, shortUrl(found.final_url))],
      ["Page", `HTTP ${found.status}, ${found.content_type.split(";")[0]}, ${bytes(found.size)} in ${duration(found.seconds)}`],
      found.rendered && ["Browser", renderWords(found.rendered)],
      ["Links", `${count(found.links)}, of which ${count(found.followed)} may be followed`],
      ["Types", found.types.length ? found.types.map((type) => h("span", { class: "tag", title: type }, localName(type))) : "none"],
    ].filter(Boolean).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    patternResults(found.patterns),
    syntaxes.length === 0 && h("p", { class: "muted" }, "The page has no structured data."),
    syntaxes.map(([syntax, statements]) =>
      h("div", {}, h("h3", {}, syntaxNames[syntax] ?? syntax, h("small", {}, ` ${plural(found.counts[syntax] ?? statements.length, "statement")}`)), statementTree(statements))),
    found.faults.length > 0 && h("details", {}, h("summary", {}, plural(found.faults.length, "fault")), found.faults.map(([kind, text]) => h("p", { class: "hint wrap" }, `${kind}: ${text}`))),
  ];
}

const renderWords = ({ failure, seconds, requests, bytes: size, refused }) =>
  failure ? `it could not be rendered: ${failure}` : `rendered in ${duration(seconds)}, ${plural(requests, "request")} of its scripts with ${bytes(size)}, ${count(refused.reduce((sum, [, number]) => sum + number, 0))} refused`;

function verdict(found) {
  const words = found.relevant ? `This page is what you want: reward ${decimal(found.reward)}.` : "This page is not what you want.";
  return h("p", { class: `note ${found.relevant ? "good" : ""}` }, words);
}
