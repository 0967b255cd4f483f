// What a form was filled with when it could not be sent outlasts a reload of its page. It is kept as long as
// the browser's window is open, and goes once something is answered there.

const PLACE = "meldkeeper-draft";
const OURS = ["csrf_token", "request_key", "seen"];

/** @typedef {{ page: string, action: string, values: [string, string][] }} Draft */

/** @param {HTMLFormElement} form */
export function keepDraft(form) {
  const all = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const draft = { page: location.pathname, action: form.action, values: all.filter(([name]) => !OURS.includes(name)) };
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(draft));
  } catch {
    // Nothing can be stored: it lives as long as the page.
  }
}

export function forgetDraft() {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was stored.
  }
}

/** @returns {Draft | null} */
function draftHere() {
  try {
    const draft = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    return draft?.page === location.pathname ? draft : null;
  } catch {
    return null;
  }
}

window.addEventListener("load", () => {
  const draft = draftHere();
  const form = draft && [...document.forms].find(({ action }) => action === draft.action);
  if (!form) return;
  for (const field of form.elements) {
    // What is tapped in a round waits in the outbox; a file can only be chosen by a person.
    if (!("name" in field) || field.matches("[type=hidden], [type=file], [data-tap], button")) continue;
    const values = draft.values.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
    else if (values.length && "value" in field) field.value = values[0];
  }
});
