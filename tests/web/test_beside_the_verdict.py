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
