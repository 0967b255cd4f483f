// Where the server says so (data-push), a page of a game hears on a stream what changes. While none is open
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

// Listen to the game of an element, or to none; answers whether a stream is open. Told is what is heard: "" that
// it opened, null that it broke. One is opened only where the server can be reached.
/** @type {(element: HTMLElement | null, reached: boolean, tell: (heard: string | null) => void) => boolean} */
export function keepStream(element, reached, tell) {
  const [game = ""] = /^.*\/games\/\w+\//.exec(element?.dataset.live ?? "") ?? [];
  const wanted = game && hasPush ? `${game}stream` : "";
  if (wanted !== address) {
    close();
    address = wanted;
    again = 0;
  }
  if (address && !stream && reached && performance.now() >= again) open(tell);
  return isOpen;
}

/** @param {(heard: string | null) => void} tell */
function open(tell) {
  const one = stream = new EventSource(address);
  const begun = performance.now();
  one.onopen = () => {
    isOpen = true;
    tell("");
  };
  one.onmessage = ({ data }) => tell(data);
  one.onerror = () => {
    const now = performance.now();
    tries = isOpen && now - begun > LONG ? 0 : tries + 1;
    again = now + Math.min(LONG, SOON * 4 ** Math.max(0, tries - 1)) * (1 + Math.random());
    close();
    tell(null);
  };
}
