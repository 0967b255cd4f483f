"""`python -m tests.bench.history`: pages, export and import with ten and with ten thousand games.

The games are of five. Prints the median of each page with few and with many games on SQLite, by the
processor, and with many on PostgreSQL, by the clock, and how often the database was asked; and says
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
        few, many, other = (
            {"INSTANCE_PATH": str(folder / one)} for one in ("few", "many", "other")
        )
        try:
            server = stack.enter_context(postgres_server())
        except NoPostgres as reason:
            print(f"Nothing is measured on PostgreSQL: {reason}")
        else:
            server.execute("CREATE DATABASE other")
            other["DATABASE_URL"] = server.url("other")
        fill(few, 10)
        begun = time.perf_counter()
        fill(many, games)
        print(f"{games} games made in {time.perf_counter() - begun:.0f} s")
        good = pages_hold(measured(few), measured(many))
        good &= documents_hold(folder, many, other)
        if "DATABASE_URL" in other:
            with psycopg.connect(other["DATABASE_URL"], autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")  # as a server does by itself, sooner or later
            good &= postgresql_holds(measured(other))
        return 0 if good else 1


def pages_hold(small: dict[str, Cost], large: dict[str, Cost]) -> bool:
    good = True
    print(f"{'page on SQLite':24} {'few':>7} {'many':>7}  ratio   clock  queries")
    for name, cost in large.items():
        few, many = small[name].by_processor, cost.by_processor
        times = f"{few:7.1f} {many:7.1f}  x{many / few:4.1f} {cost.by_clock:7.1f}"
        print(f"{name:24} {times} {cost.queries:8}")
        good &= many <= MOST_MS and (name not in HELD_TO_RATIO or many / few <= MOST_RATIO)
    return good


def postgresql_holds(pages: dict[str, Cost]) -> bool:
    print(f"{'page on PostgreSQL':24} {'clock':>7}  queries")
    for name, cost in pages.items():
        print(f"{name:24} {cost.by_clock:7.1f} {cost.queries:8}")
    return all(cost.by_clock <= MOST_MS for cost in pages.values())


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
