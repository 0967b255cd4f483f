"""What the cards of the history say: who sat there, and what decided the places."""

import re

import pytest
from flask import Flask

from tests.club import exported, games_of
from tests.many_games import browser_in, club_in

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def test_on_a_card_only_players_of_one_place_are_level(app: Flask) -> None:
    client = browser_in(app, club_in(app, 30))
    games = {one.key: one for one in games_of(exported(client))}
    shown, address, figures = set[str](), "/history", set[int]()
    while address:
        page = client.get(address).get_data(as_text=True)
        for card in page.split('class="card game-card"')[1:]:
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
