"""How long a game takes, as its pages say it."""

import re

from app.extensions import db
from app.store.queries.games import known_lengths
from tests.many_games import browser_in, club_in
from tests.web.test_games_without_scripts import text
from tests.web_table import PlainGame


def test_how_long_a_game_takes_is_said_before_and_while_it_goes_on(app, client):
    setup = "/games/new/aggravation-rummy"
    shown = re.compile(
        r"About (\d+)–(\d+) rounds and [\d¼½¾]+ h for 4 players \([\d¼½¾]+(?: min)?–[\d¼½¾]+ h\)"
    )
    least, most = map(int, shown.search(text(client.get(setup))).groups())
    assert 7 <= least < most
    sent = {"player": list("ABCD"), "rule-last_contract": "3"}
    fewer = text(client.post(f"{setup}/effect", data=sent, headers={"HX-Request": "true"}))
    assert re.search(r"About \d–\d rounds and \d+ min for 4 players \(\d+–\d+ min\)", fewer)
    game = PlainGame.started(client, "carioca", "Anna Ben Cleo Dora")
    assert "about 50 min left" in game.page
    game.close(1, out="Anna", Ben="20", Cleo="20", Dora="20")
    assert "about 40 min left" in game.page
    assert "25–55 min left" in game.page


def test_a_group_is_told_by_its_own_games_how_long_the_next_one_takes(app):
    group = club_in(app, 12)
    with app.app_context():
        past = known_lengths(db.session(), group, "frustration")
        assert len(past) >= 5
        assert all(6 * 60 <= one.seconds / one.rounds <= 10 * 60 for one in past)
        assert max(one.rounds for one in past) == 4
        assert known_lengths(db.session(), group, "carioca") == []
    shown = text(browser_in(app, group).get("/games/new/frustration"))
    assert re.search(r"About \d+(–\d+)? rounds", shown)
