// Boosted links and forms keep the scripts and styles of this page for the next one. With `hx-boost` on
// the body htmx would prepare all of them whenever a page is shown; here each is prepared when it is used.

import { isOfAnotherVersion } from "./offline.js";

// What asks in its own way is ready since the page was shown; prepared again amid a tap it loses an answer.
const ASKS = "[hx-get], [hx-post]";

/** @param {HTMLElement | null | undefined} element */
function boost(element) {
  if (!element || element.closest("[hx-boost]") || element.matches(ASKS)) return;
  element.setAttribute("hx-boost", "true");
  htmx.process(element);
}

// Captured, so that htmx hears the same click or submit. By its submit alone it would not know the button.
document.addEventListener("click", ({ target }) => {
  const tapped = target.closest("a[href], button, input");
  if (tapped && !tapped.matches(ASKS)) boost(tapped.matches("a") ? tapped : tapped.form);
}, { capture: true });
document.addEventListener("submit", ({ target }) => boost(target), { capture: true });

// Who comes back to a page is shown that one, as it is now: whatever is answered, and by whichever version of
// the app. What was asked for on the way, by a tap on Back that was followed by another or by one on a link,
// is not shown any more.
/** @type {XMLHttpRequest | undefined} */
let asked;
document.addEventListener("htmx:historyCacheMiss", ({ detail: { xhr } }) => {
  asked?.abort();
  asked = xhr;
  // Without a network the browser itself shows that, or the worker its copy.
  xhr.addEventListener("error", () => location.reload());
});
document.addEventListener("htmx:pushedIntoHistory", () => asked?.abort());
document.addEventListener("htmx:historyCacheMissLoadError", () => location.reload());
document.addEventListener("htmx:historyCacheMissLoad", ({ detail: { xhr } }) => {
  if (isOfAnotherVersion(xhr.getResponseHeader("X-Version"))) location.reload();
});
