"""Thousands of phones that listen behind nginx with nchan, on the cores that the server has, too.

First the same number of changes for more and more phones; then all tables are played at; then the
engine is away for ten seconds. Two processes are the phones.
"""

import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep

from app import create_app
from app.actions.games import StartPlan, start_game
from app.actions.groups import JoiningBrowser, Role, admit, let_in_first_device
from app.actions.requests import Actor
from app.extensions import db
from app.rules.rule_sets import rule_set_by_id
from app.store.engine import meaning_to_write
from app.store.queries.games import game_id_in_group, load_game
from tests.bench.growth import PHONES_AT_A_TABLE, megabytes_of, seconds_busy
from tests.bench.listeners import Listener, Loop, Tapper, Told, now
from tests.bench.phones import Watched
from tests.bench.visitor import PLAYERS, serving
from tests.deployment.proxies import NCHAN, nginx
from tests.servers import KEY, Http, Production, free_port
from tests.web_table import PlainGame

STEPS = (1_000, 5_000, 10_000)
CHANGES = 10.0
"""A second, in all, while the phones grow."""
TAPS_EVERY = 120.0
"""Seconds between two taps at a table while all are played at."""
SETTLING, BEFORE, AWAY, AFTER = 5.0, 10.0, 10.0, 40.0
GOAL, GOAL_AFTER = 0.3, 25.0
Table = tuple[Watched, list[str]]
"""A table and the secrets of its phones."""


def tables_on(folder: Path, port: int, count: int) -> Iterator[Table]:
    """New groups with a running game each, written straight into the server's database."""
    first = Http(port)
    first.get("/games/new")
    cookies = dict(one.split("=", 1) for one in first.cookies.split("; "))
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": KEY})
    plan = StartPlan(rule_set_by_id("aggravation-rummy"), PLAYERS.split(), 0)
    with app.app_context(), meaning_to_write():
        session = db.session()
        for _ in range(count):
            at, host = datetime.now(UTC), JoiningBrowser()
            first_device = let_in_first_device(session, host, at)
            group = first_device.group
            guests = [JoiningBrowser() for _ in range(PHONES_AT_A_TABLE)]
            for guest in guests:
                admit(session, guest, group, Role.WATCH, at)
            key = start_game(session, Actor(first_device.device, at), group, plan)
            game = load_game(session, game_id_in_group(session, group, key) or 0).game
            client = Http(port).like(first).with_cookies({**cookies, "meldkeeper": host.secret})
            seats = {seat.name: seat.id for seat in game.seats}
            yield Watched(PlainGame(client, key, seats), client), [one.secret for one in guests]


@dataclass
class Result:
    """What the phones of all processes measured, and how they were in the end."""

    told: Told = field(default_factory=Told)
    listening: int = 0
    behind: int = 0
    """How many do not show the newest version of their table."""
    seconds_late: float = 0.0

    def add(self, told: Told, listening: int, behind: int) -> None:
        self.told.changes += told.changes
        self.told.answers += told.answers
        self.told.faults += told.faults
        self.listening, self.behind = self.listening + listening, self.behind + behind

    def within(self, share: float) -> float:
        """Within how many seconds that share of the changes was shown."""
        ordered = sorted(shown - sent for sent, shown in self.told.changes)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def line(self, seconds: float) -> str:
        return (
            f"{self.told.answers / seconds:.0f} answers a second, {len(self.told.changes)} changes "
            f"shown, half within {1000 * self.within(0.5):.0f} ms, 99 % within "
            f"{1000 * self.within(0.99):.0f} ms, faults {dict(self.told.faults) or 'none'}"
        )


def be_phones(asked: Connection, tables: list[Table], proxy: int, host: int) -> None:
    """The process of so many phones: runs as it is told and answers what it measured.

    Told are how many of the tables have phones, the pause between two taps at a table, seconds.
    """
    loop, told = Loop(), Told()
    listeners: list[Listener] = []
    tappers = [Tapper(loop, watched, host, told) for watched, _secrets in tables]
    while True:
        count, pause, seconds = asked.recv()
        fresh = tables[len(listeners) // PHONES_AT_A_TABLE : count]
        more = [Listener(loop, at, secret, proxy, told) for at, all_ in fresh for secret in all_]
        listeners += more
        for number, one in enumerate(more):
            loop.at(now() + number / 500, one.plan)
        told.changes, told.answers, told.faults = [], 0, Counter()
        begun = now()
        for number, tapper in enumerate(tappers[:count]):
            moment = begun + pause * (number * 0.618 % 1)
            while pause and moment < begun + seconds:
                loop.at(moment, tapper.tap)
                moment += pause
        loop.run(begun + seconds)
        behind = sum(one.is_behind for one in listeners)
        asked.send((told, sum(one.is_open for one in listeners), behind))


class Phones:
    """All the phones, in two processes."""

    def __init__(self, tables: list[Table], proxy: int, host: int) -> None:
        self._wires = []
        for half in (tables[::2], tables[1::2]):
            ours, theirs = multiprocessing.Pipe()
            arguments = (theirs, half, proxy, host)
            multiprocessing.Process(target=be_phones, args=arguments, daemon=True).start()
            self._wires.append(ours)

    def begin(self, phones: int, pause: float, seconds: float) -> None:
        for wire in self._wires:
            wire.send((phones // PHONES_AT_A_TABLE // 2, pause, seconds))

    def end(self) -> Result:
        result = Result()
        for wire in self._wires:
            result.add(*wire.recv())
        return result

    def run(self, phones: int, pause: float, seconds: float) -> Result:
        self.begin(phones, pause, seconds)
        return self.end()


@dataclass
class Bench:
    """The server, the proxy with its streams, and the phones."""

    server: Production
    folder: Path
    engine: int
    port: int = field(default_factory=free_port)
    running: ExitStack = field(default_factory=ExitStack)

    def start_engine(self) -> None:
        host = f"127.0.0.1:{self.server.port}"
        self.running.enter_context(
            nginx([host], self.folder, port=self.port, engine=self.engine, connections=19_000)
        )

    def stop_engine(self) -> None:
        self.running.close()

    def measure(self, phones: Phones, count: int, pause: float, seconds: float) -> Result:
        """Let so many phones look, with so long between two taps at a table, and print a line."""
        phones.run(count, 0, SETTLING + count / 1000)
        workers, proxy = self.server.workers, self._proxy()
        before = seconds_busy(workers), seconds_busy(proxy)
        result = phones.run(count, pause, seconds)
        busy = [(seconds_busy(workers) - before[0]) / seconds]
        busy.append((seconds_busy(proxy) - before[1]) / seconds)
        print(
            f"{count:6} phones, {result.listening:6} streams: {result.line(seconds)}; cores busy: "
            f"app {busy[0]:.2f}, nginx {busy[1]:.2f} ({megabytes_of(proxy):.0f} MB); "
            f"load of the machine {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        return result

    def take_away(self, phones: Phones, count: int, pause: float) -> Result:
        """Stop the engine for ten seconds in the middle, and print how late all were current."""
        phones.begin(count, pause, BEFORE + AWAY + AFTER)
        sleep(BEFORE)
        self.stop_engine()
        sleep(AWAY)
        back = now()
        self.start_engine()
        result = phones.end()
        last = max((shown for sent, shown in result.told.changes if sent < back), default=back)
        result.seconds_late = last - back
        result.behind = phones.run(count, 0, GOAL_AFTER).behind
        print(
            f"{count:6} phones, nginx away for {AWAY:.0f} s: all that was entered before is shown "
            f"{last - back:.1f} s after (goal: {GOAL_AFTER:.0f} s); in the end {result.behind} "
            f"are not current; faults meanwhile: {dict(result.told.faults)}",
            flush=True,
        )
        return result

    def _proxy(self) -> list[int]:
        master = int((self.folder / "nginx.pid").read_text())
        task = Path(f"/proc/{master}/task/{master}/children")
        return [int(child) for child in task.read_text().split()]


def report(*, short: bool) -> int:
    """Measure, print, and answer 1 if a goal is missed; 0, too, where there is no nchan."""
    if not NCHAN.exists():
        print("push: nginx with nchan is not installed")
        return 0
    steps = [one // 20 for one in STEPS] if short else STEPS
    seconds, most, engine = 10.0 if short else 20.0, steps[-1], free_port()
    with (
        tempfile.TemporaryDirectory(prefix="mk-push-") as folder,
        serving(PUSH_URL=f"http://127.0.0.1:{engine}/announce") as server,
    ):
        tables = list(tables_on(server.folder, server.port, most // PHONES_AT_A_TABLE))
        bench = Bench(server, Path(folder), engine)
        phones = Phones(tables, bench.port, server.port)
        bench.start_engine()
        for count in steps:
            bench.measure(phones, count, count / PHONES_AT_A_TABLE / CHANGES, seconds)
        result = bench.measure(phones, most, TAPS_EVERY, seconds)
        slow, faults = result.within(0.99), result.told.faults.total()
        away = bench.take_away(phones, most, TAPS_EVERY)
        bench.stop_engine()
    late = away.behind > 0 or away.seconds_late > GOAL_AFTER
    return int(slow > GOAL or faults > 0 or late)
