"""Cards are read from what people type, and written in one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import (
    JOKER,
    RANKS,
    SUITS,
    Card,
    UnreadableCard,
    read_cards,
    to_english_letters,
    to_typed_letters,
    write_cards,
)
from app.rules.rule_sets import rule_set_by_id

ANY_CARD = st.builds(Card, st.sampled_from(RANKS), st.sampled_from(("", *SUITS))) | st.just(
    Card(JOKER)
)


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("5H", Card("5", "H")),
        ("5h", Card("5", "H")),
        (" 5♥ ", Card("5", "H")),
        ("5♥\ufe0f", Card("5", "H")),
        ("5♡", Card("5", "H")),
        ("10s", Card("10", "S")),
        ("T♠", Card("10", "S")),
        ("ad", Card("A", "D")),
        ("K♣", Card("K", "C")),
        ("q", Card("Q")),
        ("10", Card("10")),
        ("t", Card("10")),
        ("jk", Card(JOKER)),
        ("J", Card("J")),
    ],
)
def test_a_card_is_read_as_people_type_it(typed: str, card) -> None:
    assert Card.read(typed) == card


@pytest.mark.parametrize("typed", ["", "H", "1H", "11", "H5", "5X", "JKH", "5HH", "joker", "0"])
def test_what_is_no_card_is_refused_by_its_name(typed: str) -> None:
    with pytest.raises(UnreadableCard) as caught:
        Card.read(typed)
    assert caught.value.text == typed
    assert str(caught.value) == f"“{typed}” isn’t a card."


def test_a_long_text_that_is_no_card_is_shortened() -> None:
    with pytest.raises(UnreadableCard, match=r"^“xxxxxxxxxxxx…” isn’t a card.$"):
        Card.read("x" * 1000)


def test_several_cards_are_separated_by_blanks() -> None:
    assert read_cards("5h  10♠\njk") == (Card("5", "H"), Card("10", "S"), Card(JOKER))
    assert read_cards(" ") == ()


def test_the_first_text_that_is_no_card_is_named() -> None:
    with pytest.raises(UnreadableCard, match="“5X”"):
        read_cards("5H 5X 5Y")


@given(st.lists(ANY_CARD))
def test_written_cards_are_read_as_the_same_cards(cards) -> None:
    assert read_cards(write_cards(cards)) == tuple(cards)


@pytest.mark.parametrize(
    ("card", "copies"),
    [(Card("5", "H"), 2), (Card("5"), 8), (Card("2", "S"), 2), (Card(JOKER), 4)],
)
def test_two_decks_hold_two_of_each_card_and_eight_of_each_rank(card, copies: int) -> None:
    assert rule_set_by_id("frustration-rummy").copies_in(2, card) == copies


def test_three_decks_hold_three_of_each_card_and_six_jokers() -> None:
    bilingual = rule_set_by_id("frustration-rummy-bilingual")
    assert bilingual.copies_in(3, Card("5", "H")) == 3
    assert bilingual.copies_in(3, Card(JOKER)) == 6


FRENCH = {"K": "R", "Q": "D", "J": "V", "S H D C JK": "♠ ♥ ♦ ♣ joker"}
SIGNS = st.sampled_from(
    ["", *"SHDCshdc♤♡♢♧", *(sign + end for sign in "♠♥♦♣" for end in ("", "\ufe0f"))]
)
TYPED = st.builds("{}{}".format, st.sampled_from([*RANKS, "T", "q"]), SIGNS) | st.just("jk")


@pytest.mark.parametrize("words", [{}, FRENCH], ids=["English", "French"])
@given(typed=st.lists(TYPED, max_size=4).map(" ".join))
def test_cards_that_are_shown_as_they_are_typed_are_read_as_the_same_cards(words, typed) -> None:
    def translate(text: str, _plural: object, _count: object) -> str:
        return words.get(text, text)

    shown = to_typed_letters(typed, translate)
    assert read_cards(to_english_letters(shown, translate)) == read_cards(typed)
