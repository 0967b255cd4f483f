// The words for what waits on this device: what a tap says, and what a person has to read or choose.

// What a tap says, as a person would; told where it was not done, or was taken back.
/** @type {(field: Field, together: Field[]) => string} */
export function wordsOf(field, together) {
  const said = JSON.parse(document.querySelector("#tap-words").dataset.says ?? "{}");
  const { about = "", tap: changed = "" } = field.dataset;
  const kind = changed.replace(/^\d+-/, "");
  let text = field.value.trim() || (kind === "buys" ? "0" : "");
  if (kind === "counted") text = String(together.reduce((sum, one) => sum + (Number.parseInt(one.value, 10) || 0), 0));
  const form = new Intl.PluralRules(document.documentElement.lang).select(Number(text));
  const ticked = String(field.checked);
  const taken = field.type === "radio" && !field.checked;
  const which = field.type === "checkbox" || (taken && about) ? ticked
    : { "": "blank", nobody: taken ? "nobody false" : "nobody" }[text] ?? form;
  return (said[`${kind} ${which}`] ?? said[kind] ?? "{name}").replace("{name}", () => about).replace("{count}", () => text);
}

/** @type {(words: "#not-accepted" | "#waits-elsewhere" | "#game-gone", taps: Unsent[]) => HTMLElement[]} */
function sentence(words, taps) {
  const said = document.importNode(document.querySelector(words).content, true);
  said.querySelector("[data-what]").append(...taps.flatMap(({ about }, place) => [...(place ? [document.createElement("br")] : []), about]));
  return [...said.querySelectorAll("p, p ~ *")];
}

/** @param {Unsent} entry */
function refusal(entry) {
  const [title, what, why, ...more] = sentence("#not-accepted", [entry]);
  why.textContent = entry.refused ?? "";
  return [title, what, why, ...more];
}

// What a person has to choose is asked in its game, where both values can be seen; elsewhere stands what was
// tapped, with a way to the game that asks.
/** @type {(asked: Unsent[], ofThisGame: (one: Unsent) => boolean) => HTMLElement[]} */
export function questions(asked, ofThisGame) {
  const gone = byGame(asked.filter((one) => one.gone));
  const elsewhere = byGame(asked.filter((one) => !one.gone && one.answer && !ofThisGame(one)));
  const here = asked.filter((one) => !one.gone && (ofThisGame(one) || !one.answer));
  return [
    ...here.map((one) => question([one], one.answer ? [...new DOMParser().parseFromString(one.answer, "text/html").body.childNodes] : refusal(one))),
    ...gone.map(([, all]) => question(all, sentence("#game-gone", all))),
    ...elsewhere.map(([game, all]) => question(all, leadTo(game, sentence("#waits-elsewhere", all)))),
  ];
}

/** @type {(all: Unsent[]) => [string, Unsent[]][]} */
const byGame = (all) => [...new Set(all.map(({ game }) => game))].map((game) => [game, all.filter((one) => one.game === game)]);

/** @type {(game: string, words: HTMLElement[]) => HTMLElement[]} */
function leadTo(game, words) {
  for (const link of words) if (link instanceof HTMLAnchorElement) link.href = `/games/${game}`;
  return words;
}

/** @type {(taps: Unsent[], words: Node[]) => HTMLElement} */
function question(taps, words) {
  const holder = document.createElement("div");
  holder.className = "panel unsent-question";
  holder.id = `asked-${taps[0].key}`;
  holder.dataset.keys = taps.map(({ key }) => key).join(" ");
  holder.append(...words);
  return holder;
}
