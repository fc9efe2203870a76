// Drafts that outlast a page: kept by this tab of the browser only.

const FOR_EXPERT = "sundog draft";
const GUIDED = "sundog.guided";
const PATTERNS = "sundog.patterns";
const CHOICES = ["want", "stay"]; // which are radio buttons

// A draft that goes from the guided page to the expert's.
export const keepForExpert = (draft) => sessionStorage.setItem(FOR_EXPERT, JSON.stringify(draft));

export function takeForExpert() {
  const kept = sessionStorage.getItem(FOR_EXPERT);
  sessionStorage.removeItem(FOR_EXPERT);
  return kept ? JSON.parse(kept) : null;
}

const fieldsOf = (form) => [...form.elements].filter((each) => each.id || each.name).filter((each) => !["button", "submit", "fieldset"].includes(each.type));
const isTicked = (field) => field.type === "radio" || field.type === "checkbox";
const keyOf = (field) => (field.type === "radio" ? `${field.name}=${field.value}` : field.id);
const valueOf = (field) => (isTicked(field) ? field.checked : field.value);

// What was filled in outlasts a reload and a visit elsewhere, until the crawl begins. Fields that are made later, out of
// an example page, are asked for again.
export function remember(form) {
  const fields = fieldsOf(form);
  const kept = JSON.parse(sessionStorage.getItem(GUIDED) ?? "{}");
  for (const field of fields) {
    const value = kept[keyOf(field)];
    if (isTicked(field)) field.checked = value ?? field.checked;
    else if (typeof value === "string" && field.type !== "select-one") field.value = value;
  }
  for (const name of ["input", "change"]) {
    form.addEventListener(name, () =>
      sessionStorage.setItem(GUIDED, JSON.stringify(Object.fromEntries(fields.map((field) => [keyOf(field), valueOf(field)])))));
  }
}

// A draft that goes from the expert's page to the guided one, as that form remembers its answers.
export function keepForGuided({ patterns, seeds, ...fields }) {
  const kept = { seeds: seeds.join("\n") };
  for (const [name, value] of Object.entries(fields)) {
    if (CHOICES.includes(name)) kept[`${name}=${value || "any"}`] = true;
    else kept[name] = typeof value === "boolean" ? value : String(value ?? "");
  }
  sessionStorage.setItem(GUIDED, JSON.stringify(kept));
  sessionStorage.setItem(PATTERNS, patterns);
}

// Patterns that were written by an expert: used as they are until others are made.
export const keptPatterns = () => sessionStorage.getItem(PATTERNS) ?? "";
export const forgetPatterns = () => sessionStorage.removeItem(PATTERNS);

export function forget() {
  sessionStorage.removeItem(GUIDED);
  forgetPatterns();
}
