"""The checker's page where what is asked cannot be read, or cards are typed as people call them."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web.test_checker import all_melds, shown

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    ("address", "field", "said"),
    [
        ("variant=frustration&contract=99", "contract", "99 isn’t a whole number between 1 and 10"),
        ("players=13", "players", "13 isn’t a whole number between 1 and 12"),
        ("ask=guess", "ask", "'guess' isn’t one of these"),
        ("ask=meld&kind=flush", "kind", "'flush' isn’t one of these"),
        ("variant=nope", "variant", "aren’t known here"),
        ("rule-twos=sometimes", "rules", "Choose one of these"),
    ],
)
def test_what_cannot_be_read_is_told_beside_its_field(
    client: FlaskClient, address: str, field: str, said: str
) -> None:
    page = shown(client, f"/check?{address}&m=5H+5D+5C")
    assert said in re.search(rf'id="said-{field}"[^>]*>(.*?)</p>', page, re.DOTALL)[1]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("5H 5H 5H", "5♥ appears 3 times"),
        ("5H five", "isn’t a card"),
        (" ".join(["5H"] * 61), "more than 60 cards"),
    ],
)
def test_cards_that_cannot_be_are_said_and_stay_as_entered(
    client: FlaskClient, typed: str, said: str
) -> None:
    address = f"/check?variant=frustration&ask=meld&kind=set&m={typed.replace(' ', '+')}"
    assert said in shown(client, address).split('id="verdict"')[1]
    assert all_melds(client, address) == [typed]


@pytest.mark.parametrize("joker", ["*", "★", "joker"])
def test_a_joker_is_typed_as_people_call_and_see_it(client: FlaskClient, joker: str) -> None:
    address = f"/check?variant=garbage-rummy&ask=meld&kind=run&m=5H+6H+{joker}+8H"
    assert "joker as 7" in shown(client, address).split('id="verdict"')[1]
    assert all_melds(client, address) == ["5H 6H JK 8H"]


def test_a_text_that_is_no_card_is_not_said_to_break_a_rule_of_the_text(
    client: FlaskClient,
) -> None:
    page = shown(client, "/check?variant=frustration&ask=meld&m=5H+5D+five")
    said = page.split('id="verdict"')[1]
    assert 'Not in the rules</b> <span class="sentence">Enter a card as rank and suit' in said
    assert "See the rule" not in said


@pytest.mark.parametrize(
    "address", ["ask=x&contract=999&variant=nope", "ask=swap&m=JK&add=", "m=%0A%7F"]
)
def test_a_broken_question_still_shows_the_checker(client: FlaskClient, address: str) -> None:
    assert "data-keypad" in shown(client, f"/check?{address}")
