"""What stands beside a verdict: what a play takes besides its cards, and where those come from."""

import html
import re

import pytest
from flask.testing import FlaskClient


def shown(client: FlaskClient, address: str) -> str:
    return html.unescape(client.get(address, follow_redirects=True).get_data(as_text=True))


@pytest.mark.parametrize(
    "question",
    [
        "variant=frustration&ask=layoff&kind=set&m=9H+9D+9S&add=9C",
        "variant=garbage-rummy&ask=swap&kind=set&m=9H+9D+JK&add=9C&owner=self",
        "variant=aggravation-rummy-family&ask=meld&size=any&m=5H+5D+5C",
        "variant=frustration&ask=hand&contract=1&m=9H+9D+9S+5H+5D+5C",
    ],
)
def test_what_a_legal_play_takes_besides_its_cards_stands_right_below_the_verdict(
    client: FlaskClient, question: str
) -> None:
    page = shown(client, f"/check?{question}")
    below = re.search(r'class="verdict-word"[^>]*>.*?</p>\s*<p class="([^"]*)', page, re.DOTALL)
    assert below
    assert below[1] == "fact-line note"


def test_that_a_contract_begins_with_the_meld_of_another_question_is_said_with_a_way_to_begin_empty(
    client: FlaskClient,
) -> None:
    rules, said = "/check?variant=frustration&contract=1", "Your last meld came along."
    for ask in ("meld&size=any", "layoff", "swap"):
        page = shown(client, f"{rules}&ask={ask}&m=5H+5D+5C&m-hand=9H&to=contract")
        assert said in page
        link = re.search(r'href="([^"]*)">Start empty', page)
        assert link
        empty = shown(client, html.unescape(link[1]))
        assert said not in empty
        assert 'value="5H 5D 5C"' not in empty
    for asked in (
        "meld&size=any",
        "contract&m=5H+5D+5C&m=",
        "meld&m=5H+5D+5C&aside=5H+5D+5C&aside=",
    ):
        assert said not in shown(client, f"{rules}&ask={asked}&to=contract")
