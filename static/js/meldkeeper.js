// What a page does beyond its forms. Everything here is a comfort: without it the forms do the same.
// Knows htmx's events in this one file; nothing of the rules of the game stands here.

import "./reorder.js";

const csrfToken = document.querySelector("meta[name=csrf-token]").content;
const notice = () => document.querySelector("#notice");

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers["X-CSRFToken"] = csrfToken;
  if (detail.verb !== "get") detail.parameters.set("request_key", newKey());
});

// A request that never reached the server is said, kept on the page, and gone when one gets through.
for (const lost of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(lost, () => { notice().hidden = false; });
}
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful) notice().hidden = true;
});

// Steppers and offered sums fill a field as if it had been typed.
document.addEventListener("click", ({ target }) => {
  const step = target.closest("[data-step]");
  if (step) {
    const field = step.parentElement.querySelector("input");
    const next = Math.max(0, (Number.parseInt(field.value, 10) || 0) + Number(step.dataset.step));
    if (String(next) !== field.value) fill(field, next);
  }
  const offer = target.closest("[data-fill]");
  if (offer) fill(document.getElementById(offer.dataset.fill), offer.dataset.value);
});

// Who went out has no penalty: one typed by mistake goes, before anything is sent.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "out") return;
  const field = document.getElementById(`typed-${target.value}`);
  if (field) field.value = "";
}, { capture: true });

function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

// After an answer: what is wrong comes into view; a new round or the result begins at the top.
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  const wrong = elt.querySelector(".fault, .doubt");
  if (wrong) wrong.scrollIntoView({ block: "center" });
  else if (elt.id === "game") window.scrollTo(0, 0);
});

document.addEventListener("htmx:pushedIntoHistory", () => window.scrollTo(0, 0));

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
