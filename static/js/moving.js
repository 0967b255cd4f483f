// A row that changes its place is seen to move there, unless motion is reduced or switched off.

import { still } from "./delight.js";

const MOVING = "li.row, .screen-row, .standing";
/** @type {Map<string, number> | undefined} */
let places;

const rows = () => [...document.querySelectorAll(MOVING)].filter((row) => row.id);

export function keepPlaces() {
  places = new Map(rows().map((row) => [row.id, row.getBoundingClientRect().top]));
}

export function move() {
  if (!places || still()) return;
  for (const row of rows()) {
    const by = (places.get(row.id) ?? NaN) - row.getBoundingClientRect().top;
    if (Math.abs(by) > row.offsetHeight / 2) {
      row.animate([{ translate: `0 ${by}px` }, { translate: "0 0" }], { duration: 400, easing: "ease-in-out" });
    }
  }
  places = undefined;
}

document.addEventListener("live:before", keepPlaces);
document.addEventListener("live:after", move);
