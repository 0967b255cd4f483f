"""A network between a browser and a server that loses, delays, doubles and reorders, by a seed.

It stands as a real proxy of its own in front of the server. Requests of a game's taps, rounds and
live questions suffer; pages and files pass, so that a test begins and ends as it should.
"""

import re
import threading
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from socket import SHUT_RDWR

FATES = (
    "request lost",  # it never arrives
    "request late",  # its sender hears nothing; it arrives long after
    "answer lost",
    "slow request",
    "slow answer",
    "doubled",  # it arrives once more, long after its answer
    "no server",  # the proxy of a server that is down
    "strange page",  # a network that wants its visitors to log in
)
_SUFFERS = re.compile(r"/games/\w+/(live|rounds/\d+/(row|close|undo)|dealing/\d+/void)")
_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}
SLOW, LATE = 0.6, 4.0
"""Seconds: less, and more than a phone waits until it tries again."""


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


class KeptBack:
    """One answer that the server gave and the network has."""

    def __init__(self) -> None:
        self.is_here, self.may_go_on = threading.Event(), threading.Event()


@dataclass(frozen=True)
class _Request:
    """What a phone sent; its connection has the next one by the time that a copy arrives."""

    method: str
    path: str
    headers: Message
    body: bytes


class BadNetwork(ThreadingHTTPServer):
    """The network of one phone; `rate` of its requests suffer, all of them while it `is_cut`."""

    daemon_threads = True

    def __init__(self, port: int, seed: object, rate: float = 0.3) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.upstream, self.rate, self.is_cut = port, rate, False
        self.suffered: Counter[str] = Counter()
        self.hangs = False
        """Whether nothing is answered, though connections are taken."""
        self.update: tuple[str, str] | None = None
        """A version of the app, and the one that stands in its place in all that is answered."""
        self._kept_back: dict[str, KeptBack] = {}
        self.closing = threading.Event()
        self._random, self._lock = Random(f"{seed}"), threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server_port}"

    def fate(self, path: str) -> str:
        """What happens to a request; empty where it passes."""
        if self.hangs:
            return "hangs"
        if self.is_cut:
            return "request lost"
        if not _SUFFERS.match(path):
            return ""
        with self._lock:
            suffers, fate = self._random.random() < self.rate, self._random.choice(FATES)
            if not suffers:
                return ""
            self.suffered[fate] += 1
            return fate

    def keep_back(self, path: str) -> KeptBack:
        """Keep the next answer to that path until it may go on; later ones overtake it."""
        return self._kept_back.setdefault(path, KeptBack())

    def kept_back(self, path: str) -> KeptBack | None:
        return self._kept_back.pop(path, None)

    def heal(self) -> None:
        """From now on everything passes; what is on its way still arrives as it does."""
        self.rate, self.is_cut = 0.0, False

    def handle_error(self, *_who: object) -> None:
        """A phone that gives up is no fault here."""

    def server_close(self) -> None:
        self.closing.set()
        super().server_close()

    def __exit__(self, *_fault: object) -> None:
        self.shutdown()
        self.server_close()


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: BadNetwork

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = _Request(self.command, self.path, self.headers, body)
        fate = self.server.fate(self.path)
        if fate == "request late":
            self._later(asked)
        while fate == "hangs" and self.server.hangs:
            self.server.closing.wait(0.1)
        if fate == "slow request":
            self.server.closing.wait(SLOW)
        if fate in ("request lost", "request late"):
            return self._cut()
        if fate in ("no server", "strange page"):
            status = 502 if fate == "no server" else 200
            page = [("Content-Type", "text/html")]
            return self._answer(_Answer(status, page, b"<html lang=xx><h1>Welcome, guest"))
        kept_back = self.server.kept_back(asked.path)
        answer = self._forward(asked)
        if kept_back:
            kept_back.is_here.set()
            kept_back.may_go_on.wait()
        if fate == "slow answer":
            self.server.closing.wait(SLOW)
        if fate == "doubled":
            self._later(asked)
        if fate == "answer lost" or answer is None:
            return self._cut()
        return self._answer(answer)

    do_POST = do_HEAD = do_GET  # noqa: N815 -- as the library calls them

    def _later(self, asked: _Request) -> None:
        threading.Timer(LATE, self._forward, [asked]).start()

    def _forward(self, asked: _Request) -> _Answer | None:
        connection = HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        with closing(connection), suppress(OSError, HTTPException):
            names = {name: text for name, text in asked.headers.items() if name != "Connection"}
            if self.server.update:
                names.pop("Accept-Encoding", None)
            connection.request(asked.method, asked.path, asked.body or None, names)
            heard = connection.getresponse()
            return self._updated(_Answer(heard.status, heard.getheaders(), heard.read()))
        return None

    def _updated(self, answer: _Answer) -> _Answer:
        if not self.server.update:
            return answer
        old, new = self.server.update
        headers = [(name, text.replace(old, new)) for name, text in answer.headers]
        return _Answer(answer.status, headers, answer.body.replace(old.encode(), new.encode()))

    def _answer(self, answer: _Answer) -> None:
        self.send_response_only(answer.status)
        for name, text in answer.headers:
            if name.lower() not in _BY_HOP:
                self.send_header(name, text)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def _cut(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(SHUT_RDWR)

    def log_message(self, *_said: object) -> None:
        """The app's log says enough."""
