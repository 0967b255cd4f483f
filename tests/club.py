"""What the simulated club's evenings come to: plain Python over the exported document.

It shares no code with the app, and imports none of it.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise

from flask.testing import FlaskClient


def exported(client: FlaskClient) -> dict:
    """The document that a browser is given."""
    return json.loads(client.get("/data/export.json").get_data(as_text=True))


@dataclass
class Played:
    """A game of the export, reckoned: who came to what place, and each player's tries."""

    key: str
    variant: str
    started: datetime
    ended: datetime
    places: dict[str, int]
    tries: dict[tuple[str, int], list[bool]]
    """Whether each round of a player on a contract laid it down for good."""
    rounds: dict[str, int]
    """Those with contracts."""
    met: dict[str, int]
    penalty: dict[str, int]
    by_points: bool
    worths: list[dict[str, int]]
    """Where each of them stood after each round: the less the better."""
    lasted: list[float]
    """How many seconds each round took."""
    stopped: bool = False
    """Before its end, by hand."""
    points_apart: int | None = None
    """How far points set the winners apart from who had laid down as many contracts."""
    evening: int = 0

    @property
    def winners(self) -> list[str]:
        return [name for name, place in self.places.items() if place == 1]

    @property
    def margin(self) -> int | None:
        """How far the next best were behind the winners."""
        last = self.worths[-1]
        if len(self.winners) > 1:
            return 0
        won, others = ([last[n] for n in last if (n in self.winners) == of] for of in (True, False))
        return max(0, min(others) - min(won)) if others else None

    @property
    def comeback(self) -> int:
        """How far a winner had been behind the best at most."""
        return max(of[n] - min(of.values()) for of in self.worths for n in of if n in self.winners)


def games_of(document: dict) -> list[Played]:
    """The finished games of a document in the order of their ends, with their evenings."""
    kept = [one for one in document["games"] if "deleted_at" not in one]
    evening, last = 0, None
    numbers = {}
    for game in sorted(kept, key=lambda one: one["started_at"]):
        started, mark = moment(game["started_at"]), game.get("evening")
        late = last is None or started - last >= timedelta(hours=6)
        if last is None or mark == "begins" or (mark is None and late):
            evening += 1
        ended = moment(game.get("finished_at") or game["started_at"])
        ended += timedelta(hours=12 if "paper" in game else 0)  # to the end of its day
        last = ended if last is None else max(last, ended)
        numbers[game["key"]] = evening
    finished = [
        reckoned(one, document["rule_sets"][one["rules"]]) for one in kept if "finished_at" in one
    ]
    for game in finished:
        game.evening = numbers[game.key]
    return sorted(finished, key=lambda one: one.ended)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def reckoned(game: dict, rule_set: dict) -> Played:
    rules = {k: v["value"] for k, v in rule_set.items() if isinstance(v, dict) and "value" in v}
    names = [one["player"] for one in game["seats"]]
    if not rules["contracts"]:
        return reckoned_by_points(game, rules, rule_set["id"])
    last = rules.get("last_contract", len(rules["contracts"]))
    done, score = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    met, count, penalty = (dict.fromkeys(names, 0) for _ in range(3))
    tries: dict[tuple[str, int], list[bool]] = {}
    worths: list[dict[str, int]] = []
    by_points = rules["win"] == "lowest_score"
    finisher = None
    for played in game["rounds"]:
        rows = {names[row["seat"] - 1]: row for row in played.get("rows", [])}
        there = [
            one["player"] for one in game["seats"] if one.get("joined_in", 1) <= played["number"]
        ]
        finishing = []
        for name in there:
            row = rows.get(name, {})
            out = row.get("went_out", False)
            lays = row.get("met", False) or out
            count[name] += 1
            met[name] += lays
            if done[name] < last:
                tried = done[name] + 1
                moves = lays and (out or tried < last or rules["win"] != "first_out_on_last")
                tries.setdefault((name, tried), []).append(moves)
                done[name] += moves
                if moves and done[name] == last:
                    finishing.append(name)
        if finishing:
            finisher = finishing[0]
            if len(finishing) > 1:
                finisher = names[played["first_down"] - 1]
        for name in there:
            row = rows.get(name, {})
            if row.get("went_out"):
                score[name] += rules["go_out_bonus"]
            else:
                left = row.get("penalty") or 0
                free = name == finisher and rules["win"] != "first_out_on_last"
                left = 0 if free and not rules["finisher_pays"] else left
                score[name] += left
                penalty[name] += left
            score[name] += rules["completion_bonus"] if name == finisher else 0
        worths.append({name: score[name] if by_points else -done[name] for name in there})
    stopped = "stopped" in game
    ranks = {
        name: rank(name, rules["win"], finisher, done, score, stopped=stopped) for name in names
    }
    places = {name: 1 + sum(one < ranks[name] for one in ranks.values()) for name in names}
    decide = not by_points and (stopped or rules["win"] == "lowest_finisher")
    apart = points_apart(places, done, score) if decide else None
    return Played(
        game["key"], rule_set["id"], moment(game["started_at"]), moment(game["finished_at"]),
        places, tries, count, met, penalty, by_points, worths, seconds_of(game), stopped, apart,
    )  # fmt: skip


def points_apart(places: dict, done: dict, score: dict) -> int | None:
    level = [name for name in places if done[name] == max(done.values())]
    others = [score[name] for name in level if places[name] > 1]
    return min(others) - min(score[name] for name in level) if others else None


def seconds_of(game: dict) -> list[float]:
    ends = [moment(game["started_at"]), *(moment(one["closed_at"]) for one in game["rounds"])]
    return [(end - begin).total_seconds() for begin, end in pairwise(ends)]


def reckoned_by_points(game: dict, rules: dict, variant: str) -> Played:
    """A game without contracts: nothing but points, of which the most or the fewest win."""
    names = [one["player"] for one in game["seats"]]
    worth, none = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    sign = -1 if rules["win"] == "highest_score" else 1
    worths = []
    for played in game["rounds"]:
        there = [names[row["seat"] - 1] for row in played["rows"]]
        for row in played["rows"]:
            worth[names[row["seat"] - 1]] += sign * row["penalty"]
        worths.append({name: worth[name] for name in there})
    places = {name: 1 + sum(one < worth[name] for one in worth.values()) for name in names}
    moments = moment(game["started_at"]), moment(game["finished_at"])
    return Played(
        game["key"], variant, *moments, places, {}, none, none, none, True, worths,
        seconds_of(game), "stopped" in game,
    )  # fmt: skip


def rank(
    name: str, win: str, finisher: str | None, done: dict, score: dict, *, stopped: bool
) -> tuple:
    if win == "lowest_score":
        return (score[name],)
    if stopped:
        return (-done[name], score[name])
    first = name == finisher if finisher else done[name] == max(done.values())
    return (0,) if first else (1, -done[name], score[name])


@dataclass
class PlainSeason:
    """How a season is decided, said anew."""

    measure: str = "wins"
    place_points: Sequence[int] = (5, 3, 2, 1)
    best_of: int | None = None
    least_games: int = 1

    def table(self, games: Sequence[Played]) -> list[tuple[int | None, str]]:
        """Place and name, best first; who is not ranked has no place."""
        people = {name for game in games for name in game.places}
        ranked, others = {}, []
        for name in people:
            mine = [game for game in games if name in game.places]
            value = self.value(name, self.best(name, mine))
            if len(mine) < self.least_games or value is None:
                others.append((-len(mine), name))
                continue
            wins = sum(game.places[name] == 1 for game in mine)
            mean = Fraction(sum(game.places[name] for game in mine), len(mine))
            points = sum([0, 5, 3, 2, 1, *([0] * 12)][game.places[name]] for game in mine)
            level = {"wins": (-points,), "average_place": (-wins,)}
            ranked[name] = (-value, *level.get(self.measure, (-wins, mean)))
        order = sorted(ranked, key=lambda name: ranked[name])
        first = [(1 + sum(ranked[o] < ranked[name] for o in order), name) for name in order]
        return [*first, *((None, name) for _games, name in sorted(others))]

    def best(self, name: str, games: Sequence[Played]) -> list[Played]:
        evenings: dict[int, list[Played]] = {}
        for game in games:
            evenings.setdefault(game.evening, []).append(game)
        values = {number: self.value(name, of) for number, of in evenings.items()}
        order = sorted(evenings, key=lambda one: (values[one] is None, -(values[one] or 0), one))
        return [game for number in order[: self.best_of] for game in evenings[number]]

    def value(self, name: str, games: Sequence[Played]) -> Fraction | None:
        """The more the better."""
        places = [game.places[name] for game in games]
        rounds = sum(game.rounds[name] for game in games)
        if self.measure == "wins":
            return Fraction(places.count(1))
        if self.measure == "points":
            brings = [0, *self.place_points, *([0] * 12)]
            return Fraction(sum(brings[place] for place in places))
        part, whole = {
            "average_place": (-sum(places), len(places)),
            "contracts": (sum(game.met[name] for game in games), rounds),
            "penalty": (-sum(game.penalty[name] for game in games), rounds),
        }[self.measure]
        return Fraction(part, whole) if whole else None


def evenings_in(games: Sequence[Played]) -> Iterator[list[Played]]:
    """The games of each evening."""
    for number in sorted({game.evening for game in games}):
        yield [game for game in games if game.evening == number]


ROUND_NUMBERS = {50, 100, 250, 500, 1000}
IN_A_ROW = {5, 10, 15, 20}

Said = tuple[str, str, int, str]
"""Kind, player, count and rival."""


def plain_milestones(games: list[Played]) -> dict[str, set[Said]]:
    """What is told of each game, by its key."""
    played, row = Counter[str](), Counter[str]()
    won: set[str] = set()
    shared: Counter[frozenset[str]] = Counter()
    ahead: set[tuple[str, str]] = set()
    said: dict[str, set[Said]] = defaultdict(set)
    for game in games:
        told = said[game.key]
        names = list(game.places)
        shared.update(frozenset((a, b)) for a in names for b in names if a < b)
        for name in names:
            wins = game.places[name] == 1
            played[name] += 1
            row[name] = row[name] + 1 if wins else 0
            if played[name] in ROUND_NUMBERS:
                told.add(("games", name, played[name], ""))
            if row[name] in IN_A_ROW:
                told.add(("wins_in_a_row", name, row[name], ""))
            if wins and name not in won:
                told.add(("first_win", name, 1, ""))
            for other in names:
                if game.places[name] < game.places[other]:
                    together = shared[frozenset((name, other))]
                    if wins and (name, other) not in ahead and together >= 5:
                        told.add(("first_ahead", name, together, other))
                    ahead.add((name, other))
            won |= {name} if wins else set()
        told |= {("contract", "", contract, "") for contract in laid_at_once(game)}
    return said


def laid_at_once(game: Played) -> set[int]:
    """The contracts that everyone completed at the first try."""
    contracts = {contract for _name, contract in game.tries}
    return {
        one for one in contracts if all(game.tries.get((n, one)) == [True] for n in game.places)
    }
