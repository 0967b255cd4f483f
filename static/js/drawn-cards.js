// Cards as they are typed, read by the names and letters of the checker's keypad and drawn as buttons.

const LETTERS = "SHDC";
const SIGNS = "♠♥♦♣";
const OPEN_SIGNS = "♤♡♢♧";

// The suit of a card of which nobody said one: it is read as that, and drawn without.
/** @param {string} letter */
export const openSuit = (letter) => OPEN_SIGNS[LETTERS.indexOf(letter)];

// A rank as it is typed may be ours or the letter on the keypad, which is that of the page's language.
/** @param {string} text */
export function read(text) {
  const [, rankTyped, suit] = /^(10|JK|.)([SHDC♠♥♦♣♤♡♢♧]?)\ufe0f?$/iu.exec(text) ?? [null, text, ""];
  const place = suit ? (LETTERS + SIGNS + OPEN_SIGNS).indexOf(suit.toUpperCase()) : -1;
  const letter = LETTERS[place % 4] ?? "";
  const upper = rankTyped.toUpperCase().replace("*", "★");
  const keys = [...document.querySelectorAll("[data-rank]")];
  const key = keys.find((one) => one.textContent === upper) ?? keys.find((one) => one.dataset.rank === upper)
    ?? keys.find((one) => one.dataset.rank === "JK" && one.getAttribute("aria-label")?.toUpperCase() === upper);
  return { rank: key?.dataset.rank ?? rankTyped, face: key?.textContent ?? rankTyped, letter, told: place > 7 ? "" : letter };
}

// A card in our letters, which the judge reads, and as it is typed in the page's language
/** @param {string} text */
export function ours(text) {
  const { rank, letter, told } = read(text);
  return rank + (told || (letter && openSuit(letter)));
}

/** @param {string} text */
export function typed(text) {
  const { rank, face, letter, told } = read(text);
  const signs = document.querySelector("[data-keypad]").dataset.typed?.split(" ") ?? [];
  if (rank === "JK") return signs[LETTERS.length];
  return face + (told ? signs[LETTERS.indexOf(told)] : letter && openSuit(letter));
}

// A card as it stands in a sentence
/** @param {string} text */
export function written(text) {
  const { rank, face, told } = read(text);
  return (rank === "JK" ? spoken(rank, "") ?? "" : face) + (told && SIGNS[LETTERS.indexOf(told)]);
}

/** @param {string} rank */
export const isWild = (rank) => !!document.querySelector(`[data-rank="${CSS.escape(rank)}"].wild`);

/** @type {(text: string, place: number, asksSuit: boolean) => HTMLButtonElement} */
export function drawn(text, place, asksSuit) {
  const { rank, face, letter, told } = read(text);
  const card = document.createElement("button");
  card.type = "button";
  card.dataset.card = String(place);
  card.className = `playing-card suit-${told || "none"}${isWild(rank) ? " wild" : ""}`;
  card.setAttribute("aria-label", spoken(rank, told) ?? text);
  card.append(piece("card-rank", face));
  if (told) card.append(suitSign(told, "card-suit"), suitSign(told, "card-pip"));
  else if (letter && asksSuit) card.append(piece("card-pip", ""));
  if (rank === "JK") card.append(piece("card-joker", spoken(rank, "") ?? ""));
  return card;
}

/** @type {(kind: string, text: string) => HTMLSpanElement} */
function piece(kind, text) {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  return span;
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

// How many cards there are, of those asked for; more may be laid. Whether they are legal is the judge's to say.
/** @type {(count: number, size: number) => string} */
export function counted(count, size) {
  if (!size) return String(count);
  return count > size ? `${size}/${size} +${count - size}` : `${count}/${size}`;
}
