"""`python -m tests.bench`: measures and prints tables; exit status 1 where a goal is missed.

`solver` measures the hand solver, `peers` pages and taps beside another app, and a thousand phones,
`phones` these and ten thousand with push, `growth` how the cost grows, `databases` PostgreSQL
beside SQLite, `waits` what people wait for; without a name all but `phones`. `--short` asks less,
`--long` a million random hands more.
"""

import argparse
import sys
from collections.abc import Callable

from tests.bench import databases, growth, peers, phones, push, waits


def _solver(chosen: argparse.Namespace) -> int:
    from tests.bench import solver  # its yardstick is large

    return solver.report(short=chosen.short, long=chosen.long)


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], int]] = {
    "solver": _solver,
    "peers": lambda chosen: peers.report(short=chosen.short),
    "phones": lambda chosen: phones.report(short=chosen.short) | push.report(short=chosen.short),
    "growth": lambda chosen: growth.report(short=chosen.short),
    "databases": lambda chosen: databases.report(short=chosen.short),
    "waits": lambda chosen: waits.report(short=chosen.short),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer questions")
    parser.add_argument("--long", action="store_true", help="a million random hands as well")
    parser.add_argument(
        "what", nargs="*", choices=[*MEASUREMENTS, []], help="all but phones, if none is named"
    )
    chosen = parser.parse_args()
    names = chosen.what or [name for name in MEASUREMENTS if name != "phones"]
    missed = [MEASUREMENTS[name](chosen) for name in names]
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
