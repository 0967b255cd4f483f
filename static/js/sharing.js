// Handing a link on: the phone's own share sheet where there is one, copying otherwise; and the end
// of a join code when its page is left.

document.addEventListener("click", async ({ target }) => {
  const share = target.closest("[data-share]");
  // The person may close the sheet again: that is no fault.
  if (share) await navigator.share({ url: share.dataset.share }).catch(() => null);
  const copy = target.closest("[data-copy]");
  if (!copy) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(copy.dataset.copy ?? ""));
  field.select();
  // On plain http there is only the old way.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  copy.textContent = copy.dataset.done ?? "";
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
