"""Milestones where they are told, and whether they are; what they are stands in `test_club`."""

import re

from flask import Flask

from tests.club import exported, games_of
from tests.many_games import browser_in, club_in, imported, play_games
from tests.web.test_data import brought_in
from tests.web.test_history import text


def test_a_milestone_is_told_where_the_game_ended_unless_the_group_wants_none(app: Flask):
    group = club_in(app, 6)
    client = browser_in(app, group)
    document = exported(client)
    first = games_of(document)[0]
    winner = first.winners[0]
    sentence = f"{winner}’s first win!"
    assert sentence in text(client.get(f"/games/{first.key}"))
    assert client.post("/group/milestones", data={"told": "no"}).status_code == 303
    assert sentence not in text(client.get(f"/games/{first.key}"))
    off = exported(client)
    assert off["milestones"] is False
    assert exported(browser_in(app, imported(app, off)))["milestones"] is False


def test_hundredth_games_and_wins_in_a_row_are_told_and_nothing_is_of_losing(app: Flask):
    client = browser_in(app, play_games(app, 0))
    lines = ["date,rule set,player,place"]
    for game in range(100):
        day = f"2025-{game // 25 + 1:02}-{game % 25 + 1:02}"
        lines += [f"{day},Frustration,Anna,1", f"{day},Frustration,Ben,2"]
    brought_in(client, "\n".join(lines))
    people = re.findall(r'href="(/players/\d+)"', text(client.get("/players")))
    anna, ben = (
        re.findall(r"<li><a [^>]*><span>([^<]*)</span>", text(client.get(f"{at}/milestones")))
        for at in people
    )
    in_a_row = [f"Anna: {count} wins in a row!" for count in (50, 40, 30, 20, 15, 10, 5)]
    games = ["Anna: game 100!", "Anna: game 50!"]
    first = ["Anna’s first win!"]
    assert sorted(anna) == sorted(in_a_row + games + first)
    assert ben == ["Ben: game 100!", "Ben: game 50!"]
