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


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ("variant=frustration&ask=layoff&kind=set&m=9H+9D+9C&add=9S", "layoff-on-others"),
        ("variant=frustration&ask=meld&kind=set&m=9H+9D+9C", "extra-melds"),
        ("variant=twelve-step-rummy&ask=swap&kind=run&m=5H+JK+7H&add=6H", "wild-swap"),
    ],
)
def test_from_what_a_legal_play_takes_a_link_leads_to_the_rule(
    client: FlaskClient, asked: str, rule: str
) -> None:
    page = shown(client, f"/check?{asked}")
    beside = page.split('class="fact-line note"')[1].split('class="laid"')[0]
    assert re.search(rf'href="/rules/[^"]*#{rule}">See the rule<', beside)


def test_of_a_run_with_wild_cards_it_is_said_above_the_keys_how_many_it_has(
    client: FlaskClient,
) -> None:
    page = shown(client, "/check?variant=frustration&ask=meld&size=any&m=3H+4D+2S+2H+7C+8C+2D")
    strip = page.split('id="strip"')[1].split("</a>")[0]
    assert "Wild cards: 3 of 7. At most half the cards can be wild." in strip


def test_what_a_legal_play_takes_is_said_above_the_keys_also_where_a_house_rule_decides(
    client: FlaskClient,
) -> None:
    asked = "variant=frustration&ask=layoff&kind=set&m=9H+2D+2S&add=9C&rule-wild_limit=none"
    page = shown(client, f"/check?{asked}")
    strip = page.split('id="strip"')[1].split("</a>")[0]
    assert "Legal." in strip
    assert "Once your contract is down" in strip, strip
