// Where the server says so (data-push), a page of a game hears on a stream that something changed. While none is open
// the page asks as it does without: where the way to the server lets none through, or cuts each one short.

const LONG = 60_000;
const SOON = 2_000;

/** @type {EventSource | undefined} */
let stream;
let address = "";
let isOpen = false;
let again = 0;
// How many in a row were refused or cut short.
let tries = 0;

function close() {
  stream?.close();
  stream = undefined;
  isOpen = false;
}

export const hasPush = "push" in document.documentElement.dataset;

// Whether a stream of the element's game is open; one of another game is closed.
/** @param {HTMLElement | null} element */
export function isListening(element) {
  const [game = ""] = /^.*\/games\/\w+\//.exec(element?.dataset.live ?? "") ?? [];
  const wanted = game && hasPush ? `${game}stream` : "";
  if (wanted !== address) {
    close();
    address = wanted;
    again = 0;
  }
  return isOpen;
}

// Ask for a stream, if it is time to, in place of asking what is new: the server opens it only to who shows the
// newest version. Told is what is heard then, null when it breaks. Answers whether one was asked for.
/** @type {(element: HTMLElement, tell: (heard: string | null) => void) => boolean} */
export function listen(element, tell) {
  if (!address || stream || performance.now() < again) return false;
  open(element.dataset.version ?? "", tell);
  return true;
}

/** @type {(version: string, tell: (heard: string | null) => void) => void} */
function open(version, tell) {
  const one = stream = new EventSource(`${address}?v=${version}`);
  const begun = performance.now();
  one.onopen = () => { isOpen = true; };
  one.onmessage = ({ data }) => tell(data);
  one.onerror = () => {
    const now = performance.now();
    tries = isOpen && now - begun > LONG ? 0 : tries + 1;
    again = now + Math.min(LONG, SOON * 4 ** Math.max(0, tries - 1)) * (1 + Math.random());
    close();
    tell(null);
  };
}
