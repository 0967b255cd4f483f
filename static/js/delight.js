// Small things that people notice, each only where it is wanted: a buzz under the thumb, longer for who went out. Where
// rounds are entered: a sound, if it was switched on, when another round is open or the game is over; cards dealt for
// that round, and a shower of suits for who won, unless motion is reduced or switched off.

import { recall, remember } from "./storage.js";

const SUITS = ["♠", "♥", "♦", "♣"];
const COLOURS = ["--mark-1", "--mark-2", "--mark-3", "--gold", "--mark-5"];
const DEALING = 1500;
const CELEBRATING = 4200;
/** @param {string} id */
const placeOf = (id) => `meldkeeper-${id}`;
const moves = () => recall(placeOf("motion")) !== "no";
export const still = () => !moves() || matchMedia("(prefers-reduced-motion: reduce)").matches;
const buzzes = () => recall(placeOf("vibration")) !== "no";
const heard = () => recall(placeOf("sound")) === "yes";

/** @type {AudioContext | undefined} */
let audio;
/** @type {string | null | undefined} */
let round;
/** @type {string | undefined} */
let celebrated;

document.addEventListener("click", ({ target }) => {
  if (target.closest(".tap-face, .button.primary, .key")) buzz(8);
  // Browsers let a page sound only if it was made ready by a tap.
  if (heard()) ready();
});

document.addEventListener("change", ({ target }) => {
  const { id, checked } = target;
  if (target.matches(".tap-out")) buzz([40, 60, 40]);
  if (/^(sound|motion|vibration)$/.test(id)) remember(placeOf(id), checked ? "yes" : "no");
  if (id === "vibration") buzz(40);
  if (id === "sound" && checked) play([660, 880]);
  if (id === "motion") document.documentElement.classList.toggle("still", !moves());
});

/** @param {number | number[]} pattern */
function buzz(pattern) {
  if (buzzes()) navigator.vibrate?.(pattern);
}

function ready() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
  return audio;
}

/** @param {number[]} notes */
function play(notes) {
  const output = ready();
  notes.forEach((pitch, place) => {
    const start = output.currentTime + place * 0.13;
    const voice = new OscillatorNode(output, { type: "sine", frequency: pitch });
    const volume = new GainNode(output, { gain: 0.12 });
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    voice.connect(volume).connect(output.destination);
    voice.start(start);
    voice.stop(start + 0.3);
  });
}

// A switch is there only where scripts run.
/** @type {(name: "#sound" | "#motion" | "#vibration", chosen: boolean) => void} */
function offer(name, chosen) {
  const toggle = document.querySelector(name);
  if (!toggle) return;
  toggle.closest("[hidden]")?.removeAttribute("hidden");
  toggle.checked = chosen;
}

function look() {
  document.documentElement.classList.toggle("still", !moves());
  offer("#sound", heard());
  offer("#motion", moves());
  if ("vibrate" in navigator) offer("#vibration", buzzes());
  const game = document.querySelector("#game");
  const now = game && `${game.dataset.game} ${game.querySelector("#round")?.dataset.tapAddress ?? "over"}`;
  const before = round;
  round = now;
  // A page that is opened later shows the result quietly: only who was there sees it happen.
  if (!now || !before || before === now || before.split(" ")[0] !== now.split(" ")[0]) return;
  const over = now.endsWith(" over");
  if (heard()) play(over ? [523, 659, 784, 1047] : [660, 880]);
  const won = game.querySelector(".crown");
  if (won && celebrated !== now && !still()) celebrate();
  celebrated = won ? now : celebrated;
  if (!over && !still()) show("dealt", DEALING);
}

// What the style sheet moves for a while; told at the root, which no answer replaces.
/** @type {(moment: string, duration: number) => void} */
function show(moment, duration) {
  document.documentElement.classList.add(moment);
  setTimeout(() => document.documentElement.classList.remove(moment), duration);
}

function celebrate() {
  show("celebrated", CELEBRATING);
  const place = document.createElement("div");
  place.className = "confetti";
  place.setAttribute("aria-hidden", "true");
  const style = getComputedStyle(document.documentElement);
  for (let number = 0; number < 60; number += 1) {
    const piece = document.createElement("i");
    piece.style.left = `${Math.random() * 100}%`;
    piece.style.color = style.getPropertyValue(COLOURS[number % COLOURS.length]);
    piece.textContent = SUITS[number % SUITS.length];
    place.append(piece);
    piece.animate(
      [{ translate: "0 -10vh", rotate: "0deg" }, { translate: `${Math.random() * 30 - 15}vw 110vh`, rotate: `${Math.random() * 1440}deg` }],
      { duration: 1800 + Math.random() * 1600, delay: Math.random() * 500, easing: "cubic-bezier(.2,.6,.6,1)", fill: "both" },
    );
  }
  document.body.append(place);
  setTimeout(() => place.remove(), CELEBRATING);
}

document.addEventListener("htmx:load", look);
document.addEventListener("live:after", look);
