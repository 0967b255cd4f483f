"""How fast a game's page and a saved tap are, side by side with ihatemoney in the same run.

Both are served by the same gunicorn with as many processes and threads, on SQLite; five people made
thirty entries in each. They take turns, and the median of the turns' ratios counts: the machine is
not quiet, and both share it with the phones of the measurement. A thousand phones follow.
"""

from dataclasses import dataclass

from tests.bench import phones
from tests.bench.generator import Measured, Request, at_full_speed
from tests.bench.peer import Project, bills_of_projects, serving_peer
from tests.bench.visitor import Visitor, serving, taps_at_tables

CONNECTIONS = 16
TURNS = 3


@dataclass(frozen=True)
class Race:
    """The same deed in both apps, and how many times as often a second ours is to be done."""

    name: str
    goal: float
    ours: list[Request]
    theirs: list[Request]


@dataclass(frozen=True)
class Turn:
    """What one turn of a race measured."""

    ours: Measured
    theirs: Measured

    @property
    def ratio(self) -> float:
        return self.ours.rate / self.theirs.rate

    @property
    def faults(self) -> int:
        """Answers of a fault."""
        both = [*self.ours.statuses.items(), *self.theirs.statuses.items()]
        return sum(count for status, count in both if status >= 400)


def report(*, short: bool, workers: int = 2, threads: int = 4) -> int:
    """Measure, print each turn and the ratios, and answer 1 if a goal is missed."""
    seconds = 2.0 if short else 8.0
    settings = {"WORKERS": str(workers), "THREADS": str(threads)}
    with serving(**settings) as server, serving_peer(workers, threads) as port:
        visitor, project = Visitor.of(server.port), Project.of(port, "page")
        taps = taps_at_tables(server.port, CONNECTIONS)
        bills = bills_of_projects(port, CONNECTIONS)
        races = [
            Race("page", 10, [visitor.get(f"/games/{visitor.game.key}")], [project.page()]),
            Race("saving", 4, taps, bills),
        ]
        turns: dict[str, list[Turn]] = {race.name: [] for race in races}
        print(f"{'':8}{'turn':>5}{'ours a second':>16}{'ihatemoney':>12}{'ratio':>8}  statuses")
        for number in range(1, TURNS + 1):
            for race in races:
                turn = Turn(
                    at_full_speed(server.port, race.ours, connections=CONNECTIONS, seconds=seconds),
                    at_full_speed(port, race.theirs, connections=CONNECTIONS, seconds=seconds),
                )
                turns[race.name].append(turn)
                print(
                    f"{race.name:8}{number:5}{turn.ours.rate:16.1f}{turn.theirs.rate:12.1f}"
                    f"{turn.ratio:8.1f}  {turn.ours.statuses} {turn.theirs.statuses}",
                    flush=True,
                )
    missed = [race.name for race in races if not _is_won(race, turns[race.name])]
    return int(bool(missed) | phones.report(short=short))


def _is_won(race: Race, turns: list[Turn]) -> bool:
    """Does the median reach the goal, and was every answer one? Prints both."""
    ratio = sorted(turn.ratio for turn in turns)[len(turns) // 2]
    faults = sum(turn.faults for turn in turns)
    print(f"{race.name}: {ratio:.1f} times ihatemoney (goal: {race.goal}); {faults} errors")
    return ratio >= race.goal and not faults
