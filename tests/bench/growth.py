"""How the cost grows with groups, games and phones that are at their tables at once.

One server, and step by step more tables: each has a group of its own, five phones that watch it,
and a tap every ten seconds, as in `phones.py`. What a group's past costs is `make bench-history`.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.generator import Measured
from tests.bench.phones import GOAL, Evening, let_in
from tests.bench.visitor import serving
from tests.servers import Production

STEPS = (50, 100, 200, 400, 600)
PHONES_AT_A_TABLE = 5
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Step:
    """What so many tables cost."""

    tables: int
    changes: Measured
    answers: Measured
    busy: float
    """How many cores the server was busy on."""
    megabytes: float
    """The server's memory, that of the shared parts counted once for each process."""
    faults: int

    def line(self) -> str:
        phones = self.tables * PHONES_AT_A_TABLE
        return (
            f"{self.tables:7} {phones:7} {self.answers.rate:10.0f} {self.busy:10.2f} "
            f"{self.megabytes:10.0f} {self.answers.within(0.5):8.1f} ms "
            f"{self.answers.within(0.99):8.1f} ms {self.changes.within(0.5) / 1000:7.2f} s "
            f"{self.changes.within(0.95) / 1000:7.2f} s {self.faults:7}"
        )


def steps(server: Production, tables: tuple[int, ...], seconds: float) -> Iterator[Step]:
    """The same server with more and more tables."""
    phones: list[Any] = []
    for count in tables:
        more = count - len(phones) // (PHONES_AT_A_TABLE + 1)
        phones += list(let_in(server.port, more, more * PHONES_AT_A_TABLE))
        evening = Evening(phones)
        evening.run(5)
        evening.forget()
        before = seconds_busy(server.workers)
        evening.run(seconds)
        busy = (seconds_busy(server.workers) - before) / evening.answers.seconds
        yield Step(
            count,
            evening.changes,
            evening.answers,
            busy,
            megabytes_of(server.workers),
            evening.faults,
        )


def report(*, short: bool) -> int:
    """Measure, print the table, and answer 1 if the first steps are too slow already."""
    chosen, seconds = (STEPS[:1], 10.0) if short else (STEPS, 30.0)
    heads = ("tables", "phones", "answers/s", "cores busy", "memory MB", "answer 50 %", "99 %")
    print(" ".join(f"{head:>9}" for head in (*heads, "change 50 %", "95 %", "errors")))
    with serving(WORKERS="2", THREADS="4") as server:
        first = None
        for step in steps(server, chosen, seconds):
            print(step.line(), flush=True)
            first = first or step
    assert first is not None
    return int(first.faults > 0 or first.changes.within(0.95) / 1000 > GOAL)


def seconds_busy(processes: Iterable[int]) -> float:
    """How long these processes have used a core so far."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICK


def megabytes_of(processes: Iterable[int]) -> float:
    """Their memory, that of the shared parts counted once for each."""
    pages = 0
    for process in processes:
        pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
