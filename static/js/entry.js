// Entering a round by hand: from field to field, who went out, sums beside their parts, arrow keys, what steppers say.

import { announce } from "./announce.js";
import { wordsOf } from "./waiting-words.js";

const fields = () => [...document.querySelectorAll("#round .penalty-field")]
  .filter((field) => field.offsetWidth && getComputedStyle(field).visibility === "visible");

// The next one that is blank, also where its points are unknown, from the first again after the last
/** @param {Field} field */
function after(field) {
  const all = fields();
  const place = all.indexOf(field);
  return [...all.slice(place + 1), ...all.slice(0, place)].find(({ value }) => !value);
}

// To the next one's points, by the key that the phone's keyboard calls "next".
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".penalty-field")) return;
  event.preventDefault();
  const next = after(event.target);
  if (next) next.focus();
  else event.target.blur();
});

// Before a tap is written down, a field says what the table will: who went out has no points, and “05” is 5.
document.addEventListener("change", ({ target }) => {
  const field = target.name === "out" && target.checked && document.getElementById(`typed-${target.value}`);
  if (field) /** @type {HTMLInputElement} */ (field).value = "";
  if (target.matches("#round [inputmode=numeric]")) target.value = target.value.replace(/^0+(?=\d)/, "");
}, { capture: true });

// What was typed before, or is proposed, gives way to what is typed now; a second tap puts the caret into it, and a
// plus goes on.
document.addEventListener("focusin", ({ target }) => {
  if (target.matches(".penalty-field, .count, [data-proposed]")) {
    const field = /** @type {Field} */ (target), { value } = field;
    setTimeout(() => document.activeElement === field && field.value === value && field.select());
  }
});

// What another device entered there since is no part of a sum that goes on here.
let own = "";
for (const said of /** @type {("input" | "change")[]} */ (["focusin", "input", "change"])) document.addEventListener(said, ({ target }) => { own = target.value; });
document.addEventListener("beforeinput", ({ target, data }) => {
  if (data === "+" && target.matches(".penalty-field") && target.value === own) target.setSelectionRange(target.selectionEnd, target.selectionEnd);
});

// An answer below the rows, of who went out or that somebody laid down, ticks what a tap on the row would.
document.addEventListener("click", (event) => {
  const answer = event.target.closest("[data-chooses]");
  if (!answer) return;
  event.preventDefault();
  for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(answer.dataset.chooses ?? ""))) {
    choice.checked = true;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (answer.matches("[data-ends-round]")) document.querySelector("#close-round")?.click();
});

document.addEventListener("change", ({ target }) => {
  if (target.name === "out" && target.checked && document.querySelector("#who-out")) fields().find(({ value }) => !value)?.focus();
});

// A second tap takes back who went out, and so does the space bar: a click after which the browser says no “changed”.
/** @type {EventTarget | null} */
let chosen = null;
document.addEventListener("change", ({ target }) => { if (target.matches(".tap-out")) chosen = target; }, { capture: true });

document.addEventListener("click", ({ target }) => {
  if (!target.matches(".tap-out")) return;
  const choice = /** @type {Field} */ (target);
  chosen = null;
  setTimeout(() => {
    if (chosen === choice || !choice.checked) return;
    choice.checked = false;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
    if (choice.dataset.tap) announce(wordsOf(choice, [choice]));
  });
}, { capture: true });

// Browsers make no click of the space bar on what is chosen already.
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches(event.repeat ? ".tap-out" : ".tap-out:checked")) return;
  event.preventDefault();
  if (!event.repeat) event.target.click();
});

// A sum is said beside its parts while they are typed, as the server says it afterwards; all of them have room above.
const POINTS = /^\s*[-−]?\s*\d+(\s*[-+−]\s*\d+)*\s*\+?\s*$/;

/** @param {Element | null} target */
function addUp(target) {
  const sum = target?.matches(".penalty-field") && target.parentElement?.querySelector(".penalty-sum");
  const room = target?.closest(".row")?.querySelector(".row-doubt");
  if (!sum || !room) return;
  const { value } = /** @type {Field} */ (target);
  const parts = POINTS.test(value) ? value.replace(/\s/g, "").replace(/−/g, "-").match(/-?\d+/g) ?? [] : [];
  const adds = parts.length > 1;
  room.dataset.sum = adds ? value : "";
  sum.textContent = adds ? `= ${parts.reduce((total, part) => total + Number(part), 0)}` : "";
}
document.addEventListener("input", ({ target }) => addUp(target));
document.addEventListener("live:after", () => addUp(document.activeElement));

// Below the cards that were counted: to the next one's, as long as somebody's points are blank, and then to the
// end of the round.
function offerNext() {
  for (const next of document.querySelectorAll(".counting[open] [data-count-next]")) {
    const field = next.closest(".penalty")?.querySelector(".penalty-field");
    next.hidden = !field || !after(field);
  }
}
document.addEventListener("toggle", offerNext, { capture: true });
document.addEventListener("live:after", offerNext);

document.addEventListener("click", ({ target }) => {
  const fold = target.matches(".steppers-end > button") && target.closest(".counting");
  const field = fold && fold.parentElement?.querySelector(".penalty-field");
  if (!fold || !field) return;
  const next = after(field);
  const counting = target.matches("[data-count-next]") && next?.parentElement?.querySelector(".counting");
  fold.open = false;
  if (counting) counting.open = true, counting.querySelector("summary").focus();
  else document.querySelector("#shell").style.minHeight = ""; // what was kept free below the cards goes with them
  if (!next) document.querySelector("#close-round, #save-round")?.focus();
});

// What was said of a row disappears with what puts it right, also before the table has it, and the button says of
// how many players points are missing. An ended round is sent as a whole: until then this alone tells.
for (const said of /** @type {("input" | "change")[]} */ (["input", "change"])) document.addEventListener(said, ({ target }) => {
  if (target.closest("#round .row, #round .nobody")) follow(target);
});
document.addEventListener("live:after", () => follow());

/** @param {Field} [changed] */
function follow(changed) {
  for (const row of document.querySelectorAll("#edit-round .row, #game .lacks-points")) if (changed ? row.contains(changed) || changed.name === "out" : !row.querySelector("[aria-invalid]")) review(row, changed);
  const button = document.querySelector("#round [data-lacking]"), lacking = document.querySelectorAll(".lacks-points").length;
  const words = (button?.dataset.lacking ?? "").split("|")[lacking];
  if (!button || button.textContent === words) return;
  // Other words in the same node: WebKit forgets a press of what is taken from under the finger.
  /** @type {Text} */ (button.firstChild).data = words;
  button.classList.toggle("waits", lacking > 0);
}

/** @type {(row: HTMLElement, changed?: Field) => void} */
function review(row, changed) {
  const field = row.querySelector(".penalty-field");
  const known = row.querySelector(".tap-out:checked, [name$=-not_counted]:checked") || [...row.querySelectorAll("[data-points]")].some(({ value, defaultValue }) => value !== defaultValue);
  const lacks = field !== null && !POINTS.test(field.value) && !known;
  row.classList.toggle("lacks-points", lacks);
  if (lacks && (field.value || !row.contains(changed ?? null))) return;
  for (const said of row.querySelectorAll(".said")) said.replaceChildren();
  row.querySelector(".penalty")?.classList.remove("faulty");
  field?.removeAttribute("aria-invalid");
}

// Where choosing does something at once, arrow keys go from one to the next, and the space bar chooses.
const ACTS = "[type=radio][data-tap], [name=suit-key]";
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!(key in STEPS) || !target.matches(ACTS)) return;
  event.preventDefault();
  const all = [...document.querySelectorAll(`[name="${target.name}"]`)];
  all[(all.indexOf(target) + STEPS[key] + all.length) % all.length].focus();
});

// What a tap on a stepper came to: how many there are now, and of cards what all of them cost.
/** @param {Field} field */
export function countWords(field) {
  const cards = field.closest("[data-says]");
  const counts = cards ? [...cards.querySelectorAll("[data-points]")] : [];
  const points = counts.reduce((sum, one) => sum + Number(one.value) * Number(one.dataset.points), 0);
  return (cards?.dataset.says ?? "{count}").replace("{count}", field.value).replace("{points}", String(points));
}

// How many rows go on below what stays at the foot
function countBelow() {
  const foot = document.querySelector("#round .dock");
  if (!foot) return;
  const { top } = foot.getBoundingClientRect();
  foot.dataset.below = String([...document.querySelectorAll("li.row")].filter((row) => row.getBoundingClientRect().bottom > top + 8).length || "");
}
for (const moves of ["resize", "scroll", "htmx:load", "live:after"]) window.addEventListener(moves, countBelow);

// Whom a question is about stands above it.
document.addEventListener("htmx:afterSettle", () => {
  const asked = document.querySelector("#foot-said > .doubt") && document.querySelector("li.warned")?.getBoundingClientRect();
  const foot = document.querySelector("#round .dock")?.getBoundingClientRect();
  if (asked && foot && foot.left < asked.right) scrollBy(0, Math.max(0, asked.bottom - foot.top + 4));
});
