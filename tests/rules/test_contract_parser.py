"""Contracts as people type them: in words or signs, in English or in another language."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.contract_parser import ContractParser
from app.rules.contracts import Contract, Part, UnreadableContract
from app.rules.rule_sets import shipped_rule_sets
from tests.french import french

READER = ContractParser([french])
PARTS = st.builds(Part, st.sampled_from(("set", "run")), st.integers(2, 40))
CONTRACTS = st.builds(Contract, st.integers(1, 40), st.lists(PARTS, min_size=1, max_size=8)).map(
    lambda one: Contract(one.number, tuple(one.parts))
)


def same_melds(one: Contract, other: Contract) -> bool:
    return sorted(one.parts) == sorted(other.parts)


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("2 sets of 3 and a run of 4", "s3 s3 r4"),
        ("3x3 + R4", "s3 s3 s3 r4"),
        ("set of 3, run of 5", "s3 r5"),
        ("Two sets of three; one run of four", "s3 s3 r4"),
        ("s3 s3 r4", "s3 s3 r4"),
        ("S3+S3+R4", "s3 s3 r4"),
        ("2s3 r4", "s3 s3 r4"),
        ("2 x R5 & 3×3", "r5 r5 s3 s3 s3"),
        ("a set of 5 plus a pair", "s5 s2"),
        ("2 pairs", "s2 s2"),
        ("2 trios", "s3 s3"),
        ("three of a kind and a run of seven cards", "s3 r7"),
        ("a 4-card run and two 3-card sets", "r4 s3 s3"),
        ("groups of 4 / sequence of 6", "s4 r6"),
        ("2 jeux de 3 et une suite de 4", "s3 s3 r4"),
        ("deux brelans, suite de quatre", "s3 s3 r4"),
        ("1 jeu de 5 et 1 paire", "s5 s2"),
        ("2 suites de 5 cartes", "r5 r5"),
        ("un carré + une séquence de 7", "s4 r7"),
        ("3 fois jeu de 3", "s3 s3 s3"),
        ("run of 10.", "r10"),
        ("2 runs of 4 of the same suit, set of 3", "r4 r4 s3"),
        ("brelan et une suite de 4 de la même couleur", "s3 r4"),
    ],
)
def test_a_contract_typed_in_words_is_understood(text: str, melds: str) -> None:
    assert str(READER.read(1, text)) == melds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "A contract needs at least one meld."),
        (" , + ", "A contract needs at least one meld."),
        ("two cats", "“two cats” isn’t a set or run"),
        ("set of 3 and a hat", "“a hat” isn’t a set or run"),
        ("2 sets", "Say how many cards the set has, for example “set of 3”."),
        ("a set of 3 and a run", "Say how many cards the run has, for example “run of 4”."),
        ("set of 1", "A meld has 2 to 40 cards, not 1."),
        ("r0", "A meld has 2 to 40 cards, not 0."),
        ("run of 99", "A meld has 2 to 40 cards, not 99"),
        ("9 sets of 3", "A contract can have up to 8 melds."),
        ("0 sets of 3", "A contract can have up to 8 melds."),
        ("5x3 + 4xR4", "A contract can have up to 8 melds."),
        ("s3 " * 100, "Use 200 characters or fewer for a contract."),
        ("3", "“3” isn’t a set or run"),
        ("setting of 3", "“setting of 3” isn’t a set or run"),
        ("trio of the same suit", "A set is of one rank: only runs can be of one suit."),
        ("s3, 7 cartes de la même couleur", "“7 cartes de la même couleur” isn’t a set or run"),
        ("<script>", "“<script>” isn’t a set or run"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(text: str, why: str) -> None:
    with pytest.raises(UnreadableContract) as caught:
        READER.read(1, text)
    assert str(caught.value.phrase).startswith(why)


def in_signs(contract: Contract) -> str:
    """As on a sheet: `2x3 + R4`."""
    counted = Counter(contract.parts).items()
    signs = {"set": "{0}x{1}", "run": "{0}xR{1}"}
    return " + ".join(signs[part.kind].format(count, part.size) for part, count in counted)


def in_french(contract: Contract) -> str:
    """As a French table types it: `2 jeux de 3 et 1 suite de 4`."""
    counted = Counter(contract.parts).items()
    names = {"set": "jeux", "run": "suites"}
    return " et ".join(f"{count} {names[part.kind]} de {part.size}" for part, count in counted)


@given(CONTRACTS)
def test_a_contract_written_in_any_way_is_read_as_the_same_contract(contract) -> None:
    for text in (str(contract), str(contract.words), in_signs(contract), in_french(contract)):
        read = READER.read(contract.number, text)
        assert same_melds(read, contract), text
        assert read.number == contract.number


@given(CONTRACTS, st.data())
def test_capitals_and_blanks_make_no_difference(contract, data) -> None:
    text = str(contract.words)
    odd = "".join(
        sign.upper() if data.draw(st.booleans()) else sign for sign in text.replace(" ", "  ")
    )
    assert same_melds(READER.read(1, odd), contract)


@given(st.text(max_size=250))
def test_any_text_is_read_or_refused(text) -> None:
    with suppress(UnreadableContract):
        assert 1 <= len(READER.read(1, text).parts) <= 8


@pytest.mark.parametrize("variant", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_every_shipped_contract_can_be_typed_as_it_is_shown(variant) -> None:
    for contract in variant.contracts:
        assert READER.read(contract.number, str(contract.words)).parts == tuple(
            sorted(contract.parts, key=contract.parts.index)
        )
