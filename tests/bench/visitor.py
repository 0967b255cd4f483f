"""A browser that was let in and a running game for it, as the measurements ask for them."""

import itertools
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.generator import Request
from tests.servers import Http, Production
from tests.web_table import PlainGame

PLAYERS = "Anna Ben Cleo Dora Emil"
ROUNDS = 6


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
            typed = {"Ben": "15", "Cleo": "80", "Dora": "95", "Emil": "100"}
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


def taps_at_tables(port: int, tables: int) -> list[Request]:
    """Taps at so many tables, each by a phone of its own."""
    return [Visitor.of(port).taps() for _ in range(tables)]


@contextmanager
def serving(**settings: str) -> Iterator[Production]:
    with (
        tempfile.TemporaryDirectory(prefix="mk-bench-") as folder,
        Production(Path(folder), settings, anew=True) as server,
    ):
        yield server
