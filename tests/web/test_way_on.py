"""What leads on from a page that shows what was just done on it."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web.test_history import text
from tests.web_table import PlainGame

CHANGES = {
    "joins": ("/players", {"name": "Dora", "contract": "first", "score": "zero"}),
    "leaves": ("/players/{seat}/leave", {}),
    "points are added": (
        "/corrections",
        {"seat": "{seat}", "number": "1", "direction": "add", "points": "20"},
    ),
}


def main_ways(page: str) -> list[str]:
    """What its main buttons and the ways back at its head say."""
    body = page.split("<main")[1]
    buttons = re.findall(r'class="button primary[^"]*"[^>]*>([^<]*)<', body)
    return [*buttons, *re.findall(r"<nav class=\"links\">\s*<a [^>]*>([^<]*)<", body)]


@pytest.mark.parametrize("done", CHANGES)
def test_a_page_that_stays_open_after_what_was_done_leads_back_to_the_game(
    client: FlaskClient, done: str
):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    game.close(1, out="Anna", met="Ben", Ben="10", Cleo="60")
    address, sent = CHANGES[done]
    seat = str(game.seats["Cleo"])
    sent = {name: value.format(seat=seat) for name, value in sent.items()}
    before = f"/games/{game.key}{address.split('/{seat}')[0]}"
    assert "Back to the game" in main_ways(text(client.get(before)))[1:]
    answer = client.post(f"/games/{game.key}{address.format(seat=seat)}", data=sent)
    page = text(client.get(answer.location))
    assert ">Undo</button>" in page
    assert main_ways(page) == ["Back to the game"]
