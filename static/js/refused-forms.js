// Why a form was not carried out is said beside it. Taps of a round wait on this device until there is a
// network; whatever else is sent needs one, and says so.

import { keepDraft } from "./drafts.js";

/** @type {(elt: HTMLElement, words: string, kind?: string) => void} */
export function refuse(elt, words, kind = "") {
  dropRefusal();
  const place = document.createElement("p");
  place.className = `fault refusal ${kind}`;
  place.setAttribute("role", "alert");
  place.textContent = words;
  // Not `after`, which a form with a field of that name has as its field.
  (elt.closest("form") ?? elt).insertAdjacentElement("afterend", place);
  place.scrollIntoView({ block: "nearest" });
}

export const dropRefusal = (kind = "") => document.querySelector(`.refusal${kind}`)?.remove();

// What is sent may have arrived though its answer did not.
/** @type {(elt: HTMLElement, words: "#needs-network" | "#no-answer") => void} */
export function refuseWithoutNetwork(elt, words) {
  const form = elt.closest("form");
  if (form instanceof HTMLFormElement) keepDraft(form);
  refuse(elt, document.querySelector(words).content.textContent?.trim() ?? "", "offline");
}

// What was wrong with a field goes as soon as something stands there that was not refused.
document.addEventListener("input", ({ target }) => {
  if (!target.value || !target.matches("[aria-describedby*=-fault]")) return;
  target.removeAttribute("aria-invalid");
  for (const id of (target.getAttribute("aria-describedby") ?? "").split(" ")) if (id.endsWith("-fault")) document.getElementById(id)?.remove();
});

const isOffline = () => !navigator.onLine;

document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.verb === "get" || !isOffline()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  refuseWithoutNetwork(event.detail.elt, "#needs-network");
}, { capture: true });

/** @param {OfElement<CustomEvent<HtmxDetail>>} event */
function saySo({ detail: { elt, requestConfig } }) {
  if (requestConfig.verb !== "get") refuseWithoutNetwork(elt, "#no-answer");
}
document.addEventListener("htmx:sendError", saySo);
document.addEventListener("htmx:timeout", saySo);

// The language changes the whole page, which a plain form would leave for the browser's own where there is
// no network.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".languages")) return;
  event.preventDefault();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const chosen = event.submitter;
  if (chosen instanceof HTMLButtonElement) body.append(chosen.name, chosen.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type !== "opaqueredirect") throw new Error(String(answer.status));
    location.reload();
  } catch {
    refuseWithoutNetwork(form, "#needs-network");
  }
});

// It is unsaid when this device has a network again, as by whatever is sent next (meldkeeper.js).
window.addEventListener("online", () => dropRefusal(".offline"));
