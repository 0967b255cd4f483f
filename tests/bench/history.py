"""`python -m tests.bench.history`: pages, export and import with ten and with ten thousand games.

Prints the median of each page at both sizes and their ratio, and says whether export, import into
an empty database and export again gives equal documents, and whether the statistics that were kept
equal those made anew. The exit status is 1 where they do not, or where a page takes more than three
times as long with many games or more than 150 ms.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from flask.testing import FlaskClient

from app import create_app
from tests.many_games import browser_in

TOP = Path(__file__).parent.parent.parent
TIMES = 15
MOST_MS, MOST_RATIO = 150, 3.0
HELD_TO_RATIO = ("home", "history, first page", "history, last page", "player")


def flask(folder: Path, *command: str) -> str:
    """What a `flask` command says that works on the database in that folder."""
    environment = {**os.environ, "INSTANCE_PATH": str(folder), "SECRET_KEY": "x" * 32}
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
    player = re.search(r"/players/(\d+)", text("/players"))[1]
    return {
        "home": "/",
        "history, first page": "/history",
        "history, last page": "/history?end=1",
        "history of a player": f"/history?player={player}",
        "history, words": "/history?words=zzz",
        "records": "/history/records",
        "people": "/players",
        "player": f"/players/{player}",
        "record of a game": f"/games/{key}/rounds",
        "new game": "/games/new/frustration",
    }


def measured(folder: Path) -> dict[str, tuple[float, float]]:
    """Page, and its median in ms by the clock and by the processor."""
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "x" * 32})
    client = browser_in(app, 1)
    found = {}
    for name, address in pages_of(client).items():
        client.get(address)
        by_clock, by_processor = [], []
        for _ in range(TIMES):
            clock, processor = time.perf_counter(), time.thread_time()
            assert client.get(address).status_code == 200
            by_clock.append(1000 * (time.perf_counter() - clock))
            by_processor.append(1000 * (time.thread_time() - processor))
        found[name] = statistics.median(by_clock), statistics.median(by_processor)
    return found


def report(games: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        few, many, empty = (Path(folder) / name for name in ("few", "many", "empty"))
        flask(few, "seed", "--games", "10")
        begun = time.perf_counter()
        flask(many, "seed", "--games", str(games))
        print(f"{games} games made in {time.perf_counter() - begun:.0f} s")
        good = pages_hold(measured(few), measured(many))
        return 0 if good & documents_hold(Path(folder), many, empty) else 1


def pages_hold(small: dict, large: dict) -> bool:
    good = True
    print(f"{'page':22} {'few':>7} {'many':>7}  ratio   (ms by the processor; by the clock)")
    for name, (clock, processor) in large.items():
        ratio = processor / small[name][1]
        print(f"{name:22} {small[name][1]:7.1f} {processor:7.1f}  x{ratio:.1f}    {clock:.1f}")
        good &= processor <= MOST_MS and (name not in HELD_TO_RATIO or ratio <= MOST_RATIO)
    return good


def documents_hold(folder: Path, many: Path, empty: Path) -> bool:
    first, second = folder / "first.json", folder / "second.json"
    for what, where, command in (
        ("export", many, ("export", str(first))),
        ("import into an empty database", empty, ("import", str(first))),
        ("export again", empty, ("export", str(second))),
        ("statistics made anew", many, ("rebuild-stats",)),
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
