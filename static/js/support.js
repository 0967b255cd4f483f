// Where a browser lacks something that the scripts or the styles of today need, all pages work as they
// do without scripts, rather than half. `tests/test_browsers.py` says which browsers have it all.

const NEEDED = [
  () => AbortSignal.timeout,
  () => Array.prototype.at,
  () => CSS.supports("height", "1dvh") && CSS.supports("translate", "1px") && CSS.supports("inset", "0"),
];

if (!NEEDED.every((has) => has())) throw new Error("This browser is too old for scripts: the pages work without.");

// What only scripts can do is shown where they run; htmx waits for this mark, too.
document.documentElement.classList.add("scripts");
