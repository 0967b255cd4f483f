// Sharing a picture: the server's SVG is drawn on a canvas and handed to the share sheet as PNG. Where
// no file can be shared, the PNG is saved. A browser may share only shortly after a tap, so drawing
// begins when the button is pressed.

import { announce } from "./announce.js";

/** @type {Map<string, Promise<Blob>>} */
const drawn = new Map();

document.addEventListener("pointerdown", ({ target }) => {
  const button = target.closest("[data-share-picture]");
  if (button) draw(button.getAttribute("href") ?? "").catch(() => null);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share-picture]");
  if (!button) return;
  event.preventDefault();
  const name = `${button.dataset.sharePicture}.png`;
  const png = await draw(button.getAttribute("href") ?? "").catch(() => null).finally(() => drawn.clear());
  if (!png) return tell(button, button.dataset.failed ?? "");
  const files = [new File([png], name, { type: "image/png" })];
  if (navigator.canShare?.({ files })) {
    try {
      return await navigator.share({ files, title: button.dataset.shareTitle });
    } catch (refused) {
      // The person may close the sheet again; what else is in the way, the picture is saved.
      if (refused instanceof DOMException && refused.name === "AbortError") return;
    }
  }
  save(png, name);
  tell(button, button.dataset.done ?? "");
});

/** @param {HTMLElement} button @param {string} words */
function tell(button, words) {
  button.textContent = words;
  announce(words);
}

/** @param {string} address */
function draw(address) {
  const known = drawn.get(address) ?? paint(address);
  drawn.set(address, known);
  return known;
}

/** @param {string} address @returns {Promise<any>} */
async function paint(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** @param {Blob} png @param {string} name */
function save(png, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(png);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
