// What one did just now, with its Undo, is told once to who listens, on whichever pages it is shown; and
// it is left behind by the next tap.

import { recall, remember } from "./storage.js";

const TOLD = "meldkeeper-told";
const shown = () => document.querySelector("#own-change");

// Captured: before it is told.
document.addEventListener("htmx:load", () => {
  const own = shown();
  if (!own?.dataset.change) return;
  if (own.dataset.change === recall(TOLD)) own.querySelector("[data-announce]")?.removeAttribute("data-announce");
  remember(TOLD, own.dataset.change);
}, { capture: true });

document.addEventListener("change", ({ target }) => {
  if (target.closest("#round")) shown()?.replaceChildren();
});
