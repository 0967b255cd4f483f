// A list and what is chosen from it side by side, where the screen has room for both: at first the newest
// that is over. Elsewhere, and for a new tab, the links of the list lead where they say.

const ROOM = matchMedia("(min-width: 43.75rem)");
const CHOICES = ".panes .game-card";

/** @type {(link: Element, pane: HTMLElement) => Promise<void>} */
async function choose(link, pane) {
  await htmx.ajax("GET", (link.getAttribute("href") ?? "").split("#")[0], { target: pane, select: ".record-page", swap: "innerHTML", headers: { "HX-Boosted": "true" } });
  document.querySelector(".panes .card[aria-current]")?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
}

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  const newest = elt.querySelector(`${CHOICES}[data-finished]`);
  const pane = elt.querySelector("#pane");
  if (newest && pane && ROOM.matches) choose(newest, pane);
});

document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest(CHOICES));
  const pane = document.querySelector("#pane");
  if (!link || !pane || !ROOM.matches || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  await choose(link, pane);
  (document.getElementById(link.hash.slice(1)) ?? pane).scrollIntoView({ block: "nearest" });
  pane.focus({ preventScroll: true });
}, { capture: true });
