// The policy and its parameters as fields; they change the spec's text, and follow it.

import { get } from "../api.js";
import { tried } from "../dialogs.js";
import { byId, fill, h } from "../dom.js";
import { valueOf, withValue } from "./toml.js";

export class PolicyForm {
  constructor(spec) {
    this.spec = spec;
    this.policies = [];
    byId("policy").addEventListener("change", (event) => {
      spec.text = withValue(spec.text, "", "policy", event.target.value);
      this.show();
    });
    tried(async () => {
      this.policies = (await get("/api/policies")).policies;
      fill(byId("policy"), this.policies.map(({ name }) => h("option", { value: name }, name)));
      this.show();
    });
  }

  // The text was changed by hand.
  read() {
    const name = this.name;
    if (name === this.shown) return this.readParameters();
    return this.show();
  }

  get name() {
    return valueOf(this.spec.text, "", "policy") ?? byId("policy").dataset.default;
  }

  show() {
    const found = this.policies.find(({ name }) => name === this.name);
    this.shown = this.name;
    if (!found) return;
    byId("policy").value = found.name;
    byId("policy-about").textContent = found.about;
    fill(byId("parameters"), found.parameters.length ? found.parameters.map((each) => this.field(each)) : h("p", { class: "hint" }, "It has none."));
    this.readParameters();
  }

  field({ name, about, default: usual }) {
    const input = h("input", { id: `parameter-${name}`, "data-parameter": name, placeholder: usual === null ? "" : String(usual), maxlength: byId("title").maxLength });
    input.addEventListener("change", () => (this.spec.text = withValue(this.spec.text, "parameters", name, input.value.trim())));
    return h("div", { class: "field" }, h("label", { for: input.id }, name), input, h("small", {}, about));
  }

  readParameters() {
    for (const input of byId("parameters").querySelectorAll("input")) {
      if (input !== document.activeElement) input.value = valueOf(this.spec.text, "parameters", input.dataset.parameter) ?? "";
    }
  }
}
