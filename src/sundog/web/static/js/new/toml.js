// Changes to a spec's text that leave the rest of it as it was written. The server reads it; here only lines count.

const HEADER = /^\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(#.*)?$/;
const quoted = (key) => key.replace(/[^\w-]/g, (sign) => `\\${sign}`);
const sets = (key) => new RegExp(`^\\s*"?${quoted(key)}"?\\s*=`);

// Each line with the table that it is in; headers in texts of several lines are none.
function located(text) {
  let table = "";
  let within = "";
  return text.split("\n").map((line) => {
    const header = within ? null : HEADER.exec(line);
    if (header) table = header[1];
    for (const mark of line.match(/'''|"""/g) ?? []) within = !within ? mark : within === mark ? "" : within;
    return { line, table, isHeader: Boolean(header) };
  });
}

// The value of a key as it is written, or undefined.
export function valueOf(text, table, key) {
  const found = located(text).find((each) => each.table === table && !each.isHeader && sets(key).test(each.line));
  if (!found) return undefined;
  const value = found.line.slice(found.line.indexOf("=") + 1).trim();
  return /^"[^"]*"|^'[^']*'/.test(value) ? value.slice(1).split(value[0])[0] : value.replace(/\s+#.*$/, "");
}

// The text with a key set; an empty value takes the key out.
export function withValue(text, table, key, value) {
  const lines = located(text);
  const place = lines.findIndex((each) => each.table === table && !each.isHeader && sets(key).test(each.line));
  const line = value === "" ? null : `${key} = ${literal(value)}`;
  const plain = lines.map((each) => each.line);
  if (place >= 0) plain.splice(place, 1, ...(line === null ? [] : [line]));
  else if (line !== null) insert(plain, lines, table, line);
  return plain.join("\n");
}

function insert(plain, lines, table, line) {
  const inTable = lines.map((each, i) => (each.table === table && each.line.trim() ? i : -1)).filter((i) => i >= 0);
  if (inTable.length) plain.splice(inTable.at(-1) + 1, 0, line);
  else if (table) plain.push(...(plain.at(-1)?.trim() ? [""] : []), `[${table}]`, line);
  else plain.unshift(line);
}

const literal = (value) =>
  /^[+-]?(\d[\d_]*)(\.\d+)?(e[+-]?\d+)?$/i.test(value) || value === "true" || value === "false" ? value : JSON.stringify(value);

export const KINDS = ["data", "link", "stop", "result"];
const PARTS = ["spec", "patterns", ...KINDS];

// A spec's text in parts: the spec itself, and the tables of each kind of pattern.
export function split(text) {
  const parts = Object.fromEntries(PARTS.map((name) => [name, []]));
  for (const { line, table } of withComments(located(text))) {
    const [first, kind] = table.split(".");
    parts[first !== "patterns" ? "spec" : KINDS.includes(kind) ? kind : "patterns"].push(line);
  }
  return Object.fromEntries(Object.entries(parts).map(([name, lines]) => [name, lines.join("\n").trim()]));
}

// Comments right before a header are about it.
function withComments(lines) {
  for (let i = lines.length - 2; i >= 0; i--) {
    const next = lines[i + 1];
    if (/^\s*#/.test(lines[i].line) && (next.isHeader || next.isAbout)) Object.assign(lines[i], { table: next.table, isAbout: true });
  }
  return lines;
}

// The parts as one text again, with the first line of each, so that errors find their editors.
export function join(parts) {
  const begins = {};
  let text = "";
  for (const name of PARTS) {
    const part = (parts[name] ?? "").trimEnd();
    if (!part.trim()) continue;
    if (text) text += "\n\n";
    begins[name] = text.split("\n").length;
    text += part;
  }
  return { text: `${text}\n`, begins };
}

// The part and the line within it of a line of the whole.
export function partOf(begins, line) {
  const found = Object.entries(begins).filter(([, first]) => first <= line).at(-1) ?? ["spec", 1];
  return { part: found[0], line: line - found[1] + 1 };
}
