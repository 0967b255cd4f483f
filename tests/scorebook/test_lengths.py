"""How long games take: what is said of them beforehand, beside how long they then took."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest

from app.exchange.games import game_from_document
from app.rules.rule_sets import from_dict, rule_set_by_id, with_house_rules
from app.rules.variant import Variant
from app.scorebook import lengths
from app.scorebook.game import Game, Seat
from app.scorebook.lengths import GameLength, KnownLength, Span
from app.scorebook.standings import game_status
from tests.simulated_lengths import ENDS, simulated_ranges
from tests.simulation import simulate_club


@dataclass
class Played:
    """A game of the club, how long each of its rounds lasted, and those by its rules before it."""

    game: Game
    seconds: list[int]
    past: list[KnownLength]


@pytest.fixture(scope="module")
def later_games() -> list[Played]:
    """The games of the club that were played to their end, without the first of each rule set.

    Nor those of points alone, of which nothing is said.
    """
    told = (one for one in _club() if one.game.variant.contracts)
    return [one for one in told if len(one.past) >= 5 and not one.game.stopped]


def _club() -> Iterator[Played]:
    club = simulate_club(Random(11), 50, rounds=0)
    past: defaultdict[str, list[KnownLength]] = defaultdict(list)
    for record in club.games:
        game = game_from_document(record, from_dict(club.rule_sets[record.rules]))
        ends = [record.started_at, *(one.closed_at for one in record.rounds if one.closed_at)]
        seconds = [int((end - start).total_seconds()) for start, end in pairwise(ends)]
        yield Played(game, seconds, list(past[record.rules]))
        most = max(one.contracts_completed for one in game_status(game).standings)
        past[record.rules].append(
            KnownLength(len(game.seats), most, len(game.rounds), sum(seconds))
        )


def game_length(rules: Variant, players: int, past: Sequence[KnownLength]) -> GameLength:
    length = lengths.game_length(rules, players, past)
    assert length
    return length


def length_left(
    game: Game, past: Sequence[KnownLength], round_seconds: Sequence[int]
) -> GameLength | None:
    return lengths.length_left(game, game_status(game), past, round_seconds)


def share(held: list[bool]) -> float:
    return sum(held) / len(held)


def holds(span: Span, figure: float) -> bool:
    return span.low <= figure <= span.high


@pytest.mark.parametrize("knows", [True, False])
def test_what_is_said_of_a_game_holds_in_eight_of_ten_later_games(later_games, knows) -> None:
    """For a group that never played it the pace is assumed."""
    rounds, minutes, longer = [], [], []
    for one in later_games:
        past = one.past if knows else ()
        said = game_length(one.game.variant, len(one.game.seats), past)
        rounds.append(holds(said.rounds, len(one.game.rounds)))
        minutes.append(holds(said.minutes, sum(one.seconds) / 60))
        longer.append(sum(one.seconds) / 60 > said.minutes.middle)
    assert len(later_games) > 40
    assert share(rounds) >= 0.8
    assert share(minutes) >= 0.8
    assert 0.3 <= share(longer) <= 0.7  # the middle is one


@pytest.mark.parametrize("knows", [True, False])
def test_what_is_said_to_be_left_of_a_game_holds_in_eight_of_ten(later_games, knows) -> None:
    """Once it has gone some rounds, a group that never played it is told as well."""
    held = []
    for one in later_games:
        played = len(one.game.rounds) // 2
        before = replace(one.game, rounds=one.game.rounds[:played])
        said = length_left(before, one.past if knows else (), one.seconds[:played])
        assert said
        held.append(holds(said.minutes, sum(one.seconds[played:]) / 60))
    assert share(held) >= 0.8


def test_no_round_makes_the_rounds_that_are_left_more(later_games) -> None:
    for one in later_games:
        games = [replace(one.game, rounds=one.game.rounds[:n]) for n in range(len(one.seconds))]
        left = [length_left(game, one.past, ()) for game in games]
        middles = [said.rounds.middle for said in left if said]
        # What was simulated for more players may be half a round more than for fewer.
        assert all(after <= before + 0.5 for before, after in pairwise(middles))


def test_rounds_that_were_entered_later_tell_nothing_of_the_time_left(later_games) -> None:
    one = later_games[-1]
    before = replace(one.game, rounds=one.game.rounds[:3])
    assert length_left(before, (), (600, 12, 8, 5)) == length_left(before, (), (600,))


def test_a_game_that_is_over_goes_on_no_longer(later_games) -> None:
    last = later_games[-1]
    assert length_left(last.game, last.past, last.seconds) is None


@pytest.mark.parametrize("ends", ENDS)
def test_the_rounds_of_simulated_play_are_those_that_simulation_gives(ends: str) -> None:
    rules = rule_set_by_id(ENDS[ends])
    for contracts, simulated in enumerate(simulated_ranges(ends, 3, 2), start=1):
        goal = with_house_rules(rules, {"last_contract": contracts})
        assert game_length(goal, 3, ()).rounds == simulated


def test_nobody_knows_how_long_any_other_game_takes() -> None:
    other = rule_set_by_id("points-only")
    assert lengths.game_length(other, 4, ()) is None
    assert length_left(Game(other, (Seat(1), Seat(2)), first_dealer=1), (), ()) is None


def test_where_everyone_tries_the_same_contract_the_rounds_are_known() -> None:
    carioca = rule_set_by_id("carioca")
    assert game_length(carioca, 4, ()).rounds == (6, 6)
    begun = Game(carioca, (Seat(1), Seat(2)), first_dealer=1)
    left = length_left(begun, (), ())
    assert left
    assert left.rounds == (6, 6)


def test_a_house_rule_ends_a_game_after_so_many_rounds() -> None:
    short = with_house_rules(rule_set_by_id("frustration-rummy"), {"max_deals": 5})
    assert game_length(short, 4, ()).rounds == (5, 5)


def test_a_game_of_more_contracts_than_were_simulated_takes_longer_in_proportion() -> None:
    def rounds(contracts: int) -> Span:
        many = {"contracts": ["s3 s3"] * contracts}
        return game_length(with_house_rules(rule_set_by_id("frustration"), many), 12, ()).rounds

    assert rounds(40) == (2 * rounds(20).low, 2 * rounds(20).high)
