// What a crawl's process has printed and how it failed: the ends of both, again and again.

import { crawlPath, get, repeat } from "./api.js";
import { byId } from "./dom.js";
import { bytes } from "./format.js";
import { crawlId, followHeader } from "./header.js";

const NOTHING = { output: "Nothing: it was begun elsewhere, or has nothing to say.", errors: "None: Sundog has not failed on any page." };

function show(name, { text, size, cut }) {
  const place = byId(name);
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  byId(`${name}-file`).hidden = place.hidden = !size;
  byId(`${name}-words`).textContent = !size ? NOTHING[name] : cut ? `The last lines of ${bytes(size)}.` : bytes(size);
  if (place.textContent === text) return; // what somebody has marked stays so
  place.textContent = text;
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}

followHeader();
repeat(2, async () => {
  try {
    const logs = await get(`${crawlPath(crawlId)}/log`);
    for (const name of Object.keys(NOTHING)) show(name, logs[name]);
  } catch (error) {
    byId("output-words").textContent = error.message;
  }
});
