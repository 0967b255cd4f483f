"""What stands beside a verdict: what a play takes besides its cards, and where those come from."""

import html
import re

import pytest
from flask.testing import FlaskClient

from tests.web_table import PlainGame

LAYOFF, SWAP = "ask=layoff&kind=set&m=9H+9D+9S&add=9C", "ask=swap&kind=run&m=5H+JK+7H&add=6H"
EXTRA = "ask=meld&kind=set&m=9H+9D+9C"


def shown(client: FlaskClient, address: str) -> str:
    return html.unescape(client.get(address, follow_redirects=True).get_data(as_text=True))


def told(page: str) -> tuple[str, str]:
    """How the verdict looks, and its headline; the strip above the keys shows and says the same."""
    look, headline = re.findall(
        r'id="verdict" class="verdict (\w+).*?class="verdict-sign"[^>]*>.</span> ([^<]+)<',
        page,
        re.DOTALL,
    )[0]
    assert re.search(rf'class="strip {look}" id="strip".*?</b> {re.escape(headline)}', page)
    return look, headline


@pytest.mark.parametrize(
    "question",
    [
        f"variant=frustration&{LAYOFF}",
        f"variant=frustration&{EXTRA}",
        f"variant=twelve-step-rummy&{SWAP}",
    ],
)
def test_what_takes_a_contract_laid_down_is_legal_once_the_one_who_asks_did(
    a_running_game: PlainGame, question: str
) -> None:
    game, client = a_running_game, a_running_game.client
    asked = f"/check?contract=2&{question}"
    assert told(shown(client, asked)) == ("pending", "Legal, once you have laid down")
    asked += f"&game={game.key}"
    assert told(shown(client, asked)) == ("pending", "Legal, once you have laid down")
    asked += f"&seat={game.seats['Ben']}"
    assert told(shown(client, asked)) == ("pending", "Legal once Ben has laid down")
    game.keep(2, met="Anna")
    assert told(shown(client, asked)) == ("pending", "Legal once Ben has laid down")
    game.keep(2, met="Ben")
    assert told(shown(client, asked)) == ("legal", "Legal")


def test_no_contract_must_be_down_for_a_part_of_one_or_for_what_is_not_legal(
    client: FlaskClient,
) -> None:
    of_contract = "/check?variant=frustration&ask=meld&size=any&m=9H+9D+9C"
    assert told(shown(client, of_contract)) == ("legal", "Legal")
    not_legal = "/check?variant=frustration&ask=layoff&kind=set&m=9H+9D+9S&add=8C"
    assert told(shown(client, not_legal)) == ("illegal", "Not legal")


@pytest.mark.parametrize(
    "question",
    [
        f"variant=frustration&{LAYOFF}",
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
        (f"variant=frustration&{LAYOFF}", "layoff-on-others"),
        (f"variant=frustration&{EXTRA}", "extra-melds"),
        (f"variant=twelve-step-rummy&{SWAP}", "wild-swap"),
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
    assert "Legal, once you have laid down" in strip
