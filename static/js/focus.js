// Who goes by keyboard or by ear keeps their place: after an answer the focus is on what they pressed, as it is
// now, or on what came in its place; where something is wrong, on the first field of which that is so. Another page begins at its heading.

const CONTROLS = "a[href], button, input, select, textarea, summary";

// What opens a phone's keyboard
const TYPED = "input:not([type=radio], [type=checkbox]), textarea";

/** @typedef {{ page: string, name: string, isTyped: boolean, places: { id: string, place: number }[] }} Held */
/** @type {Held | null} */
let held = null;

// Who pressed a button comes upon no field instead of it.
/** @type {(within: Element, isTyped: boolean) => HTMLElement[]} */
const controls = (within, isTyped) => [...within.querySelectorAll(CONTROLS)]
  .filter((one) => one.tabIndex >= 0 && one.offsetWidth && (isTyped || !one.matches(TYPED)));
// What a control is called, as far as that tells it from those beside it
/** @param {Element} control */
const nameOf = (control) => [control.getAttribute("aria-label"), control.id, control.textContent].join();

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // What is wrong deep in a page is looked at there, not at its top.
  if (detail.boosted && detail.xhr.status === 422) detail.swapOverride = "innerHTML show:none";
  const control = document.activeElement;
  if (!(control instanceof HTMLElement) || !control.matches(CONTROLS)) return;
  const isTyped = control.matches(TYPED);
  /** @type {Held["places"]} */
  const places = [];
  for (let within = control.closest("[id]"); within; within = within.parentElement?.closest("[id]") ?? null) {
    places.push({ id: within.id, place: controls(within, isTyped).indexOf(control) });
  }
  held = { page: location.pathname, name: nameOf(control), isTyped, places };
});

// Who taps sees no frame around a heading, whatever browsers make of a focus that no tap gave.
let byKeys = false;
document.addEventListener("keydown", () => { byKeys = true; }, { capture: true });
document.addEventListener("pointerdown", () => { byKeys = false; }, { capture: true });

// A tap on what can be seen moves nothing: what it chooses stands at the edge of its label, and browsers would bring that
// into view.
document.addEventListener("click", ({ target }) => {
  /** @type {HTMLLabelElement | null} */ (target.closest("label.tap-face"))?.control?.focus({ preventScroll: true });
}, { capture: true });

const isLost = () => document.activeElement === document.body;

// What is in view already, as a button that stays at the foot, moves nothing.
/** @param {HTMLElement} control */
function focusInPlace(control) {
  const { top, bottom } = control.getBoundingClientRect();
  control.focus({ preventScroll: top >= 0 && bottom <= innerHeight });
}

/** @param {Held} before */
function resume({ name, isTyped, places }) {
  for (const { id, place } of places) {
    const within = document.getElementById(id);
    const all = within ? controls(within, isTyped) : [];
    const control = all.find((one) => nameOf(one) === name) ?? all[Math.min(Math.max(place, 0), all.length - 1)];
    if (control) return focusInPlace(control);
  }
}

function begin() {
  const heading = document.querySelector("h1");
  if (!heading || !isLost()) return;
  heading.tabIndex = -1;
  heading.classList.toggle("unframed", !byKeys);
  heading.focus({ preventScroll: true });
}

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const isTyping = document.activeElement?.matches("input, select, textarea");
  const wrong = detail.xhr?.status === 422 && !isTyping && document.querySelector("main [aria-invalid=true]");
  if (wrong) wrong.focus();
  else if (held && isLost() && held.page === location.pathname) resume(held);
  else if (detail.target === document.body) begin();
  held = null;
});
document.addEventListener("htmx:historyRestore", begin);
