// Says in the page what this browser can do, before anything of it is drawn: what only scripts can do
// is then in its place from the first picture on, and nothing moves when the other scripts come.
//
// Where a browser lacks something that they or the styles of today need, all pages work as they do
// without scripts, rather than half. `tests/test_browsers.py` says which browsers have it all.
{
  const has = [
    () => AbortSignal.timeout,
    () => Array.prototype.at,
    () => CSS.supports("height", "1dvh") && CSS.supports("translate", "1px") && CSS.supports("inset", "0"),
  ];
  const said = document.documentElement.classList;
  if (has.every((one) => one())) {
    said.add("scripts");
    if ("share" in navigator) said.add("shares");
  }
}
