"""The app as real servers run it, in child processes, and a client that speaks to them by forms."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.cookies import SimpleCookie
from pathlib import Path
from select import select
from typing import Any
from urllib.parse import urlencode

from tests.forking import Forked
from tests.waiting import PATIENCE, wait_until

TOP = Path(__file__).parent.parent
KEY = "a key for servers in tests"


class ServerStopped(RuntimeError):
    """The server did not start; says what it printed."""


_claims: list[socket.socket] = []
"""Sockets of datagrams, each bound to the number of a port that this process was given."""


def free_port() -> int:
    """A port for a server to listen on, which nobody else is given while this process lives.

    It lies below those that the system hands to connections, and its datagram twin is held, so
    that two test runs side by side never choose the same.
    """
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)
        claim = socket.socket(type=socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return port


@dataclass
class Production:
    """The app as `make serve` starts it, with a folder of its own."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    module: str = "app.commands.production"
    """What is run; it serves where `LISTEN` says."""
    arguments: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | Forked | None = None
    top: Path = TOP
    """Where the code lies."""
    anew: bool = False
    """Whether Python reads the code for it, as in a shell; what lies elsewhere always is."""

    def start(self) -> "Production":
        """Start it and wait until it is ready."""
        environment = {
            **os.environ,
            "INSTANCE_PATH": str(self.folder),
            "SECRET_KEY": KEY,
            "LISTEN": f"127.0.0.1:{self.port}",
            "DRAIN_SECONDS": "0",  # no proxy has to notice
            "NEW_GROUPS_PER_HOUR": "1000000",  # all tests come from one address
            **self.settings,
        }
        if self.anew or self.top != TOP:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", self.module, *self.arguments],
                    cwd=self.top,
                    env=environment,
                    stdout=log,
                    stderr=log,
                )
        else:
            self.process = Forked(self.module, *self.arguments, env=environment, log=self.log)
        wait_until(self._is_ready, "the server is ready")
        return self

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What it has logged so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def _is_ready(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise ServerStopped(self.log.read_text())
        try:
            return Http(self.port).get("/readyz").status_code == 200
        except (OSError, HTTPException):
            return False

    @property
    def workers(self) -> list[int]:
        """The process ids of its workers."""
        assert self.process is not None
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in task.read_text().split()]

    def kill(self) -> None:
        """Kill the whole server as a power cut would, workers and all."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)  # so that it starts no worker anew meanwhile
        for worker in self.workers:
            os.kill(worker, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def stop(self) -> int | None:
        """Tell it to stop and wait; answers its exit status."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait()

    def __enter__(self) -> "Production":
        return self.start()

    def __exit__(self, *_fault: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()


@dataclass(frozen=True)
class Answer:
    """An answer, read whole, with what Flask's test client calls its parts."""

    status_code: int
    headers: dict[str, str]
    body: bytes

    @property
    def location(self) -> str:
        return self.headers.get("location", "")

    def get_data(self, *, as_text: bool) -> str:
        assert as_text
        return self.body.decode()


class Http:
    """A browser without scripts: keeps cookies and sends the forms' token with each form."""

    def __init__(self, port: int, *, timeout: float = PATIENCE, client: str = "127.0.0.1") -> None:
        self._connection = HTTPConnection(
            "127.0.0.1", port, timeout=timeout, source_address=(client, 0)
        )
        self._cookies: dict[str, str] = {}
        self.token = ""

    def __del__(self) -> None:
        self._connection.close()

    def get(self, address: str, headers: dict[str, str] | None = None) -> Answer:
        answer = self._ask("GET", address, None, headers or {})
        token = re.search(rb'name="csrf-token" content="([^"]+)"', answer.body)
        if token:
            self.token = token[1].decode()
        return answer

    def post(
        self,
        address: str,
        data: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        if not self.token:
            self.get("/games/new")
        sent = {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": self.token,
            **(headers or {}),
        }
        return self._ask("POST", address, urlencode(data or {}, doseq=True), sent)

    def with_cookies(self, cookies: dict[str, str]) -> "Http":
        """This browser with these cookies."""
        self._cookies = dict(cookies)
        return self

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def like(self, other: "Http") -> "Http":
        """This browser with the other's cookies: another window of the same phone."""
        self.token = other.token
        return self.with_cookies(other._cookies)

    def _ask(
        self,
        method: str,
        address: str,
        body: str | None,
        headers: dict[str, str],
        *,
        again: bool = False,
    ) -> Answer:
        if self._cookies:
            headers = {"Cookie": self.cookies, **headers}
        if self._is_let_go():
            self._connection.close()
        try:
            self._connection.request(method, address, body, headers)
            response = self._connection.getresponse()
            answer = Answer(response.status, self._noted(response), response.read())
        except (OSError, HTTPException):
            self._connection.close()
            if method == "GET" and not again:  # the server had let the idle connection go
                return self._ask(method, address, body, headers, again=True)
            raise
        if answer.headers.get("connection", "").lower() == "close":
            self._connection.close()
        return answer

    def _is_let_go(self) -> bool:
        """Whether the server closed the idle connection, which can then be read unasked."""
        return bool(self._connection.sock and select([self._connection.sock], [], [], 0)[0])

    def _noted(self, response: HTTPResponse) -> dict[str, str]:
        for line in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                self._cookies[name] = morsel.value
        return {name.lower(): value for name, value in response.headers.items()}
