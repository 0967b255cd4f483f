// Entering cards by thumb: a keypad that writes into the text fields of the trays and draws what
// stands in them. The fields are the truth; what they mean is judged by the server alone.

import { announce } from "./announce.js";

const SUITS = ["S", "H", "D", "C"];
const MARGIN = 6;
/** @type {string[][]} */
const past = [];

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.querySelector("[data-keypad]")) begin();
});

function begin() {
  past.length = 0;
  trays().forEach(draw);
  awaitSuit(kept.rank);
  chooseSuit(kept.suit);
  kept = NOTHING;
  const [asks, kind] = [".asks", ".asks [aria-current]"].map((one) => document.querySelector(one));
  if (asks && kind) asks.scrollLeft = kind.offsetLeft - (asks.clientWidth - kind.offsetWidth) / 2;
  // Last, since it asks where things stand.
  activate(trays().find((tray) => cards(tray).length === 0) ?? trays()[0]);
}

document.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-rank], [data-undo]");
  if (key?.dataset.rank) enter(key.dataset.rank);
  else if (key) undo();
  const tray = target.closest("[data-tray]");
  if (tray && !target.closest("[data-card]")) activate(tray);
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches(".tray-text")) target.closest("[data-tray]")?.classList.add("typing");
});

document.addEventListener("input", ({ target }) => {
  if (target.matches(".tray-text")) draw(trayOf(target));
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("[name=suit-key]")) chooseSuit(target.value);
});

// Another rule set, contract or kind asks for other trays; what was entered goes along, a suit or rank that was tapped alone too.
/** @type {{ suit: string | null, rank: string | null }} */
const NOTHING = { suit: null, rank: null };
let kept = NOTHING;

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-whole-page]")) return;
  // A meld of the contract stays one, as large as the contract asks.
  const address = asked(["kind", "contract"].includes(target.name) ? { size: "contract" } : {});
  kept = { suit: chosenSuit() ?? null, rank: waiting };
  htmx.ajax("GET", address, { target: "#checker", swap: "outerHTML" })
    .then(() => history.replaceState(history.state, "", address));
});

// Another language shows the same cards.
document.addEventListener("submit", ({ target }) => {
  const back = target.querySelector("[name=back]");
  if (back && target.closest("#checker")) back.value = asked();
});

/** @param {Record<string, string>} changed what is asked instead of what was chosen */
function asked(changed = {}) {
  const form = document.querySelector("#question");
  const entries = [...new FormData(form)].map(([name, value]) => [name, value && (changed[name] ?? String(value))]);
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
  if (rank) announce(question?.textContent ?? "");
  document.querySelector("[data-keypad]")?.classList.toggle("asking", !!rank);
}

/** @param {string} rank */
function enter(rank) {
  const tray = active();
  const suit = suitFor(tray, rank);
  awaitSuit(suit === null ? rank : null);
  if (suit === null) return;
  change(() => setCards(tray, [...cards(tray), rank + suit]));
  activate(isFull(tray) ? firstOpen() ?? tray : tray);
}

/** @type {(tray: HTMLElement, rank: string) => string | null} */
function suitFor(tray, rank) {
  const suits = document.querySelector("[data-keypad]").dataset.suits;
  if (rank === "JK" || suits === "none") return "";
  const chosen = chosenSuit();
  if (tray.dataset.kind !== "set") return chosen ?? null;
  // The suits of a set do not matter, so each tap takes the next one unless one was just chosen.
  if (chosen) chooseSuit(null);
  return chosen ?? SUITS.find((suit) => !cards(tray).includes(rank + suit)) ?? "S";
}

const chosenSuit = () => document.querySelector("[name=suit-key]:checked")?.value;

/** @param {string | null} suit */
function chooseSuit(suit) {
  for (const key of document.querySelectorAll("[name=suit-key]")) key.checked = key.value === suit;
  if (suit && waiting) enter(waiting);
}

/** @param {() => void} doIt */
function change(doIt) {
  past.push(trays().map((tray) => field(tray).value));
  doIt();
  sendAway();
}

function undo() {
  awaitSuit(null);
  const before = past.pop();
  if (!before) return;
  trays().forEach((tray, place) => { field(tray).value = before[place]; draw(tray); });
  activate(firstOpen() ?? active());
  sendAway();
}

function sendAway() {
  document.querySelector("#question").dispatchEvent(new Event("entered"));
}

// Trays and their cards

const trays = () => [...document.querySelectorAll("[data-tray]")];
/** @param {HTMLElement} tray */
const field = (tray) => tray.querySelector(".tray-text");
/** @param {HTMLElement} tray */
const cards = (tray) => field(tray).value.split(/\s+/).filter(Boolean);
const active = () => document.querySelector("[data-tray].active") ?? trays()[0];
/** @param {HTMLElement} tray */
const isFull = (tray) => Number(tray.dataset.size) > 0 && cards(tray).length === Number(tray.dataset.size);
/** @type {(card: HTMLElement) => HTMLElement} */
const trayOf = (card) => card.closest("[data-tray]") ?? active();
const firstOpen = () => trays().find((tray) => cards(tray).length < Number(tray.dataset.size));

/** @param {HTMLElement} tray */
function activate(tray) {
  for (const other of trays()) other.classList.toggle("active", other === tray);
  reveal();
}

// The tray that is being filled is never behind the keypad, which grows with what the verdict says.
function reveal() {
  const { top, bottom } = beyondView();
  if (top > 0 || bottom > 0) window.scrollBy({ top: Math.min(-top - MARGIN, bottom + MARGIN) });
}

/** By how much the active tray is above the screen and below what can be seen of it. */
function beyondView() {
  const tray = active().getBoundingClientRect();
  const keypad = document.querySelector("[data-keypad]").getBoundingClientRect();
  const floor = keypad.left < tray.right ? keypad.top : innerHeight;
  return { top: -tray.top, bottom: tray.bottom - floor };
}

// A verdict may come late: whoever went on to read or holds a card stays where they are.
let keepsInView = false;
let holdsCard = false;

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  if (target.id !== "verdict") return;
  const { top, bottom } = beyondView();
  keepsInView = top <= 0 && bottom <= 0 && !holdsCard;
});

// What the judge says is told in the strip's line, once as long as it stays the same; what is wrong with a
// field is its description.
let announced = "";

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.id === "strip" && keepsInView) reveal();
  if (elt.id === "strip" && elt.textContent !== announced) announce(announced = elt.textContent);
  if (!elt.matches(".said")) return;
  const wrong = elt.textContent ?? "";
  for (const one of document.querySelectorAll(`[aria-describedby="${elt.id}"]`)) {
    const holds = one.matches(".tray-text") ? cards(trayOf(one)) : [];
    const isWrong = Boolean(wrong) && (!holds.length || holds.some((card) => wrong.includes(card)));
    if (isWrong) one.setAttribute("aria-invalid", "true");
    else one.removeAttribute("aria-invalid");
  }
});

/** @type {(tray: HTMLElement, list: string[]) => void} */
function setCards(tray, list) {
  field(tray).value = list.join(" ");
  draw(tray);
}

/** @param {HTMLElement} tray */
function draw(tray) {
  const list = cards(tray);
  const size = Number(tray.dataset.size);
  tray.querySelector("[data-count]").textContent = size ? `${list.length}/${size}` : String(list.length);
  tray.classList.toggle("filled", size > 0 && list.length >= size);
  tray.querySelector("[data-cards]").replaceChildren(...list.map((text, place) => drawn(text, place)));
}

// A rank as it is typed may be ours or the letter on the keypad, which is that of the page's language.
/** @param {string} text */
function read(text) {
  const [, typed, suit] = /^(10|JK|.)([SHDC♠♥♦♣]?)\ufe0f?$/iu.exec(text) ?? [null, text, ""];
  const letter = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" }[suit] ?? suit.toUpperCase();
  const upper = typed.toUpperCase();
  const keys = [...document.querySelectorAll("[data-rank]")];
  const key = keys.find((one) => one.textContent === upper) ?? keys.find((one) => one.dataset.rank === upper);
  return { rank: key?.dataset.rank ?? typed, face: key?.textContent ?? typed, letter };
}

/** @type {(text: string, place: number) => HTMLButtonElement} */
function drawn(text, place) {
  const { rank, face, letter } = read(text);
  const card = document.createElement("button");
  card.type = "button";
  card.dataset.card = String(place);
  const wild = document.querySelector(`[data-rank="${CSS.escape(rank)}"].wild`);
  card.className = `playing-card suit-${letter || "none"}${wild ? " wild" : ""}`;
  card.setAttribute("aria-label", spoken(rank, letter) ?? text);
  const index = document.createElement("span");
  index.className = "card-rank";
  index.textContent = face;
  card.append(index);
  if (letter) card.append(suitSign(letter, "card-suit"), suitSign(letter, "card-pip"));
  return card;
}

// A card as it is read aloud, by the names on the keypad
/** @type {(rank: string, letter: string) => string | null | undefined} */
function spoken(rank, letter) {
  const name = document.querySelector(`[data-rank="${CSS.escape(rank)}"]`)?.getAttribute("aria-label");
  const suit = document.querySelector(`[data-suit="${CSS.escape(letter)}"]`)?.textContent?.trim();
  if (!name || !letter) return name;
  return suit && document.querySelector("[data-keypad]").dataset.spoken?.replace("{rank}", name).replace("{suit}", suit);
}

/** @type {(letter: string, place: string) => SVGElement} */
function suitSign(letter, place) {
  const sign = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "use");
  shape.setAttribute("href", `${document.querySelector("[data-keypad]").dataset.icons}#${letter}`);
  sign.setAttribute("class", place);
  sign.append(shape);
  return sign;
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
    if (asking.closest("#verdict")) sendAway();
    else if (asking.matches("form")) asking.requestSubmit();
    else asking.click();
  }, 1000 * Number(asking.dataset.askAgain));
});

// A verdict that comes late neither folds up nor empties the form in which one is being recorded.
const TYPED = ["asked_by", "decided", "reason", "switch"];
/** @type {FormData | null} */
let recording = null;

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  const fold = target.id === "verdict" && target.querySelector(".fold");
  if (fold) recording = fold.open ? new FormData(fold.querySelector("form")) : null;
});

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  const fold = elt.id === "verdict" && recording && elt.querySelector(".fold");
  if (!fold) return;
  fold.open = true;
  for (const name of TYPED) {
    const entry = fold.querySelector(`[name=${name}]`);
    const typed = recording?.get(name);
    if (entry && typed) entry.value = String(typed);
  }
});
