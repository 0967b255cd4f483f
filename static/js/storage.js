// What this browser remembers for us. Storage may be full or forbidden (a private window, blocked
// site data); then it is remembered as long as the page is open, and whoever asked is told so.

/** @type {Map<string, string>} */
const memory = new Map();

/** @type {(name: string) => string | null} */
export function recall(name) {
  const remembered = memory.get(name);
  if (remembered !== undefined) return remembered;
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// Answers whether it outlasts the page.
/** @type {(name: string, value: string) => boolean} */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
    memory.delete(name);
    return true;
  } catch {
    memory.set(name, value);
    return false;
  }
}
