// What one did just now, with its Undo, is told once to who listens, and shown on that page until the next tap but on
// that: on whichever page one comes to next it is left behind. What a round came to is shown for a moment alone, whoever ended
// it; a tap ends that, too, and the arrow of the bar takes the round back. Who won says itself.

import { announce } from "./announce.js";
import { recall, remember } from "./storage.js";

const TOLD = "meldkeeper-told";
const LEFT = "meldkeeper-left-behind";
const MOMENT = 2000;
const ownChange = () => document.querySelector("#own-change");

// Of several games: a later version of one is no part of an earlier.
const wasLeft = () => recall(LEFT)?.includes(ownChange()?.dataset.change ?? "?");
const isLeft = () => wasLeft() || isTold() && recall(TOLD) !== here();
const isTold = () => recall(TOLD)?.startsWith(`${ownChange()?.dataset.change}/`);
const here = () => ownChange()?.dataset.change + location.pathname;

/** @param {HTMLElement} own */
function leave(own) {
  if (!wasLeft()) remember(LEFT, `${own.dataset.change}${recall(LEFT)}`.slice(0, 200));
  own.replaceChildren();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {string | undefined} */
let shown;

/** @param {HTMLElement} own */
function begin(own) {
  shown = own.dataset.change;
  own.dataset.moment = "now";
  clearTimeout(timer);
  timer = setTimeout(end, MOMENT);
}

function end() {
  shown = undefined;
  keep();
}

// Any answer may bring it anew, and none prolongs it or brings it back.
function keep() {
  const own = ownChange();
  if (!own?.dataset.change) return;
  const isOver = own.dataset.moment && own.dataset.change !== shown;
  if (isOver || isLeft()) leave(own);
  else if (own.dataset.moment) own.dataset.moment = "now";
}

document.addEventListener("pointerdown", ({ target }) => {
  if (!target.closest("#own-change")) end();
});

const round = () => document.querySelector("#game .round") && document.querySelector(".bar-title")?.id;
/** @type {string | null | undefined} */
let open;

/** @type {(endsRound: boolean) => boolean} */
function tellOnce(endsRound) {
  const own = ownChange();
  open = round();
  if (!own?.dataset.change) return false;
  const isNew = !isTold();
  if (!isNew) own.querySelector("[data-announce]")?.removeAttribute("data-announce");
  const begins = endsRound && isNew && !isLeft() && Boolean(open && own.dataset.moment);
  if (begins) begin(own);
  keep();
  if (isNew) remember(TOLD, here());
  return begins;
}

// Captured: before it is told.
document.addEventListener("htmx:load", ({ detail: { elt } }) => tellOnce(elt !== document.body), { capture: true });
// Who ended the round is told what it came to with the answer.
document.addEventListener("live:after", () => { if (tellOnce(open !== round())) announce(ownChange()?.querySelector("p")?.textContent ?? ""); });

/** @type {(event: { target: HTMLElement }) => void} */
const leaveBehind = ({ target }) => {
  const own = ownChange();
  if (own?.dataset.change && !target.closest("#own-change form")) leave(own);
};
document.addEventListener("click", leaveBehind);
// A field tells what was typed as the finger goes down on what comes next, and nothing may move under it.
document.addEventListener("change", (event) => {
  if (event.target.closest("#round")) leaveBehind(event);
});
