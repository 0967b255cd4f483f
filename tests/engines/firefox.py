"""Firefox without a screen, driven by Marionette, the protocol that it speaks by itself."""

import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.engines.engine import Engine, EngineError, end
from tests.servers import free_port
from tests.waiting import PATIENCE, wait_until

PACKAGES = ("firefox-esr",)
"""What Debian calls what is needed."""

_NARROW = """
  Object.assign(gBrowser.selectedBrowser.style,
    { maxWidth: `${arguments[0]}px`, maxHeight: `${arguments[1]}px` });
"""
"""No window is narrower than 500 pixels, but the page in it can be."""

_SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,none",
    "toolkit.telemetry.enabled": False,
}


def program() -> str:
    """The path of a Firefox; empty where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox") or ""


def missing() -> str:
    """What is not installed; empty where Firefox can be driven."""
    return "" if program() else "firefox-esr"


class Firefox(Engine):
    """A window of Firefox."""

    def __init__(self, base: str, port: int, process: "subprocess.Popen[bytes]") -> None:
        super().__init__(base)
        self._socket = self._connected(port, process)
        self._answers = self._socket.makefile("rb")
        self._read()  # its greeting
        self._count = 0
        self.command("NewSession")
        self._in_chrome(_NARROW, self.WIDTH, self.HEIGHT)

    def command(self, name: str, **parameters: Any) -> Any:
        self._count += 1
        prefix = "Marionette" if name in ("SetContext", "Quit") else "WebDriver"
        sent = json.dumps([0, self._count, f"{prefix}:{name}", parameters])
        self._socket.sendall(f"{len(sent.encode())}:{sent}".encode())
        _kind, _number, error, answer = self._read()
        if error is not None:
            raise EngineError(f"{name} {parameters}: {error['error']}, {error['message']}")
        return answer.get("value", answer) if isinstance(answer, dict) else answer

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()

    def _in_chrome(self, script: str, *arguments: Any) -> Any:
        """Run a script in the browser's own window instead of the page."""
        self.command("SetContext", value="chrome")
        try:
            return self.run(script, *arguments)
        finally:
            self.command("SetContext", value="content")

    def _read(self) -> Any:
        size = b""
        while (digit := self._answers.read(1)) != b":":
            if not digit:
                raise EngineError("Firefox hung up")
            size += digit
        return json.loads(self._answers.read(int(size)))

    @staticmethod
    def _connected(port: int, process: "subprocess.Popen[bytes]") -> socket.socket:
        def connected() -> socket.socket | None:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            except OSError as fault:
                if process.poll() is not None:
                    raise EngineError("Firefox did not start") from fault
                return None

        found = wait_until(connected, "Firefox answers")
        assert found
        return found


@contextmanager
def started(base: str) -> Iterator[Firefox]:
    """A window at that address, of a Firefox with a profile of its own, which ends with it."""
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = {**_SETTINGS, "marionette.port": port}
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in settings.items()]
        Path(profile, "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            [
                program(),
                "--headless",
                "--marionette",
                "--no-remote",
                "-remote-allow-system-access",
                "--profile",
                profile,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with closing(Firefox(base, port, process)) as window:
                yield window
        finally:
            end(process)
