// What one did just now, with its Undo, is told once to who listens. It is shown
// - until the next tap elsewhere (a tap on it unfolds it),
// - on a page with an open round, where it stands over rows, for ten seconds at most, unless it has the focus,
// - on the page alone where one came upon it first.
// What a round came to is shown for a moment, whoever ended it; a tap ends that, too, and the arrow of the bar takes the
// round back. Who won says itself. Who listens is told either once, by whichever answer brings it first.

import { announce } from "./announce.js";
import { recall, remember } from "./storage.js";

const TOLD = "meldkeeper-told";
const LEFT = "meldkeeper-left-behind";
const MOMENT = 2000;
const toldChange = () => document.querySelector("#told-change");

// One text of what was left behind in several games. A change that is part of a later one there is older, and left, too.
const wasLeft = () => recall(LEFT)?.includes(toldChange()?.dataset.change ?? "?");
const isLeft = () => wasLeft() || isTold() && recall(TOLD) !== here();
const isTold = () => recall(TOLD)?.startsWith(`${toldChange()?.dataset.change}/`);
const here = () => toldChange()?.dataset.change + location.pathname;

/** @param {HTMLElement} told */
function leave(told) {
  if (!wasLeft()) remember(LEFT, `${told.dataset.change}${recall(LEFT)}`.slice(0, 200));
  told.replaceChildren();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {string | undefined} */
let inMoment;

function end() {
  inMoment = undefined;
  keep();
}

// Any answer may bring it anew, and none prolongs it or brings it back.
function keep() {
  const told = toldChange();
  if (!told?.dataset.change) return;
  const isOver = told.dataset.moment && told.dataset.change !== inMoment;
  if (isOver || isLeft()) leave(told);
  else if (told.dataset.moment) told.dataset.moment = "now";
  for (const words of told.querySelectorAll("p:not(:focus)")) words.classList.toggle("cut", words.scrollHeight > words.clientHeight + 1);
}

window.addEventListener("resize", keep);
document.addEventListener("pointerdown", end);

const round = () => document.querySelector("#game .round") && document.querySelector(".bar-title")?.id;
/** @type {string | null | undefined} */
let open;

/** @type {string | undefined} */
let going;

/** @param {boolean} endsRound */
function tellOnce(endsRound) {
  const told = toldChange();
  open = round();
  if (!told?.dataset.change) return;
  const isNew = !isTold();
  const { change, moment } = told.dataset;
  if (!isNew) told.querySelector("[data-announce]")?.removeAttribute("data-announce");
  if (endsRound && isNew && moment && !isLeft()) {
    announce(told.querySelector("p")?.dataset.spoken ?? "");
    if (open) {
      inMoment = change;
      clearTimeout(timer);
      timer = setTimeout(end, MOMENT);
    }
  }
  keep();
  if (isNew) remember(TOLD, here());
  // Not what somebody is reading: it waits for a tap elsewhere.
  if (open && change !== going) setTimeout(() => document.querySelectorAll(`[data-change="${change}"]:not(:focus-within)`).forEach(leave), 9999);
  going = change;
}

// Captured: before it is told.
document.addEventListener("htmx:load", ({ detail: { elt } }) => tellOnce(elt !== document.body), { capture: true });
document.addEventListener("live:after", () => tellOnce(open !== round()));

/** @type {(event: { target: HTMLElement }) => void} */
const leaveBehind = ({ target }) => {
  const told = toldChange();
  if (told?.dataset.change && !target.closest("#told-change :is(form, p)")) leave(told);
};
document.addEventListener("click", leaveBehind);
// A field tells what was typed as the finger goes down on what comes next, and nothing may move under it.
document.addEventListener("change", (event) => {
  if (event.target.closest("#round")) leaveBehind(event);
});
