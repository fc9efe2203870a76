// The four kinds of patterns, an editor each, and the engine that they are written for.

import { byId, fill, h } from "../dom.js";
import { Editor, fileButton } from "./editor.js";
import { KINDS, valueOf, withValue } from "./toml.js";

const ENDINGS = JSON.parse(byId("pattern-panel").dataset.engines); // of files, by engine
const ENGINES = JSON.parse(byId("pattern-panel").dataset.pageEngines); // of patterns on pages; the first is the default
const engineOf = (file) => Object.keys(ENDINGS).find((name) => ENDINGS[name].some((ending) => file.endsWith(ending)));
const ABOUT = {
  data: ["Data", "What to take from a page.", `[[patterns.data]]
name = "city"
find = "//table[contains(@class, 'infobox')]"
fields.name = { find = "//h1", required = true }
fields.population = { find = ".//tr[contains(th, 'Population')]/td", type = "number" }`],
  link: ["Link", "What to follow from a page. Without any, every link may be followed.", `[[patterns.link]]
name = "to-city"
find = "//ul[@class='cities']//a"
depth = 1`],
  stop: ["Stop", "When to end, besides the budget.", `[[patterns.stop]]
name = "enough"
items = 100`],
  result: ["Result", "What to make of all that was found. Without it, items are written as they are.", `[patterns.result]
order = ["-population"]
format = "csv"`],
};

export class Patterns {
  constructor(changed) {
    this.common = "";
    this.places = {};
    this.tabs = {};
    this.all = {};
    for (const kind of KINDS) {
      const place = h("div", { hidden: true, class: "stack" });
      const editor = h("div", {});
      const [name, about, example] = ABOUT[kind];
      this.all[kind] = new Editor(editor, { label: `${name} patterns`, rows: 10, changed: () => (changed(), this.count()) });
      fill(place,
        h("div", { class: "row between" }, h("small", {}, about),
          h("div", { class: "row" },
            h("button", { type: "button", onclick: () => this.add(kind, example) }, "Insert an example"),
            fileButton(`${kind}-file`, "Upload", (file, text) => this.upload(kind, file, text)))),
        editor);
      this.places[kind] = place;
      this.tabs[kind] = h("button", { type: "button", role: "tab", id: `tab-${kind}`, onclick: () => this.choose(kind) }, name);
    }
    this.engine = h("select", { id: "engine" }, ENGINES.map((name) => h("option", { value: name }, name)));
    this.engine.addEventListener("change", () => (changed(), (this.common = withValue(this.common, "patterns", "engine", this.engine.value))));
    fill(byId("pattern-tabs"), Object.values(this.tabs));
    byId("pattern-tabs").addEventListener("keydown", (event) => this.arrow(event));
    fill(byId("pattern-panel"), Object.values(this.places),
      h("div", { class: "row" }, h("label", { for: "engine" }, "Engine"), h("span", {}, this.engine), h("small", {}, "of patterns that name none")));
    this.choose("data");
  }

  get parts() {
    const texts = Object.fromEntries(KINDS.map((kind) => [kind, this.all[kind].text]));
    return Object.values(texts).some((text) => text.trim()) ? { patterns: this.common, ...texts } : {};
  }

  get editors() {
    return Object.values(this.all);
  }

  editor(kind) {
    return this.all[kind] ?? this.all.data;
  }

  use(parts) {
    this.common = parts.patterns;
    this.engine.value = valueOf(this.common, "patterns", "engine") ?? ENGINES[0];
    for (const kind of KINDS) this.all[kind].text = parts[kind];
    this.count();
  }

  choose(chosen) {
    for (const kind of KINDS) {
      this.places[kind].hidden = kind !== chosen;
      this.tabs[kind].setAttribute("aria-selected", String(kind === chosen));
      this.tabs[kind].tabIndex = kind === chosen ? 0 : -1;
    }
    this.chosen = chosen;
  }

  arrow(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    this.choose(KINDS[(KINDS.indexOf(this.chosen) + step + KINDS.length) % KINDS.length]);
    this.tabs[this.chosen].focus();
  }

  add(kind, text) {
    const before = this.all[kind].text.trimEnd();
    this.all[kind].text = before ? `${before}\n\n${text}\n` : `${text}\n`;
    this.count();
    this.all[kind].area.dispatchEvent(new Event("input"));
  }

  // A file of TOML is taken as it is; a query becomes a pattern of its engine.
  upload(kind, file, text) {
    const stem = file.replace(/\.\w+$/, "");
    if (file.endsWith(".toml")) return this.add(kind, text.trim());
    const head = kind === "result" ? "[patterns.result]" : `[[patterns.${kind}]]\nname = "${stem.replace(/[^\w-]+/g, "-") || kind}"`;
    const asks = kind === "stop" ? "when" : "find";
    return this.add(kind, `${head}\nengine = "${engineOf(file) ?? this.engine.value}"\n${asks} = '''\n${text.trim()}\n'''`);
  }

  count() {
    for (const kind of KINDS) {
      const number = (this.all[kind].text.match(/^\s*\[\[?\s*patterns\.\w+\s*\]/gm) ?? []).length;
      this.tabs[kind].textContent = number ? `${ABOUT[kind][0]} ${number}` : ABOUT[kind][0];
    }
  }
}
