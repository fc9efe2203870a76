// What was filled in outlasts a reload and a look elsewhere, in this tab of the browser, until the crawl begins.

const PLACE = "sundog.guided";

const fieldsOf = (form) => [...form.elements].filter((each) => each.id || each.name).filter((each) => !["button", "submit", "fieldset"].includes(each.type));
const keyOf = (field) => (field.type === "radio" ? `${field.name}=${field.value}` : field.id);
const valueOf = (field) => (field.type === "radio" ? field.checked : field.value);

// Fields that are made later, out of an example page, are asked for again.
export function remember(form) {
  const fields = fieldsOf(form);
  const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
  for (const field of fields) {
    const value = kept[keyOf(field)];
    if (field.type === "radio") field.checked = value ?? field.checked;
    else if (typeof value === "string" && field.type !== "select-one") field.value = value;
  }
  for (const name of ["input", "change"]) {
    form.addEventListener(name, () =>
      sessionStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(fields.map((field) => [keyOf(field), valueOf(field)])))));
  }
}

export const forget = () => sessionStorage.removeItem(PLACE);
