"""`python -m tests.bench`: measures the solver and prints tables; exit status 1 if answers differ.

`--short` asks fewer questions, `--long` a million random hands as well.
"""

import argparse
import sys

from tests.bench import solver


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer questions")
    parser.add_argument("--long", action="store_true", help="a million random hands as well")
    chosen = parser.parse_args()
    return solver.report(short=chosen.short, long=chosen.long)


if __name__ == "__main__":
    sys.exit(main())
