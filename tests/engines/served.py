"""The app as `make run` serves it, on pages that also listen for what goes wrong in them.

No WebDriver tells what scripts raise while a page loads, so each page begins with a script of the
tests' own. It notes errors, what the content policy refused, and how often the screen was asked to
stay on, all for as long as the window lives.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any

import waitress

from app import create_app
from app.commands.startup import upgrade_database
from app.web.infrastructure import assets

SCRIPT = "/tests-are-listening.js"
_LISTEN = b"""
const PLACE = "tests-noted";
function note(kind, what) {
  const noted = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  sessionStorage.setItem(PLACE, JSON.stringify([...noted, [kind, `${what} on ${location}`]]));
}
let left = false;  // what was still on its way to a page that is left does not come any more
addEventListener("beforeunload", () => { left = true; });
addEventListener("error", ({ message, target }) => {
  if (message || !left) note("error", message ?? target?.outerHTML);
}, true);
addEventListener("unhandledrejection", ({ reason }) => note("error", reason?.stack ?? reason));
addEventListener("securitypolicyviolation",
  (event) => note("error", `${event.violatedDirective} ${event.blockedURI}`));
if (globalThis.WakeLock) {
  // On the prototype: WebKit makes navigator.wakeLock anew when it collected what nobody held.
  const { request } = WakeLock.prototype;
  WakeLock.prototype.request = function (kind) {
    note("awake", kind);
    return request.call(this, kind);
  };
}
"""

StartResponse = Callable[..., Any]


def listening(inner: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The app with the script in the head of each page."""

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == SCRIPT:
            headers = [("Content-Type", "text/javascript"), ("Content-Length", str(len(_LISTEN)))]
            start_response("200 OK", headers)
            return [_LISTEN]
        environ.pop("HTTP_ACCEPT_ENCODING", None)
        began: list[Any] = []
        body = b"".join(inner(environ, lambda *said: began.extend(said)))
        status, headers = began[:2]
        if dict(headers).get("Content-Type", "").startswith("text/html"):
            body = body.replace(b"<head>", f'<head><script src="{SCRIPT}"></script>'.encode(), 1)
            headers = [(name, value) for name, value in headers if name != "Content-Length"]
            headers.append(("Content-Length", str(len(body))))
        start_response(status, headers)
        return [body]

    return answer


def main() -> None:
    """Serve where `LISTEN` says until stopped."""
    app = create_app()
    upgrade_database(app)
    assets.prepare(app)
    waitress.serve(listening(app.wsgi_app), listen=os.environ["LISTEN"], threads=8)


if __name__ == "__main__":
    main()
