// Cards as they are typed, read by the names and letters of the checker's keypad and drawn as buttons.

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

// A rank as it is typed may be ours or the letter on the keypad, which is that of the page's language.
/** @param {string} text */
export function read(text) {
  const [, typed, suit] = /^(10|JK|.)([SHDC♠♥♦♣]?)\ufe0f?$/iu.exec(text) ?? [null, text, ""];
  const letter = Object.keys(SIGNS).find((one) => SIGNS[one] === suit) ?? suit.toUpperCase();
  const upper = typed.toUpperCase();
  const keys = [...document.querySelectorAll("[data-rank]")];
  const key = keys.find((one) => one.textContent === upper) ?? keys.find((one) => one.dataset.rank === upper);
  return { rank: key?.dataset.rank ?? typed, face: key?.textContent ?? typed, letter };
}

// A card as it stands in a sentence
/** @param {string} text */
export function written(text) {
  const { rank, face, letter } = read(text);
  return (rank === "JK" ? spoken(rank, "") ?? "" : face) + (SIGNS[letter] ?? "");
}

/** @param {string} rank */
export const isWild = (rank) => !!document.querySelector(`[data-rank="${CSS.escape(rank)}"].wild`);

/** @type {(text: string, place: number) => HTMLButtonElement} */
export function drawn(text, place) {
  const { rank, face, letter } = read(text);
  const card = document.createElement("button");
  card.type = "button";
  card.dataset.card = String(place);
  card.className = `playing-card suit-${letter || "none"}${isWild(rank) ? " wild" : ""}`;
  card.setAttribute("aria-label", spoken(rank, letter) ?? text);
  card.append(piece("card-rank", face));
  if (letter) card.append(suitSign(letter, "card-suit"), suitSign(letter, "card-pip"));
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
