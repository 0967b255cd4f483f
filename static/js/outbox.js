// Taps on the open round. Each is written down on this phone before it is sent, and crossed out
// when the table has it; so none is lost by a dead network or a closed browser, and each is sent in
// its order, exactly once (its key makes a repeat harmless). What others changed meanwhile is never
// overwritten: the table then answers with both values, and a person chooses.

import { guard, show, shown } from "./live.js";
import { isAnswerOfApp, isOfAnotherVersion } from "./offline.js";
import { recall, remember } from "./storage.js";

const PLACE = "meldkeeper-outbox";
const PATIENCE = 8_000;
const PAUSE = 3_000;
const SOON = 1_200;
const MOST_FAULTS = 5;

/** @type {{ key: string, done?: Promise<boolean> } | null} */
let sending = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

// The list, as it is kept on this phone

/** @returns {Unsent[]} */
function list() {
  try {
    return JSON.parse(recall(PLACE) ?? "[]");
  } catch {
    return [];
  }
}

// Where the browser stores nothing, the list lives as long as this page; the page says so, and whoever
// leaves it is asked. Only then, since a page that asks is not shown again as it was by Back.
let stored = true;
/** @param {Unsent[]} entries */
function keep(entries) {
  stored = remember(PLACE, JSON.stringify(entries));
  document.documentElement.classList.toggle("unstored", !stored);
  if (stored) window.removeEventListener("beforeunload", askToStay);
  else window.addEventListener("beforeunload", askToStay);
}
/** @param {Event} event */
function askToStay(event) {
  if (waiting().length) event.preventDefault();
}

/** @param {string} key */
const cross = (key) => keep(list().filter((one) => one.key !== key));
/** @type {(key: string, values: Partial<Unsent>) => void} */
const note = (key, values) => keep(list().map((one) => (one.key === key ? { ...one, ...values } : one)));
/** @param {Unsent} one */
const waits = (one) => !one.answer && one.refused === undefined;
const waiting = () => list().filter(waits);
/** @param {Unsent} one */
const ofThisGame = (one) => one.game === shown()?.dataset.game;

// Tapping and typing

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-tap]")) return;
  // Leaving a field says again what was typed there: the table has it already.
  if (target.matches("[inputmode]") && !typed.has(target) && tapped.get(target) === target.value) return;
  tap(target);
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
const typed = new WeakSet();
const tapped = new WeakMap();
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-tap][inputmode]")) return;
  typed.add(target);
  clearTimeout(typing);
  write(target);
  // After a plus the next number is being counted: what is there is sent once the field is left.
  if (!target.value.trim().endsWith("+")) typing = setTimeout(() => tap(target), 350);
});

// A field that is left as it was entered has not changed for a browser, whatever was sent meanwhile.
document.addEventListener("focusout", ({ target }) => {
  if (isTap(target) && typed.has(target)) tap(target);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("[data-tap][inputmode]")) return;
  event.preventDefault();
  tap(event.target);
});

/** @param {Field} field */
function tap(field) {
  clearTimeout(typing);
  typed.delete(field);
  tapped.set(field, field.value);
  write(field);
  send();
  setTimeout(mark, SOON);
}

/** @param {Field} field */
function write(field) {
  const round = field.form;
  const game = shown();
  if (!round || !game) return;
  const entry = {
    key: newKey(),
    game: game.dataset.game ?? "",
    address: round.dataset.row ?? "",
    seen: game.dataset.version ?? "",
    changed: field.dataset.tap ?? "",
    fields: Object.fromEntries(together(field).map((one) => [one.name, textOf(one)])),
    about: field.dataset.about ?? "",
    at: Date.now(),
  };
  // Of what was typed into one field only the last matters, unless it is under way already.
  const earlier = list().filter((one) => one.key === sending?.key || !waits(one)
    || one.address !== entry.address || one.changed !== entry.changed);
  keep([...earlier, entry]);
}

/** @param {Field} field */
const together = (field) => (field.dataset.tap?.endsWith("-counted")
  ? [...field.form.querySelectorAll(`[data-tap="${field.dataset.tap}"]`)] : [field]);
/** @param {Field} field */
const textOf = (field) => (field.type === "checkbox" && !field.checked ? "" : field.value);

// Sending, one at a time

// Send what is waiting; answers whether nothing is left.
/** @returns {Promise<boolean>} */
export async function send() {
  if (sending) return (await sending.done) ? send() : false;
  const first = waiting().find((one) => !isHalfTyped(one));
  if (!first) return true;
  sending = { key: first.key };
  sending.done = deliver(first).finally(() => { sending = null; mark(); });
  const delivered = await sending.done;
  if (delivered) return send();
  clearTimeout(timer);
  timer = setTimeout(send, PAUSE);
  return false;
}

// Whatever else is refused is refused for good: it is shown to the person, never sent again.
const LATER = [401, 408, 425, 429];

/** @param {Unsent} entry */
async function deliver(entry) {
  let answer;
  let body;
  try {
    answer = await post(entry);
    if (answer.status === 400 && await freshToken()) answer = await post(entry);
    body = await answer.text();
  } catch {
    keep(list().map((one) => (waits(one) ? { ...one, late: true } : one)));
    return false;
  }
  // What a proxy or the page of a strange network says is not the table's word.
  if (!isAnswerOfApp(answer) || mayBeTakenLater(entry, answer.status)) {
    note(entry.key, { late: true, faults: (entry.faults ?? 0) + Number(answer.status === 500) });
    return false;
  }
  const told = new DOMParser().parseFromString(body, "text/html");
  if (answer.ok || told.querySelector("#game")) {
    cross(entry.key);
    if (ofThisGame(entry)) showOrReload(answer, body);
  } else if (answer.status === 404 && !ofThisGame(entry)) cross(entry.key);
  else if (told.querySelector("[data-unsent]")) note(entry.key, { answer: body });
  else note(entry.key, { refused: told.querySelector("[data-refused]")?.textContent ?? "" });
  return true;
}

// What fails in the app itself time after time would hold up all that waits behind it.
/** @type {(entry: Unsent, status: number) => boolean} */
const mayBeTakenLater = ({ faults = 0 }, status) => LATER.includes(status) || status > 500
  || (status === 500 && faults + 1 < MOST_FAULTS);

// The app was updated while this page was open: its parts do not fit this page.
/** @type {(answer: Response, body: string) => void} */
function showOrReload(answer, body) {
  if (!isOfAnotherVersion(answer.headers.get("X-Version"))) show(body);
  else if (stored || !waiting().length) location.reload();
}

/** @param {Unsent} entry */
function post(entry) {
  // The clock may have been set meanwhile, in either direction.
  const late = entry.late || Math.abs(Date.now() - entry.at) > PAUSE;
  const body = new URLSearchParams({
    ...entry.fields, changed: entry.changed, request_key: entry.key, seen: entry.seen, ...(late ? { late: "1" } : {}),
    ...(ofThisGame(entry) ? asShown() : {}),
  });
  return fetch(entry.address, {
    method: "POST", body, signal: AbortSignal.timeout(PATIENCE),
    headers: { "HX-Request": "true", "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content },
  });
}

// What the page shows, if that is nothing but the game as it stands: then what the tap changed is
// answer enough.
function asShown() {
  const { plain, version } = shown()?.dataset ?? {};
  const order = document.querySelector("#round [name=order]")?.value;
  return { ...(plain === undefined ? {} : { shows: version }), ...(order ? { order } : {}) };
}

// A page that was kept on this phone may hold a form token of long ago.
async function freshToken() {
  const page = await (await fetch(location.href, { cache: "no-store" })).text();
  const token = new DOMParser().parseFromString(page, "text/html").querySelector("meta[name=csrf-token]");
  if (!token) return false;
  document.querySelector("meta[name=csrf-token]").content = token.content;
  return true;
}

/** @param {Unsent} entry */
function refusal(entry) {
  const words = document.importNode(document.querySelector("#not-accepted").content, true);
  words.querySelector("[data-what]").textContent = `${entry.about} ${Object.values(entry.fields).join(" ")}`;
  words.querySelector("[data-why]").textContent = entry.refused ?? "";
  return [...words.childNodes];
}

// Showing what is not yet sent, and what a person has to choose

function mark() {
  const round = document.querySelector("#round");
  const late = waiting().filter((one) => ofThisGame(one) && !isHalfTyped(one) && (one.late || Date.now() - one.at > SOON));
  for (const row of document.querySelectorAll("li.row")) {
    const names = [...row.querySelectorAll("[data-tap]")];
    const unsent = late.some((one) => one.address === round?.dataset.row
      && names.some((field) => field.dataset.tap === one.changed && (field.type !== "radio" || field.checked)));
    row.classList.toggle("unsent", unsent);
  }
  const place = document.querySelector("#unsent");
  if (!place) return;
  const asked = list().filter((one) => ofThisGame(one) && !waits(one));
  const drawn = asked.map((one) => one.key).join();
  if ((place.dataset.drawn ?? "") === drawn) return;
  place.dataset.drawn = drawn;
  place.replaceChildren(...asked.map(question));
  place.scrollIntoView({ block: "nearest" });
}

/** @param {Unsent} entry */
function question(entry) {
  const holder = document.createElement("div");
  holder.className = "panel unsent-question";
  holder.dataset.key = entry.key;
  holder.append(...(entry.answer ? new DOMParser().parseFromString(entry.answer, "text/html").body.childNodes : refusal(entry)));
  return holder;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-unsent]");
  if (!button) return;
  const key = button.closest("[data-key]")?.dataset.key ?? "";
  if (button.dataset.unsent === "drop") cross(key);
  // The person has seen both values: what is sent now is meant.
  else note(key, { answer: undefined, key: newKey(), late: false, at: Date.now(), seen: shown()?.dataset.version ?? "" });
  mark();
  send();
  document.dispatchEvent(new Event("live"));
});

/** @type {(target: EventTarget | null) => target is Field} */
function isTap(target) {
  return target instanceof HTMLInputElement && target.matches("[data-tap]");
}

// Who turns to another app or page has typed all that they meant to.
for (const leaving of ["visibilitychange", "pagehide"]) {
  window.addEventListener(leaving, () => {
    const field = document.activeElement;
    if (isTap(field) && halfTyped(field)) tap(field);
  }, { capture: true });
}

// What is on its way, or half typed, is not touched by an update.
/** @type {(one: Unsent, field: Field) => boolean} */
const isOf = (one, field) => one.changed === field.dataset.tap && one.address === field.form?.dataset.row;
/** @param {Field} field */
const pending = (field) => waiting().some((one) => isOf(one, field));
/** @param {Field} field */
const halfTyped = (field) => field === document.activeElement && typed.has(field);
/** @param {Unsent} one */
function isHalfTyped(one) {
  const field = document.activeElement;
  return isTap(field) && halfTyped(field) && isOf(one, field);
}
guard((node) => isTap(node) && (pending(node) || halfTyped(node)));

// Another phone closed the round that is being typed into here: what was typed stays that round's.
document.addEventListener("live:before", ({ detail: { after } }) => {
  const field = document.activeElement;
  if (!isTap(field) || !halfTyped(field)) return;
  if (after.querySelector("#round")?.dataset.row === field.form?.dataset.row) return;
  tap(field);
  field.blur();
});

// A page shown again, from this phone's own copy or after a reload, shows what is not yet sent.
function restore() {
  const round = document.querySelector("#round");
  if (!round) return mark();
  for (const entry of waiting().filter((one) => one.address === round.dataset.row)) {
    for (const [name, value] of Object.entries(entry.fields)) {
      for (const field of round.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "checkbox") field.checked = value !== "";
        else if (field.type === "radio") field.checked = field.value === value;
        else field.value = value;
      }
    }
  }
  mark();
}

for (const back of ["live:reached", "htmx:load"]) document.addEventListener(back, () => send());
window.addEventListener("online", () => send());
window.addEventListener("storage", mark);
document.addEventListener("live:after", mark);
// A device that may not see the game any more keeps nothing of it, as little as its copies of pages.
document.addEventListener("live:gone", () => keep(list().filter((one) => !ofThisGame(one))));
document.addEventListener("htmx:load", restore);

// Closing the round waits until the table has every tap. It names what this phone showed when the
// button was pressed, so that the table refuses it where somebody else changed a row meanwhile.
document.addEventListener("htmx:confirm", (event) => {
  if (!event.target.closest("[data-after-taps]")) return;
  const field = document.activeElement;
  if (isTap(field) && halfTyped(field)) tap(field);
  if (!waiting().some(ofThisGame)) return;
  event.preventDefault();
  const seen = shown()?.dataset.version ?? "";
  send().then((sent) => {
    if (!sent) return document.dispatchEvent(new Event("live:lost"));
    if (shown()?.querySelector(".changed")) event.target.form.querySelector("[name=seen]").value = seen;
    return event.detail.issueRequest(true);
  });
});

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
