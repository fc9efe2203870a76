// Server-sent events of one crawl. Pages that are hidden do not listen: browsers allow six connections in all.

import { crawlPath } from "./api.js";

export function listen(crawlId, handlers, connected = () => {}) {
  let source = null;
  const start = () => {
    if (source) return;
    source = new EventSource(`${crawlPath(crawlId)}/events`);
    source.onopen = () => connected(true);
    source.onerror = () => {
      connected(false);
      if (source?.readyState !== EventSource.CLOSED) return; // it tries again by itself
      source = null;
      setTimeout(() => document.hidden || start(), 3000);
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
    }
  };
  const end = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : start()));
  window.addEventListener("pagehide", end);
  start();
}
