// Keeps what a page shows right. An element with data-live says where to ask and which version it
// shows; the answer is nothing, or the element as it is now, which is morphed into place. Every way
// of asking goes through the one `live` event, that after what was heard on a stream, too.

import { isAnswerOfApp, isOfAnotherVersion } from "./offline.js";
import { hasPush, isListening, listen } from "./stream.js";

const QUIET = 5 * 60_000;
const SELDOM = 20;
const PATIENCE = 8_000;
const LEAST_PAUSE = 200;
const SEEN = 30_000;

let asking = false;
let missed = false;
// How often in a row the app did not answer, or could not.
let lost = 0;
// A stream opens only to who shows the newest version, so after one broke, or was refused, comes a question.
let mayListen = true;
// Milliseconds that the last answer took. Who asks again only after four times as long leaves a server that has more
// phones than it can answer each second the time to answer all of them.
let took = 0;
// Not the clock of the day, which may be set while the page is open.
const now = () => performance.now();
let asked = now();
let moved = now();
let visits = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

export const liveElement = () => document.querySelector("[data-live]");
// “live” asks the server, the others tell what was heard of it. All are heard on the window, too, as what the browser
// tells of the network is.
/** @param {string} name */
export const tell = (name) => document.dispatchEvent(new Event(name, { bubbles: true }));

// Other modules say here which elements an update leaves alone, such as a field that is being filled in.
/** @type {Guard[]} */
const guards = [];
/** @param {Guard} isBusy */
export const guard = (isBusy) => guards.push(isBusy);
/** @type {(node: Node, fresh?: Node) => boolean} */
const isBusy = (node, fresh) => node instanceof HTMLElement && guards.some((one) => one(node, /** @type {HTMLElement | undefined} */ (fresh)));

// The newest version that was seen of a page, and whether it has to be shown whole, though it may be of the same
// version: something on it is what a person entered and the server did not take, or parts came that follow another.
/** @type {WeakMap<HTMLElement, { newest: number, whole: boolean }>} */
const known = new WeakMap();
/** @param {HTMLElement} element */
function knownOf(element) {
  const found = known.get(element) ?? { newest: Number(element.dataset.version), whole: false };
  known.set(element, found);
  return found;
}

// Show all of the element as the server has it.
export function refresh() {
  const element = liveElement();
  if (element) knownOf(element).whole = true;
  tell("live");
}

export function needsWhole() {
  const element = liveElement();
  return element !== null && knownOf(element).whole;
}

// When the page gets shorter below, it keeps its height as far down as was scrolled until the next update or page, or
// all in view would move down. The page fills that room, so that its last row stays at the foot, also of a phone that
// is turned or whose keyboard comes and goes.
export function keepRoom(more = 0) {
  document.querySelector("#shell").style.minHeight = `calc(100dvh + ${Math.max(0, scrollY + more)}px)`;
}

// Show an element as the server sent it; what is older than what was seen of it before is dropped. The page is
// of the new version only when all of it is shown: what was left out is asked for again.
/** @param {string} html */
export function show(html) {
  const before = liveElement();
  const answer = new DOMParser().parseFromString(html, "text/html");
  const after = answer.querySelector("[data-live]");
  if (!before || !after || before.id !== after.id) return;
  const page = knownOf(before);
  if (Number(after.dataset.version) < page.newest) return;
  page.newest = Number(after.dataset.version);
  const version = before.dataset.version ?? "";
  if (after.dataset.version !== version) moved = now();
  if (after.dataset.from && after.dataset.from !== version) return refresh();
  leftOut = false;
  keepRoom();
  const field = /** @type {Field | null} */ (document.activeElement), value = field?.value;
  if (after.dataset.from) showParts(before, after);
  else {
    before.dispatchEvent(new CustomEvent("live:before", { bubbles: true, detail: { after } }));
    morph(before, after);
    for (const part of answer.querySelectorAll("[hx-swap-oob]")) morph(document.getElementById(part.id), part);
    page.whole = false;
  }
  if (leftOut) {
    before.dataset.version = version;
    for (const seen of before.querySelectorAll("[name=seen]")) seen.value = version;
  }
  liveElement()?.dispatchEvent(new CustomEvent("live:after", { bubbles: true }));
  // What comes where the caret stands is chosen as a whole, so that what is typed replaces it.
  if (field?.matches("[inputmode]") && field === document.activeElement && field.value !== value) field.select();
}

// Show those parts of the element that differ from the version they follow, each by its id.
/** @type {(before: HTMLElement, after: HTMLElement) => void} */
function showParts(before, after) {
  for (const part of [...after.children]) morph(document.getElementById(part.id), part);
  before.dataset.version = after.dataset.version;
}

// An older answer is not shown over a newer page: what it asks is settled there, or about a round that is gone.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target === liveElement() && Number(/data-version="(\d+)/.exec(detail.serverResponse)?.[1]) < knownOf(detail.target).newest) detail.shouldSwap = false;
});

let leftOut = false;
/** @type {(node: Node, fresh: Node) => boolean} */
function isLeftOut(node, fresh) {
  if (!isBusy(node, fresh)) return false;
  leftOut ||= !haveSameValue(node, fresh);
  return true;
}

/** @type {(one: Node, other: Node) => boolean} */
const haveSameValue = (one, other) => one instanceof HTMLInputElement && other instanceof HTMLInputElement
  && one.value === other.value && one.checked === other.checked;

/** @param {Node} node */
function mustStay(node) {
  const stays = node instanceof Element && [node, ...node.querySelectorAll("*")].some((one) => isBusy(one));
  leftOut ||= stays;
  return stays;
}

/** @type {(before: HTMLElement | null, after: HTMLElement | Element) => void} */
function morph(before, after) {
  Idiomorph.morph(before, after, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed: (node, fresh) => !isLeftOut(node, fresh),
      beforeNodeRemoved: (node) => !mustStay(node),
      // What a person folded open stays open, and what was boosted when it was used stays that.
      beforeAttributeUpdated: (name) => name !== "open" && name !== "hx-boost",
    },
  });
  htmx.process(document.getElementById(after.id));
}

// Whoever answers instead of the app, or the app where it cannot, says nothing of the game.
/** @param {Response} answer */
const reaches = (answer) => isAnswerOfApp(answer) && answer.status < 500 && answer.status !== 429;

// What the table is warned of, which stays asked as far as it is still so
export const warned = () => document.querySelector("[name=warned]")?.value ?? "";

async function ask() {
  const element = liveElement();
  if (!element || document.hidden || asking) return;
  asking = true;
  missed = mayListen = false;
  asked = now();
  const visit = visits;
  try {
    const address = new URL(element.dataset.live ?? "", location.href);
    address.searchParams.set("warned", warned());
    if (!knownOf(element).whole) address.searchParams.set("v", element.dataset.version ?? "");
    const answer = await fetch(address, {
      headers: { "HX-Request": "true" }, cache: "no-store", signal: AbortSignal.timeout(PATIENCE),
    });
    // 205: this device can do more by now, or less.
    if (isOfAnotherVersion(answer.headers.get("X-Version")) || answer.status === 205) location.reload();
    else if (answer.status === 200 && isAnswerOfApp(answer) && liveElement() === element) show(await answer.text());
    // This device was removed, or the game is gone: the page says so itself.
    if ([403, 404].includes(answer.status) && isAnswerOfApp(answer)) {
      tell("live:gone");
      location.reload();
    }
    lost = reaches(answer) ? 0 : lost + 1;
    mayListen = !lost;
    took = now() - asked;
    tell(lost ? "live:lost" : "live:reached");
  } catch {
    lost += 1;
    // A question of before the page was left and came back tells nothing of now.
    if (visit === visits) tell("live:lost");
  } finally {
    asking = false;
    plan();
  }
}

function plan() {
  clearTimeout(timer);
  const element = document.hidden ? null : liveElement();
  const listening = isListening(element);
  if (!element) return;
  // What nobody taps goes on to the next game, once what the last one came to was seen for a while.
  if (now() - moved > SEEN) element.querySelector("[data-goes-on]")?.click();
  const often = now() - moved > QUIET ? 10 : Number(element.dataset.every);
  const seconds = hasPush && lost ? patiently(often) : listening && !leftOut ? SELDOM : Math.min(SELDOM, Math.max(often, took / 250));
  // Counted from the last question, so that a slow answer does not put the next one off.
  const pause = missed ? LEAST_PAUSE : Math.max(LEAST_PAUSE, asked + seconds * 1000 - now());
  timer = setTimeout(() => listenOrAsk(element), pause);
}

// Where the server was reached, ask it for a stream; while none comes, what is new.
/** @param {HTMLElement} element */
function listenOrAsk(element) {
  if (!mayListen || missed || !listen(element, hear)) return tell("live");
  asked = now();
  plan();
}

// A server that has more phones than it could answer each second must not find all of them at its door at once
// when it comes back.
/** @param {number} often */
const patiently = (often) => Math.min(12, often * 2 ** lost) * (0.5 + Math.random() / 2);

// A stream says the key of a game and its version, and null where it broke.
/** @param {string | null} heard */
function hear(heard) {
  if (heard === null) {
    mayListen = false;
    // All who listened hear it at once, and need not ask at once.
    asked = now() + 2000 * Math.random();
    return plan();
  }
  const [game, version] = heard.split(" ");
  const element = liveElement();
  const isNews = element?.dataset.live?.includes(`/${game}/`) && Number(version) > knownOf(element).newest;
  if (!isNews) return;
  missed = asking;
  tell("live");
}

document.addEventListener("live", ask);
const askNow = () => { moved = now(); tell("live"); };
document.addEventListener("visibilitychange", () => { askNow(); plan(); });
window.addEventListener("pageshow", ({ persisted }) => {
  // A page that was just loaded is as new as an answer would be.
  if (!persisted) return;
  visits += 1;
  askNow();
});
window.addEventListener("online", askNow);
document.addEventListener("htmx:load", () => {
  document.querySelector("#shell").style.minHeight = "";
  moved = now();
  plan();
});
