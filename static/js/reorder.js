// Dragging the rows of a list into another order, by finger or mouse. The arrow button beside each
// row does the same without it.

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest("[data-reorder-grip]");
  if (!grip) return;
  const row = grip.closest("[data-reorder-row]");
  event.preventDefault();
  if (row?.parentElement) drag(row, row.parentElement);
});

/** @type {(row: HTMLElement, list: HTMLElement) => void} */
function drag(row, list) {
  // Heard on the document: a row that moves in the list would lose a captured pointer.
  const listening = new AbortController();
  /** @type {(name: "pointermove" | "pointerup" | "pointercancel", then: (event: PointerEvent) => void) => void} */
  const hear = (name, then) => document.addEventListener(name, then, { signal: listening.signal });

  row.classList.add("dragged");
  hear("pointermove", ({ clientY }) => {
    const below = [...list.children].find((other) => other !== row && clientY < middle(other));
    if (below) list.insertBefore(row, below);
    else list.append(row);
  });
  const drop = () => {
    listening.abort();
    row.classList.remove("dragged");
    keepOrder(list);
  };
  hear("pointerup", drop);
  hear("pointercancel", drop);
}

/** @param {HTMLElement} list */
function keepOrder(list) {
  // The dealer's choice counts in the order of the rows.
  list.querySelectorAll("input[name=dealer]").forEach((radio, place) => { radio.value = String(place); });
  htmx.ajax("POST", list.dataset.reorder ?? "", { source: list, target: list.dataset.reorderTarget ?? list, swap: "outerHTML" });
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return box.top + box.height / 2;
}

// Whoever is added by a tap sits above the names, which stay where they are on the screen: the next one is tapped there.
/** @type {number | undefined} */
let top;

document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  top = requestConfig.elt.closest("[data-stays]")?.getBoundingClientRect().top;
});

document.addEventListener("htmx:afterSwap", () => {
  const names = document.querySelector("[data-stays]");
  if (names && top) window.scrollBy(0, names.getBoundingClientRect().top - top);
  // Seats that were drawn are looked at from the first on; those that were typed, as far as the field for more leaves room.
  document.querySelectorAll("[data-looked-at], #typed:focus").forEach((one) => one.scrollIntoView({ block: "nearest" }));
});
