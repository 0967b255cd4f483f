// The app without a network, and across an update. The worker keeps files and pages; here is what a
// page does with it: register the worker, say that a page is an old copy, put a fresh one in its
// place as soon as there is a network, and never let parts of two versions meet.

import { formatMoment } from "./moments.js";

const SETTLED = 10_000;
const PAUSE = 3_000;
const PATIENCE = 8_000;

const copy = () => document.querySelector("#held");
const version = document.querySelector("meta[name=version]").content;

// Is an answer of another version than this page?
/** @param {string | null} theirs */
export const isOfAnotherVersion = (theirs) => Boolean(theirs) && theirs !== version;

// Did the app say that, or something that stands in between (a proxy, the page of a strange network)?
/** @param {Response} answer */
export const isAnswerOfApp = ({ headers }) => headers.has("X-Version");

// The worker, where the browser has one: not on plain http

const workers = navigator.serviceWorker;
/** @param {{ kind: string, path?: string }} message */
const toWorker = (message) => workers?.ready.then(({ active }) => active?.postMessage(message));

window.addEventListener("load", () => workers?.register("/service-worker.js").catch(() => null));
// The rules are fetched for later once the page is at rest, unless the person saves data.
if (!navigator.connection?.saveData) setTimeout(() => toWorker({ kind: "fill" }), SETTLED);

document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  const old = copy();
  if (!old || !elt.contains(old)) return;
  const { heldAt } = old.dataset;
  old.hidden = !heldAt;
  if (heldAt) {
    old.querySelector("time").textContent = formatMoment(new Date(heldAt));
    lost();
    tryAgain();
  }
  else {
    held = current();
    toWorker({ kind: "shown", path: path() });
  }
});

// A page that goes on as it is open is soon more than its copy, which is then fetched anew: some seconds after
// a change, and when the person turns to something else.
/** @type {string | undefined} */
let held;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let holding;
const path = () => location.pathname + location.search;
const current = () => document.querySelector("[data-live]")?.dataset.version;
function holdAnew() {
  clearTimeout(holding);
  holding = undefined;
  if (current() === undefined || current() === held) return;
  held = current();
  toWorker({ kind: "changed", path: path() });
}
for (const changed of ["live:after", "htmx:load"]) {
  document.addEventListener(changed, () => { if (current() !== held) holding ??= setTimeout(holdAnew, SETTLED); });
}
document.addEventListener("visibilitychange", () => { if (document.hidden) holdAnew(); });

// With and without

function lost() { document.documentElement.classList.add("offline"); }
function reached() {
  document.documentElement.classList.remove("offline");
  if (copy()?.dataset.heldAt) location.reload();
  // What the judge could not be asked is asked now.
  document.querySelector("#question")?.dispatchEvent(new Event("entered"));
}

// The event that tells of a network may come before the network does.
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
function tryAgain(pause = PAUSE) {
  clearTimeout(again);
  again = setTimeout(async () => {
    if (!copy()?.dataset.heldAt) return;
    const asked = fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    const there = await asked.then((answer) => answer.ok && isAnswerOfApp(answer), () => false);
    if (there) reached();
    else tryAgain();
  }, pause);
}

for (const sign of ["htmx:sendError", "htmx:timeout", "live:lost"]) document.addEventListener(sign, lost);
window.addEventListener("offline", lost);
window.addEventListener("online", () => (copy()?.dataset.heldAt ? tryAgain(0) : reached()));
document.addEventListener("live:reached", () => { if (document.documentElement.classList.contains("offline")) reached(); });
if (!navigator.onLine) lost();

// An update of the app while this page was open: the whole page is loaded anew. A form that was
// refused stays as it is, so that nothing typed is lost.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!isOfAnotherVersion(xhr.getResponseHeader("X-Version")) || xhr.status >= 400) return;
  event.preventDefault();
  if (requestConfig.verb === "get" && event.detail.target === document.body) location.assign(xhr.responseURL);
  else location.reload();
});
