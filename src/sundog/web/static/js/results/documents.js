// Result documents as rows, whatever their format is: a row is names and values.

export async function rowsOf(blob, name) {
  const ending = name.split(".").pop();
  if (ending === "csv") return csvRows(await blob.text());
  if (ending === "json" || ending === "jsonl") return jsonRows(await blob.text(), ending);
  return ending === "xml" ? xmlRows(await blob.text()) : null;
}

function csvRows(text) {
  const [names, ...lines] = csvLines(text);
  return lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i] ?? ""])));
}

function csvLines(text) {
  const lines = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const line = lines.at(-1);
    const sign = text[i];
    if (quoted && sign === '"' && text[i + 1] === '"') (line[line.length - 1] += '"'), i++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === ",") line.push("");
    else if (!quoted && sign === "\n") lines.push([""]);
    else if (quoted || sign !== "\r") line[line.length - 1] += sign;
  }
  return lines.filter((line) => line.length > 1 || line[0]);
}

function jsonRows(text, ending) {
  const found = ending === "jsonl" ? text.split("\n").filter(Boolean).map((line) => JSON.parse(line)) : JSON.parse(text);
  const rows = Array.isArray(found) ? found : [found];
  return rows.map((row) => (row !== null && typeof row === "object" && !Array.isArray(row) ? row : { value: row }));
}

// The elements below the root, or below its only child, are rows; their attributes and children are values.
function xmlRows(text) {
  const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
  if (root.querySelector("parsererror")) return [{ document: text }];
  const elements = [...root.children];
  return (elements.length ? elements : [root]).map(xmlRow);
}

function xmlRow(element) {
  const row = Object.assign(Object.create(null), Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])));
  for (const child of element.children) (row[child.localName] ??= []).push(xmlValue(child));
  if (!element.children.length && element.textContent.trim()) row[element.localName] = element.textContent.trim();
  return row;
}

function xmlValue(element) {
  if (!element.children.length && !element.attributes.length) return element.textContent.trim();
  const row = xmlRow(element);
  return Object.values(row).flat().every((value) => typeof value === "string") ? Object.values(row).flat().join(" ") : row;
}
