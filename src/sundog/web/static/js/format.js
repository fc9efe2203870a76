// Figures and names as people read them.

const numbers = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const nothing = "–";

const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

export const count = (value) => (known(value) ? numbers.format(Math.round(value)) : nothing);
export const compact = (value) => (!known(value) ? nothing : value < 10_000 ? count(value) : short.format(value));
export const percent = (value) => (known(value) ? `${(100 * value).toFixed(value === 0 || value === 1 ? 0 : 1)}%` : nothing);
export const decimal = (value, digits = 3) => (known(value) ? Number(value.toPrecision(digits)).toString() : nothing);

export function rate(value) {
  if (!known(value)) return nothing;
  return value >= 10 ? count(value) : value.toFixed(value >= 1 ? 1 : 2);
}

export function duration(seconds) {
  if (!known(seconds)) return nothing;
  if (seconds > 0 && seconds < 0.1) return `${Math.ceil(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.round((seconds % 3600) / 60)} min` : `${Math.round(hours / 24)} days`;
}

export function ago(moment, now = Date.now() / 1000) {
  if (!known(moment)) return nothing;
  const seconds = Math.max(0, now - moment);
  if (seconds < 5) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(moment * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

const LONG = { dateStyle: "medium", timeStyle: "medium" };

export const dateAndTime = (moment) => (known(moment) ? new Date(moment * 1000).toLocaleString("en-GB", LONG) : nothing);

// The time of today, and else the date too.
export function clock(moment, now = Date.now() / 1000) {
  if (!known(moment)) return nothing;
  const isToday = new Date(moment * 1000).toDateString() === new Date(now * 1000).toDateString();
  return isToday ? new Date(moment * 1000).toLocaleTimeString("en-GB", { hour12: false }) : dateAndTime(moment);
}

export function bytes(size) {
  if (!known(size)) return nothing;
  if (size < 1000) return `${size} B`;
  return size < 1e6 ? `${(size / 1e3).toFixed(1)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// What an object that strangers have named the keys of has by a name: `constructor` and `__proto__` are names too.
export const own = (values, name) => (Object.hasOwn(values, name) ? values[name] : undefined);

// The end of an IRI, by which people know it.
export function localName(iri) {
  const name = iri.replace(/[/#:]+$/, "").split(/[/#:]/).pop();
  return name || iri;
}

// With letters of all languages, but without signs that would make it look like another.
export function readableUrl(url) {
  try {
    const text = decodeURI(url);
    return /[\p{C}\p{Z}"<>]/u.test(text) ? url : text;
  } catch {
    return url;
  }
}

// Types as exports call them: those of schema.org and of microformats need no prefix.
export const typeName = (short) => short.replace(/^(schema|mf):/, "");

export function shortUrl(url) {
  const text = readableUrl(url).replace(/^https?:\/\//, "");
  return text.endsWith("/") && text.indexOf("/") === text.length - 1 ? text.slice(0, -1) : text;
}

// An objective in words, as far as it is one of the simple ones.
export function objectiveWords(objective) {
  const type = /^type:schema:(\w+)$/.exec(objective);
  if (type) return `${type[1]} (schema.org)`;
  if (objective === "any") return "any structured data";
  const keyword = /^keyword~?:([^()"]+)$/.exec(objective);
  if (keyword && !/ (and|or) /.test(objective)) return `keyword: ${keyword[1]}`;
  return objective === "patterns" ? "what the patterns find" : objective;
}
