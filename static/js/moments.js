// Moments are shown in the phone's own time, and so are days: late in the evening it may be another
// day for the host.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = { moment: { dateStyle: "medium", timeStyle: "short" }, day: { dateStyle: "medium" } };
/** @type {Record<string, Intl.DateTimeFormat | undefined>} */
const formats = {};

// A moment as people write it here. A formatter is slow to make, so it is made when first needed.
/** @param {Date} moment */
export function formatMoment(moment, style = "moment") {
  const format = (formats[style] ??= new Intl.DateTimeFormat(document.documentElement.lang, STYLES[style]));
  return format.format(moment);
}

document.addEventListener("htmx:load", () => {
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = formatMoment(new Date(time.dateTime), time.dataset.local || "moment");
    delete time.dataset.local;
  }
});
