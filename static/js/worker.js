// Keeps a part of the app on the device. Given above this text: VERSION, FILES, PAGES, NO_NETWORK, HOME.
//
// Files have names that change with their content, so a copy is as good as the original. Pages come
// from the network whenever there is one; a copy is shown only where there is none, and says when it
// was seen. Copies belong to one version of the app, so that old pages never meet new files, and what
// only this device may see goes as soon as the device is removed or another device's mark is seen.

const HELD_FILES = `files-${VERSION}`;
const HELD_PAGES = `pages-${VERSION}`;
const HELD_PRIVATE = `private-${VERSION}`;
const MOST_PRIVATE = 12;
const PATIENCE = 8_000;
// The checker of no game, as PAGES names it.
const CHECKER = "/check?ask=contract";

/** @param {URL} address */
const forEverybody = ({ pathname, searchParams }) => pathname === NO_NETWORK || /^\/rules(\/|$)/.test(pathname)
  ? !searchParams.has("words") : pathname === "/check" && !searchParams.has("game");
// Home, and of a game its page, its record, all its changes and who plays. A game's page asks what is new as soon as
// there is a network; until then it can be read, and what is entered waits in the outbox.
/** @param {URL} address */
const forThisDevice = ({ pathname }) => pathname === "/" || /^\/games\/(?!new(?:\/|$))[^/]+(\/(rounds|activity|players))?$/.test(pathname);
const notAllowed = [401, 403, 404, 410];
// What a proxy or the page of a strange network says tells nothing of the table.
/** @param {Response} answer */
const isOfApp = ({ headers }) => headers.has("X-Version");

self.addEventListener("install", (event) => {
  // What is asked every second need not wake the worker, where the browser can be told so.
  event.addRoutes?.([
    { condition: { requestMethod: "POST" }, source: "network" },
    { condition: { urlPattern: new URLPattern({ pathname: "/games/:key/live" }) }, source: "network" },
  ]).catch(() => null);
  event.waitUntil((async () => {
    await (await caches.open(HELD_FILES)).addAll(FILES);
    await fetchAndHold(NO_NETWORK);
    await takeOver();
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const ours = [HELD_FILES, HELD_PAGES, HELD_PRIVATE];
    const old = (await caches.keys()).filter((name) => !ours.includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" || request.headers.has("HX-Boosted")) event.respondWith(page(event, address));
});

/** @param {Request} request */
async function file(request) {
  return await caches.match(request, { ignoreVary: true }) ?? fetch(request);
}

/** @type {(event: FetchEvent, address: URL) => Promise<Response>} */
async function page(event, address) {
  const asked = fetch(event.request);
  event.waitUntil(asked.then((answer) => hold(address, answer.clone())).catch(() => null));
  try {
    // Who waits for a server that hangs is shown the copy, if there is one.
    const answer = await Promise.race([asked, patience()]) ?? await copy(address) ?? await asked;
    return answer.status > 500 && !isOfApp(answer) ? await copy(address) ?? answer : answer;
  } catch {
    return await copy(address) ?? await copy(new URL(NO_NETWORK, location.href)) ?? Response.error();
  }
}

/** @returns {Promise<undefined>} */
const patience = () => new Promise((resolve) => { setTimeout(resolve, PATIENCE); });

// Holding copies

/** @type {(address: URL, answer: Response) => Promise<void>} */
async function hold(address, answer) {
  if (!isOfApp(answer)) return;
  if (notAllowed.includes(answer.status) && forThisDevice(address)) await caches.delete(HELD_PRIVATE);
  const whole = answer.status === 200 && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html");
  const place = forEverybody(address) ? HELD_PAGES : forThisDevice(address) ? HELD_PRIVATE : null;
  if (!whole) return;
  const text = await answer.text();
  const reader = readerOf(text);
  await forgetOthers(reader);
  // A page of another version would need files that are not here.
  if (!place || answer.headers.get("X-Version") !== VERSION) return;
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set("X-Held-At", new Date().toISOString());
  headers.set("X-Held-For", place === HELD_PRIVATE ? `${reader.language} ${reader.device}` : reader.language);
  const held = await caches.open(place);
  const name = nameOf(address);
  await held.delete(name);
  await held.put(name, new Response(text, { headers }));
  if (place === HELD_PRIVATE) await forgetOldest(held);
}

/** @param {Cache} held */
async function forgetOldest(held) {
  const names = await held.keys();
  await Promise.all(names.slice(0, Math.max(0, names.length - MOST_PRIVATE)).map((name) => held.delete(name)));
}

/** @param {string} path */
async function fetchAndHold(path) {
  const address = new URL(path, location.href);
  try {
    await hold(address, await fetch(address, { cache: "no-store" }));
  } catch {
    // No network: another time.
  }
}

// What could be seen without a network can be seen after an update of the app, too: each page is fetched anew
// before the older worker goes with its copies, and where one cannot be, it stays.
async function takeOver() {
  const older = (await caches.keys()).filter((name) => name.startsWith("private-") && name !== HELD_PRIVATE);
  for (const place of older) {
    for (const { url } of await (await caches.open(place)).keys()) {
      const answer = await fetch(url, { cache: "no-store" });
      if (answer.headers.get("X-Version") !== VERSION) throw new Error(`${url} was not answered by this version`);
      if (answer.ok) await hold(new URL(url), answer);
    }
  }
}

/** @param {URL} address */
async function copy(address) {
  const held = await caches.match(nameOf(address));
  // Another question's page would say something else than its address: that of the checker itself.
  if (!held && address.pathname === "/check" && nameOf(address) !== CHECKER && await caches.match(CHECKER)) {
    return Response.redirect(new URL(CHECKER, location.href));
  }
  if (!held) return undefined;
  const text = (await held.text()).replace('data-held-at=""', `data-held-at="${held.headers.get("X-Held-At")}"`);
  return new Response(text, { headers: held.headers });
}

// Under what a page is held: a game's page is one, in whatever order its players stand.
/** @param {URL} address */
function nameOf({ pathname, search }) {
  return /^\/games\/[^/]+$/.test(pathname) ? pathname : pathname + search;
}

// Who reads here: every page says in which language it is, and for which device of which group

/** @type {(text: string) => Reader} */
function readerOf(text) {
  const [, language = ""] = /<html lang="([^"]*)"/.exec(text) ?? [];
  const [, device = ""] = /data-device="([^"]*)"/.exec(text) ?? [];
  return { language, device };
}

/** @param {Reader} reader */
async function forgetOthers({ language, device }) {
  const places = [[HELD_PAGES, language], [HELD_PRIVATE, `${language} ${device}`]];
  for (const [place, reader] of places) {
    const held = await caches.open(place);
    for (const name of await held.keys()) {
      const one = await held.match(name);
      if (one && one.headers.get("X-Held-For") !== reader) await held.delete(name);
    }
  }
}

// A page tells when it is shown, since the first one came before the worker; when it shows more than its
// copy; and when it is at rest.

self.addEventListener("message", (event) => {
  if (event.data.kind === "shown") event.waitUntil(shown(event.data.path));
  if (event.data.kind === "changed") event.waitUntil(fetchAndHold(event.data.path));
  if (event.data.kind === "fill") event.waitUntil(fill());
});

/** @param {string} path */
async function shown(path) {
  for (const one of [path, NO_NETWORK, HOME]) {
    if (!await caches.match(nameOf(new URL(one, location.href)))) await fetchAndHold(one);
  }
  // An installed app begins at Home, and has to lead on to the game.
  const [game] = /^\/games\/(?!new(?:\/|$))[^/?]+/.exec(path) ?? [];
  const home = await caches.match(HOME);
  if (game && home && !(await home.text()).includes(`href="${game}"`)) await fetchAndHold(HOME);
}

async function fill() {
  const held = await caches.open(HELD_PAGES);
  for (const path of PAGES) {
    if (!await held.match(path)) await fetchAndHold(path);
  }
}
