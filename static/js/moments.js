// Moments are shown in the phone's own time.

let format;

/** A moment as people write it here. The formatter is slow to make, so it is made when first needed. */
export function formatMoment(moment) {
  format ??= new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return format.format(moment);
}

document.addEventListener("htmx:load", () => {
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = formatMoment(new Date(time.dateTime));
    delete time.dataset.local;
  }
});
