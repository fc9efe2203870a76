// Kinds of trouble in words; docs/fetching.md has all of them.

const WORDS = {
  "http-4xx": "HTTP 4xx: not there, or not for us",
  "http-5xx": "HTTP 5xx: the server failed",
  "rate-limited": "asked to come back later",
  "bad-url": "no address that can be asked",
  "private-address": "a private address",
  robots: "robots.txt forbids it",
  "redirect-out-of-scope": "a redirect out of scope",
  "redirect-known": "a redirect to a page already asked",
  "redirect-loop": "a redirect in a circle",
  "too-many-redirects": "too many redirects",
  "bad-redirect": "a redirect to nowhere",
  dns: "the host has no address",
  "connection-refused": "no connection",
  "connection-lost": "the connection broke off",
  tls: "no secure connection",
  "timeout-connect": "no connection in time",
  "timeout-first-byte": "no answer in time",
  "timeout-total": "not complete in time",
  "too-slow": "too slow",
  "content-type": "neither a page nor data (its type)",
  "bad-header": "the answer is not HTTP",
  "bad-encoding": "the compression cannot be read",
  other: "something else",
  duplicate: "the same as another page",
  trap: "a trap: endless pages of one kind",
  bomb: "unpacks to far too much",
};

export const inWords = (item) => ({ ...item, short: WORDS[item.name] ?? item.short ?? item.name });
