"""A contract's text form, its words and its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.contracts import Contract, Part, UnreadableContract

PARTS = st.builds(Part, st.sampled_from(("set", "run")), st.integers(1, 99))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("s3", "set of 3"),
        ("s3 s3", "2 sets of 3"),
        ("r4 s3", "run of 4 and set of 3"),
        ("r4 s3 s3", "run of 4 and 2 sets of 3"),
        ("s3 r4 s3", "2 sets of 3 and run of 4"),
        ("r4 r4 s4", "2 runs of 4 and set of 4"),
        ("s5 s2", "set of 5 and pair"),
        ("s2 s2", "2 pairs"),
        ("r2", "run of 2"),
        ("s3 s4 r5", "set of 3, set of 4 and run of 5"),
    ],
)
def test_a_contract_in_words(text: str, words: str) -> None:
    assert str(Contract.read(1, text).words) == words


def test_like_melds_stand_together_since_their_order_has_no_meaning() -> None:
    assert Contract.read(1, "s3 r4 s3") == Contract.read(1, "s3 s3 r4")
    assert str(Contract.read(1, "s6 r3 s4 s6")) == "s6 s6 r3 s4"


@pytest.mark.parametrize(
    ("part", "words"),
    [(Part("set", 3), "set of 3"), (Part("run", 11), "run of 11"), (Part("set", 2), "pair")],
)
def test_a_part_in_words(part, words: str) -> None:
    assert str(part.words) == words


def test_a_contract_takes_the_cards_of_all_its_melds() -> None:
    assert Contract.read(6, "s3 s3 s3 s3").size == 12
    assert Contract.read(14, "r9 s3").size == 12


@pytest.mark.parametrize("text", ["x3", "s", "3s", "s0", "s03", "S3", "s100", "s3,s3", "s-3"])
def test_a_part_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(UnreadableContract, match="isn’t s3, r4 or the like"):
        Contract.read(1, f"r4 {text}")


@pytest.mark.parametrize("text", ["", "  "])
def test_a_contract_needs_a_meld(text: str) -> None:
    with pytest.raises(UnreadableContract, match="at least one meld"):
        Contract.read(1, text)


def test_a_long_text_is_shortened_in_the_message() -> None:
    with pytest.raises(UnreadableContract, match=r"^“xxxxxxxxxxxx” isn’t"):
        Contract.read(1, "x" * 1000)


@given(st.integers(1, 40), st.lists(PARTS, min_size=1).map(tuple))
def test_a_written_contract_is_read_as_the_same_contract(number, parts) -> None:
    contract = Contract(number, parts)
    assert Contract.read(number, str(contract)) == contract
