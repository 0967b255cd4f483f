// What a page does beyond its forms. Everything here is a comfort: without it the forms do the same.
// What holds for every request of a page stands here: the key it bears, which answers are shown, the notice that none
// comes. What is said beside a form that was not carried out is `refused-forms.js`; what another version of the app is for
// an answer, `offline.js`. Nothing of the rules of the game stands here.

import { announce } from "./announce.js";
import "./awake.js";
import "./boosting.js";
import "./delight.js";
import { countWords } from "./entry.js";
import "./focus.js";
import "./folding.js";
import "./live.js";
import "./moments.js";
import "./moving.js";
import "./offline.js";
import { forgetAnswered, keyFor } from "./drafts.js";
import { isAsked } from "./outbox.js";
import "./told-change.js";
import "./panes.js";
import "./picture.js";
import "./meanwhile.js";
import { dropRefusal, refuse } from "./refused-forms.js";
import "./reorder.js";
import "./sharing.js";

/** @param {XMLHttpRequest} xhr */
const isOfApp = (xhr) => xhr.getResponseHeader("X-Version") !== null;
const notice = () => document.querySelector("#notice");

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers["X-CSRFToken"] = document.querySelector("meta[name=csrf-token]").content;
  if (detail.verb !== "get") detail.parameters.set("request_key", keyFor(detail));
});

// Where the server failed it may have been carried out before that: then it is the same request, too.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr, requestConfig, successful } }) => {
  if (successful) unsay();
  if (isOfApp(xhr) && xhr.status < 500 && requestConfig.verb !== "get") forgetAnswered(requestConfig.formData, xhr.status < 400);
});

// What answers in place of the app, as the login page of a network does, is not shown as if it were the app's.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, elt } = event.detail;
  if (isOfApp(xhr) || event.detail.isError) return;
  event.preventDefault();
  elt.dispatchEvent(new CustomEvent("htmx:sendError", { bubbles: true, detail: event.detail }));
});

// What is under way when the page is left fails, and says nothing of the network. A page that comes
// back as it was left looks anew.
const LOST = ["htmx:sendError", "htmx:timeout", "live:lost"];
let left = false;
window.addEventListener("pagehide", () => { left = true; });
window.addEventListener("pageshow", ({ persisted }) => {
  left = false;
  if (persisted) unsay();
});
// That the table cannot be reached is said, and unsaid when it can be again.
for (const lost of LOST) {
  window.addEventListener(lost, (event) => { if (left) event.stopPropagation(); }, { capture: true });
  document.addEventListener(lost, () => {
    notice().classList.toggle("reading", !document.querySelector("[data-tap]"));
    notice().hidden = false;
  });
}
const unsay = () => { notice().hidden = true; };
window.addEventListener("online", unsay);
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  dropRefusal();
  // What asks by itself is answered while it is on the page: the next one may have parts of the same names.
  if (elt.matches("[hx-trigger]")) elt.addEventListener("htmx:beforeOnLoad", (event) => { if (!elt.isConnected) event.preventDefault(); });
});

// What the app itself refuses is said in its own words: a page that was asked for is shown as it is,
// and beside a form that was sent stands why, with all that was typed left in it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { xhr, requestConfig, target } = detail;
  const refuses = detail.isError && isOfApp(xhr);
  if (!refuses || requestConfig.verb !== "get" || target !== document.body) return;
  detail.shouldSwap = true;
  detail.isError = false;
});
document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (left) return;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const words = [...page.querySelectorAll("h1, h1 + p")].map((one) => one.textContent);
  if (!isOfApp(xhr) || !words.length) notice().hidden = false;
  else refuse(elt, words.join(". "));
});

document.addEventListener("live:reached", unsay);

// Steppers and offered sums fill a field as if it had been typed.
document.addEventListener("click", ({ target }) => {
  const step = target.closest("[data-step]");
  if (step) {
    const field = /** @type {HTMLElement} */ (step.parentElement).querySelector("input");
    const stepped = (Number.parseInt(field.value, 10) || 0) + Number(step.dataset.step);
    const next = stepped > Number(step.dataset.most ?? stepped) ? 0 : Math.max(0, stepped);
    if (String(next) !== field.value) fill(field, String(next));
    announce(countWords(field));
  }
  const offer = target.closest("[data-fill]");
  if (offer) fill(fieldOf(offer.dataset.fill ?? ""), offer.dataset.value);
  // Whose points are said to be unknown is no rest.
  if (target.closest("[data-fills-rest]")) for (const one of /** @type {NodeListOf<Field>} */ (document.querySelectorAll("#round .row:not(:has([name$=-not_counted]:checked)) .penalty-field"))) if (!one.value && !isAsked(one)) fill(one, "0");
  // The keys of a phone's numbers have no minus.
  const field = fieldOf(target.closest("[data-negates]")?.dataset.negates ?? "");
  if (!field) return;
  const negated = /^\s*[-−]/.test(field.value) ? field.value.replace(/[-−]/, "") : `-${field.value}`;
  if (field.value) fill(field, negated);
  else field.value = negated; // and its number comes next
  field.focus();
});

/** @type {(id: string) => HTMLInputElement | null} */
const fieldOf = (id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));

// Without a value a person says which.
/** @type {(field: HTMLInputElement | null, value?: string) => void} */
function fill(field, value) {
  if (!field) return;
  if (value === undefined) return field.scrollIntoView({ block: "center" }), field.focus();
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

// After an answer: what is wrong comes into view; a new round or the result begins at the top. What
// is said beside while somebody types moves nothing.
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.matches(".effect")) return;
  // What is asked at the foot is in view there, and leaves the rows as they are for what comes after the answer.
  const wrong = elt.querySelector(":not(.questions) > :is(.fault, .doubt[data-announce])");
  if (wrong) wrong.scrollIntoView({ block: "center" });
  else if (elt.id === "game") window.scrollTo(0, 0);
  elt.querySelector("#who-out .chips button, .penalty-field[aria-invalid=true]")?.focus({ preventScroll: true });
});

document.addEventListener("htmx:pushedIntoHistory", () => window.scrollTo(0, 0));
