"""Page, live check and tap on PostgreSQL, with one host and with two, beside SQLite in one run.

They take turns, and the median of the turns' ratios counts. On a machine of few cores, which hosts,
database and measurement share, a second host shows what it costs and not what it brings.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.bench.generator import Request, at_full_speed
from tests.bench.visitor import Visitor, taps_at_tables
from tests.postgres import PostgresServer, postgres_server
from tests.servers import Production

CONNECTIONS = 16
TURNS = 5


def report(*, short: bool) -> int:
    """Measure, and print answers a second, each with its ratio to SQLite."""
    seconds = 1.5 if short else 4.0
    with postgres_server(durable=True) as postgres, ExitStack() as running:
        asked = {
            "SQLite": running.enter_context(_hosts(1, None)),
            "PostgreSQL": running.enter_context(_hosts(1, postgres)),
            "PostgreSQL, two hosts": running.enter_context(_hosts(2, postgres)),
        }
        rates = [
            {
                (what, name): at_full_speed(
                    ports, requests[what], connections=CONNECTIONS, seconds=seconds
                ).rate
                for what in ("page", "live", "tap")
                for name, (ports, requests) in asked.items()
            }
            for _ in range(TURNS)
        ]
    for what, name in rates[0]:
        rate = median(turn[what, name] for turn in rates)
        ratio = median(turn[what, name] / turn[what, "SQLite"] for turn in rates)
        print(f"{what:6}{name:24}{rate:10.0f} a second{ratio:8.2f} of SQLite")
    return 0


@contextmanager
def _hosts(
    count: int, postgres: PostgresServer | None
) -> Iterator[tuple[list[int], Mapping[str, list[Request]]]]:
    """The ports of so many hosts on a database of their own, and what they are asked."""
    with tempfile.TemporaryDirectory(prefix="mk-bench-") as made, ExitStack() as running:
        folder = Path(made)
        database = f"sqlite:///{folder}/scores.sqlite"
        if postgres is not None:
            name = f"hosts_{count}"
            postgres.copy("template0", name)
            database = postgres.url(name)
        ports = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir()
            settings = {"DATABASE_URL": database, "LOG_LEVEL": "error"}
            ports.append(running.enter_context(Production(own, settings, anew=True)).port)
        visitor = Visitor.of(ports[0])
        game = f"/games/{visitor.game.key}"
        yield (
            ports,
            {
                "page": [visitor.get(game)],
                "live": [visitor.get(f"{game}/live?v={visitor.version}")],
                "tap": taps_at_tables(ports[0], CONNECTIONS),
            },
        )
