// What is done takes less room, where a phone has little: a row whose entry is complete. It waits until nobody has
// tapped or typed for a moment.
// What was folded open stays open until its row changes.

import { keepPlaces, move } from "./moving.js";

const CALM = 700;

/** @type {Set<HTMLDetailsElement>} */
const due = new Set();
/** @type {WeakSet<HTMLDetailsElement>} */
const known = new WeakSet();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const folds = () => [...document.querySelectorAll("[data-settles]")];
/** @param {HTMLDetailsElement} fold */
const isBusy = (fold) => Boolean(fold.closest("li.row")?.querySelector(":focus-visible, [data-folds][open]"));

function wait() {
  clearTimeout(timer);
  if (due.size) timer = setTimeout(settle, CALM);
}

function settle() {
  keepPlaces();
  for (const fold of due) if (!isBusy(fold)) close(fold);
  move();
}

/** @param {HTMLDetailsElement} fold */
function close(fold) {
  due.delete(fold);
  fold.open = false;
  // Where a tap left the focus is there no longer.
  if (fold.closest("li.row")?.contains(document.activeElement)) fold.querySelector("summary").focus({ preventScroll: true });
}

document.addEventListener("htmx:load", () => folds().forEach((fold) => known.add(fold)));

document.addEventListener("live:after", () => {
  for (const fold of folds().filter((one) => !known.has(one))) {
    known.add(fold);
    fold.open = true;
    due.add(fold);
  }
  wait();
});

document.addEventListener("change", ({ target }) => {
  const fold = target.closest("li.row")?.querySelector("[data-settles]");
  if (fold?.open) due.add(fold);
  wait();
});

for (const touch of ["pointerdown", "pointerup", "keydown", "focusout", "toggle"]) document.addEventListener(touch, wait, { capture: true });
