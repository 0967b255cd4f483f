"""A stream of writes by several phones, what each was told, and what must hold of it afterwards.

Each phone owns one row and sets it to 1, 2, 3 …; a tap without an answer is sent again under the
same key, as a phone does, until it is answered. Whatever happened to the server meanwhile: every
acknowledged value is in the log, none twice, in order, and the row is what the log says last.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException

from sqlalchemy import create_engine, select, text

from app.store.games import LogEntry, StoredGame
from tests.servers import Http
from tests.waiting import NeverHappenedError, wait_until
from tests.web_table import PlainGame

NAMES = "Anna Ben Cleo"


@dataclass
class Writer:
    """One phone, its row, and the values that it was told are kept."""

    ports: list[int]
    phone: Http
    game: PlainGame
    seat: int
    acknowledged: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    """Statuses of answers that said the tap was not kept; it was sent again."""
    fault: str = ""

    def run(self, stop: threading.Event) -> None:
        value = 0
        while not stop.is_set():
            value += 1
            try:
                self._send(value)
            except NeverHappenedError as fault:
                self.fault = str(fault)
                return
            self.acknowledged.append(value)

    def _send(self, value: int) -> None:
        """Send a value until it is answered; by another server where one does not answer."""
        sent = {
            "changed": f"{self.seat}-typed",
            f"{self.seat}-typed": str(value),
            "request_key": f"{self.game.key}-{self.seat}-{value}",
        }
        address = f"/games/{self.game.key}/rounds/1/row"
        wait_until(lambda: self._accepted(address, sent), f"{value} is answered")

    def _accepted(self, address: str, sent: dict[str, str]) -> bool:
        try:
            answer = self.phone.post(address, sent, {"HX-Request": "true"})
        except (OSError, HTTPException):
            self._turn_to_the_next()
            return False
        if answer.status_code != 200:
            self.refused.append(answer.status_code)
        return answer.status_code == 200

    def _turn_to_the_next(self) -> None:
        self.ports.append(self.ports.pop(0))
        self.phone = Http(self.ports[0]).like(self.phone)


@dataclass
class Stream:
    """The phones of one game while they write."""

    game: PlainGame
    writers: list[Writer]

    @property
    def acknowledged(self) -> int:
        return sum(len(writer.acknowledged) for writer in self.writers)

    @property
    def faults(self) -> list[str]:
        return [writer.fault for writer in self.writers if writer.fault]

    def wait_for_more(self, count: int) -> None:
        """Wait until so many more taps were acknowledged."""
        goal = self.acknowledged + count
        wait_until(lambda: self.acknowledged >= goal or self.faults, pause=0.002)
        assert self.faults == []

    def check(self, database: str) -> None:
        """Hold what is kept against what the phones were told."""
        assert self.faults == []
        engine = create_engine(database)
        with engine.connect() as connection:
            game = connection.execute(
                select(StoredGame.id, StoredGame.version).where(StoredGame.key == self.game.key)
            ).one()
            log = connection.execute(
                select(LogEntry.version, LogEntry.seat_id, LogEntry.after)
                .where(LogEntry.game_id == game.id)
                .order_by(LogEntry.version)
            ).all()
            kept: dict[int, str] = dict(
                connection.execute(text("SELECT seat_id, typed FROM rows")).all()
            )
            if engine.dialect.name == "sqlite":
                assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
                assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
        engine.dispose()
        assert [entry.version for entry in log] == list(range(1, game.version + 1))
        for writer in self.writers:
            logged = [int(entry.after["typed"]) for entry in log if entry.seat_id == writer.seat]
            assert logged == list(range(1, len(logged) + 1)), "lost or doubled"
            assert len(logged) >= len(writer.acknowledged), "an acknowledged tap is not kept"
            assert kept[writer.seat] == str(logged[-1])


@contextmanager
def streaming(*ports: int) -> Iterator[Stream]:
    """A new game whose three phones write as fast as they are answered, until the block ends."""
    host = Http(ports[0])
    game = PlainGame.started(host, "frustration", NAMES, **{"rule-keep_score": "yes"})
    writers = [
        Writer(list(ports), Http(ports[0]).like(host), game, seat) for seat in game.seats.values()
    ]
    stop, stream = threading.Event(), Stream(game, writers)
    threads = [threading.Thread(target=writer.run, args=(stop,)) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        yield stream
    finally:
        stop.set()
        for thread in threads:
            thread.join()
