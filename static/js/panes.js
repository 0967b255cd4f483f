// A list and what is chosen from it side by side, where the screen has room for both. Elsewhere, and
// for a new tab, the links of the list lead where they say.

const ROOM = matchMedia("(min-width: 43.75rem)");

document.addEventListener("click", (event) => {
  const link = event.target.closest(".panes .game-card[href$='/rounds']");
  const pane = document.querySelector("#pane");
  if (!link || !pane || !ROOM.matches || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  htmx.ajax("GET", link.getAttribute("href") ?? "", { target: pane, select: ".record-page", swap: "innerHTML", headers: { "HX-Boosted": "true" } })
    .then(() => {
      document.querySelector(".panes .card[aria-current]")?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      pane.scrollIntoView({ block: "nearest" });
      pane.focus({ preventScroll: true });
    });
}, { capture: true });
