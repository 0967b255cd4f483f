"""Laws of the scorebook, for any rule set and anything that a table may record."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.house_rules import HOUSE_RULES, SWITCHABLE
from app.rules.rule_sets import FaultyRules, family_rule_sets, with_house_rules
from app.scorebook.dealing import first_player_after, players_in
from app.scorebook.decisions import Correction, TableDecisions
from app.scorebook.faults import faults_by_round, find_round_faults
from app.scorebook.game import Entry, Game, Round, RuleChange, Seat, SeatHolder
from app.scorebook.progress import contract_tried
from app.scorebook.round_results import (
    is_over,
    played_nothing,
    round_results,
    rounds_after_end,
)
from app.scorebook.standings import game_status
from app.scorebook.statistics import result_of
from app.scorebook.warnings import find_warnings
from app.web.game_parts.words import absence_in_words
from tests.draws import drawn

NAMES = {seat: f"Player {seat}" for seat in range(1, 7)}
laws = settings(max_examples=drawn(30), deadline=None)


@st.composite
def rule_sets(draw):
    """Any rule set, often with a shorter game, a limit of rounds, or a score of the table's."""
    rules = draw(st.sampled_from(list(family_rule_sets().values())))
    changes = {
        "last_contract": draw(st.integers(2, min(5, len(rules.contracts)))),
        "missed_round_points": draw(st.sampled_from([0, 15])),
        "max_deals": draw(st.sampled_from([0, 0, 3, 6])),
        "finisher_pays": draw(st.booleans()),
        "buying": draw(st.sampled_from(["none", "one_more_card"])),
        "most_buys": draw(st.sampled_from([0, 3])),
        "buy_points": draw(st.sampled_from([0, 10])),
        "dealer_rotation": draw(st.sampled_from(["left", "right", "first_player"])),
    }
    if rules.win == "lowest_score":
        changes["progress"] = draw(st.sampled_from(["individual", "common"]))
    else:
        changes["keep_score"] = draw(st.sampled_from(["yes", "no", "optional"]))
    return with_house_rules(rules, changes)


@st.composite
def seats_at_a_table(draw):
    count = draw(st.integers(1, 6))
    return tuple(
        Seat(
            seat,
            joined_in=draw(st.sampled_from([1, 1, 1, 2, 4])),
            left_after=draw(st.sampled_from([None, None, None, 0, 2, 5])),
            starting_score=draw(st.sampled_from([0, 0, 40])),
            name=f"Player {seat}",
            player=seat,
            starting_contract=draw(st.sampled_from([1, 1, 1, 2])),
            missed=draw(st.sampled_from([(), (), ((2, 3),), ((3, 3), (5, 6))])),
            stand_ins=draw(st.sampled_from([(), (), (SeatHolder(3, 10 * seat, "Somebody"),)])),
        )
        for seat in draw(st.permutations(range(1, count + 1)))
    )


@st.composite
def rounds_of(draw, seats, number):
    """Any round, sound or not, with at most one row a seat."""
    chosen = [seat.id for seat in seats if draw(st.integers(0, 9)) > 0]
    rows = tuple(
        Entry(
            seat,
            met=draw(st.booleans()),
            went_out=draw(st.booleans()),
            penalty=draw(st.one_of(st.none(), st.integers(-5, 60))),
            exact_deal=draw(st.booleans()),
            buys=draw(st.sampled_from([0, 0, 1, 5])),
        )
        for seat in chosen
    )
    return Round(number, rows, draw(st.sampled_from([None, *NAMES])))


@st.composite
def games(draw, least_rounds=0):
    """Any game with anything recorded."""
    seats = draw(seats_at_a_table())
    count = draw(st.integers(least_rounds, 7))
    rounds = tuple(draw(rounds_of(seats, number)) for number in range(1, count + 1))
    corrections = draw(
        st.lists(
            st.builds(
                Correction,
                st.integers(1, 7),
                st.sampled_from([seat.id for seat in seats]),
                st.integers(-50, 50),
            ),
            max_size=2,
        )
    )
    decisions = TableDecisions(corrections=tuple(sorted(corrections)))
    dealer = draw(st.sampled_from(seats)).id
    game = Game(draw(rule_sets()), seats, dealer, rounds, decisions=decisions)
    stopped = draw(st.sampled_from([None, None, "result", "no_result"]))
    return game if is_over(game) or not rounds else replace(game, stopped=stopped)


@laws
@given(games(least_rounds=1))
def test_who_has_no_place_at_the_end_is_said_to_have_left_only_if_they_played(game) -> None:
    status = game_status(game)
    played = {entry.seat for one in round_results(game) for entry in one.entries}
    for one in status.standings if status.over else ():
        seat = game.seat(one.seat)
        assert played_nothing(game, seat) == (seat.id not in played)
        assert seat.id in played or one.place is None
        assert (str(absence_in_words(game, seat)) == "left") == (seat.id in played)


@laws
@given(games())
def test_a_board_can_be_shown_whatever_was_recorded(game) -> None:
    shown = game_status(game)
    assert [standing.seat for standing in shown.standings] == [seat.id for seat in game.seats]
    assert shown.over == (shown.reason is not None)
    assert len(round_results(game)) + len(rounds_after_end(game)) == len(game.rounds)


@laws
@given(st.data())
def test_editing_a_round_and_editing_it_back_changes_nothing(data) -> None:
    game = data.draw(games(least_rounds=1))
    was = data.draw(st.sampled_from(game.rounds))
    edited = game.with_round(data.draw(rounds_of(game.seats, was.number)))
    again = edited.with_round(was)
    assert again == game
    assert (game_status(again), round_results(again)) == (game_status(game), round_results(game))


@laws
@given(st.data())
def test_the_order_of_a_rounds_rows_never_matters(data) -> None:
    game = data.draw(games(least_rounds=1))
    was = data.draw(st.sampled_from(game.rounds))
    shuffled = replace(was, entries=tuple(data.draw(st.permutations(was.entries))))
    other = game.with_round(shuffled)
    assert (game_status(other), round_results(other)) == (game_status(game), round_results(game))
    assert find_round_faults(game, shuffled) == find_round_faults(game, was)
    assert find_warnings(game, shuffled) == find_warnings(game, was)


@laws
@given(games())
def test_contract_numbers_never_fall_as_rounds_are_added(game) -> None:
    shown = [
        game_status(replace(game, rounds=game.rounds[:n])) for n in range(len(game.rounds) + 1)
    ]
    for earlier, later in pairwise(shown):
        for before, after in zip(earlier.standings, later.standings, strict=True):
            assert after.contracts_completed >= before.contracts_completed
            if before.contract is not None and after.contract is not None:
                assert after.contract >= before.contract


@laws
@given(games())
def test_a_round_moves_a_player_on_by_at_most_one_contract(game) -> None:
    for record in round_results(game):
        for row in record.entries:
            assert row.completed_contract <= row.laid_down
            assert row.contract is not None
            after = contract_tried(game.variant, row.contracts_completed, record.number + 1)
            assert after in (None, row.contract, row.contract + 1)


@laws
@given(games())
def test_places_are_consistent(game) -> None:
    shown = game_status(game)
    places = sorted(one.place for one in shown.standings if one.place is not None)
    assert all((one.place is None) == (not one.present) for one in shown.standings)
    assert all(place == places.index(place) + 1 for place in places)
    if shown.winners:
        assert {one.seat for one in shown.standings if one.place == 1} == set(shown.winners)


@laws
@given(games())
def test_a_game_is_over_with_a_winner_exactly_when_it_has_one_to_name(game) -> None:
    shown = game_status(game)
    last_players = players_in(game, shown.next_round - 1)
    counts = shown.over and game.stopped != "no_result"
    assert bool(shown.winners) == (counts and bool(last_players))


@laws
@given(games())
def test_a_score_is_the_sum_of_the_history(game) -> None:
    records = round_results(game)
    for seat, standing in zip(game.seats, game_status(game).standings, strict=True):
        played = [row.points for one in records for row in one.entries if row.seat == seat.id]
        missed = [row.points for one in records for row in one.missed if row.seat == seat.id]
        points = [*played, *missed]
        if game.variant.keeps_score:
            corrections = game.decisions.corrections
            corrected = sum(one.points for one in corrections if one.seat == seat.id)
            assert standing.score == seat.starting_score + sum(filter(None, points)) + corrected
        else:
            assert standing.score is None
            assert set(points) <= {None}


@laws
@given(games())
def test_the_points_of_a_round_are_its_penalty_and_its_bonuses(game) -> None:
    for record in round_results(game):
        for row in record.entries:
            bonuses = sum(bonus.points for bonus in row.bonuses)
            bought = row.buys * game.variant.buy_points
            assert row.points in (None, (row.penalty or 0) + bonuses + bought)
            assert bonuses <= 0


@laws
@given(games())
def test_the_dealer_is_always_somebody_who_plays(game) -> None:
    for record in round_results(game):
        playing = [row.seat for row in record.entries]
        first_player = first_player_after(game, record.dealer, record.number)
        assert (record.dealer in playing) == (first_player in playing) == bool(playing)
        if len(playing) > 1:
            assert record.dealer != first_player


@laws
@given(games())
def test_who_deals_next_and_plays_first_is_there_to_do_it(game) -> None:
    status = game_status(game)
    playing = [one.id for one in players_in(game, status.next_round)]
    there = game.seated if status.over else playing
    assert {status.dealer, status.first_player} <= {None, *there}


@laws
@given(games())
def test_rounds_after_the_end_change_nothing(game) -> None:
    counted = replace(game, rounds=game.rounds[: len(round_results(game))])
    assert game_status(counted) == game_status(game)


@laws
@given(games())
def test_whatever_was_recorded_can_be_judged(game) -> None:
    for number, those in faults_by_round(game).items():
        assert 1 <= number <= len(game.rounds)
        assert all(str(fault.message) for fault in those)
    for played in game.rounds:
        assert all(str(oddity.message) for oddity in find_warnings(game, played))


@laws
@given(games())
def test_what_a_game_came_to_is_shared_out_among_all_who_played(game) -> None:
    result, records = result_of(game), round_results(game)
    rows = [row for record in records for row in record.entries]
    if result is None:
        return
    assert len({one.player for one in result.players}) == len(result.players)
    assert sum(one.rounds for one in result.players) == len(rows)
    assert sum(one.times_went_out for one in result.players) == sum(row.went_out for row in rows)
    assert sum(
        one.was_completed for tries in result.players for one in tries.contract_attempts
    ) <= sum(row.completed_contract for row in rows)
    shown, played = game_status(game), {row.seat for row in rows}
    assert {one.seat for one in result.players if one.won} == played & set(shown.winners)
    placed = {one.seat: one.place for one in result.players if one.place is not None}
    assert placed == {
        one.seat: one.place
        for one in shown.standings
        if one.place is not None and one.seat in played
    }


@settings(max_examples=drawn(100), deadline=None)
@given(games(least_rounds=1), st.data())
def test_a_house_rule_changed_for_round_1_is_as_if_it_was_played_from_the_start(game, data) -> None:
    of_hand_sizes = ["buying", "most_buys", "discard_draw"]
    field = data.draw(st.sampled_from(of_hand_sizes) | st.sampled_from(sorted(SWITCHABLE)))
    rule, now = HOUSE_RULES[field], getattr(game.variant, field)
    values = [one.value for one in rule.choices] or [*range((rule.least or 0) + 5)]
    value = data.draw(st.sampled_from([one for one in values if one != now]))
    none_of_the_others = [0] * (len(game.variant.penalties.classes) - 1)
    counts = st.sampled_from([(), *((many, *none_of_the_others) for many in (9, 13, 20))])
    rounds = [
        replace(one, entries=tuple(replace(row, counted=data.draw(counts)) for row in one.entries))
        for one in game.rounds
    ]
    try:
        from_start = replace(
            game, variant=with_house_rules(game.variant, {field: value}), rounds=tuple(rounds)
        )
    except FaultyRules:
        return
    change = RuleChange(1, field, value)
    changed = replace(game, rule_changes=(change,), rounds=tuple(rounds))
    assert game_status(changed) == game_status(from_start)
    assert faults_by_round(changed) == faults_by_round(from_start)
    for played in rounds:
        told, expected = find_warnings(changed, played), find_warnings(from_start, played)
        assert [one.message for one in told] == [one.message for one in expected]
