// What a form was filled with when it could not be sent outlasts a reload of its page, and so does the key of a
// request whose answer was lost: sent again as it was, it is the same request. Both are kept as long as the
// browser's window is open; the draft goes once anything that was sent is answered, a key with its own request.
// What is typed into a form with `data-draft` outlasts leaving its page, too, until it is carried out; its field
// `draft` says where it is kept.

import { newKey } from "./request-keys.js";

const PLACE = "meldkeeper-draft";
const KEYS = "meldkeeper-unanswered";
const OURS = ["csrf_token", "request_key", "seen"];

/** @typedef {{ page: string, action: string, values: [string, string][] }} Draft */

// Where nothing can be stored, drafts are not kept, and keys as long as the page.
/** @type {(place: string) => any} */
function kept(place) {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}
/** @type {(place: string, value: unknown) => void} */
function keep(place, value) {
  try {
    sessionStorage.setItem(place, JSON.stringify(value));
  } catch {
    // Nothing can be stored.
  }
}

// The keys of requests that were not answered yet, by what they say

/** @type {Map<string, string>} */
const unanswered = new Map(kept(KEYS) ?? []);

/** @param {HtmxDetail} detail */
export function keyFor({ path, formData }) {
  const values = [...formData].filter(([name]) => name !== "request_key" && name !== "csrf_token")
    .map(([name, value]) => [name, value instanceof File ? [value.name, value.size, value.lastModified] : value]);
  const content = JSON.stringify([path, values]);
  const key = unanswered.get(content) ?? newKey();
  unanswered.set(content, key);
  keep(KEYS, [...unanswered]);
  return key;
}

// An answer came: its key goes, so that what is sent next is meant anew; a form's own draft goes once it was taken.
/** @type {(sent: FormData, successful: boolean) => void} */
export function forgetAnswered(sent, successful) {
  for (const [content, key] of unanswered) if (key === sent.get("request_key")) unanswered.delete(content);
  keep(KEYS, [...unanswered]);
  keep(PLACE, null);
  if (successful && sent.has("draft")) keep(/** @type {string} */ (sent.get("draft")), null);
}

/** @param {HTMLFormElement} form */
export function keepDraft(form) {
  const values = [...new FormData(form)].filter(([name]) => !OURS.includes(name));
  keep(form.dataset.draft ?? PLACE, { page: location.pathname, action: form.action, values });
}

document.addEventListener("input", ({ target: { form } }) => {
  if (!form?.dataset.draft) return;
  delete form.dataset.redraw;
  keepDraft(form);
});
// As it begins it can be redrawn, and is where something was typed before.
function comeBack() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-draft]"));
  const draft = form?.dataset.redraw && kept(/** @type {string} */ (form.dataset.draft));
  if (draft) redraw(/** @type {HTMLFormElement} */ (form), draft);
  else if (form && !form.dataset.redraw) keepDraft(form);
}
document.addEventListener("htmx:afterSettle", comeBack);

window.addEventListener("load", () => {
  comeBack();
  /** @type {Draft | null} */
  const draft = kept(PLACE);
  const form = draft?.page === location.pathname && [...document.forms].find(({ action }) => action === draft.action);
  if (form) (form.dataset.redraw ? redraw : fill)(form, /** @type {Draft} */ (draft));
});

// A form whose parts the app draws by what is in it, as the seats of a new game
/** @type {(form: HTMLFormElement, draft: Draft) => Promise<void>} */
async function redraw(form, { values }) {
  const all = new FormData();
  for (const one of values) all.append(...one);
  await htmx.ajax("POST", /** @type {string} */ (form.dataset.redraw), { target: form, swap: "outerHTML", values: all });
  keepDraft(/** @type {HTMLFormElement} */ (document.getElementById(form.id)));
}

/** @type {(form: HTMLFormElement, draft: Draft) => void} */
function fill(form, draft) {
  for (const field of form.elements) {
    // What is tapped in a round waits in the outbox; a file can only be chosen by a person.
    if (!("name" in field) || field.matches("[type=hidden], [type=file], [data-tap], button")) continue;
    const values = draft.values.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
    else if (values.length && "value" in field) field.value = values[0];
  }
}
