// A field that finds types of schema.org while one types.

import { get } from "../api.js";
import { byId, fill, h } from "../dom.js";

const input = byId("type");
const list = byId("types");
let options = [];
let chosen = -1;
let asked = 0;

export const typeName = () => input.value.trim();

async function search() {
  const turn = ++asked;
  const { types } = await get("/api/schema-types", { search: input.value.trim() });
  if (turn !== asked) return; // somebody has typed on
  options = types;
  chosen = -1;
  fill(list, types.length ? types.map(option) : h("li", { class: "muted" }, "schema.org has no such type"));
  open(true);
}

const option = (type, i) =>
  h("li", { role: "option", id: `type-${i}`, "aria-selected": "false", onpointerdown: (event) => (event.preventDefault(), choose(i)) },
    type.name, h("small", {}, type.path.join(" › ")));

function open(isOpen) {
  list.hidden = !isOpen;
  input.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) input.removeAttribute("aria-activedescendant");
}

function mark(i) {
  list.children[chosen]?.setAttribute("aria-selected", "false");
  chosen = i;
  list.children[i]?.setAttribute("aria-selected", "true");
  list.children[i]?.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", `type-${i}`);
}

function choose(i) {
  const type = options[i];
  if (!type) return;
  input.value = type.name;
  byId("type-path").textContent = [...type.path, type.name].join(" › ");
  open(false);
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

input.addEventListener("input", search);
input.addEventListener("focus", search);
input.addEventListener("blur", () => open(false));
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") open(false);
  else if (event.key === "ArrowDown" && options.length) (event.preventDefault(), open(true), mark((chosen + 1) % options.length));
  else if (event.key === "ArrowUp" && options.length) (event.preventDefault(), mark((chosen + options.length - 1) % options.length));
  else if (event.key === "Enter" && !list.hidden && options.length) (event.preventDefault(), choose(Math.max(0, chosen)));
});
