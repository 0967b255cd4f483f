// Taps on the open round. Each is written down on this device before it is sent, and crossed out
// when the table has it; so none is lost by a dead network or a closed browser. Of several taps on one field the last is
// kept, and what was tried before it, until that is answered; it goes first, so that nothing that was held up on the way
// comes after what was said later. Each is carried out at most once (its key makes a repeat harmless). What others
// said and nobody had read here before the tap is never overwritten: the table then answers with both values, and a
// person chooses.

import { newKey } from "./request-keys.js";
import { warned, guard, keepRoom, liveElement, needsWhole, refresh, show, tell } from "./live.js";
import { isAnswerOfApp, isOfAnotherVersion } from "./offline.js";
import { refuseWithoutNetwork } from "./refused-forms.js";
import { recall, remember } from "./storage.js";
import { questions, wordsOf } from "./waiting-words.js";

const PLACE = "meldkeeper-outbox";
const PATIENCE = 8_000;
const PAUSE = 3_000;
const SOON = 1_200;
const GLANCE = 700;
const AT_REST = 10_000;
const MOST_FAULTS = 5;

/** @type {Promise<boolean> | null} */
let sending = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

// The list, as it is kept on this device

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
/** @param {Unsent[]} all */
function saveTaps(all) {
  stored = remember(PLACE, JSON.stringify(all));
  document.documentElement.classList.toggle("unstored", !stored);
  if (stored) window.removeEventListener("beforeunload", askToStay);
  else window.addEventListener("beforeunload", askToStay);
}
/** @param {Event} event */
function askToStay(event) {
  if (waiting().length) event.preventDefault();
}

/** @param {string} key */
const removeTap = (key) => saveTaps(list().filter((one) => one.key !== key));
/** @type {(key: string, values: Partial<Unsent>) => void} */
const updateTap = (key, values) => saveTaps(list().map((one) => (one.key === key ? { ...one, ...values } : one)));
/** @param {Unsent} one */
const isToBeSent = (one) => !one.answer && one.refused === undefined && !one.gone;
const waiting = () => list().filter(isToBeSent);
/** @param {Unsent} one */
const ofThisGame = (one) => one.game === liveElement()?.dataset.game;
// Points are said as a sum or as cards that are counted: either replaces the other.
/** @param {string} changed */
const meaning = (changed) => changed.replace(/-counted$/, "-typed");
/** @type {(one: Unsent, other: Unsent) => boolean} */
const areOfSameField = (one, other) => one.address === other.address && meaning(one.changed) === meaning(other.changed);

// What was known when somebody turned to a field

// The version that is shown, since when, and that before it, of which there was time to read.
let latest = "", shownAt = -GLANCE, readBefore = "";
const readVersion = () => (performance.now() > shownAt + GLANCE ? latest : readBefore);
function noteVersion() {
  const { version = "" } = liveElement()?.dataset ?? {};
  if (version === latest) return;
  readBefore = readVersion();
  latest = version;
  shownAt = performance.now();
}

// What a finger or the caret is in: `means` says what (`meaning`), `seen` which version was read before.
// `writes` is the `data-tap` of the field that was written in; up to the moment `until` no update alters its text (`isWritten`).
/** @type {{ means: string, seen: string, writes?: string, until?: number } | undefined} */
let held;
/** @param {{ target: HTMLElement }} event */
function turnTo({ target }) {
  const label = /** @type {HTMLLabelElement | null} */ (target.closest("label"));
  const field = label ? label.control : target.closest(".penalty, .row-buys")?.querySelector("[data-tap]") ?? target;
  const now = meaning(field?.dataset.tap ?? "");
  if (now !== held?.means) held = now ? { means: now, seen: readVersion() } : undefined;
}
document.addEventListener("pointerdown", turnTo, { capture: true });
document.addEventListener("focusin", turnTo, { capture: true });

/** @param {{ target: Field }} event */
function holdOn({ target: { dataset: { tap: writes = "" } } }) {
  if (held?.means === meaning(writes)) Object.assign(held, { writes, until: performance.now() + AT_REST });
}
document.addEventListener("input", holdOn, { capture: true });
document.addEventListener("change", holdOn, { capture: true });
/** @param {Field} field */
const isWritten = (field) => held?.writes === field.dataset.tap && performance.now() < (held?.until ?? 0);

// Tapping and typing

document.addEventListener("change", ({ target, isTrusted }) => {
  if (!target.matches("[data-tap]")) return;
  // A browser says “changed” of a text field that is left, even if only an update of the page changed it.
  if (target.matches("[inputmode]") && !typed.has(target) && isTrusted) return;
  tap(target);
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
const typed = new WeakSet();
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
  // What nobody typed says nothing, and answers no question.
  if (typed.has(event.target)) tap(event.target);
});

/** @param {Field} field */
function tap(field) {
  // This tap sends what was typed into its own field, or, where cards are counted now, takes the place of that text:
  // no timer sends it again. Other fields may still be typed into; on some phones a tap leaves the focus there.
  const text = field.form?.querySelector(`[data-tap="${meaning(field.dataset.tap ?? "")}"]`);
  if (text && typed.has(text)) clearTimeout(typing);
  if (text) typed.delete(text);
  write(field);
  send();
  setTimeout(drawUnsent, SOON);
}

/** @param {Field} field */
function write(field) {
  const round = field.form;
  const game = liveElement();
  const { tap: changed = "" } = field.dataset;
  if (!round || !game) return;
  const unsent = {
    key: newKey(),
    game: game.dataset.game ?? "",
    address: round.dataset.tapAddress ?? "",
    seen: held?.means === meaning(changed) ? held.seen : readVersion(),
    v: game.dataset.version,
    changed,
    fields: Object.fromEntries(together(field).map((one) => [one.name, textOf(one)])),
    about: wordsOf(field, together(field)),
    of: field.id,
    at: Date.now(),
  };
  // Of several taps on one field the last is kept, and of those before it what was sent and may still arrive. What
  // was known is what was known before the first of them, or what its question shows.
  const first = list().find((one) => areOfSameField(one, unsent));
  const since = first && { seen: first.version ?? first.seen, late: first.late };
  const others = list().filter((one) => !areOfSameField(one, unsent) || (one.tried && isToBeSent(one)));
  saveTaps([...others, { ...unsent, ...since }]);
}

/** @param {Field} field */
const together = (field) => (field.dataset.tap?.endsWith("-counted")
  ? [...field.form.querySelectorAll(`[data-tap="${field.dataset.tap}"]`)] : [field]);
/** @param {Field} field */
const textOf = (field) => (["checkbox", "radio"].includes(field.type) && !field.checked ? "" : field.value);

// Sending, one at a time

// Send what is waiting; answers whether nothing is left but what is still being typed.
/** @returns {Promise<boolean>} */
export async function send() {
  if (sending) return (await sending) ? send() : false;
  const first = waiting().find((one) => !isStillTyped(one)) ?? list().find(isOutdated);
  if (!first) return true;
  sending = deliver(first).finally(() => { sending = null; drawUnsent(); });
  const isSettled = await sending;
  if (isSettled) return send();
  clearTimeout(timer);
  timer = setTimeout(send, PAUSE);
  return false;
}

// A question shows what the table said when it was put: it is put again when the table moved on.
/** @param {Unsent} one */
const isOutdated = (one) => one.answer !== undefined && ofThisGame(one) && Number(one.version) < Number(liveElement()?.dataset.version);

// After these it is sent again, as after most faults of the server (`mayBeTakenLater`); after 404 it waits for its game.
// Whatever else is refused is refused for good and shown to the person; only a question (409) is put again, when the game moved on (`isOutdated`).
const LATER = [401, 408, 425, 429];

// Answers whether it is settled: it was taken, or a person is asked or told why not.
/** @param {Unsent} unsent */
async function deliver(unsent) {
  let answer;
  let body;
  updateTap(unsent.key, { tried: true });
  try {
    answer = await post(unsent);
    if (answer.status === 400 && await freshToken()) answer = await post(unsent);
    body = await answer.text();
  } catch {
    markWaitingLate();
    return false;
  }
  // What a proxy or the page of a strange network says is not the table's word.
  if (!isAnswerOfApp(answer) || mayBeTakenLater(unsent, answer.status)) {
    markWaitingLate();
    updateTap(unsent.key, { faults: (unsent.faults ?? 0) + Number(answer.status === 500) });
    return false;
  }
  const page = new DOMParser().parseFromString(body, "text/html");
  if (answer.ok || page.querySelector("#game")) {
    removeTap(unsent.key);
    if (ofThisGame(unsent)) showOrReload(answer, body);
    return true;
  }
  // The game was deleted, or this device was removed: either may be undone.
  if (answer.status === 404) markGameGone(unsent.game);
  else keepAnswer(unsent, page, body);
  // The table did not take it: what it has is shown instead.
  notTaken.push(unsent);
  if (held?.means === meaning(unsent.changed)) held.writes = undefined;
  if (ofThisGame(unsent)) refresh();
  return true;
}

// What waits for a game that this device cannot open is told, wherever the person is, and waits on.
/** @param {string} game */
function markGameGone(game) {
  saveTaps(list().map((one) => (one.game === game && isToBeSent(one) ? { ...one, gone: true, late: true } : one)));
}
function markGameBack() {
  if (list().some((one) => one.gone && ofThisGame(one))) saveTaps(list().map((one) => (ofThisGame(one) ? { ...one, gone: false } : one)));
}

function markWaitingLate() {
  saveTaps(list().map((one) => (isToBeSent(one) ? { ...one, late: true } : one)));
}

// Why the app did not take a tap: of a round, or of any page
const REASONS = "[data-refused], h1, h1 + p";
// A person has to read why a tap was not taken: one answer for each field, and none where it was
// written anew meanwhile.
/** @type {(unsent: Unsent, page: Document, body: string) => void} */
function keepAnswer(unsent, page, body) {
  const others = list().filter((one) => one.key !== unsent.key && areOfSameField(one, unsent));
  if (others.some(isToBeSent)) return removeTap(unsent.key);
  const version = page.querySelector("[data-version]")?.dataset.version;
  const most = String(Math.max(Number(version), Number(ofThisGame(unsent) && liveElement()?.dataset.version)));
  saveTaps(list().filter((one) => !others.some(({ key }) => one.key === key)));
  if (page.querySelector("[data-unsent]")) updateTap(unsent.key, { answer: body, ...(version ? { version: most } : {}) });
  else updateTap(unsent.key, { answer: undefined, refused: [...page.querySelectorAll(REASONS)].map((one) => one.textContent).join(". ") });
}

// What was entered, was not taken and may still stand on the page, until all of it is shown as the table has it
/** @type {Unsent[]} */
let notTaken = [];
const forgetShown = () => { if (!needsWhole()) notTaken = []; };

// What fails in the app itself time after time would hold up all that waits behind it.
/** @type {(unsent: Unsent, status: number) => boolean} */
const mayBeTakenLater = ({ faults = 0 }, status) => LATER.includes(status) || status > 500
  || (status === 500 && faults + 1 < MOST_FAULTS);

// The app was updated while this page was open: its parts do not fit this page.
/** @type {(answer: Response, body: string) => void} */
function showOrReload(answer, body) {
  if (!isOfAnotherVersion(answer.headers.get("X-Version"))) show(body);
  else if (stored || !waiting().length) location.reload();
}

/** @param {Unsent} unsent */
function post(unsent) {
  const body = new URLSearchParams({
    ...unsent.fields, changed: unsent.changed, request_key: unsent.key, seen: unsent.seen, v: unsent.v ?? unsent.seen,
    ...(ofThisGame(unsent) ? asShown() : {}),
  });
  return fetch(unsent.address, {
    method: "POST", body, signal: AbortSignal.timeout(PATIENCE),
    headers: { "HX-Request": "true", "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content },
  });
}

// How the page stands that sends a tap, which is no part of what it asks (`_NOT_COMPARED` in idempotency.py). Where it
// shows nothing but the game as it stands, what the tap changed is answer enough.
function asShown() {
  const { noMessages, version } = liveElement()?.dataset ?? {};
  const order = document.querySelector("#round [name=order]")?.value;
  return { ...(noMessages === undefined || needsWhole() ? {} : { shows: version }), ...(order ? { order } : {}), warned: warned() };
}

// A page that was kept on this device may hold a form token of long ago.
async function freshToken() {
  const page = await (await fetch(location.href, { cache: "no-store" })).text();
  const token = new DOMParser().parseFromString(page, "text/html").querySelector("meta[name=csrf-token]");
  if (!token) return false;
  document.querySelector("meta[name=csrf-token]").content = token.content;
  return true;
}

// Showing what is not yet sent, and what a person has to choose

function drawUnsent() {
  const round = document.querySelector("#round");
  // The clock may have been set meanwhile, in either direction.
  const late = waiting().filter((one) => ofThisGame(one) && !isStillTyped(one) && (one.late || Math.abs(Date.now() - one.at) > SOON));
  late.push(...notTaken);
  for (const row of document.querySelectorAll("li.row, #nobody")) {
    const fields = [...row.querySelectorAll("[data-tap]")];
    const holds = late.some((one) => one.address === round?.dataset.tapAddress
      && fields.some((field) => field.dataset.tap === one.changed && (field.type !== "radio" || field.checked || field.id === one.of)));
    row.classList.toggle("unsent", holds);
  }
  const place = document.querySelector("#unsent");
  if (!place) return;
  const asked = list().filter((one) => !isToBeSent(one));
  const drawn = asked.map((one) => `${one.key}${one.gone ? "-gone" : ""} ${one.version ?? ""}`).join();
  if ((place.dataset.drawn ?? "") === drawn) return;
  place.dataset.drawn = drawn;
  // It stays at the top (groups.css), and the row in hand where it is, or right below.
  const row = document.activeElement?.closest(".row") ?? document.querySelector(".rows");
  const top = () => row?.getBoundingClientRect().top ?? 0;
  const before = top();
  // A question that is put again keeps its buttons, and with them the focus and the tap that is on one.
  Idiomorph.morph(place, questions(asked, ofThisGame), { morphStyle: "innerHTML" });
  const moved = row ? top() - Math.max(before, place.offsetHeight) : 0;
  keepRoom(moved);
  window.scrollTo(0, scrollY + moved);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-unsent]");
  if (!button) return;
  const keys = (button.closest("[data-keys]")?.dataset.keys ?? "").split(" ");
  const [key] = keys;
  const asked = list().find((one) => one.key === key);
  if (button.dataset.unsent === "drop") keys.forEach(removeTap);
  // The person has seen both values: what is sent now is meant, unless the table has yet another.
  else {
    const seen = asked?.version ?? liveElement()?.dataset.version ?? "";
    updateTap(key, { answer: undefined, version: undefined, tried: false, key: newKey(), late: true, at: Date.now(), seen, v: seen });
  }
  restore();
  send();
  tell("live");
});

/** @type {(target: EventTarget | null | undefined) => target is Field} */
function isTap(target) {
  return target instanceof HTMLInputElement && target.matches("[data-tap]");
}

// Who turns to another app or page has typed all that they meant to.
for (const leaving of ["visibilitychange", "pagehide"]) {
  window.addEventListener(leaving, () => {
    const field = document.activeElement;
    if (isTap(field) && isTypedIn(field)) tap(field);
  }, { capture: true });
}

/** @type {(one: Unsent, field: Field) => boolean} */
const isOf = (one, field) => one.changed === field.dataset.tap && one.address === field.form?.dataset.tapAddress;
/** @param {Field} field */
const pending = (field) => waiting().some((one) => isOf(one, field));
// What a person has to choose, or read, of a field stands until they did.
/** @param {Field} field */
export const isAsked = (field) => list().some((one) => !isToBeSent(one) && isOf(one, field));
/** @param {Field} field */
const isTypedIn = (field) => field === document.activeElement && typed.has(field);
/** @param {Unsent} one */
function isStillTyped(one) {
  const field = document.activeElement;
  return isTap(field) && isTypedIn(field) && isOf(one, field);
}
// An update neither alters nor removes a field that is half typed. One whose tap is on its way, or a text that was
// written just now, it may remove (the tap stands in the list), but not alter.
guard((node, fresh) => isTap(node) && (isTypedIn(node) || (isTap(fresh) && (pending(node) || (isWritten(node) && fresh.value !== node.value)))));

// The round that is being written is no longer the open one: what was typed stays that round's, and only that.
document.addEventListener("live:before", ({ detail: { after } }) => {
  const field = document.activeElement;
  if (after.querySelector("#round")?.dataset.tapAddress === document.querySelector("#round")?.dataset.tapAddress) return;
  if (isTap(field) && isTypedIn(field)) {
    tap(field);
    field.blur();
  }
  held = undefined;
});

// A page that comes again, from this device's own copy or by a reload or an update, shows what is not yet sent.
function restore() {
  const round = document.querySelector("#round");
  if (!round) return drawUnsent();
  for (const unsent of waiting().filter((one) => one.address === round.dataset.tapAddress)) {
    for (const [name, value] of Object.entries(unsent.fields)) {
      for (const field of round.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "checkbox") field.checked = value !== "";
        else if (field.type === "radio") field.checked = field.value === value;
        else field.value = value;
      }
    }
  }
  drawUnsent();
}

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  markGameBack();
  noteVersion();
  if (elt.contains(liveElement())) {
    forgetShown();
    shownAt = -GLANCE;
  }
  restore();
});
for (const back of ["live:reached", "htmx:load", "online"]) window.addEventListener(back, () => send());
window.addEventListener("storage", drawUnsent);
document.addEventListener("live:after", () => {
  forgetShown();
  noteVersion();
  restore();
  if (list().some(isOutdated)) send();
});
document.addEventListener("live:gone", () => markGameGone(liveElement()?.dataset.game ?? ""));

// Ending the round waits until the table has every tap. Where others changed something meanwhile it names what this
// device showed when the button was pressed, so that the table refuses it; else what its own taps came to.
document.addEventListener("htmx:confirm", (event) => {
  if (!event.target.closest("[data-after-taps]")) return;
  const field = document.activeElement;
  if (isTap(field) && isTypedIn(field)) tap(field);
  // What is asked is chosen first.
  const choice = document.querySelector("#unsent [data-unsent=send]");
  if (!choice && !waiting().some(ofThisGame) && !notTaken.length) return;
  event.preventDefault();
  if (choice) return choice.focus();
  const seen = liveElement()?.dataset.version ?? "";
  send().then((sent) => {
    if (!sent) {
      refuseWithoutNetwork(event.target, "#needs-network");
      return tell("live:lost");
    }
    // The round is not what the button was pressed on: it is shown, and a person decides anew.
    if (notTaken.length) return refresh();
    if (liveElement()?.querySelector("#news li")) event.target.form.querySelector("[name=seen]").value = seen;
    return event.detail.issueRequest(true);
  });
});
