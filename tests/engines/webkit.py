"""WebKitGTK, the nearest to Safari that runs on Linux, driven by its own WebDriver."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.engines.engine import Engine, EngineError, end
from tests.servers import free_port
from tests.waiting import PATIENCE, wait_until

PACKAGES = ("webkit2gtk-driver", "xvfb")
"""What Debian and Ubuntu call what is needed."""

_COMMANDS = {
    "Navigate": ("POST", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "FindElement": ("POST", "/element"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementClear": ("POST", "/element/{id}/clear"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "PerformActions": ("POST", "/actions"),
    "TakeScreenshot": ("GET", "/screenshot"),
    "Refresh": ("POST", "/refresh"),
    "Back": ("POST", "/back"),
    "AddCookie": ("POST", "/cookie"),
    "GetCookies": ("GET", "/cookie"),
}
_NARROW = "* { font-size: 5px; min-width: 0; min-height: 0; padding: 0; margin: 0 }"
"""A style for the browser's own bars: as they are, no window is narrower than 447 pixels."""


def missing() -> str:
    """Which of the programs is not installed; empty where WebKit can be driven."""
    absent = [one for one in ("WebKitWebDriver", "Xvfb") if not shutil.which(one)]
    if not _browser():
        absent.append("MiniBrowser")
    return ", ".join(absent)


def _browser() -> str:
    found = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
    return str(next(iter(sorted(found)), ""))


class WebKit(Engine):
    """A window of WebKitGTK's MiniBrowser."""

    def __init__(self, base: str, port: int) -> None:
        super().__init__(base)
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        options = {"binary": _browser(), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self._ask("POST", "/session", {"capabilities": wanted})
        self._session = f"/session/{session['sessionId']}"
        size = {"width": self.WIDTH, "height": self.HEIGHT}
        self._ask("POST", f"{self._session}/window/rect", size)

    def command(self, name: str, **parameters: Any) -> Any:
        method, path = _COMMANDS[name]
        path = self._session + path.format(id=parameters.pop("id", ""))
        return self._ask(method, path, parameters if method == "POST" else None)

    def close(self) -> None:
        self._ask("DELETE", self._session, None)
        self._connection.close()

    def _ask(self, method: str, path: str, sent: dict[str, Any] | None) -> Any:
        body = None if sent is None else json.dumps(sent)
        self._connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        value = json.loads(answer.read())["value"]
        if answer.status != 200:
            raise EngineError(f"{method} {path} {sent}: {value}")
        return value


@contextmanager
def started(base: str) -> Iterator[WebKit]:
    """A window at that address, on a virtual screen; driver and screen end with it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        style = folder / "gtk-3.0" / "gtk.css"
        style.parent.mkdir()
        style.write_text(_NARROW)
        environment = {
            **os.environ,
            "DISPLAY": f":{_screen(stack)}",
            "XDG_CONFIG_HOME": str(folder),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "NO_AT_BRIDGE": "1",
        }
        if os.geteuid() == 0:  # its sandbox refuses to run as root
            environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        port = free_port()
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=environment, stderr=subprocess.DEVNULL
        )
        stack.callback(end, driver)
        wait_until(lambda: _answers(port, driver), "WebKitWebDriver answers")
        window = WebKit(base, port)
        stack.callback(window.close)
        yield window


def _screen(stack: ExitStack) -> int:
    """The number of a new virtual screen."""
    read, write = os.pipe()
    with os.fdopen(read) as told:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        stack.callback(end, server)
        return int(told.readline())


def _answers(port: int, driver: "subprocess.Popen[bytes]") -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        try:
            connection.request("GET", "/status")
            connection.getresponse().read()
        except OSError as fault:
            if driver.poll() is not None:
                raise EngineError("WebKitWebDriver did not start") from fault
            return False
    return True
