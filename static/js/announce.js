// What one did, and what an answer says, is told to who listens in one region, which stays while all else is
// swapped. The app sends the words with its answer (`announce` in htmx.py); of what is shown, that is told which
// has the mark data-announce: its value, or else its text.

const SETTLED = 150;

/** @type {string[]} */
let waiting = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

// Told after the focus has moved, which would talk over it, and once, however many ways it came by.
/** @param {string} words */
export function announce(words) {
  const line = words.replace(/\s+/g, " ").trim();
  if (!line || waiting.includes(line)) return;
  waiting.push(line);
  const region = document.querySelector("#announced");
  // The same words are heard again only where they change.
  if (region.textContent === waiting.join(" ")) region.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => {
    document.querySelector("#announced").textContent = waiting.join(" ");
    waiting = [];
  }, SETTLED);
}

// Of what is shown, that is told which is not hidden from who listens; what stands in two lines is two sentences.
/** @param {HTMLElement} elt */
export function wordsOf(elt) {
  const told = /** @type {HTMLElement} */ (elt.cloneNode(true));
  for (const one of told.querySelectorAll("[aria-hidden]")) one.remove();
  for (const one of told.querySelectorAll("p, br, button")) one.after(" ");
  return told.textContent ?? "";
}

// What is remarked about a player's entry is told when it comes with the answer to a tap or a live update, not with
// the page.
/** @type {Map<string, string>} */
const known = new Map();
const remarks = () => document.querySelectorAll("li.row .said");
document.addEventListener("live:after", () => remarks().forEach((one) => {
  if (one.textContent !== known.get(one.id)) announce(wordsOf(one));
  known.set(one.id, one.textContent);
}));

document.addEventListener("announce", ({ detail: { value } }) => announce(value));
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  remarks().forEach((one) => known.set(one.id, one.textContent));
  for (const one of elt.querySelectorAll("[data-announce]")) announce(one.dataset.announce || wordsOf(one));
  if (elt.matches("[data-announce]")) announce(elt.dataset.announce || wordsOf(elt));
});
