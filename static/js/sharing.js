// Handing a link on: the phone's own share sheet where there is one, copying otherwise; and the end
// of a join code when its page is left.

import { announce } from "./announce.js";

document.addEventListener("click", async ({ target }) => {
  const share = target.closest("[data-share]");
  // The person may close the sheet again: that is no fault.
  if (share) await navigator.share({ url: share.dataset.share }).catch(() => null);
  const copy = target.closest("[data-copy]");
  if (!copy) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(copy.dataset.copy ?? ""));
  field.select();
  // On plain http, or where a browser asks and is told no, there is only the old way.
  const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false) || document.execCommand("copy");
  const words = (copied ? copy.dataset.done : copy.dataset.failed) ?? "";
  copy.textContent = words;
  announce(words);
});

/** @type {string | null} */
let leaving = null;

function left() {
  if (!leaving || document.querySelector(`[data-leaving="${leaving}"]`)) return;
  end();
}

function end() {
  if (!leaving) return;
  const body = new FormData();
  body.set("csrf_token", document.querySelector("meta[name=csrf-token]").content);
  navigator.sendBeacon(leaving, body);
  leaving = null;
}

document.addEventListener("htmx:load", () => {
  left();
  leaving = document.querySelector("[data-leaving]")?.dataset.leaving ?? leaving;
});
window.addEventListener("pagehide", end);
