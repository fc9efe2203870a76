// Questions before what cannot be undone, and short messages.

import { byId, fill, h } from "./dom.js";

let timer = 0;

export function showMessage(text, kind = "") {
  clearTimeout(timer);
  fill(byId("message"), h("div", { class: `note ${kind}` }, text));
  timer = setTimeout(() => fill(byId("message")), kind === "bad" ? 9000 : 4000);
}

// Shows what went wrong instead of failing silently.
export async function tried(act) {
  try {
    return await act();
  } catch (error) {
    showMessage(error.message, "bad");
    return undefined;
  }
}

export function open(title, children, { broad = false } = {}) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { class: broad ? "broad" : "", "aria-labelledby": "dialog-title" }, h("div", {}, heading, children));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Resolves to true if the question is answered with its verb.
export function confirmed(title, text, verb) {
  return new Promise((resolve) => {
    const answer = (value) => () => (resolve(value), dialog.close());
    const dialog = open(title, [
      h("p", {}, text),
      h("div", { class: "row" },
        h("button", { type: "button", autofocus: true, onclick: answer(false) }, "Cancel"),
        h("button", { type: "button", class: "main danger", onclick: answer(true) }, verb)),
    ]);
    dialog.addEventListener("close", () => resolve(false));
  });
}

// Resolves to a number, or to null.
export function askNumber(title, label, { value, least, verb }) {
  return new Promise((resolve) => {
    const input = h("input", { id: "dialog-number", type: "number", min: least, step: 1, required: true, value, class: "short" });
    const form = h("form", { method: "dialog" },
      h("div", { class: "stack" },
        h("div", { class: "field" }, h("label", { for: "dialog-number" }, label), input),
        h("div", { class: "row" },
          h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
          h("button", { class: "main" }, verb))));
    form.addEventListener("submit", () => resolve(Number(input.value)));
    const dialog = open(title, [form]);
    dialog.addEventListener("close", () => resolve(null));
    input.select();
  });
}
