// Where fields are answered anew, what was typed or chosen meanwhile is put into those that come. Where each tap is
// answered with the whole form anew, as at setup, a quick second one waits, too, and is done on the form that comes.

const ARRANGES = "button[name=arrange]";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Entered */
// What the fields said that are about to go, by what will be replaced
/** @type {Map<HTMLElement, Map<string, string>>} */
const going = new Map();
/** @type {string[]} */
let taps = [];

// What is called alike is the same one in the new form, wherever it stands there.
/** @param {HTMLElement} button */
const nameOf = (button) => button.getAttribute("aria-label") ?? button.textContent ?? "";
/** @param {Entered} field */
const isTicked = (field) => field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);
/** @param {Entered} field */
const keyOf = (field) => field.id || [field.name, field.closest("label")?.textContent].join();
/** @param {Entered} field */
const stateOf = (field) => (isTicked(field) ? String(/** @type {HTMLInputElement} */ (field).checked) : field.value);
/** @type {(form: HTMLElement) => Entered[]} */
const fieldsOf = (form) => [...form.querySelectorAll("input:not([type=hidden]), select, textarea")];

// Enter adds names also where a long list wraps.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".add-row textarea")) return;
  event.preventDefault();
  event.target.form.querySelector(ARRANGES)?.click();
});

// The taps of a round wait in the outbox.
document.addEventListener("htmx:beforeRequest", ({ detail: { target } }) => {
  if (target === document.body || target.querySelector("[data-tap]")) return;
  going.set(target, new Map(fieldsOf(target).map((field) => [keyOf(field), stateOf(field)])));
});

/** @param {Element} button */
const isArranged = (button) => [...going.keys()].some((target) => target.contains(button) && target.querySelector(ARRANGES));

// The second of two quick taps meets what came in place of the button at the foot, such as that of the next round: it was
// meant for the one that went.
const GLANCE = 700;
const TWO_TAPS = 2000;
let shownAt = -GLANCE, pressedAt = -TWO_TAPS, pressed = "", isSecond = false;
document.addEventListener("htmx:load", () => { shownAt = performance.now(); });
document.addEventListener("pointerdown", ({ target }) => {
  const button = /** @type {HTMLButtonElement | null} */ (target.closest(".dock .primary"));
  const does = button?.getAttribute("hx-post") ?? button?.form?.action ?? "";
  const at = performance.now();
  isSecond = pressed !== "" && does !== "" && does !== pressed && at < shownAt + GLANCE && at < pressedAt + TWO_TAPS;
  if (!isSecond) [pressed, pressedAt] = [does, at];
}, { capture: true });
document.addEventListener("keydown", () => { isSecond = false; }, { capture: true });

document.addEventListener("click", (event) => {
  if (isSecond) {
    isSecond = false;
    event.preventDefault();
    return event.stopPropagation();
  }
  const button = event.target.closest("button");
  if (button?.type !== "submit" || !isArranged(button)) return;
  event.preventDefault();
  event.stopPropagation();
  taps.push(nameOf(button));
}, { capture: true });

document.addEventListener("htmx:afterSettle", () => {
  for (const [target, sent] of going) {
    if (target.isConnected) continue;
    going.delete(target);
    const form = document.getElementById(target.id);
    if (form) fill(form, fieldsOf(target), sent);
    while (form?.querySelector(ARRANGES) && taps.length && !going.has(form)) buttonOf(form, taps.shift())?.click();
  }
});

// Where no new form came, as where the network is gone or another page is on its way, it was said why.
document.addEventListener("htmx:afterRequest", ({ detail: { target } }) => {
  if (!target.isConnected || !going.delete(target)) return;
  taps = [];
});

/** @type {(form: HTMLElement, name: string | undefined) => HTMLElement | undefined} */
const buttonOf = (form, name) => [...form.querySelectorAll("button")].find((button) => nameOf(button) === name);

/** @type {(form: HTMLElement, before: Entered[], sent: Map<string, string>) => void} */
function fill(form, before, sent) {
  const fields = new Map(fieldsOf(form).map((field) => [keyOf(field), field]));
  for (const old of before) {
    const [was, now, field] = [sent.get(keyOf(old)) ?? "", stateOf(old), fields.get(keyOf(old))];
    if (now === was || !field || (field.type === "radio" && now === "false")) continue;
    if (isTicked(field)) /** @type {HTMLInputElement} */ (field).checked = now === "true";
    else if (field.value === was) field.value = now;
    // Where names were added stands only what was typed since; what says something else now is another one.
    else if (field.value) continue;
    else field.value = now.startsWith(was) ? now.slice(was.length) : now;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
