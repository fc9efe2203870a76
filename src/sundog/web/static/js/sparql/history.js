// Queries that this browser has asked of this crawl, the latest first: kept here and nowhere else.

const MOST = 30;
const LONGEST = 20_000; // characters; longer ones are not kept

const keyOf = (crawl) => `sundog.queries.${crawl}`;

export function asked(crawl) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(crawl)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function remember(crawl, query) {
  if (!query.trim() || query.length > LONGEST) return;
  const queries = [query, ...asked(crawl).filter((each) => each !== query)].slice(0, MOST);
  try {
    localStorage.setItem(keyOf(crawl), JSON.stringify(queries));
  } catch {
    // no room, or not allowed: a query is answered all the same
  }
}

export const forgetAll = (crawl) => localStorage.removeItem(keyOf(crawl));
