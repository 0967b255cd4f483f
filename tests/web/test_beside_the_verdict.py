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


def test_what_a_legal_play_takes_is_said_above_the_keys_also_where_a_house_rule_decides(
    client: FlaskClient,
) -> None:
    asked = "variant=frustration&ask=layoff&kind=set&m=9H+2D+2S&add=9C&rule-wild_limit=none"
    page = shown(client, f"/check?{asked}")
    strip = page.split('id="strip"')[1].split("</a>")[0]
    assert "Legal." in strip
    assert "Once your contract is down" in strip, strip
