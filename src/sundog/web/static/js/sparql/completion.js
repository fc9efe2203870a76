// A list of completions beside the caret of an editor. It opens while one types, or with Ctrl-Space; nothing in it is
// chosen until an arrow key goes there, so Enter and Tab keep their meaning for who does not look at it.

import { h, fill } from "../dom.js";
import { count, plural } from "../format.js";
import { completions, wordAt } from "./completion_words.js";

const LONGEST = 20_000; // characters of a query: in longer ones one types undisturbed
const WIDTH = 330;

export class Completion {
  constructor(editor, vocabulary) {
    this.editor = editor;
    this.vocabulary = vocabulary;
    this.found = [];
    this.chosen = -1;
    this.list = h("ul", { class: "completions", role: "listbox", id: "completions", "aria-label": "Completions", hidden: true });
    this.status = h("span", { class: "unseen", role: "status" });
    editor.place.append(this.list, this.status);
    const attributes = { "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-controls": "completions" };
    for (const [name, value] of Object.entries(attributes)) editor.area.setAttribute(name, value);
    editor.area.addEventListener("input", (event) => this.typed(event));
    editor.area.addEventListener("keydown", (event) => this.pressed(event));
    editor.area.addEventListener("blur", () => this.close());
    editor.area.addEventListener("click", () => this.close());
    editor.area.addEventListener("scroll", () => this.isOpen && this.place());
  }

  get isOpen() {
    return !this.list.hidden;
  }

  typed(event) {
    const isTyping = event.inputType === "insertText" || (this.isOpen && event.inputType === "deleteContentBackward");
    if (isTyping && !event.isComposing) this.open(1);
    else this.close();
  }

  pressed(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.open(0);
      this.mark(0);
    } else if (this.isOpen) this.pressedInList(event);
  }

  pressedInList(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps) this.mark(this.chosen < 0 && steps < 0 ? this.found.length - 1 : (this.chosen + steps + this.found.length) % this.found.length);
    else if (event.key === "Escape") this.close();
    else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) this.take(this.chosen);
    else {
      if (["ArrowLeft", "ArrowRight", "Home", "End", "Enter", "PageUp", "PageDown"].includes(event.key)) this.close();
      return;
    }
    event.preventDefault();
  }

  open(fewest) {
    const { area } = this.editor;
    const caret = area.selectionEnd;
    this.word = area.selectionStart === caret && area.value.length <= LONGEST ? wordAt(area.value, caret) : null;
    this.found = this.word === null || this.word.length < fewest ? [] : completions(area.value, caret, this.word, this.vocabulary);
    if (!this.found.length) return this.close();
    this.chosen = -1;
    area.removeAttribute("aria-activedescendant");
    fill(this.list, this.found.map((each, i) => this.option(each, i)));
    this.list.hidden = false;
    this.status.textContent = plural(this.found.length, "completion");
    this.list.scrollTop = 0;
    return this.place();
  }

  option({ text, about, count: number }, i) {
    const take = (event) => (event.preventDefault(), this.take(i));
    return h("li", { role: "option", id: `completion-${i}`, "aria-selected": "false", onpointerdown: take },
      h("code", {}, text), h("small", {}, number ? `${about}, ${count(number)}` : about));
  }

  place() {
    const { left, bottom, width } = this.editor.placeOf(this.editor.area.selectionEnd - this.word.length);
    this.list.style.setProperty("left", `${Math.max(0, Math.min(left, width - Math.min(WIDTH, width)))}px`);
    this.list.style.setProperty("top", `${bottom}px`);
  }

  mark(i) {
    if (!this.isOpen) return;
    this.list.children[this.chosen]?.setAttribute("aria-selected", "false");
    this.chosen = i;
    this.list.children[i].setAttribute("aria-selected", "true");
    this.list.children[i].scrollIntoView({ block: "nearest" });
    this.editor.area.setAttribute("aria-activedescendant", `completion-${i}`);
  }

  // As if it were typed, so that it can be undone.
  take(i) {
    const { area } = this.editor;
    const { text } = this.found[i];
    area.setSelectionRange(area.selectionEnd - this.word.length, area.selectionEnd);
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
    }
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.chosen = -1;
    this.status.textContent = "";
    this.editor.area.removeAttribute("aria-activedescendant");
  }
}
