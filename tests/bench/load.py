"""How fast pages are, side by side with a bare Flask page on the same server in the same run.

The goals are shares of that page's requests a second, so that they hold on any machine.
"""

import itertools
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.generator import Measured, Request, at_full_speed, at_rate
from tests.bench.hello import serving_hello
from tests.servers import Http, Production
from tests.web_table import PlainGame

PLAYERS = "Anna Ben Cleo Dora Emil"
ROUNDS = 6
CONNECTIONS = 16
TURNS = 3
"""Yardstick and pages take turns, and the median of the turns counts: the machine is not quiet."""


@dataclass(frozen=True)
class Asked:
    """A request to measure, and the share of the yardstick that it is to reach."""

    name: str
    goal: float
    request: Request


@dataclass
class Visitor:
    """A browser that was let in, and a running game of five with some rounds behind it."""

    http: Http
    game: PlainGame

    @classmethod
    def of(cls, port: int, rounds: int = ROUNDS) -> "Visitor":
        http = Http(port)
        game = PlainGame.started(http, "aggravation-rummy", PLAYERS)
        for number in range(1, rounds + 1):
            typed = {"Ben": "15", "Cleo": "30", "Dora": "45", "Emil": "50"}
            assert game.close(number, out="Anna", met="Ben", **typed).status_code == 303
        return cls(http, game)

    @property
    def number(self) -> int:
        """The number of the open round."""
        found = re.search(r"/rounds/(\d+)/close", self.game.page)
        assert found
        return int(found[1])

    @property
    def version(self) -> int:
        """The game's version, as the page carries it."""
        found = re.search(r'name="seen" value="(\d+)"', self.game.page)
        assert found
        return int(found[1])

    def get(self, address: str, *more: str) -> Request:
        """The same question again and again."""
        lines = [f"GET {address} HTTP/1.1", *self._lines, *more]
        asked = ("\r\n".join(lines) + "\r\n\r\n").encode()
        return lambda: asked

    def taps(self) -> Request:
        """Taps on the open round by a phone that shows the game as each one leaves it.

        Each says another value, with a key of its own.
        """
        seats, counter = list(self.game.seats.values()), itertools.count()
        path, version = f"/games/{self.game.key}/rounds/{self.number}/row", self.version
        head = "\r\n".join(
            [
                f"POST {path} HTTP/1.1",
                *self._lines,
                "HX-Request: true",
                f"X-CSRFToken: {self.http.token}",
                "Content-Type: application/x-www-form-urlencoded",
            ]
        )
        run = id(counter)

        def tap() -> bytes:
            number = next(counter)
            field = f"{seats[number % len(seats)]}-typed"
            value = 5 * (1 + number // len(seats) % 30)
            shown = f"seen={version + number}&shows={version + number}"
            body = f"changed={field}&{field}={value}&request_key=load-{run}-{number}&{shown}"
            return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

        return tap

    @property
    def _lines(self) -> list[str]:
        return ["Host: localhost", f"Cookie: {self.http.cookies}"]


def taps_at_tables(port: int, tables: int) -> Request:
    """Taps at so many tables in turn."""
    tables_in_turn = itertools.cycle([Visitor.of(port).taps() for _ in range(tables)])

    def tap() -> bytes:
        return next(tables_in_turn)()

    return tap


@contextmanager
def serving(**settings: str) -> Iterator[Production]:
    with (
        tempfile.TemporaryDirectory(prefix="mk-bench-") as folder,
        Production(Path(folder), settings) as server,
    ):
        yield server


def questions(visitor: Visitor, taps: Request) -> list[Asked]:
    """What is measured, with its goal; the taps go to other games."""
    page = f"/games/{visitor.game.key}"
    check = f"{page}/live?v={visitor.version}"
    return [
        Asked("live check", 0.60, visitor.get(check, "HX-Request: true")),
        Asked("game page", 0.13, visitor.get(page)),
        Asked("game fragment", 0.16, visitor.get(page, "HX-Request: true")),
        Asked("saved tap", 0.10, taps),
    ]


def report(*, short: bool, workers: int = 2, threads: int = 4) -> int:
    """Measure, print the table, and answer 1 if a goal is missed."""
    seconds = 1.0 if short else 4.0
    settings = {"WORKERS": str(workers), "THREADS": str(threads)}
    with serving(**settings) as server, serving_hello(workers, threads) as hello:
        visitor, taps = Visitor.of(server.port), taps_at_tables(server.port, CONNECTIONS)
        asked = questions(visitor, taps)
        rates: dict[str, list[float]] = {}
        last: dict[str, Measured] = {}

        def measure(name: str, port: int, request: Request) -> None:
            last[name] = at_full_speed(port, request, connections=CONNECTIONS, seconds=seconds)
            rates.setdefault(name, []).append(last[name].rate)

        plain: Callable[[], bytes] = lambda: b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"  # noqa: E731
        for _turn in range(TURNS):
            measure("hello", hello, plain)
            for one in asked:
                measure(one.name, server.port, one.request)
        middle = {name: sorted(of)[len(of) // 2] for name, of in rates.items()}
        missed = _print_shares(asked, middle, last)
        half = at_rate(
            server.port,
            taps,
            connections=CONNECTIONS,
            seconds=2 * seconds,
            rate=middle["saved tap"] / 2,
        )
        slowest = half.within(0.99)
        print(f"saved taps at half of full load: 99 % within {slowest:.1f} ms (goal: 50 ms)")
        return int(missed or slowest > 50)


def _print_shares(asked: list[Asked], middle: dict[str, float], last: dict[str, Measured]) -> bool:
    print(f"{'':16}{'a second':>10}{'of hello':>10}{'goal':>8}{'median':>10}{'99 %':>10}  statuses")
    print(f"{'hello':16}{middle['hello']:10.0f}{'':>18}")
    missed = False
    for one in asked:
        share, of = middle[one.name] / middle["hello"], last[one.name]
        missed |= share < one.goal or any(status >= 400 for status in of.statuses)
        print(
            f"{one.name:16}{middle[one.name]:10.0f}{share:10.1%}{one.goal:8.0%}"
            f"{of.within(0.5):7.1f} ms{of.within(0.99):7.1f} ms  {of.statuses}"
        )
    return missed
