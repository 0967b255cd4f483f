"""A document is judged by the game that was played, all of it."""

import re
from dataclasses import fields, replace

import pytest

from app.exchange.documents import GroupDocument, RoundDocument
from app.exchange.games import game_from_document
from app.exchange.past_results import past_results_document, read_past_results
from app.exchange.plausibility import find_implausibilities
from app.exchange.schema import Misread, schema_of
from app.rules.rule_sets import shipped_rule_sets
from app.scorebook.decisions import Correction, DealerChange, SeatChange, TableDecisions, VoidDeal
from app.scorebook.events.games import EditedResult, ResultEdited
from app.scorebook.game import (
    Entry,
    Game,
    PastLine,
    Round,
    RuleChange,
    Seat,
    SeatHolder,
)
from app.scorebook.limits import MOST_POINTS
from app.scorebook.refusals import Refused
from tests.builders import a_game
from tests.documents import game_document, numbered, sent_elsewhere

THREE = "Anna Ben Cleo"
EVERYTHING = Game(
    variant=a_game("shanghai-rummy", THREE).game.variant,
    seats=(
        Seat(1, 1, 3, 40, "Anna", 1, 2, ((2, 2),), (SeatHolder(2, 2, "Dora"),)),
        Seat(2, name="Ben", player=3),
    ),
    first_dealer=2,
    rounds=(
        Round(1, (Entry(1, True, False, 15, "10+5", (), False, False, 2), Entry(2)), 1, False),
    ),
    drafts=(Round(2, (Entry(1, False, False, 5, "5", (), True), Entry(2, not_counted=True)), 2),
            Round(3, (), None, True)),
    rule_changes=(RuleChange(1, "run_suit", "any"),),
    decisions=TableDecisions(
        (VoidDeal(1, 1, True, "misdeal"),),
        (DealerChange(1, 2, True, 2),),
        (SeatChange(1, (2, 1), 2),),
        (Correction(1, 2, -25, "agreed"),),
    ),
    stopped="result",
    left_out=True,
)  # fmt: skip


def test_nothing_that_a_game_holds_is_forgotten_by_its_document() -> None:
    for one in fields(Game):
        if one.init and one.name != "variant":
            plain = Game(EVERYTHING.variant, EVERYTHING.seats, 2)
            assert one.name in ("seats", "first_dealer", "past_result") or getattr(
                EVERYTHING, one.name
            ) != (getattr(plain, one.name)), "give the example a value that is not usual"
    (read,) = sent_elsewhere([game_document(EVERYTHING)], [EVERYTHING])
    assert numbered(game_from_document(read, EVERYTHING.variant)) == numbered(EVERYTHING)


def test_buys_are_judged_by_the_rules_of_their_round() -> None:
    table = a_game("frustration", THREE).round(out="Anna")
    entered = table.entered(out="Ben")
    bought = replace(entered, entries=tuple(replace(one, buys=1) for one in entered.entries))
    game = replace(table.game, rounds=(*table.game.rounds, bought))
    refused = find_implausibilities(game_document(game), game.variant)
    assert [one.path for one in refused] == [f"rounds[1].rows[{row}].buys" for row in range(3)]
    buying = (RuleChange(2, "buying", "one_more_card"), RuleChange(2, "most_buys", 3))
    switched = replace(game, rule_changes=buying)
    assert list(find_implausibilities(game_document(switched), switched.variant)) == []


def test_nobody_out_and_somebody_out_is_a_contradiction_in_a_document_too() -> None:
    table = a_game("frustration", THREE)
    entered = replace(table.entered(out="Ben"), nobody_out=True)
    game = replace(table.game, rounds=(entered,))
    (fault,) = find_implausibilities(game_document(game), game.variant)
    assert fault.path == "rounds[0].nobody_out"


def test_what_could_not_be_played_stands_at_a_place_of_the_document() -> None:
    table = a_game("frustration", THREE)
    played = table.entered(out="Ben")
    both = tuple(replace(one, went_out=True, penalty=-5, buys=1) for one in played.entries)
    contradictory = replace(played, entries=both, nobody_out=True)
    game = replace(table.game, rounds=(contradictory,))
    document = game_document(replace(game, stopped="result"))
    paths = {one.path for one in find_implausibilities(document, game.variant)}
    assert "rounds[0].rows" in paths, "two went out, which is the fault of neither row"
    for path in paths:
        found: object = document
        for name in re.findall(r"\w+", path):
            found = found[int(name)] if isinstance(found, tuple) else getattr(found, name)


def test_an_open_round_of_a_document_brings_a_seat_no_more_than_can_be_typed() -> None:
    for points, fits in ((MOST_POINTS, True), (MOST_POINTS + 1, False)):
        round_two = {"number": 1, "rows": [{"seat": 1, "penalty": points}]}
        if fits:
            assert schema_of(RoundDocument).read(round_two).rows[0].penalty == points
        else:
            with pytest.raises(Misread):
                schema_of(RoundDocument).read(round_two)


def test_a_game_with_results_only_was_won_by_someone_in_a_document_as_in_a_table() -> None:
    table = "date,rules,player,place\n2025-12-31,Frustration,Ann,{}\n2025-12-31,Frustration,Ben,2\n"
    (won,) = _games_of(table.format(1)).games
    assert list(find_implausibilities(won, EVERYTHING.variant)) == []
    lost = replace(won, past_result=tuple(replace(one, place=3) for one in won.past_result))
    (fault,) = find_implausibilities(lost, EVERYTHING.variant)
    (of_table,) = read_past_results(table.format(3).encode(), shipped_rule_sets()).faults
    assert (fault.path, fault.message) == ("paper", of_table[1])


def test_an_edit_of_a_result_is_not_undone_to_one_that_no_one_won() -> None:
    game = a_game("frustration", THREE).game

    def result(place: int, day: str) -> EditedResult:
        lines = (PastLine(player=name, place=place, score=None) for name in ("Anna", "Ben"))
        return {"day": day, "players": tuple(lines)}

    now = result(1, "2025-12-31")
    edited_game = replace(game, past_result={"day": now["day"], "players": now["players"]})
    assert ResultEdited(result(1, "2025-12-30"), now).inverse_events(edited_game)
    with pytest.raises(Refused):
        ResultEdited(result(2, "2025-12-30"), now).inverse_events(edited_game)


def _games_of(table: str) -> GroupDocument:
    return past_results_document(read_past_results(table.encode(), shipped_rule_sets()))
