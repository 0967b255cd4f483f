"""A game by any rules that the loader accepts comes to its end, with a winner and a board."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.variant import Variant
from app.scorebook.faults import find_round_faults
from app.scorebook.game import Entry, Game, Round, Seat
from app.scorebook.progress import first_down_candidates
from app.scorebook.round_results import penalty_payers, round_attempts, round_results
from app.scorebook.standings import game_status
from app.scorebook.warnings import find_warnings, start_warnings
from tests.any_rules import rule_sets
from tests.builders import with_ended_round
from tests.draws import drawn

NAMES = {1: "Anna", 2: "Ben", 3: "Cleo"}


@st.composite
def rounds_of(draw: st.DrawFn, game: Game) -> Round:
    """The next round as a table may really enter it: Anna goes out, others do as they can."""
    number = len(game.rounds) + 1
    if not game.variant.contracts:
        return Round(number, tuple(Entry(one, penalty=draw(st.integers(0, 30))) for one in NAMES))
    met = {1, *draw(st.sets(st.sampled_from([2, 3])))}
    rows = tuple(Entry(seat, met=seat in met, went_out=seat == 1) for seat in NAMES)
    tried = round_attempts(game, Round(number, rows))
    asked = first_down_candidates(game.variant, tried)
    blank = Round(number, rows, draw(st.sampled_from(asked)) if asked else None)
    points = game.variant.penalties.of(draw(st.sampled_from(["A", "7", "K"])))
    return Round(
        number,
        tuple(
            Entry(row.seat, row.met, row.went_out, points)
            if row.seat in penalty_payers(game.variant, blank, tried)
            else row
            for row in rows
        ),
        blank.first_down,
    )


@settings(max_examples=drawn(40), deadline=None)
@given(rules=rule_sets(), data=st.data())
def test_a_game_by_any_rules_is_played_to_its_end_without_a_contradiction(
    rules: Variant, data: st.DataObject
) -> None:
    game = Game(rules, tuple(map(Seat, NAMES)), 1)
    assert all(str(one.message) for one in start_warnings(rules, len(NAMES)))
    most = len(rules.contracts) or 5
    while not game_status(game).over:
        if len(game.rounds) == most and not rules.contracts:
            game = replace(game, stopped="result")
            break
        played = data.draw(rounds_of(game))
        assert [one.code for one in find_round_faults(game, played)] == []
        assert all(str(one.message) for one in find_warnings(game, played))
        game = with_ended_round(game, played)
        assert len(game.rounds) <= most
    shown = game_status(game)
    assert shown.winners
    assert str(shown.reason)
    assert len(round_results(game)) == len(game.rounds)
    assert {one.place for one in shown.standings} >= {1}
