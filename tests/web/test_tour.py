"""The tour of a game: who is offered it, and the words that explain themselves where they stand."""

import re

from tests.web.test_games_without_scripts import text
from tests.web_table import PlainGame

SETUP = "/games/new/frustration-rummy"


def test_the_tour_is_offered_until_a_game_is_finished(client):
    assert 'id="tour"' in text(client.get(SETUP))
    game = PlainGame.started(client, "carioca", "Anna Ben")
    assert 'id="tour"' in text(client.get(SETUP))
    game.close(1, out="Anna", Ben="20")
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    assert 'id="tour"' not in text(client.get(SETUP))
    assert 'id="tour"' not in text(client.get("/games/new/points-only"))


def test_one_tap_skips_the_tour_for_good_and_the_rules_still_have_it(client):
    skipped = client.post("/rules/frustration-rummy/tour")
    assert skipped.status_code == 303
    assert skipped.location == SETUP
    assert 'id="tour"' not in text(client.get(SETUP))
    rules = text(client.get("/rules/frustration-rummy"))
    link = re.search(r'href="(/rules/frustration-rummy/tour[^"]*)"', rules)
    assert "What you have to lay down in one turn. Contract 1: 3 sets of 3." in text(
        client.get(link[1])
    )
    assert client.get("/rules/points-only/tour").status_code == 404


def test_each_word_explains_itself_where_a_game_is_set_up(client):
    shown = text(client.get(SETUP))
    words = re.findall(r'<details class="word">\s*<summary><span class="fact">([^<]*)<', shown)
    assert words == ["2s and jokers wild", "Runs in one suit", "Contract", "Set", "Run", "Lay off"]
