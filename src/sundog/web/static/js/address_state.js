// What a view shows, in the address: `#pages/host=a.example&sort=url` is a name and what differs from how the view begins.
// Back, share and bookmark work.

export function stateOf(view, start) {
  const mark = `#${view}/`;
  const given = new URLSearchParams(location.hash.startsWith(mark) ? location.hash.slice(mark.length) : "");
  return { ...start, ...Object.fromEntries([...given].map(([name, text]) => [name, typed(text, start[name])])) };
}

function typed(text, like) {
  if (typeof like === "boolean") return text === "true";
  return typeof like === "number" ? Number(text) || 0 : text;
}

export function addressOf(view, state, start = {}) {
  const rest = new URLSearchParams(Object.entries(state).filter(([name, value]) => value !== start[name]));
  return `#${view}${rest.size ? "/" : ""}${rest}`;
}

// While somebody types, the address follows without a history of every letter.
export function remember(view, state, start, { isTyping = false } = {}) {
  const address = addressOf(view, state, start);
  if (address !== location.hash) history[isTyping ? "replaceState" : "pushState"](null, "", address);
}
