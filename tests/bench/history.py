"""`python -m tests.bench.history`: pages, export and import with 10, 1,000 and 10,000 games.

The games are of five. Prints what each page takes of the processor on SQLite, and with as many
games on PostgreSQL with what its server takes, and how often the database was asked. Of each page
whose games can be chosen it prints the dearest choice: all that the filter offers is tried, alone
and together. And it says whether export, import into an empty database (PostgreSQL, where it can be
run) and export again gives equal documents, and whether the facts that were kept equal those made
anew. The exit status is 1 where they do not, where a page takes more than 100 ms, or where one that
shows few games takes more than three times as long with many.
"""

import argparse
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import psycopg
from flask import Flask, url_for
from flask.testing import FlaskClient

from app import create_app
from app.exchange.files import serialize
from app.extensions import db
from app.web.game_parts.selection import FILTERED_PAGES, SelectionQuery
from tests.many_games import browser_in, counting_queries
from tests.postgres import NoPostgres, PostgresServer, postgres_server
from tests.simulation import simulate_group

TOP = Path(__file__).parent.parent.parent
TIMES = 15
MOST_MS, MOST_RATIO = 100, 3.0
HELD_TO_RATIO = ("home", "history, first page", "history, last page")
Settings = dict[str, str]
"""Where an app has its database."""


@dataclass(frozen=True)
class Cost:
    """What a page costs: milliseconds of processors, and questions to the database."""

    ms: float
    queries: int
    choice: str = ""
    """Which games, where that was the dearest."""


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
        "history, words": "/history?words=zzz",
        "records": "/history/records",
        "evenings": "/evenings",
        "seasons": "/seasons",
        "season": f"/seasons/{season}",
        "evening": f"/evenings/{key}",
        "people": "/players",
        "player": f"/players/{player}",
        "milestones": f"/players/{player}/milestones",
        "game that is over": f"/games/{key}",
        "record of a game": f"/games/{key}/rounds",
        "new game": "/games/new/frustration",
    }


def choices() -> list[dict[str, Any]]:
    """All that can be chosen together of the filter, the most games where it is by days."""
    offered: dict[str, list[Any]] = {
        "season": ["2016"],
        "year": ["2016"],
        "since": ["2016-01-01"],
        "until": ["2030-12-31"],
        "rules": ["frustration"],
        "with": [[2], [2, 3, 4]],
    }
    fields = {one.name for one in SelectionQuery()} - {"csrf_token", "request_key"}
    assert offered.keys() == fields, "what is to be chosen of the filter?"
    drawn = itertools.product(*([None, *values] for values in offered.values()))
    return [
        {name: value for name, value in zip(offered, one, strict=True) if value} for one in drawn
    ]


def pages_with_filter(app: Flask) -> dict[str, list[str]]:
    """Each page whose games can be chosen, with every choice; files are no pages."""
    found = {}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint in FILTERED_PAGES and "." not in rule.rule:
                place: dict[str, Any] = {name: {"player": 1}[name] for name in rule.arguments}
                addresses = [url_for(rule.endpoint, **place, **one) for one in choices()]
                found[addresses[0]] = addresses
    return found


def measured(settings: Settings, server: PostgresServer | None = None) -> dict[str, Cost]:
    """What each page costs."""
    app = create_app({**settings, "SECRET_KEY": "x" * 32})
    client = browser_in(app, 1)

    def cost(address: str, times: int = TIMES) -> Cost:
        client.get(address)
        with counting_queries(app) as asked:
            client.get(address)
        took, before = [], processor_of(server)
        for _ in range(times):
            begun = time.thread_time()
            assert client.get(address).status_code == 200, address
            took.append(time.thread_time() - begun)
        beside = (processor_of(server) - before) / times
        return Cost(
            1000 * (statistics.median(took) + beside), len(asked), address.partition("?")[2]
        )

    found = {name: replace(cost(address), choice="") for name, address in pages_of(client).items()}
    for name, addresses in pages_with_filter(app).items():
        dearest = sorted(addresses, key=lambda one: cost(one, 1).ms)[-3:]
        found[f"{name}, any choice"] = max(map(cost, dearest), key=lambda one: one.ms)
    with app.app_context():
        db.engine.dispose()
    return found


def processor_of(server: PostgresServer | None) -> float:
    """The seconds that a server's processes have had of the processors, also those that ended."""
    if server is None or server.process is None:
        return 0.0
    of, ticks = server.process.pid, 0
    for process in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # After the name: state, parent, …; 11 to 14 are times, of itself and of its children.
            fields = process.read_text().rpartition(")")[2].split()
            if process.parent.name == str(of):
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == str(of):
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


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
            good &= pages_hold("PostgreSQL", sizes, [measured(one, server) for one in served])
        return 0 if good else 1


def pages_hold(database: str, sizes: Sequence[int], found: Sequence[dict[str, Cost]]) -> bool:
    good = True
    print(f"{f'page on {database}':36}" + "".join(f"{size:9}" for size in sizes) + "   queries")
    for name, cost in found[-1].items():
        ms = [one[name].ms for one in found]
        took = "".join(f"{one:9.1f}" for one in ms)
        print(f"{name:36}{took} {cost.queries:9}  {cost.choice}")
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
