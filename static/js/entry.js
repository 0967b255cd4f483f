// From one player's points to the next one's: by the key that the phone's keyboard calls "next", or by
// the button below the cards that were counted.

const fields = () => [...document.querySelectorAll("#round .penalty-field")]
  .filter((field) => getComputedStyle(field).visibility === "visible");

/** @param {Field} field */
const after = (field) => fields()[fields().indexOf(field) + 1];

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".penalty-field")) return;
  event.preventDefault();
  const next = after(event.target);
  if (next) next.focus();
  else event.target.blur();
});

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-count-next]")) return;
  const fold = target.closest(".counting");
  const field = fold?.parentElement?.querySelector(".penalty-field");
  if (!fold || !field) return;
  const next = after(field)?.parentElement?.querySelector(".counting");
  fold.open = false;
  if (!next) return;
  next.open = true;
  next.querySelector("summary").focus();
});
