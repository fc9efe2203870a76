// What may stand at a place of a query: terms that the crawl has, variables of the query, words of SPARQL.

import { FUNCTIONS, KEYWORDS, tokens } from "./tokens.js";

const MOST = 50;
const LOCAL = /^[A-Za-z0-9_](?:[\w.-]*[\w-])?$/; // others cannot stand after a prefix without escapes
const IRI = /^[^<>"{}|^`\\\x00-\x20]+$/;
const BEFORE = /(?:[?$][\p{L}\p{N}_]*|<[^<>"{}|^`\\\x00-\x20]*|[\p{L}\p{N}_.-]*:[\p{L}\p{N}_.:%-]*|[\p{L}_][\p{L}\p{N}_]*)$/u;
const FARTHEST = 300; // characters before the caret that are looked at

// The word that ends at a place; null inside of strings and comments.
export function wordAt(text, caret) {
  const around = tokens(text).find(({ at, text: part }) => at < caret && caret <= at + part.length);
  if (around?.kind === "comment" || (around?.kind === "string" && (caret < around.at + around.text.length || !isClosed(around.text)))) return null;
  return BEFORE.exec(text.slice(Math.max(0, caret - FARTHEST), caret))?.[0] ?? "";
}

function isClosed(string) {
  const quotes = /^("""|'''|.)/.exec(string)[0];
  return string.length >= 2 * quotes.length && string.endsWith(quotes);
}

// {text, about, count} for the word before the caret, the best first.
export function completions(text, caret, word, vocabulary) {
  if (/^[?$]/.test(word)) return variables(text, word).slice(0, MOST);
  const prefixes = { ...vocabulary.prefixes, ...declared(text) };
  const before = text.slice(0, caret - word.length).trimEnd();
  const isObject = /(?:^|[\s;])(?:a|rdf:type|<http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#type>)$/.test(before);
  if (/^PREFIX$/i.test(/\S+$/.exec(before)?.[0] ?? "")) return declarations(word, vocabulary.prefixes);
  const types = terms(vocabulary.types, "type", prefixes);
  const properties = terms(vocabulary.properties, "property", prefixes);
  const known = isObject ? types : [...properties, ...types];
  const found = known.filter((each) => fits(each, word));
  if (isObject || /[:<]/.test(word)) return found.slice(0, MOST);
  const plain = word ? [...words(KEYWORDS, word, "keyword"), ...words(FUNCTIONS, word, "function"), ...names(prefixes, word)] : [];
  return [...plain, ...found].filter((each) => each.text !== word).slice(0, MOST);
}

function variables(text, word) {
  const counts = new Map();
  for (const token of tokens(text)) {
    if (token.kind === "variable") counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
  }
  counts.set(word, (counts.get(word) ?? 1) - 1); // the one that is being written
  return [...counts].filter(([name, count]) => count > 0 && name !== word && name.startsWith(word)).map(([name]) => ({ text: name, about: "variable" }));
}

function declared(text) {
  return Object.fromEntries([...text.matchAll(/\bPREFIX\s+([\w.-]*):\s*<([^<>\s]*)>/gi)].map(([, name, iri]) => [name, iri]));
}

const declarations = (word, prefixes) =>
  Object.entries(prefixes).filter(([name]) => `${name}:`.startsWith(word)).map(([name, iri]) => ({ text: `${name}: <${iri}>`, about: "prefix" }));

function terms(found, about, prefixes) {
  const starts = Object.entries(prefixes);
  return found.filter(({ name }) => IRI.test(name)).map(({ name, count }) => ({ text: shortened(name, starts), iri: `<${name}>`, about, count }));
}

function shortened(iri, starts) {
  for (const [name, start] of starts) {
    if (start && iri.startsWith(start) && LOCAL.test(iri.slice(start.length))) return `${name}:${iri.slice(start.length)}`;
  }
  return `<${iri}>`;
}

function fits(term, word) {
  if (term.text === word) return false;
  if (word.startsWith("<")) return term.iri.startsWith(word);
  const [text, sought] = [term.text.toLowerCase(), word.toLowerCase()];
  return text.startsWith(sought) || (!sought.includes(":") && localOf(text).startsWith(sought));
}

const localOf = (text) => /[^:/#<>]*>?$/.exec(text)[0];
const words = (all, word, about) => (word.length < 2 ? [] : all.filter((each) => each.toUpperCase().startsWith(word.toUpperCase())).map((text) => ({ text, about })));
const names = (prefixes, word) => Object.keys(prefixes).filter((name) => name.startsWith(word)).map((name) => ({ text: `${name}:`, about: "prefix" }));
