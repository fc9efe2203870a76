// Ways to lists: what is counted somewhere leads to what was counted.

import { addressOf } from "./address_state.js";
import { pageOf } from "./api.js";
import { h } from "./dom.js";
import { localName } from "./format.js";
import { crawlId } from "./header.js";

const results = (address) => pageOf(crawlId, `/results${address}`);

export const pagesWhere = (filters) => results(addressOf("pages", { kind: "all", ...filters }));
export const entitiesOf = (type) => results(addressOf("entities", { type }));
export const itemsOf = (pattern) => results(addressOf("result", { pattern }));
export const statementsWith = (property) =>
  results(`#sparql/${encodeURIComponent(`SELECT ?thing ?value ?page {\n  GRAPH ?page { ?thing <${property}> ?value }\n}\nLIMIT 200`)}`);

export const typeTags = (types, most) =>
  types.slice(0, most).map((type) => h("a", { class: "tag", href: pagesWhere({ type }), title: `Pages with ${type}` }, localName(type)));

// The data of a page, and its place in the graph.
export const dataOf = (page) => pageOf(crawlId, `/pages/${page}`);
export const graphAround = (page) => pageOf(crawlId, `/graph?page=${page}`);
