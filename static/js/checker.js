// Entering cards by thumb: a keypad that writes into the text fields of the trays and draws what
// stands in them. The fields are the truth; the server alone judges what they mean. Here is only
// guessed which meld the next card is meant for, and its suit.

import { announce, wordsOf } from "./announce.js";
import { counted, drawn, isWild, openSuit, ours, read, typed, written } from "./drawn-cards.js";

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const MARGIN = 6;
/** @type {string[][]} */
const past = [];

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.querySelector(".asks")) showChosen();
  if (elt.querySelector("[data-keypad]")) begin();
});

// What is chosen in a line that is scrolled aside is in view.
function showChosen() {
  const chosen = document.querySelector(".asks [aria-current]"), line = chosen?.parentElement;
  if (line) line.scrollLeft = chosen.offsetLeft - (line.clientWidth - chosen.offsetWidth) / 2;
}

window.addEventListener("resize", showChosen);

function begin() {
  past.length = 0;
  keepAsFull(null);
  trays().forEach(draw);
  awaitSuit(kept.rank);
  chooseSuit(kept.suit);
  kept = NOTHING;
  showStrip();
  // Last, since it asks where things stand.
  activate(active());
  const ruling = document.querySelector("#ruling[open]");
  foldKeypad(Boolean(ruling));
  ruling?.scrollIntoView();
}

// The keypad is out of the way of a ruling that is being written, until cards are entered again.
/** @param {boolean} away */
const foldKeypad = (away) => document.querySelector(".checker-side")?.classList.toggle("typing", away);

document.addEventListener("click", (event) => {
  const { target } = event;
  const key = target.closest("[data-rank], [data-undo]");
  if (key?.dataset.rank) enter(key.dataset.rank);
  else if (key) undo();
  const missing = target.closest("a[href^='#tray-']");
  if (missing) event.preventDefault(); // the field itself is out of sight
  const tray = missing ? document.querySelector(missing.getAttribute("href") ?? "")?.closest("[data-tray]") : target.closest("[data-tray]");
  if (key || tray) foldKeypad(false);
  const put = target.closest("[data-put]");
  if (put && tray) putBack(tray, trays()[Number(put.dataset.put)]);
  else if (tray && !target.closest("[data-card]")) {
    // A finger that chooses a meld wants the keypad, and not the device's keyboard over it.
    if (tray !== active() && matchMedia("(hover: none)").matches) event.preventDefault();
    keepAsFull(null);
    activate(tray);
  }
});

// The form of a ruling comes into view as it opens.
document.addEventListener("toggle", (event) => {
  const ruling = /** @type {HTMLDetailsElement} */ (event.target);
  if (ruling.id === "ruling") foldKeypad(ruling.open);
  if (ruling.matches("#ruling[open]")) ruling.scrollIntoView();
}, true);

document.addEventListener("focusin", ({ target }) => {
  if (target.closest("#ruling label")) foldKeypad(true);
  if (target.matches(".tray-text")) target.closest("[data-tray]")?.classList.add("typing");
});

document.addEventListener("input", ({ target }) => {
  if (target.matches(".tray-text")) draw(trayOf(target));
});

// Another rule set, contract or kind asks for other trays; what was entered goes along, a suit or rank that was tapped alone too.
/** @type {{ suit: string | null, rank: string | null }} */
const NOTHING = { suit: null, rank: null };
let kept = NOTHING;

document.addEventListener("change", ({ target }) => {
  if (target.matches("[name=suit-key]")) tellSuit(target.value);
  if (!target.matches("[data-whole-page]")) return;
  // A meld may have another size elsewhere: in another kind or contract, such as another player's.
  ask(askedAddress(["kind", "contract", "whose"].includes(target.name) ? { size: "any" } : {}));
});

// What is pressed to turn to another kind of question, or to another meld, asks for the whole page, too.
document.addEventListener("click", (event) => {
  const button = event.target.closest("#checker [name=to]");
  if (!button) return;
  event.preventDefault();
  ask(`${askedAddress()}&${new URLSearchParams({ to: button.getAttribute("value") ?? "" })}`);
});

/** @param {string} address */
function ask(address) {
  kept = { suit: chosenSuit() ?? null, rank: waiting };
  htmx.ajax("GET", address, { target: "#checker", swap: "outerHTML" });
}

// Another language shows the same cards, and a ruling is on what is entered, though its verdict may be on the way.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (!form.closest("#checker")) return;
  const back = form.querySelector("[name=back]"), question = form.querySelector("[name=question]");
  if (back) back.value = askedAddress();
  if (question) question.value = askedAddress().split("?")[1];
}, true);

/** @param {Record<string, string>} changed what is asked instead of what was chosen */
function askedAddress(changed = {}) {
  const form = document.querySelector("#question");
  const entries = [...new FormData(form)].map(([name, value]) => {
    const text = ["m", "add", "table"].includes(name) ? inOurs(String(value)).join(" ") : String(value);
    return [name, value && (changed[name] ?? text)];
  });
  return `${form.getAttribute("action")}?${new URLSearchParams(entries)}`;
}

// Entering

// A rank that was tapped before its suit, where the suit matters, waits for it.
/** @type {string | null} */
let waiting = null;

/** @param {string | null} rank */
function awaitSuit(rank) {
  waiting = rank;
  const question = document.querySelector("[data-asks-suit]");
  question?.toggleAttribute("hidden", !rank);
  const words = document.querySelector(`[data-rank="${rank}"]`)?.textContent ?? "";
  if (question && rank) announce(question.textContent = (question.dataset.asksSuit ?? "").replace("{rank}", words));
  document.querySelector("[data-keypad]")?.classList.toggle("asking", !!rank);
}

/** @param {string} rank */
function enter(rank) {
  const tray = fullBefore && staysWith(fullBefore, rank) ? fullBefore : active();
  const suit = suitFor(tray, rank);
  awaitSuit(suit === null ? rank : null);
  if (suit === null) return;
  // In a tray for one card the new card replaces the old.
  change(() => setCards(tray, [...(tray.dataset.size === "1" ? [] : cards(tray)), rank + suit]));
  if (tray === fullBefore) return reveal();
  if (fullBefore && cards(tray).length === 1 && fits(fullBefore, rank, suit)) offerToPut(rank + suit, fullBefore);
  else keepAsFull(null);
  const next = isFull(tray) && firstOpen();
  if (next) keepAsFull(tray);
  if (next) announce(said("saysNext", { meld: labelOf(next) }));
  activate(next || tray);
}

// Going on to the next meld

// The meld that was full, so that the next cards come into another; what fits it may be meant for it.
/** @type {HTMLElement | null} */
let fullBefore = null;
let growsOn = false;

/** @param {HTMLElement | null} tray */
function keepAsFull(tray) {
  fullBefore = tray;
  growsOn = false;
}

// A fourth five joins the set of three fives; a run goes on where somebody said so.
/** @type {(tray: HTMLElement, rank: string) => boolean} */
function staysWith(tray, rank) {
  return !isWild(rank) && (tray.dataset.kind === "set" || growsOn) && fits(tray, rank, chosenSuit() ?? "");
}

/** @type {(tray: HTMLElement, rank: string, suit: string) => boolean} */
function fits(tray, rank, suit) {
  if (isWild(rank)) return true;
  const naturals = naturalsOf(tray);
  if (tray.dataset.kind === "set") return naturals.every((card) => card.rank === rank);
  if (suit && naturals.some(({ letter }) => letter !== suit)) return false;
  return [0, 13].some((ace) => {
    const places = [...naturals.map((card) => card.rank), rank].map((one) => RANKS.indexOf(one) || ace);
    const span = Math.max(...places) - Math.min(...places);
    return new Set(places).size === places.length && span <= cards(tray).length;
  });
}

// A card that went on to the next meld though it fits the one before is put there by a tap.
/** @type {(card: string, tray: HTMLElement) => void} */
function offerToPut(card, tray) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip-button";
  button.dataset.put = String(trays().indexOf(tray));
  button.textContent = said("saysPut", { card: written(card), meld: labelOf(tray) });
  active().append(button);
}

/** @type {(from: HTMLElement, to: HTMLElement) => void} */
function putBack(from, to) {
  const place = cards(from).length - 1;
  const { told } = read(cards(from)[place]);
  chooseSuit(told || null);
  move(from, place, to);
  keepAsFull(to);
  growsOn = true;
  reveal();
}

/** @param {HTMLElement} tray */
const labelOf = (tray) => tray.querySelector(".sentence")?.textContent ?? "";

/** @type {(what: "saysNext" | "saysPut", parts: Record<string, string>) => string} */
function said(what, parts) {
  const words = document.querySelector("[data-keypad]").dataset[what] ?? "";
  return words.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}

/** @type {(tray: HTMLElement, rank: string) => string | null} */
function suitFor(tray, rank) {
  const suits = document.querySelector("[data-keypad]").dataset.suits;
  if (rank === "JK" || suits === "none") return "";
  const chosen = chosenSuit(), { kind } = tray.dataset;
  const there = cards(tray).map(read).map((card) => card.rank + card.letter);
  const next = openSuit(SUITS.find((suit) => !there.includes(rank + suit)) ?? "S");
  if (kind === "either" && (!chosen || there.includes(rank + chosen)) && isOfOneRank(tray, rank)) return next;
  if (kind !== "set") return chosen ?? suitOf(tray);
  // The suits of a set do not matter, so each tap takes the next one unless one was just chosen.
  if (chosen) chooseSuit(null);
  return chosen ?? next;
}

// A suit tapped after a card without one goes to that card; except in a set it also holds for the next cards.
/** @param {string} suit */
function tellSuit(suit) {
  const tray = active(), { rank, letter, told } = naturalsOf(tray).pop() ?? { rank: "", letter: "", told: "" };
  const isOpen = letter !== told, open = rank + openSuit(letter), taken = rank + openSuit(suit);
  if (isOpen) change(() => setCards(tray, cards(tray).map((card) => (card === open ? rank + suit : card === taken ? open : card))));
  chooseSuit(isOpen && tray.dataset.kind === "set" ? null : suit);
}

/** @param {HTMLElement} tray */
const naturalsOf = (tray) => cards(tray).map(read).filter((card) => !isWild(card.rank));
/** @type {(tray: HTMLElement, rank: string) => boolean} */
const isOfOneRank = (tray, rank) => isWild(rank) || naturalsOf(tray).every((card) => card.rank === rank);

// A run goes on in its suit until another is chosen.
/** @param {HTMLElement} tray */
function suitOf(tray) {
  const naturals = naturalsOf(tray);
  const [first, ...others] = new Set(naturals.map(({ letter }) => letter));
  return tray.dataset.kind === "run" && !others.length && first || null;
}

const chosenSuit = () => document.querySelector("[name=suit-key]:checked")?.value;

/** @param {string | null} suit */
function chooseSuit(suit) {
  for (const key of document.querySelectorAll("[name=suit-key]")) key.checked = key.value === suit;
  if (suit && waiting) enter(waiting);
}

/** @param {() => void} doIt */
function change(doIt) {
  document.querySelector("[data-put]")?.remove();
  past.push(trays().map((tray) => field(tray).value));
  doIt();
  askVerdict();
}

function undo() {
  awaitSuit(null);
  keepAsFull(null);
  document.querySelector("[data-put]")?.remove();
  const before = past.pop();
  if (!before) return takeLast();
  trays().forEach((tray, place) => { field(tray).value = before[place]; draw(tray); });
  activate(firstOpen() ?? active());
  askVerdict();
}

// What stood there before the first tap, such as the cards of another kind of question, goes card by card.
function takeLast() {
  const tray = [active(), ...trays().reverse()].find((one) => cards(one).length);
  if (!tray) return;
  setCards(tray, cards(tray).slice(0, -1));
  activate(tray);
  askVerdict();
}

function askVerdict() {
  document.querySelector("#question").dispatchEvent(new Event("entered"));
}

// Trays and their cards

const trays = () => [...document.querySelectorAll("[data-tray]")];
/** @param {HTMLElement} tray */
const field = (tray) => tray.querySelector(".tray-text");
/** @param {HTMLElement} tray */
const cards = (tray) => inOurs(field(tray).value);
/** @param {string} text */
const inOurs = (text) => text.split(/\s+/).filter(Boolean).map(ours);
const active = () => document.querySelector("[data-tray].active") ?? trays()[0];
/** @param {HTMLElement} tray */
const isFull = (tray) => Number(tray.dataset.size) > 0 && cards(tray).length === Number(tray.dataset.size);
/** @type {(card: HTMLElement) => HTMLElement} */
const trayOf = (card) => card.closest("[data-tray]") ?? active();
const firstOpen = () => trays().find((tray) => cards(tray).length < Number(tray.dataset.size));

/** @param {HTMLElement} tray */
function activate(tray) {
  trays().forEach((other, place) => {
    other.classList.toggle("active", other === tray);
    if (other === tray) document.querySelector("[data-active-tray]")?.setAttribute("value", String(place));
  });
  reveal();
}

// Brings the tray that is being filled out from behind the keypad, which grows with what the verdict says.
function reveal() {
  const { top, bottom } = beyondView();
  if (top <= 0 && bottom <= 0) return;
  window.scrollBy({ top: Math.min(-top - MARGIN, bottom + MARGIN) });
  showStrip(); // which may take room now
  window.scrollBy({ top: Math.max(0, beyondView().bottom + MARGIN) });
}

/** By how much the active tray is above the screen and below what can be seen of it. */
function beyondView() {
  const tray = active().getBoundingClientRect();
  const keypad = document.querySelector("[data-keypad]").getBoundingClientRect();
  const floor = keypad.left < tray.right ? keypad.top : innerHeight;
  return { top: -tray.top, bottom: tray.bottom - floor };
}

function isInView() {
  const { top, bottom } = beyondView();
  return top <= 0 && bottom <= 0;
}

// A verdict may come late: whoever went on to read or holds a card stays where they are, and a ruling that is
// being written as it is.
let keepsInView = false;
let holdsCard = false;
/** @type {HTMLElement | null} */
let writing = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "verdict") return;
  writing = detail.target.querySelector("[open]") && /** @type {HTMLElement} */ (document.activeElement);
  if (writing) detail.serverResponse = detail.serverResponse.replace('id="ruling"', "$& hx-preserve");
  // Where it is still asked whose contract it is, there is nothing to enter.
  keepsInView = Boolean(active()) && !holdsCard && isInView() && !writing;
});

document.addEventListener("htmx:afterSwap", () => {
  writing?.focus();
  writing = null;
});

// What the judge says is told in the strip's line, once as long as it stays the same; what is wrong with a
// field is its description.
let announced = "";

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  showStrip(); // whatever was put in may have moved the verdict
  if (elt.id === "strip" && keepsInView) reveal();
  const told = elt.id === "strip" ? wordsOf(elt) : announced;
  if (told !== announced) announce(announced = told);
  if (!elt.matches(".said")) return;
  const wrong = elt.textContent ?? "";
  for (const one of document.querySelectorAll(`[aria-describedby="${elt.id}"]`)) {
    const holds = one.matches(".tray-text") ? cards(trayOf(one)) : [];
    const isWrong = Boolean(wrong) && (!holds.length || holds.some((card) => wrong.includes(card)));
    if (isWrong) one.setAttribute("aria-invalid", "true");
    else one.removeAttribute("aria-invalid");
  }
});

// The strip is there until who reads has come to the verdict and its first reason, and covers nothing that follows.
function showStrip() {
  const keypad = document.querySelector("[data-keypad]");
  const strip = keypad?.querySelector("#strip");
  if (!strip) return;
  const told = [...document.querySelectorAll("#verdict :is(.already, .verdict-word, .fault, .fact-line, .laid)")];
  const last = document.querySelector("#verdict .reason > .sentence") ?? told.at(-1);
  // Without suits the strip has its row with Undo, which stays: hiding it makes no room.
  const own = keypad.dataset.suits === "none" ? 0 : strip.offsetHeight;
  const floor = Math.min(innerHeight, keypad.getBoundingClientRect().top + own);
  const isTold = last && last.getBoundingClientRect().bottom <= floor;
  keypad.classList.toggle("told", Boolean(isTold));
}

document.addEventListener("scroll", showStrip, { passive: true });
window.addEventListener("resize", showStrip);

/** @type {(tray: HTMLElement, list: string[]) => void} */
function setCards(tray, list) {
  field(tray).value = list.map(typed).join(" ");
  draw(tray);
}

/** @param {HTMLElement} tray */
function draw(tray) {
  const list = cards(tray);
  const size = Number(tray.dataset.size);
  const asksSuit = tray.dataset.kind === "either" && list.length < 2;
  tray.querySelector("[data-count]").textContent = counted(list.length, size);
  tray.classList.toggle("filled", size > 0 && list.length >= size);
  tray.querySelector("[data-cards]").replaceChildren(...list.map((text, place) => drawn(text, place, asksSuit)));
}

/** @type {(from: HTMLElement, place: number, to?: HTMLElement | null, at?: number) => void} */
function move(from, place, to, at) {
  change(() => {
    const list = cards(from);
    const [card] = list.splice(place, 1);
    setCards(from, list);
    if (to) setCards(to, inserted(cards(to), at ?? cards(to).length, card));
  });
}

/** @type {(list: string[], at: number, card: string) => string[]} */
function inserted(list, at, card) {
  return [...list.slice(0, at), card, ...list.slice(at)];
}

// A card is taken away by a tap, dragged to another tray, or moved by the arrow keys.

document.addEventListener("pointerdown", (event) => {
  const card = event.target.closest("[data-card]");
  if (!card) return;
  const from = trayOf(card);
  const listening = new AbortController();
  holdsCard = true;
  listening.signal.addEventListener("abort", () => { holdsCard = false; });
  /** @type {(name: "pointerup" | "pointercancel", then: (event: PointerEvent) => void) => void} */
  const hear = (name, then) => document.addEventListener(name, then, { signal: listening.signal });
  hear("pointercancel", () => listening.abort());
  hear("pointerup", ({ clientX, clientY }) => {
    listening.abort();
    const to = document.elementFromPoint(clientX, clientY)?.closest("[data-tray]");
    const stayed = Math.hypot(clientX - event.clientX, clientY - event.clientY) < 12;
    if (stayed) move(from, Number(card.dataset.card), null);
    else if (to && to !== from) move(from, Number(card.dataset.card), to);
  });
});

document.addEventListener("keydown", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (!card) return;
  const tray = trayOf(card);
  const place = Number(card.dataset.card);
  const beside = { ArrowLeft: place - 1, ArrowRight: place + 1 }[event.key];
  const other = trays()[trays().indexOf(tray) + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0)];
  if (["Enter", " ", "Delete", "Backspace"].includes(event.key)) move(tray, place, null);
  else if (beside !== undefined && beside >= 0 && beside < cards(tray).length) {
    move(tray, place, tray, beside);
    tray.querySelector(`[data-card="${beside}"]`)?.focus();
  } else if (event.key.startsWith("Arrow") && other && other !== tray) {
    move(tray, place, other);
    other.querySelector("[data-card]:last-child")?.focus();
  } else return;
  event.preventDefault();
});

// The judge looks at one hand at a time. What it could not take just now is asked again by itself,
// here and on the page that says so.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 503 || !detail.serverResponse.includes("data-ask-again")) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  const asking = elt.querySelector("[data-ask-again]");
  if (!asking) return;
  setTimeout(() => {
    if (!asking.isConnected) return;
    if (asking.closest("#verdict")) askVerdict();
    else if (asking.matches("form")) asking.requestSubmit();
    else asking.click();
  }, 1000 * Number(asking.dataset.askAgain));
});
