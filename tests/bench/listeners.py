"""Phones that hear of changes on a stream and seldom ask besides, as `static/js/live.js` does.

Thousands of them in one process: no connection ever blocks it.
"""

import heapq
import re
import selectors
import socket
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.bench.phones import Watched

ASKS_EVERY, ASKS_SELDOM = 1.0, 20.0
PATIENCE, LEAST_PAUSE, SOON, LONG = 8.0, 0.2, 2.0, 60.0
_VERSION = re.compile(rb'data-version="(\d+)"')
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
now = time.perf_counter


class Loop:
    """Sockets that are ready and moments that have come."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.random = Random(7)
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0

    def at(self, moment: float, act: Callable[[], object]) -> None:
        self._count += 1
        heapq.heappush(self._due, (moment, self._count, act))

    def run(self, until: float) -> None:
        while now() < until:
            while self._due and self._due[0][0] <= now():
                heapq.heappop(self._due)[2]()
            for key, _events in self.selector.select(0.005):
                key.data()


class Wire:
    """A connection; `heard` is handed what comes, and None where the other side ended it."""

    def __init__(self, loop: Loop, port: int, heard: Callable[[bytes | None], None]) -> None:
        self._selector, self._heard, self._unsent = loop.selector, heard, b""
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.connect_ex(("127.0.0.1", port))
        self._wait_for(selectors.EVENT_WRITE | selectors.EVENT_READ)

    def _wait_for(self, events: int) -> None:
        self._selector.register(self._socket, events, self._ready)

    def send(self, request: bytes) -> None:
        self._unsent += request
        self._ready(reads=False)

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._selector.unregister(self._socket)
            self._socket.close()

    def _ready(self, *, reads: bool = True) -> None:
        try:
            if self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
                self._selector.unregister(self._socket)
                self._wait_for(selectors.EVENT_READ)
            part = self._socket.recv(262_144) if reads else None
        except BlockingIOError:
            return
        except OSError:
            if not reads:
                return  # the loop finds it, too
            part = b""
        if part == b"":
            self.close()
        if part is not None:
            self._heard(part or None)


@dataclass
class Told:
    """What was measured: of each change when its tap was sent and when a phone had it."""

    changes: list[tuple[float, float]] = field(default_factory=list)
    answers: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Asking:
    """A kept connection that asks one thing after the other."""

    def __init__(self, loop: Loop, port: int, told: Told) -> None:
        self._loop, self._port, self._told = loop, port, told
        self._wire: Wire | None = None
        self._received = bytearray()
        self._answered: Callable[[int, bytes], None] | None = None
        self._asked = 0

    @property
    def busy(self) -> bool:
        return self._answered is not None

    def ask(self, request: bytes, answered: Callable[[int, bytes], None]) -> None:
        """Ask; answered is told the status and the body, or 0 where there is no answer."""
        self._answered, self._asked = answered, self._asked + 1
        self._received.clear()
        self._wire = self._wire or Wire(self._loop, self._port, self._heard)
        self._wire.send(request)
        number = self._asked
        self._loop.at(now() + PATIENCE, lambda: self._give_up(number))

    def _give_up(self, number: int) -> None:
        if self.busy and number == self._asked and self._wire:
            self._wire.close()
            self._heard(None)

    def _heard(self, part: bytes | None) -> None:
        if part is None:
            self._wire = None
            if self.busy:
                self._end(0, b"")
            return
        self._received += part
        head, found, body = bytes(self._received).partition(b"\r\n\r\n")
        if not found:
            return
        status, length = int(head[9:12]), _LENGTH.search(head)
        if status == 204 or (length and len(body) >= int(length[1])):
            self._end(status, body)

    def _end(self, status: int, body: bytes) -> None:
        answered, self._answered = self._answered, None
        self._told.answers += 1
        if status not in (200, 204):
            self._told.faults[str(status or "none")] += 1
        assert answered
        answered(status, body)


class Listener:
    """One phone."""

    def __init__(self, loop: Loop, watched: Watched, secret: str, port: int, told: Told) -> None:
        self._loop, self._watched, self._port, self._told = loop, watched, port, told
        self._cookie = f"Cookie: meldkeeper={secret}"
        self._asking = Asking(loop, port, told)
        self._stream: Wire | None = None
        self._head = bytearray()
        self.version, self.is_open, self._missed = 1, False, False
        self._asked = self._again = self._begun = self._took = 0.0
        self._tries, self._lost, self._plan_number, self._may_listen = 0, 0, 0, True

    @property
    def is_behind(self) -> bool:
        """Does it not show the newest version of its table?"""
        return self.version < max(self._watched.sent_at, default=1)

    def plan(self) -> None:
        """Listen or ask when it is time to."""
        every = ASKS_SELDOM if self.is_open else min(ASKS_SELDOM, max(ASKS_EVERY, 4 * self._took))
        if self._lost:
            every = min(12, ASKS_EVERY * 2**self._lost) * (0.5 + self._loop.random.random() / 2)
        moment = now() + LEAST_PAUSE
        if not self._missed:
            moment = max(moment, self._asked + every)
        self._plan_number += 1
        number = self._plan_number
        self._loop.at(moment, lambda: self._listen_or_ask(number))

    def _listen_or_ask(self, number: int) -> None:
        if number != self._plan_number:
            return
        if not self._may_listen or self._missed or self._stream or now() < self._again:
            self._ask()
        else:
            self._asked = now()
            self._listen()
            self.plan()

    def _request(self, what: str) -> bytes:
        address = f"/games/{self._watched.game.key}/{what}"
        return f"GET {address} HTTP/1.1\r\nHost: localhost\r\n{self._cookie}\r\n".encode()

    def _listen(self) -> None:
        self._head.clear()
        self._begun = now()
        self._stream = Wire(self._loop, self._port, self._heard)
        stream = self._request(f"stream?v={self.version}")
        self._stream.send(stream + b"Accept: text/event-stream\r\n\r\n")

    def _heard(self, part: bytes | None) -> None:
        if part is None:
            self._break()
            return
        if not self.is_open:
            self._head += part
            if b"\r\n\r\n" not in self._head:
                return
            if self._head[9:12] != b"200":
                assert self._stream
                self._stream.close()
                if self._head[9:12] != b"204":  # it has to ask first
                    self._told.faults[f"stream {self._head[9:12].decode()}"] += 1
                self._break()
                return
            self.is_open = True
        for line in part.split(b"\n"):
            if line.startswith(b"data: "):
                self._hear(int(line.rsplit(b" ", 1)[1]))

    def _break(self) -> None:
        self._tries = 0 if self.is_open and now() - self._begun > LONG else self._tries + 1
        self._stream, self.is_open, self._may_listen = None, False, False
        rest = min(LONG, SOON * 4 ** max(0, self._tries - 1))
        self._again = now() + rest * (1 + self._loop.random.random())
        self._asked = now() + 2 * self._loop.random.random()
        self.plan()

    def _hear(self, version: int) -> None:
        if version > self.version:
            self._missed = self._asking.busy
            self._ask()

    def _ask(self) -> None:
        if self._asking.busy:
            return
        self._missed, self._may_listen, self._asked = False, False, now()
        question = self._request(f"live?v={self.version}") + b"HX-Request: true\r\n\r\n"
        self._asking.ask(question, self._answered)

    def _answered(self, status: int, body: bytes) -> None:
        self._lost = 0 if status in (200, 204) else self._lost + 1
        self._may_listen = not self._lost
        self._took = now() - self._asked
        found = _VERSION.search(body) if status == 200 else None
        if found:
            version, shown = int(found[1]), now()
            for one in range(self.version + 1, version + 1):
                if (sent := self._watched.sent_at.get(one)) is not None:
                    self._told.changes.append((sent, shown))
            self.version = version
        self.plan()


class Tapper:
    """Taps at one table, past the proxy: so the engine's end keeps no tap from being made."""

    def __init__(self, loop: Loop, watched: Watched, port: int, told: Told) -> None:
        self._loop, self._watched = loop, watched
        self._asking = Asking(loop, port, told)

    def tap(self) -> None:
        if self._asking.busy:
            return
        sent = now()

        def answered(status: int, body: bytes) -> None:
            if status == 200 and (found := _VERSION.search(body)):
                self._watched.sent_at[int(found[1])] = sent

        self._asking.ask(self._watched.next_tap(), answered)
