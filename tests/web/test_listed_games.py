"""What the cards of the history say: who sat there, and what decided the places."""

import re

import pytest
from flask import Flask

from tests.club import exported, games_of
from tests.many_games import browser_in, club_in

CARD = 'class="card game-card"'
PAST = {
    "date": "2024-12-31", "rules": "frustration",
    "p0-player": "Ann", "p0-place": "1", "p1-player": "Bob", "p1-place": "2",
}  # fmt: skip

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def test_on_a_card_only_players_of_one_place_are_level(app: Flask) -> None:
    client = browser_in(app, club_in(app, 30))
    games = {one.key: one for one in games_of(exported(client))}
    shown, address, figures = set[str](), "/history", set[int]()
    while address:
        page = client.get(address).get_data(as_text=True)
        for card in page.split(CARD)[1:]:
            key = re.search(r"/games/(\w+)/rounds", card)
            assert key
            people = card.split('game-card-people"')[1].split("</a>")[0]
            chips = people.split('class="chip')[1:]
            of = {
                re.search(r'class="name ">([^<]+)<', one)[1]: re.findall(
                    r'<(?:b|span class="small")>([\d/ −-]+)<', one
                )
                for one in chips
            }
            places = games[key[1]].places
            told = [(places[name], *found) for name, found in of.items() if found]
            assert len(set(told)) == len({one[1:] for one in told}), card
            shown.add(key[1])
            figures |= {len(one) for one in told}
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = older[1].replace("&amp;", "&") if older else ""
    assert shown == set(games)
    assert figures == {2, 3}


def test_a_card_says_how_long_the_game_took_where_that_is_known(app: Flask) -> None:
    client = browser_in(app, club_in(app, 4))
    games = {one.key: one for one in games_of(exported(client))}
    assert client.post("/data/past-game", data=PAST).status_code == 303
    cards = client.get("/history").get_data(as_text=True).split(CARD)[1:]
    assert len(cards) == len(games) + 1
    for card in cards:
        said = re.search(r"(results only|\d+ rounds?(?: · (\d+) minutes?)?)[^<]*<", card)
        assert said
        game = games.get(re.search(r"/games/(\w+)/rounds", card)[1])
        took = None if game is None else str(int(sum(game.lasted)) // 60)
        assert said[2] == took, card
