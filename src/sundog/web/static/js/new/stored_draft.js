// Drafts that outlast a page: kept by this tab of the browser only.

const FOR_EXPERT = "sundog draft";
const GUIDED = "sundog.guided";

// A draft that goes from the guided page to the expert's.
export const keepForExpert = (draft) => sessionStorage.setItem(FOR_EXPERT, JSON.stringify(draft));

export function takeForExpert() {
  const kept = sessionStorage.getItem(FOR_EXPERT);
  sessionStorage.removeItem(FOR_EXPERT);
  return kept ? JSON.parse(kept) : null;
}

const fieldsOf = (form) => [...form.elements].filter((each) => each.id || each.name).filter((each) => !["button", "submit", "fieldset"].includes(each.type));
const keyOf = (field) => (field.type === "radio" ? `${field.name}=${field.value}` : field.id);
const valueOf = (field) => (field.type === "radio" ? field.checked : field.value);

// What was filled in outlasts a reload and a visit elsewhere, until the crawl begins. Fields that are made later, out of
// an example page, are asked for again.
export function remember(form) {
  const fields = fieldsOf(form);
  const kept = JSON.parse(sessionStorage.getItem(GUIDED) ?? "{}");
  for (const field of fields) {
    const value = kept[keyOf(field)];
    if (field.type === "radio") field.checked = value ?? field.checked;
    else if (typeof value === "string" && field.type !== "select-one") field.value = value;
  }
  for (const name of ["input", "change"]) {
    form.addEventListener(name, () =>
      sessionStorage.setItem(GUIDED, JSON.stringify(Object.fromEntries(fields.map((field) => [keyOf(field), valueOf(field)])))));
  }
}

export const forget = () => sessionStorage.removeItem(GUIDED);
