// What is folded open over other things (the menu, the counting of cards) closes behind itself: when
// another is opened, at a tap beside it, and at Escape. Nothing here is needed to open or close one.

import { liveElement } from "./live.js";

const open = () => [...document.querySelectorAll("[data-folds][open]")];
/** @param {HTMLDetailsElement} fold */
const close = (fold) => { fold.open = false; };

// Over the row where there is no room below it, so that nothing moves
/** @param {HTMLElement} panel */
function raise(panel) {
  panel.style.marginTop = "";
  const { top, bottom } = panel.getBoundingClientRect();
  panel.style.marginTop = `${Math.max(-top, Math.min(0, innerHeight - bottom))}px`;
}

// `toggle` does not bubble.
document.addEventListener("toggle", ({ target }) => {
  if (!target.matches("[data-folds]") || !target.open) return;
  open().filter((fold) => fold !== target).forEach(close);
  const panel = /** @type {HTMLElement} */ (target.lastElementChild);
  if (panel.matches(".person-menu")) raise(panel);
  // The menu fits below the bar, and scrolls within. Of whom another holds the forms, the name stays in view, too.
  else if (!panel.matches(".menu-panel")) (target.closest(".player-row") ?? panel).scrollIntoView({ block: "nearest" });
}, { capture: true });

// Heard first, so that what the same tap opens elsewhere stays open. A finger that puts a menu away means nothing of
// what lies below it.
document.addEventListener("click", (event) => {
  const { target, detail } = event;
  // What else is opened comes into view, as far as it can.
  if (target.closest(".fold > summary")) setTimeout(() => target.closest(".fold")?.scrollIntoView({ block: "nearest" }));
  const closed = open().filter((fold) => !fold.contains(target) || target.closest("[data-fold]"));
  closed.forEach(close);
  if (!detail || target.closest("[data-folds] > summary") || !closed.some((fold) => fold.matches(".menu, .row-person"))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// Another device may end the round whose cards are counted here.
document.addEventListener("live:before", ({ detail: { after } }) => {
  const of = [liveElement(), after].map((game) => game?.querySelector("#round")?.getAttribute("action"));
  if (of[0] !== of[1]) open().filter((fold) => fold.matches(".counting")).forEach(close);
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const fold of open()) {
    close(fold);
    fold.querySelector("summary").focus();
  }
});

// What is folded open stays so where an answer brings the part of the page anew, unless the answer says itself what is open.
/** @type {Set<string | null>} */
let unfolded = new Set();
/** @param {Element} within */
const folds = (within) => [...within.querySelectorAll(".fold:not([data-folds], [data-as-sent])")];
/** @param {HTMLDetailsElement} fold */
const nameOf = (fold) => fold.querySelector("summary").textContent;

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  unfolded = new Set(target === document.body ? [] : folds(target).filter((fold) => fold.open).map(nameOf));
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  for (const fold of folds(target)) if (unfolded.has(nameOf(fold))) fold.open = true;
});
