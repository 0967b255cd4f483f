// Moments are shown in the device's own time, and so are days: late in the evening it may be another
// day for the server. What the server wrote stays where it is right: a formatter takes a phone as long
// to make as all else that runs when a page is shown.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = { moment: { dateStyle: "medium", timeStyle: "short" }, day: { dateStyle: "medium" } };
/** @type {Record<string, Intl.DateTimeFormat | undefined>} */
const formats = {};

// A moment as people write it here
/** @param {Date} moment */
export function formatMoment(moment, style = "moment") {
  const format = (formats[style] ??= new Intl.DateTimeFormat(document.documentElement.dataset.locale, STYLES[style]));
  return format.format(moment);
}

const LENGTHS = { day: "2026-11-22".length, moment: "2026-11-22T06:30".length };
/** @param {Date} moment */
const isoHere = (moment) => new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();

document.addEventListener("htmx:load", () => {
  for (const time of document.querySelectorAll("time[data-local]")) {
    const style = time.dataset.local === "day" ? "day" : "moment";
    const moment = new Date(time.dateTime);
    if (!isoHere(moment).startsWith(time.dateTime.slice(0, LENGTHS[style]))) time.textContent = formatMoment(moment, style);
    delete time.dataset.local;
  }
});
