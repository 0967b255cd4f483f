// A row that changes its place is seen to move there, and a contract's card turns to another number, unless motion is
// reduced or switched off.

import { still } from "./delight.js";

const MOVING = "li.row, .screen-row, [id^=stands-]";
/** @typedef {{ top: number, number: string }} Seen */
/** @type {Map<string, Seen> | undefined} */
let before;

const rows = () => [...document.querySelectorAll(MOVING)].filter((row) => row.id);
/** @param {HTMLElement} row */
const cardOf = (row) => row.querySelector(".row-card");
// Where it stands among the others: what moves all of them moves none.
/** @param {HTMLElement} row */
const topOf = (row) => row.getBoundingClientRect().top - (row.parentElement?.getBoundingClientRect().top ?? 0);
/** @type {(row: HTMLElement) => Seen} */
const look = (row) => ({ top: topOf(row), number: cardOf(row)?.dataset.was ?? cardOf(row)?.textContent ?? "" });

function keepPlaces() {
  before = new Map(rows().map((row) => [row.id, look(row)]));
}

function move() {
  if (!before || still()) return;
  for (const row of rows()) {
    const [was, now] = [before.get(row.id), look(row)];
    const by = (was?.top ?? NaN) - now.top;
    if (Math.abs(by) > row.offsetHeight / 2) {
      row.animate([{ translate: `0 ${by}px` }, { translate: "0 0" }], { duration: 400, easing: "ease-in-out" });
    }
    const card = cardOf(row);
    if (card && was && was.number !== now.number) card.dataset.was = was.number;
  }
  before = undefined;
}

document.addEventListener("live:before", keepPlaces);
document.addEventListener("live:after", move);
document.addEventListener("htmx:beforeSwap", keepPlaces);
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.id === "game") move();
});
// Until it has turned, a card is as it was: the round may come anew meanwhile.
document.addEventListener("animationend", ({ target, animationName }) => {
  if (animationName === "turned" && target instanceof HTMLElement) delete target.dataset.was;
});
