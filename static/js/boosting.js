// Boosted links and forms keep the scripts and styles of this page for the next one. With `hx-boost` on
// the body htmx would prepare all of them whenever a page is shown; here each is prepared when it is used.

function boost(element) {
  // What asks in its own way is ready since the page was shown; prepared again amid a tap it loses an answer.
  if (!element || element.closest("[hx-boost]") || element.matches("[hx-get], [hx-post]")) return;
  element.setAttribute("hx-boost", "true");
  htmx.process(element);
}

// Captured, so that htmx hears the same click or submit. By its submit alone it would not know the button.
document.addEventListener("click", ({ target }) => {
  boost(target.closest("a[href]") ?? target.closest("button, input")?.form);
}, { capture: true });
document.addEventListener("submit", ({ target }) => boost(target), { capture: true });
