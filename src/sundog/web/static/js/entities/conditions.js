// Filters as texts, in the language of `sundog export --where`: made here, read by the server.

import { plural } from "../format.js";

// "name" contains 'salt and pepper'
export const condition = (column, sign, value) => `${columnText(column)} ${sign}${value === undefined ? "" : ` ${value}`}`;

const columnText = (name) => (/^[^\s=<>!"]+$/.test(name) ? name : `"${name}"`);

export const quoted = (value) => (/^[\p{L}\p{N}_.:/-]+$/u.test(value) && !/^(and|is|in|contains)$/i.test(value) ? value : `'${value.replaceAll("'", "''")}'`);

const TEXT = { contains: "contains", "=": "is", "!=": "is not", "is empty": "is empty", "is not empty": "is not empty" };
const RANGE = { ">=": "at least", "<=": "at most", "=": "is", "!=": "is not", "is empty": "is empty", "is not empty": "is not empty" };
const TRUTH = { "=": "is", "is empty": "is empty", "is not empty": "is not empty" };

const isRange = (kind) => ["integer", "number", "duration", "date", "time"].includes(kind);
export const signsFor = (kind) => (isRange(kind) ? RANGE : kind === "boolean" ? TRUTH : TEXT);
export const exampleFor = (kind) => ({ integer: "20", number: "19.90", duration: "30 min", date: "2025, 2025-03 or 2025-03-31", time: "2025-03-31", boolean: "true or false" })[kind] ?? "text";

// Of filters that the server has read: the parts about a column in filters that are about nothing else.
export function partsOf(conditions, column) {
  const own = conditions.filter(({ parts }) => parts.every((part) => part.column === column));
  return own.flatMap(({ parts }) => parts);
}

// All filters but those that are only about this column.
export const without = (conditions, column) => conditions.filter(({ parts }) => !parts.every((part) => part.column === column)).map(({ text }) => text);

// The values of a column that are chosen.
export const chosen = (conditions, column) =>
  new Set(partsOf(conditions, column).filter(({ sign }) => sign === "=" || sign === "in").flatMap(({ values }) => values.map((value) => value.toLowerCase())));

export function choiceText(column, values) {
  if (values.length === 1) return condition(column, "=", quoted(values[0]));
  return condition(column, "in", values.map(quoted).join(", "));
}

// From and to, as numbers or dates; `high` itself is left out of a range of numbers.
export function rangeText(column, kind, low, high) {
  const isDate = kind === "date" || kind === "time";
  const parts = [];
  if (low !== null) parts.push(condition(column, ">=", edgeText(kind, low)));
  if (high !== null) parts.push(condition(column, isDate ? "<=" : "<", edgeText(kind, high)));
  return parts.join(" and ");
}

const UNITS = [["d", 86_400], ["h", 3600], ["min", 60]];

export function edgeText(kind, value) {
  if (kind !== "duration") return String(value);
  const [unit, size] = UNITS.find(([, each]) => value >= each && value % each === 0) ?? ["s", 1];
  return `${value / size} ${unit}`;
}

export function shownEdge(kind, value) {
  if (kind !== "duration") return typeof value === "number" ? value.toLocaleString("en", { useGrouping: value >= 10_000 }) : value;
  let left = value;
  const words = [];
  for (const [unit, size] of [...UNITS, ["s", 1]]) {
    const number = unit === "s" ? left : Math.floor(left / size);
    if (number) words.push(`${number} ${unit}`);
    left -= number * size;
  }
  return words.join(" ") || "0 s";
}

// PT1H30M as people say it.
export function durationWords(text) {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!found) return text;
  const [, days, hours, minutes, seconds] = found;
  const words = [days && plural(Number(days), "day"), hours && `${hours} h`, minutes && `${minutes} min`, seconds && `${seconds} s`];
  return words.filter(Boolean).join(" ") || text;
}
