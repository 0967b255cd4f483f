"""A thousand phones that watch two hundred running games, each changed every ten seconds.

Each phone is a device of its own that asks for changes once a second, as a visible page does, over
one kept-alive connection. Timed is the way of a change: from when its tap is sent to when the
answer that holds it has reached a phone whole.
"""

import heapq
import re
import selectors
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tests.bench.generator import Connection, Measured
from tests.bench.visitor import serving
from tests.servers import Http
from tests.web_table import PlainGame

ASKS_EVERY = 1.0
TAPS_EVERY = 10.0
GOAL = 1.5
_VERSION = re.compile(rb'data-version="(\d+)"')


class Due(NamedTuple):
    """When a phone is to ask next."""

    at: float
    number: int


@dataclass
class Watched:
    """A running game: who taps on it, and when each of its versions was sent."""

    game: PlainGame
    host: Http
    sent_at: dict[int, float] = field(default_factory=dict)
    taps: int = 0

    def next_tap(self) -> bytes:
        seats = list(self.game.seats.values())
        name = f"{seats[self.taps % len(seats)]}-typed"
        value = 5 * (1 + self.taps // len(seats) % 30)
        self.taps += 1
        shown = max(self.sent_at, default=0)
        body = f"changed={name}&{name}={value}&request_key={self.game.key}-{self.taps}"
        body += f"&seen={shown}&shows={shown}"
        head = (
            f"POST /games/{self.game.key}/rounds/1/row HTTP/1.1\r\nHost: localhost\r\n"
            f"Cookie: {self.host.cookies}\r\nX-CSRFToken: {self.host.token}\r\nHX-Request: true\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
        )
        return f"{head}\r\n\r\n{body}".encode()


@dataclass
class Phone:
    """One device that watches a game."""

    watched: Watched
    cookies: str
    port: int
    version: int = 0
    taps: bool = False
    """It only sends the taps of its game, and watches nothing."""

    @cached_property
    def connection(self) -> Connection:
        """Opened with the first question, as browsers do; then kept."""
        return Connection(self.port)

    def hang_up(self) -> None:
        """Close the connection; the next question opens another."""
        self.connection.close()
        del self.connection

    def question(self) -> bytes:
        if self.taps:
            return self.watched.next_tap()
        return (
            f"GET /games/{self.watched.game.key}/live?v={self.version} HTTP/1.1\r\n"
            f"Host: localhost\r\nCookie: {self.cookies}\r\nHX-Request: true\r\n\r\n"
        ).encode()


@dataclass
class Evening:
    """All the games and phones, and what was measured of them."""

    phones: list[Phone]
    changes: Measured = field(default_factory=Measured)
    answers: Measured = field(default_factory=Measured)

    @property
    def faults(self) -> int:
        """Answers that were none."""
        return sum(of for status, of in self.answers.statuses.items() if status >= 400)

    def forget(self) -> None:
        """Begin to measure anew."""
        self.changes, self.answers = Measured(), Measured()

    def run(self, seconds: float) -> None:
        """Let all of them ask and tap for so long, each at its own moment of the second."""
        selector, start = selectors.DefaultSelector(), time.perf_counter()
        due = [Due(start + self._first(number), number) for number in range(len(self.phones))]
        heapq.heapify(due)
        under_way = 0
        while True:
            now = time.perf_counter()
            if now - start > seconds and not under_way:
                break
            while due and due[0].at <= now and now - start <= seconds:
                number = heapq.heappop(due).number
                phone = self.phones[number]
                phone.connection.send(phone.question(), now)
                if phone.connection.socket not in selector.get_map():
                    selector.register(phone.connection.socket, selectors.EVENT_READ, number)
                under_way += 1
            for key, _events in selector.select(0.002):
                phone = self.phones[key.data]
                answer = phone.connection.receive()
                if answer is not None:
                    under_way -= 1
                    ended = time.perf_counter()
                    status, body = answer
                    self._note(phone, status, body, ended)
                    pause = TAPS_EVERY if phone.taps else ASKS_EVERY
                    heapq.heappush(due, Due(max(phone.connection.begun + pause, ended), key.data))
        self.answers.seconds = self.changes.seconds = time.perf_counter() - start
        for phone in self.phones:
            phone.hang_up()

    def _first(self, number: int) -> float:
        """Phones and taps are spread evenly, as those of strangers are."""
        pause = TAPS_EVERY if self.phones[number].taps else ASKS_EVERY
        return pause * (number * 0.618 % 1)

    def _note(self, phone: Phone, status: int, body: bytes, now: float) -> None:
        self.answers.note(status, now - phone.connection.begun)
        found = _VERSION.search(body) if status == 200 else None
        if found is None:
            return
        version, watched = int(found[1]), phone.watched
        if phone.taps:
            watched.sent_at[version] = phone.connection.begun
            return
        for one in range(phone.version + 1, version + 1):
            sent = watched.sent_at.get(one)
            if sent is not None:
                self.changes.note(status, now - sent)
        phone.version = version


def let_in(port: int, games: int, phones: int) -> Iterator[Phone]:
    """New groups with a running game each, and the phones that tap and watch."""
    for _ in range(games):
        host = Http(port)
        game = PlainGame.started(host, "aggravation-rummy", "Anna Ben Cleo Dora Emil")
        host.post("/group/links/watch")
        shown = host.get("/group/links/watch").get_data(as_text=True)
        link = re.search(r"/join/[\w-]+", shown)
        assert link
        watched = Watched(game, host)
        yield Phone(watched, host.cookies, port, taps=True)
        for _phone in range(phones // games):
            guest = Http(port)
            assert guest.post(link[0]).status_code == 303
            yield Phone(watched, guest.cookies, port)


def report(*, short: bool, games: int = 200, phones: int = 1000) -> int:
    """Measure, print, and answer 1 if the goal is missed."""
    if short:
        games, phones = games // 10, phones // 10
    with serving(WORKERS="2", THREADS="4") as server:
        evening = Evening(list(let_in(server.port, games, phones)))
        evening.run(10)  # until every phone has the newest state
        evening.forget()
        evening.run(20 if short else 60)
    slow, faults = evening.changes.within(0.95) / 1000, evening.faults
    print(
        f"{phones} phones, {games} games, {evening.answers.rate:.0f} answers a second: "
        f"{len(evening.changes.times)} changes seen, half of them within "
        f"{evening.changes.within(0.5) / 1000:.2f} s, 95 % within {slow:.2f} s (goal: {GOAL} s), "
        f"99 % within {evening.changes.within(0.99) / 1000:.2f} s; {faults} errors"
    )
    return int(slow > GOAL or faults > 0)
