"""What leaves games out of seasons says so where it was tapped, and one tap undoes it."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.club import evenings_in, exported, games_of
from tests.many_games import browser_in, club_in, play_games
from tests.web_table import PlainGame, shown_fields

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def left_out_in(client: FlaskClient) -> set[str]:
    return {one["key"] for one in exported(client)["games"] if one.get("left_out")}


@ON_SQLITE
@pytest.mark.parametrize("where", ["season", "evening"])
@pytest.mark.parametrize("counts_again", [False, True])
def test_leaving_out_is_told_where_it_was_done_with_an_undo(
    app: Flask, where: str, counts_again: bool
) -> None:
    client = browser_in(app, club_in(app, 12))
    games = games_of(exported(client))
    evening = [one.key for one in next(of for of in evenings_in(games) if len(of) > 1)]
    season = next(one for one in games if one.key == evening[0]).started.year

    if counts_again:
        client.post(f"/evenings/{evening[0]}/seasons", data={"left_out": evening[0]})
    before = left_out_in(client)
    if where == "season":
        sent = {"evening": evening[0]} | ({"counts": "yes"} if counts_again else {})
        answer = client.post(f"/seasons/{season}/leave-out", data=sent)
    else:
        sent = {"seen": evening[0]} if counts_again else {"left_out": evening[:2]}
        answer = client.post(f"/evenings/{evening[0]}/seasons", data=sent)
    assert answer.location.endswith("#left-out")
    assert left_out_in(client) != before
    page = client.get(answer.location).get_data(as_text=True)
    part = page.split('id="left-out" open')[1].split("</form>")[0]
    said = "counts? for seasons again" if counts_again else "no longer counts? for seasons"
    assert re.search(rf"\d games? {said}\.", part)
    undo = re.search(r'action="([^"]+)"', part)
    assert undo
    fields: dict[str, list[str]] = {}
    for name, value in shown_fields(part):
        fields.setdefault(name, []).append(value)
    answer = client.post(undo[1], data=fields)
    assert answer.location.startswith(f"/{where}s/")
    assert left_out_in(client) == before


@ON_SQLITE
def test_where_all_that_counted_is_left_out_it_can_count_again(app: Flask) -> None:
    client = browser_in(app, club_in(app, 3))
    games = games_of(exported(client))
    year = games[-1].started.year
    for of in evenings_in(games):
        client.post(f"/seasons/{year}/leave-out", data={"evening": of[0].key})
    client.post(f"/seasons/{year}/settle", data={"anew": "yes"})
    page = client.get(f"/seasons/{year}").get_data(as_text=True)
    assert "No finished games yet." in page
    assert "Count again" in page


def test_what_ends_or_is_typed_in_an_evening_left_out_is_left_out_too(app: Flask) -> None:
    client = browser_in(app, play_games(app, 0))

    def played() -> str:
        game = PlainGame.started(client, "points-only", "Anna Ben Cleo")
        assert game.close(1, Anna="5", Ben="10", Cleo="15").status_code == 303
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
        return game.key

    def typed() -> str:
        sent = {
            "rules": "points-only",
            "date": "2024-05-06",
            "p0-player": "Anna",
            "p1-player": "Ben",
        }
        others["p1-score"] += 5
        answer = client.post("/data/past-game", data=sent | others)
        assert answer.status_code == 303
        return answer.location.split("/")[2]

    others = {"p0-score": 5, "p1-score": 5}
    for again in (played, typed):
        first = again()
        assert first not in left_out_in(client)
        client.post(f"/evenings/{first}/seasons", data={"left_out": first})
        second = again()
        assert {first, second} <= left_out_in(client)
        client.post(f"/evenings/{first}/seasons", data={"seen": [first]})
        assert again() not in left_out_in(client)  # as one of that evening counts
