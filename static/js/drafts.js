// What a form was filled with when it could not be sent outlasts a reload of its page, and so does the key of a
// request whose answer was lost: sent again as it was, it is the same request. Both are kept as long as the
// browser's window is open; the draft goes once anything that was sent is answered, a key with its own request.

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

// What is sent next is meant anew.
/** @param {FormData} sent */
export function isAnswered(sent) {
  for (const [content, key] of unanswered) if (key === sent.get("request_key")) unanswered.delete(content);
  keep(KEYS, [...unanswered]);
  keep(PLACE, null);
}

/** @param {HTMLFormElement} form */
export function keepDraft(form) {
  const all = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const draft = { page: location.pathname, action: form.action, values: all.filter(([name]) => !OURS.includes(name)) };
  keep(PLACE, draft);
}

window.addEventListener("load", () => {
  /** @type {Draft | null} */
  const draft = kept(PLACE);
  const form = draft?.page === location.pathname && [...document.forms].find(({ action }) => action === draft.action);
  if (!draft || !form) return;
  if (form.dataset.redraw) redraw(form, form.dataset.redraw, draft);
  else fill(form, draft);
});

// A form whose parts the app draws by what is in it, as the seats of a new game
/** @type {(form: HTMLFormElement, address: string, draft: Draft) => Promise<void>} */
async function redraw({ id }, address, { values }) {
  /** @type {Record<string, string[]>} */
  const all = {};
  for (const [name, value] of values) (all[name] ??= []).push(value);
  await htmx.ajax("POST", address, { target: `#${id}`, swap: "outerHTML", values: all });
  keepDraft(/** @type {HTMLFormElement} */ (document.getElementById(id)));
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
