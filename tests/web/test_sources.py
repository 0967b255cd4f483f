"""Where answers and verdicts stand: links to the texts, and why another game's is cited."""

import html
import re
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

CATS = "https://catsatcards.com/Games/FrustrationCardGame.html"
FOLLOWS = "Where Twelve Step Rummy says nothing of its own, it is played as "


def shown(client: FlaskClient, address: str) -> str:
    return html.unescape(client.get(address).get_data(as_text=True))


@pytest.mark.parametrize(
    ("rules", "address", "name"),
    [
        ("twelve-step-rummy", CATS, "Cats at Cards, 2015"),
        ("ten-phases", "https://ourpastimes.com/phase-ten-card-game-instructions-5405730.html", ""),
        ("shanghai-rummy", "https://en.wikipedia.org/wiki/Shanghai_rum", "Wikipedia, Shanghai rum"),
    ],
)
@pytest.mark.parametrize("page", ["", "/sheet"])
def test_a_document_that_can_be_read_elsewhere_is_a_link_to_a_new_page(
    client: FlaskClient, rules: str, address: str, name: str, page: str
) -> None:
    if page and "wikipedia" in address:
        return  # the sheet names the rule set's own document alone
    links = re.findall(
        r'<a href="([^"]+)" target="_blank" rel="noopener noreferrer">([^<]+)</a>',
        shown(client, f"/rules/{rules}{page}"),
    )
    assert (address, name or address.removeprefix("https://")) in links


def test_why_the_rules_of_another_game_are_cited_is_said_once(client: FlaskClient) -> None:
    page = shown(client, "/rules/twelve-step-rummy")
    (others,) = re.findall(FOLLOWS + r"([^<]*)\.<", page)
    assert set(re.split(", | and ", others)) == {"Frustration", "Frustration Rummy"}
    assert FOLLOWS[:5] not in shown(client, "/rules/frustration")
    asked = {"variant": "twelve-step-rummy", "ask": "meld", "size": "any", "m": "5H 6H JK 8H"}
    assert f"{FOLLOWS}Frustration." in shown(client, f"/check?{urlencode(asked)}")
