// A draft that goes from the guided page to the expert's: kept by this browser's tab only.

const KEY = "sundog draft";

export const keepForExpert = (draft) => sessionStorage.setItem(KEY, JSON.stringify(draft));

export function takenOver() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept ? JSON.parse(kept) : null;
}
