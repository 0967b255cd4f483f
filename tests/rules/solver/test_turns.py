"""Turns told one by one: what the solver lays, throws away and keeps."""

from typing import Any

import pytest

from app.rules.cards import Card, read_cards, write_cards
from app.rules.judge_questions import answer_question
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.solver import Solution, TableMeld, can_lay, solve


def turn(variant_id: str, number: int, hand: str, *table: str, **rules: Any) -> Solution:
    """The best turn; table melds are told as `run 3H 4H 5H`."""
    melds = []
    for told in table:
        kind, cards = told.split(maxsplit=1)
        melds.append(TableMeld("run" if kind == "run" else "set", read_cards(cards)))
    return solve(
        with_house_rules(rule_set_by_id(variant_id), rules), number, read_cards(hand), melds
    )


def laid(solution: Solution) -> list[str]:
    return [write_cards(meld.cards) for meld in solution.laydown]


def test_a_contract_that_takes_every_card_leaves_no_discard_and_cannot_be_laid() -> None:
    cards = "3H 3D 3C 6H 6D 6C 9H 9D 9C KS KD 2H"
    assert not turn("frustration-rummy", 6, cards).can_lay_down
    assert turn("frustration-rummy", 6, cards + " 5S").can_go_out
    assert turn("aggravation-rummy", 6, cards).can_go_out


def test_a_hand_that_cannot_be_laid_loses_its_dearest_card() -> None:
    found = turn("aggravation-rummy", 3, "3H 4D 9C JK KS AH")
    assert (found.can_lay_down, found.remaining_cost, str(found.discard)) == (False, 40, "JK")


def test_an_empty_hand_cannot_be_laid_and_leaves_nothing() -> None:
    assert turn("frustration", 1, "") == Solution(
        can_lay_down=False, can_go_out=False, remaining_cost=0
    )


def test_a_natural_is_freed_by_a_wild_card_where_another_meld_needs_it() -> None:
    found = turn("frustration-nineteen", 16, "5H 6H 7H 8H 9H 10H 7D 7C JK 2C KS")
    run, of_sevens = found.laydown
    assert [str(card) for card in run.cards if card.rank not in ("2", "JK")].count("7H") == 0
    assert {"7C", "7D", "7H"} < {str(card) for card in of_sevens.cards}


def test_a_pair_is_no_extra_meld_even_where_the_contract_has_one() -> None:
    rules = {"contracts": ["s2 s3"], "extra_melds": "contract_parts"}
    found = turn("frustration", 1, "5C 5D 7D 7H 7S 9H 9S 3C", **rules)
    assert laid(found) == ["5C 5D", "7D 7H 7S"]
    found = turn("frustration", 1, "5C 5D 7D 7H 7S 9H 9S 9C 3C", **rules)
    assert laid(found) == ["5C 5D", "7D 7H 7S", "9S 9H 9C"]


def test_cards_are_laid_off_onto_the_table_together() -> None:
    found = turn("frustration", 1, "5H 5D 5C 9S 9H 9D 8C 9C 10C KD", "run 4C 5C 6C 7C")
    assert found.can_go_out
    assert any(cards.startswith("4C 5C 6C 7C 8C 9") for cards in laid(found))


def test_what_a_wild_card_stands_for_is_told() -> None:
    found = turn("frustration-rummy-board", 2, "AH 2S 3H 4H 9D 9C 9S KD")
    run = next(meld for meld in found.laydown if meld.kind == "run")
    assert write_cards(run.cards) == "AH 2S 3H 4H"
    assert write_cards(run.stands_for) == "AH 2H 3H 4H"


def test_lay_offs_name_the_table_meld_and_its_cards() -> None:
    found = turn("frustration", 1, "5H 5D 5C 9S 9H 9D KC 3D", "run 8H 9H 10H JH QH", "set KS KH KD")
    onto = next(meld for meld in found.laydown if meld.onto is not None)
    assert write_cards(onto.cards) in ("8H 9H 10H JH QH KC", "KS KH KD KC")


def test_a_pair_on_the_table_takes_a_card_where_pairs_can_be_laid() -> None:
    asked = "aggravation-rummy", 1, "4S 4H 4D 5H 5D 5C 9S 9H 9D KC 3D", "set KS KH"
    assert turn(*asked).remaining_cost > turn(*asked, extra_set_min=2).remaining_cost


def test_no_lay_offs_in_the_turn_of_the_lay_down_where_the_table_says_so() -> None:
    found = turn("frustration", 1, "5H 5D 5C 9S 9H 9D 9C KC 3D", extras_same_turn=False)
    assert found.remaining_cost == 2
    assert [len(meld.cards) for meld in found.laydown] == [3, 3]


def test_a_card_may_be_given_by_its_rank_alone_where_runs_take_any_suit() -> None:
    assert turn("frustration", 2, "3 4 5 6 9 9 9 K").can_go_out
    with pytest.raises(ValueError, match="suit"):
        can_lay(rule_set_by_id("frustration-rummy"), 2, [Card("7")] * 8)


def test_a_contract_that_is_not_in_the_list_is_an_error() -> None:
    with pytest.raises(IndexError):
        turn("frustration", 11, "3H")


@pytest.mark.parametrize("limit", ["at_most_naturals", "fewer_than_naturals"])
def test_a_broken_meld_on_the_table_takes_no_lay_offs(limit: str) -> None:
    found = turn(
        "frustration", 1, "5H 5D 5C 9S 9H 9D KC 3D", "set KH JK JK JK", wild_limit=limit, jokers=4
    )
    assert found.remaining_cost == 1


def test_forty_cards_with_every_wild_card_of_three_decks_are_solved() -> None:
    wilds = "2S 2H 2D 2C " * 3 + "JK " * 6
    found = turn("frustration-rummy", 13, wilds + "4H 5H 9H QS 8D 8C 3S 6C KD 10H JC " * 2)
    assert found.is_proven_best
    assert found.can_lay_down


def test_a_card_that_fits_a_set_on_the_table_may_be_the_discard() -> None:
    """All wild cards are needed for the contract, and the ace is the only card to throw away."""
    hand = "JK JK JK 2D KC 9S KS 9S AC"
    solution = turn("frustration-rummy-board", 4, hand, "set AD AS AH")
    assert solution.can_go_out
    assert str(solution.discard) == "AC"


def test_room_that_a_table_run_may_lose_is_not_made_up_by_another() -> None:
    """All wild cards are needed; one table run would gain room for more, another lose it."""
    hand = "9S 10H 4S 2S 2D 2C 5C 10S"
    table = ("run 4C 5C 6C 7C 8C 9C", "run 10C JC QC", "set 10H 10S 10D JK JK")
    solution = turn("frustration", 3, hand, *table, two_sets_same_rank="forbid")
    assert solution.can_go_out


def test_melds_that_leave_no_card_for_the_discard_are_there_all_the_same() -> None:
    hand = {"ask": "hand", "variant": "frustration", "contract": 1, "hand": "5H 5D 5C 9S 9H 9D"}
    answer = answer_question(hand)
    assert (answer["legal"], answer["out"], answer["left"]) == (True, False, 5)
    assert answer["melds"] == ["5C 5D 5H", "9D 9H 9S"]
