"""`python -m tests.bench.history`: pages, export and import with 10, 1,000 and 10,000 games.

The games are of five. Prints the median of each page on SQLite, by the processor, and with as many
on PostgreSQL, by the clock, and how often the database was asked; and says
whether export, import into an empty database (PostgreSQL, where it can be run) and export again
gives equal documents, and whether the facts that were kept equal those made anew. The exit status
is 1 where they do not, where a page takes more than 100 ms, or where one that shows few games takes
more than three times as long with many.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psycopg
from flask.testing import FlaskClient

from app import create_app
from app.exchange.files import serialize
from app.extensions import db
from tests.many_games import browser_in, counting_queries
from tests.postgres import NoPostgres, postgres_server
from tests.simulation import simulate_group

TOP = Path(__file__).parent.parent.parent
TIMES = 15
MOST_MS, MOST_RATIO = 100, 3.0
HELD_TO_RATIO = ("home", "history, first page", "history, last page")
Settings = dict[str, str]
"""Where an app has its database."""


@dataclass(frozen=True)
class Cost:
    """What a page costs: milliseconds at the median, and questions to the database."""

    by_clock: float
    by_processor: float
    queries: int


def fill(settings: Settings, games: int) -> None:
    """Bring simulated games of five players in."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.writelines(serialize(simulate_group(f"{games} games", games, 5, 14, Random(1))))
        file.flush()
        flask(settings, "import", file.name)


def flask(settings: Settings, *command: str) -> str:
    """What a `flask` command says that works on that database."""
    environment = {**os.environ, **settings, "SECRET_KEY": "x" * 32}
    done = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "app", *command],
        cwd=TOP,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def pages_of(client: FlaskClient) -> dict[str, str]:
    def text(address: str) -> str:
        return client.get(address).get_data(as_text=True)

    key = re.search(r"/games/(\w+)/rounds", text("/history"))[1]
    season = re.findall(r"/seasons/(\d+)", text("/seasons"))[-1]
    player = re.search(r"/players/(\d+)", text("/players"))[1]
    return {
        "home": "/",
        "history, first page": "/history",
        "history, last page": "/history?end=1",
        "history of a player": f"/history?with={player}",
        "history, words": "/history?words=zzz",
        "records": "/history/records",
        "records, one rule set": "/history/records?rules=frustration",
        "records, year and player": f"/history/records?year={season}&with={player}",
        "evenings": "/evenings",
        "seasons": "/seasons",
        "season": f"/seasons/{season}",
        "evenings, one rule set": "/evenings?rules=frustration",
        "evening": f"/evenings/{key}",
        "people": "/players",
        "people, with one": f"/players?with={player}",
        "player": f"/players/{player}",
        "milestones": f"/players/{player}/milestones",
        "game that is over": f"/games/{key}",
        "player, year": f"/players/{player}?year={season}",
        "player, with one": f"/players/{player}?with={int(player) % 5 + 1}",
        "record of a game": f"/games/{key}/rounds",
        "new game": "/games/new/frustration",
    }


def measured(settings: Settings) -> dict[str, Cost]:
    """What each page costs."""
    app = create_app({**settings, "SECRET_KEY": "x" * 32})
    client = browser_in(app, 1)
    found = {}
    for name, address in pages_of(client).items():
        client.get(address)
        with counting_queries(app) as asked:
            client.get(address)
        by_clock, by_processor = [], []
        for _ in range(TIMES):
            clock, processor = time.perf_counter(), time.thread_time()
            assert client.get(address).status_code == 200
            by_clock.append(1000 * (time.perf_counter() - clock))
            by_processor.append(1000 * (time.thread_time() - processor))
        times = statistics.median(by_clock), statistics.median(by_processor)
        found[name] = Cost(*times, len(asked))
    with app.app_context():
        db.engine.dispose()
    return found


def report(games: int) -> int:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        sizes = (10, 1000, games)
        plain = [{"INSTANCE_PATH": str(folder / str(size))} for size in sizes]
        many, other = plain[-1], {"INSTANCE_PATH": str(folder / "other")}
        try:
            server = stack.enter_context(postgres_server())
        except NoPostgres as reason:
            print(f"Nothing is measured on PostgreSQL: {reason}")
        else:
            server.execute("CREATE DATABASE other")
            other["DATABASE_URL"] = server.url("other")
        for size, settings in zip(sizes, plain, strict=True):
            begun = time.perf_counter()
            fill(settings, size)
            print(f"{size} games made in {time.perf_counter() - begun:.0f} s")
        good = pages_hold("SQLite", sizes, [measured(one) for one in plain])
        good &= documents_hold(folder, many, other)
        if "DATABASE_URL" in other:
            served = [{"DATABASE_URL": server.url(f"of_{size}")} for size in sizes[:-1]]
            for size, settings in zip(sizes, served, strict=False):
                server.execute(f"CREATE DATABASE of_{size}")
                fill(settings, size)
            served.append(other)
            for settings in served:
                with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
                    # As a server does by itself, sooner or later.
                    connection.execute("VACUUM ANALYZE")
            good &= pages_hold("PostgreSQL", sizes, [measured(one) for one in served])
        return 0 if good else 1


def pages_hold(database: str, sizes: Sequence[int], found: Sequence[dict[str, Cost]]) -> bool:
    """On SQLite by the processor, which others on the machine do not slow down as much."""
    good = True
    print(f"{f'page on {database}':28}" + "".join(f"{size:9}" for size in sizes) + "   queries")
    for name, cost in found[-1].items():
        costs = [one[name] for one in found]
        ms = [one.by_processor if database == "SQLite" else one.by_clock for one in costs]
        print(f"{name:28}" + "".join(f"{one:9.1f}" for one in ms) + f" {cost.queries:9}")
        good &= ms[-1] <= MOST_MS and (name not in HELD_TO_RATIO or ms[-1] / ms[0] <= MOST_RATIO)
    return good


def documents_hold(folder: Path, many: Settings, other: Settings) -> bool:
    first, second = folder / "first.json", folder / "second.json"
    for what, where, command in (
        ("export", many, ("export", str(first))),
        ("import into an empty database", other, ("import", str(first))),
        ("export again", other, ("export", str(second))),
        ("facts made anew", many, ("rebuild-stats",)),
    ):
        begun = time.perf_counter()
        said = flask(where, *command).strip().splitlines()[-1]
        print(f"{what}: {time.perf_counter() - begun:.0f} s, {said}")
    equal = first.read_bytes() == second.read_bytes()
    print(f"{first.stat().st_size / 1e6:.0f} MB; {'equal' if equal else 'NOT EQUAL'} documents")
    return equal and "were right" in said


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.history", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    return report(parser.parse_args().games)


if __name__ == "__main__":
    sys.exit(main())
