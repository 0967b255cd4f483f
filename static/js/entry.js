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

// A sum is said beside its parts while they are typed, as the server says it afterwards.
const SUM = /^\s*\d+(\s*\+\s*\d+)+\s*\+?\s*$/;

document.addEventListener("input", ({ target }) => {
  const sum = target.matches(".penalty-field") && target.parentElement?.querySelector(".penalty-sum");
  if (!sum) return;
  const parts = SUM.test(target.value) ? target.value.split("+") : [];
  sum.textContent = parts.length ? `= ${parts.reduce((total, part) => total + Number(part), 0)}` : "";
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
