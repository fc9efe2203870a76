// The addresses where the crawl begins.

import { withScheme } from "../addresses.js";
import { byId } from "../dom.js";

export const seeds = () => byId("seeds").value.split(/\s+/).filter(Boolean).map(withScheme);
