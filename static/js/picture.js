// Sharing a result as a picture: the server's SVG is drawn once and handed to the share sheet as PNG.
// Where there is no share sheet for files there is no button; the picture can be saved all the same.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share-picture]");
  if (!button) return;
  const file = await drawn(button.dataset.sharePicture ?? "");
  try {
    await navigator.share({ files: [file], title: button.dataset.shareTitle });
  } catch (refused) {
    if (!(refused instanceof DOMException) || refused.name !== "AbortError") throw refused;
  }
});

/** @param {string} address */
async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File(blob ? [blob] : [], "meldkeeper.png", { type: "image/png" });
}
