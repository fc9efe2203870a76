// Kinds of pages: how they went, and what came of them.

// In the order in which they are listed.
export const WORDS = { relevant: "relevant", other: "fetched, not relevant", failed: "failed", redirect: "redirect to a page already asked", refused: "refused", frontier: "not fetched yet" };

export const kindOf = (page) => (page.kind !== "fetched" ? page.kind : page.reward > 0 ? "relevant" : "other");

const order = Object.keys(WORDS);
export const byKind = (a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b));
