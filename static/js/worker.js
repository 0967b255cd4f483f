// Keeps a part of the app on the device. Given above this text: VERSION, FILES, PAGES, NO_NETWORK, HOME.
//
// Files have names that change with their content, so a copy is as good as the original. Pages come
// from the network; a copy, which says when it was seen, is shown only where the app does not answer in
// time. Copies belong to one version of the app, so that old pages never meet new files, and to who reads
// here: they go as soon as a page bears another device's mark or language, or the app refuses what is the
// table's.

const HELD_FILES = `files-${VERSION}`;
const HELD_PAGES = `pages-${VERSION}`;
const HELD_PRIVATE = `private-${VERSION}`;
const HELD_BY_READER = [HELD_PAGES, HELD_PRIVATE];
const ANYBODY = "anybody";
const MOST_PRIVATE = 12;
const PATIENCE = 8_000;
// The checker of no game, as PAGES names it.
const CHECKER = "/check?ask=contract";

// The rules but for searches, the checker outside of games and the page that stands for all others without a network:
// all that were shown are kept, and PAGES are asked for unseen. They show a group its own rule sets, and whom its running game is between.
/** @param {URL} address */
const isOfRules = ({ pathname, searchParams }) => pathname === NO_NETWORK || /^\/rules(\/|$)/.test(pathname)
  ? !searchParams.has("words") : pathname === "/check" && !searchParams.has("game");
// Home, and of a game its page, its record, all its changes and who plays. A game's page asks what is new as soon as
// there is a network; until then it can be read, and what is entered waits in the outbox.
/** @param {URL} address */
const isOfTable = ({ pathname }) => pathname === "/" || /^\/games\/(?!new(?:\/|$))[^/]+(\/(rounds|activity|players))?$/.test(pathname);
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
  event.waitUntil(hold(address, asked.then((answer) => answer.clone())).catch(() => null));
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

// Holding copies: one after another, so that none looks at what another has done by half. Answers come in any order:
// what was asked later counts, and an older answer neither replaces nor forgets a newer copy.

let questions = 0;
let refused = 0;
/** @type {Promise<void>} */
let turn = Promise.resolve();
// Which question the copy of that name answers; who reads the copies of a place, and which question told so.
/** @type {Map<string, number>} */
const answered = new Map();
/** @type {Map<string, { reader: string, question: number }>} */
const readers = new Map();

/** @type {(address: URL, asked: Response | Promise<Response>) => Promise<void>} */
async function hold(address, asked) {
  const question = questions += 1;
  const answer = await asked;
  if (!isOfApp(answer)) return;
  const isRefusal = notAllowed.includes(answer.status) && isOfTable(address);
  const whole = answer.status === 200 && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html");
  if (!whole && !isRefusal) return;
  const text = isRefusal ? "" : await answer.text();
  const held = turn.then(() => isRefusal ? forgetRefused(question) : keep(address, question, answer.headers, text));
  turn = held.catch(() => {});
  await held;
}

/** @type {(address: URL, question: number, said: Headers, text: string) => Promise<void>} */
async function keep(address, question, said, text) {
  const place = isOfRules(address) ? HELD_PAGES : isOfTable(address) ? HELD_PRIVATE : null;
  const { language, device } = readerOf(text);
  const anybody = `${language} ${ANYBODY}`;
  const reader = device ? `${language} ${device}` : anybody;
  await forgetOthers(HELD_PAGES, [reader, anybody], question);
  await forgetOthers(HELD_PRIVATE, [reader], question);
  // A page of another version would need files that are not here.
  if (!place || said.get("X-Version") !== VERSION) return;
  const name = nameOf(address);
  const isOld = question < (answered.get(name) ?? 0) || question < refused;
  if (isOld || readers.get(place)?.reader !== reader) return;
  const headers = new Headers(said);
  for (const one of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(one);
  headers.set("X-Held-At", new Date().toISOString());
  headers.set("X-Held-For", address.pathname === NO_NETWORK ? anybody : reader);
  // In the place of the older copy: there is always one to be shown.
  await (await caches.open(place)).put(name, new Response(text, { headers }));
  answered.set(name, question);
  if (place === HELD_PRIVATE) await forgetOldest();
}

// What a device of no group was shown holds nothing of any: such rules are kept for it in a group as well.
/** @param {Headers} headers */
const isForAnybody = (headers) => headers.get("X-Held-For")?.endsWith(` ${ANYBODY}`);

/** @type {(place: string) => Promise<Copy[]>} */
async function copiesIn(place) {
  const held = await caches.open(place);
  return Promise.all((await held.keys()).map(async (name) => ({
    name: nameOf(new URL(name.url)),
    headers: (await held.match(name))?.headers ?? new Headers(),
    forget: () => held.delete(name),
  })));
}

/** @type {(place: string, readersToBe: string[], question: number) => Promise<void>} */
async function forgetOthers(place, [reader, ...alike], question) {
  if (question < (readers.get(place)?.question ?? 0)) return;
  readers.set(place, { reader, question });
  for (const { headers, forget } of await copiesIn(place)) {
    if (![reader, ...alike].includes(headers.get("X-Held-For") ?? "")) await forget();
  }
}

/** @param {number} question */
async function forgetRefused(question) {
  refused = Math.max(refused, question);
  for (const place of HELD_BY_READER) {
    for (const { name, headers, forget } of await copiesIn(place)) {
      if ((answered.get(name) ?? 0) < question && !isForAnybody(headers)) await forget();
    }
  }
}

async function forgetOldest() {
  // By their own times: not every browser puts what is replaced behind the others.
  /** @param {Copy} copy */
  const heldAt = ({ headers }) => Date.parse(headers.get("X-Held-At") ?? "");
  const latest = (await copiesIn(HELD_PRIVATE)).sort((one, other) => heldAt(other) - heldAt(one));
  await Promise.all(latest.slice(MOST_PRIVATE).map(({ forget }) => forget()));
}

// With this header a page keeps what it has to tell for whoever sees it.
/** @type {(url: string) => Promise<Response>} */
const askForCopy = (url) => fetch(url, { cache: "no-store", headers: { "X-Copy": "yes" } });

/** @param {string} path */
async function fetchAndHold(path) {
  const address = new URL(path, location.href);
  try {
    await hold(address, askForCopy(address.href));
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
      const answer = await askForCopy(url);
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
