// Dragging the rows of a list into another order, by finger or mouse. The arrow buttons beside
// each row do the same without it.

export function reorderOn(part) {
  for (const grip of part.querySelectorAll("[data-reorder-grip]")) {
    grip.addEventListener("pointerdown", startDrag);
  }
}

function startDrag(event) {
  const grip = event.currentTarget;
  const row = grip.closest("[data-reorder-row]");
  const list = row.parentElement;
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  row.classList.add("dragged");

  const move = ({ clientY }) => {
    const below = [...list.children].find((other) => {
      if (other === row) return false;
      const box = other.getBoundingClientRect();
      return clientY < box.top + box.height / 2;
    });
    if (below) list.insertBefore(row, below);
    else list.append(row);
  };
  const drop = () => {
    grip.removeEventListener("pointermove", move);
    row.classList.remove("dragged");
    // The dealer's choice counts in the order of the rows.
    list.querySelectorAll("input[name=dealer]").forEach((radio, place) => { radio.value = place; });
    htmx.ajax("POST", list.dataset.reorder, { source: list, target: "#new-game", swap: "outerHTML", values: {} });
  };
  grip.addEventListener("pointermove", move);
  grip.addEventListener("pointerup", drop, { once: true });
  grip.addEventListener("pointercancel", drop, { once: true });
}
