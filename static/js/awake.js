// The screen stays on during a game, where the browser can and the person wants it. The wish is kept
// on this device. On plain http browsers offer no lock: then the switch stays hidden.

import { recall, remember } from "./storage.js";

const PLACE = "meldkeeper-awake";
/** @type {WakeLockSentinel | null} */
let lock = null;

const wanted = () => recall(PLACE) !== "no";
const game = () => document.querySelector("[data-awake]");

async function hold() {
  const toggle = document.querySelector("#awake");
  if (toggle && navigator.wakeLock) {
    toggle.closest("[hidden]")?.removeAttribute("hidden");
    toggle.checked = wanted();
  }
  const wish = Boolean(game()) && wanted() && navigator.wakeLock && !document.hidden;
  if (!wish) {
    await lock?.release();
    lock = null;
  } else if (!lock || lock.released) {
    // Refused when the battery is low: the game goes on without it.
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  }
}

document.addEventListener("htmx:load", hold);
// Taken away while the page is hidden; some browsers give it only where somebody has just tapped.
document.addEventListener("visibilitychange", hold);
document.addEventListener("click", hold);
document.addEventListener("change", ({ target }) => {
  if (target.id !== "awake") return;
  remember(PLACE, target.checked ? "yes" : "no");
  hold();
});
