// Names for requests (`idempotency.py`), so that a repeat of one is recognised

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
