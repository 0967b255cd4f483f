// What is folded open over other things (the menu, the counting of cards) closes behind itself: when
// another is opened, at a tap beside it, and at Escape. Nothing here is needed to open or close one.

const open = () => [...document.querySelectorAll("[data-folds][open]")];
/** @param {HTMLDetailsElement} fold */
const close = (fold) => { fold.open = false; };

// `toggle` does not bubble.
document.addEventListener("toggle", ({ target }) => {
  if (!target.matches("[data-folds]") || !target.open) return;
  open().filter((fold) => fold !== target).forEach(close);
  target.lastElementChild?.scrollIntoView({ block: "nearest" });
}, { capture: true });

// Heard first, so that what the same tap opens elsewhere stays open.
document.addEventListener("click", ({ target }) => {
  open().filter((fold) => !fold.contains(target) || target.closest("[data-fold]")).forEach(close);
}, { capture: true });

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const fold of open()) {
    close(fold);
    fold.querySelector("summary").focus();
  }
});
