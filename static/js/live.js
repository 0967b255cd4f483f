// Keeps what a page shows right. An element with data-live says where to ask and which version it
// shows; the answer is nothing, or the element as it is now, which is morphed into place. Every way
// of asking goes through the one `live` event, so that push could be added without another word.

import { isAnswerOfApp, isOfAnotherVersion } from "./offline.js";

const QUIET = 5 * 60_000;
const PATIENCE = 8_000;
const LEAST_PAUSE = 200;

let asking = false;
let asked = Date.now();
let moved = Date.now();
let visits = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

export const shown = () => document.querySelector("[data-live]");

// Fields that must not be touched by an update: others say which, and why.
/** @type {Guard[]} */
const guards = [];
/** @param {Guard} isBusy */
export const guard = (isBusy) => guards.push(isBusy);
/** @param {Node} node */
const isBusy = (node) => node instanceof HTMLElement && guards.some((one) => one(node));

// Show an element as the server sent it; an older version than the one on the page is dropped.
/** @param {string} html */
export function show(html) {
  const before = shown();
  const answer = new DOMParser().parseFromString(html, "text/html");
  const after = answer.querySelector("[data-live]");
  if (!before || !after || before.id !== after.id) return;
  if (Number(after.dataset.version) < Number(before.dataset.version)) return;
  if (after.dataset.version !== before.dataset.version) moved = Date.now();
  if (after.dataset.from) showParts(before, after);
  else {
    before.dispatchEvent(new CustomEvent("live:before", { bubbles: true, detail: { after } }));
    morph(before, after);
    for (const part of answer.querySelectorAll("[hx-swap-oob]")) morph(document.getElementById(part.id), part);
  }
  shown()?.dispatchEvent(new CustomEvent("live:after", { bubbles: true }));
}

// Show those parts of the element that differ from the version they follow, each by its id.
/** @type {(before: HTMLElement, after: HTMLElement) => unknown} */
function showParts(before, after) {
  // The page moved on meanwhile, so the parts do not fit it: it is asked for whole.
  if (before.dataset.version !== after.dataset.from) return document.dispatchEvent(new Event("live"));
  for (const part of [...after.children]) morph(document.getElementById(part.id), part);
  before.dataset.version = after.dataset.version;
}

/** @type {(before: HTMLElement | null, after: HTMLElement | Element) => void} */
function morph(before, after) {
  Idiomorph.morph(before, after, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed: (node) => !isBusy(node),
      beforeNodeRemoved: (node) => !(node instanceof Element && [node, ...node.querySelectorAll("*")].some(isBusy)),
      // What a person folded open stays open, and what was boosted when it was used stays that.
      beforeAttributeUpdated: (name) => name !== "open" && name !== "hx-boost",
    },
  });
  htmx.process(document.getElementById(after.id));
}

async function ask() {
  const element = shown();
  if (!element || document.hidden || asking) return;
  asking = true;
  asked = Date.now();
  const visit = visits;
  try {
    const address = new URL(element.dataset.live ?? "", location.href);
    address.searchParams.set("v", element.dataset.version ?? "");
    const answer = await fetch(address, {
      headers: { "HX-Request": "true" }, cache: "no-store", signal: AbortSignal.timeout(PATIENCE),
    });
    if (isOfAnotherVersion(answer.headers.get("X-Version"))) location.reload();
    else if (answer.status === 200 && shown() === element) show(await answer.text());
    // This phone was put out, or the game is gone: the page says so itself.
    if ([403, 404].includes(answer.status) && isAnswerOfApp(answer)) {
      document.dispatchEvent(new Event("live:gone"));
      location.reload();
    }
    if (answer.ok) document.dispatchEvent(new Event("live:reached"));
  } catch {
    // A question of before the page was left and came back tells nothing of now.
    if (visit === visits) document.dispatchEvent(new Event("live:lost"));
  } finally {
    asking = false;
    plan();
  }
}

function plan() {
  clearTimeout(timer);
  const element = shown();
  if (!element || document.hidden) return;
  const seconds = Date.now() - moved > QUIET ? 10 : Number(element.dataset.every);
  // Counted from the last question, so that a slow answer does not put the next one off.
  const pause = Math.max(LEAST_PAUSE, asked + seconds * 1000 - Date.now());
  timer = setTimeout(() => document.dispatchEvent(new Event("live")), pause);
}

document.addEventListener("live", ask);
const now = () => { moved = Date.now(); document.dispatchEvent(new Event("live")); };
document.addEventListener("visibilitychange", now);
window.addEventListener("pageshow", ({ persisted }) => {
  // A page that was just loaded is as new as an answer would be.
  if (!persisted) return;
  visits += 1;
  now();
});
window.addEventListener("online", now);
document.addEventListener("htmx:load", plan);
