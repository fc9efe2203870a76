// What stands in a cell, and how wide its column is.

import { pageOf } from "../api.js";
import { h, outLink, shownAddress } from "../dom.js";
import { count, dateAndTime, own, shortUrl } from "../format.js";
import { crawlId } from "../header.js";
import { isImage } from "./columns.js";
import { durationWords } from "./conditions.js";

const NUMERIC = ["integer", "number", "duration"];
const LEAST = 76; // pixels
const WIDEST = 300;
const A_LETTER = 8;
const OWN_WIDTHS = { page: 230, host: 190, fetched_at: 170, id: 200, syntax: 110, sources: 84 };

export const isNumeric = ({ kind }) => NUMERIC.includes(kind);

export const entityPath = (entity) => pageOf(crawlId, `/entities/${entity}`);

export function cellOf(column, row, { isFirst, images }) {
  const shown = content(column, row, images);
  if (!isFirst) return shown;
  const name = shown.length === 0 ? h("span", { class: "muted" }, "no value") : column.kind === "url" && !column.property ? shownAddress(row.url) : shown;
  return h("a", { class: "long", href: entityPath(row.entity), title: texts(column, row).join("\n").slice(0, 1000) }, name);
}

function content(column, row, images) {
  if (column.property === null) return fixed(column.name, row);
  const values = own(row.values, column.name) ?? [];
  if (!values.length) return [];
  if (images && isImage(column)) return picture(values[0]);
  const all = texts(column, row);
  if (all.length === 1 && /^https?:\/\//i.test(all[0])) return outLink(all[0], shortUrl(all[0]), { class: "cut" });
  return h("span", { class: "long", title: all.join("\n").slice(0, 2000) }, all.join(", "));
}

const FIXED = {
  page: (row) => h("a", { class: "cut", href: pageOf(crawlId, `/pages/${row.page}`), title: row.url }, shownAddress(row.url)),
  host: (row) => h("span", { class: "cut", title: row.host }, row.host),
  fetched_at: (row) => h("time", {}, dateAndTime(row.fetched_at)),
  id: (row) => (row.id ? outLink(row.id, shortUrl(row.id), { class: "cut" }) : []),
  syntax: (row) => h("span", { class: "cut" }, row.syntax),
  sources: (row) => h("a", { href: `${entityPath(row.entity)}#sources` }, count(row.sources)),
};

const fixed = (name, row) => FIXED[name](row);

// Pictures come from the sites that have them, over https only, and those sites are not told from where.
function picture(address) {
  const safe = String(address).replace(/^http:/i, "https:");
  if (!/^https:\/\//i.test(safe)) return [];
  const image = h("img", { class: "thumbnail", src: safe, alt: "", loading: "lazy", decoding: "async", referrerpolicy: "no-referrer", title: address });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "muted", title: address }, "no image")));
  return outLink(safe, image);
}

function texts({ kind, name, property }, row) {
  if (property === null) return [String(row[name === "page" ? "url" : name] ?? "")];
  const values = own(row.values, name) ?? [];
  if (kind === "duration") return values.map((value) => durationWords(String(value)));
  if (kind === "time") return values.map((value) => String(value).replace("T", " "));
  return values.map(String);
}

// Fixed, so that a table does not jump while its rows change: as wide as nine of ten cells need.
export function widthOf(column, rows, images) {
  if (images && isImage(column)) return 96;
  if (column.property === null) return OWN_WIDTHS[column.name];
  const lengths = rows.map((row) => texts(column, row).join(", ").length).filter(Boolean).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  const heading = Math.min(column.name.length, 22) + 2;
  return Math.round(Math.min(WIDEST, Math.max(LEAST, 24 + A_LETTER * Math.max(usual > 40 ? 40 : usual, heading))));
}
