"""What leaves games out of seasons says so where it was tapped, and one tap undoes it."""

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.club import evenings_in, exported, games_of
from tests.many_games import browser_in, club_in, play_games
from tests.walk.copying import check_backup
from tests.web_table import PlainGame, fields_of, shown_fields

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


DAY, OTHER_DAY = "2024-05-06", "2023-01-02"


def played(client: FlaskClient) -> str:
    game = PlainGame.started(client, "points-only", "Anna Ben Cleo")
    assert game.close(1, Anna="5", Ben="10", Cleo="15").status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    return game.key


def ended_again(client: FlaskClient) -> str:
    key = played(client)
    for ask in ("reopen", "stop"):
        assert client.post(f"/games/{key}/{ask}", data={"result": "yes"}).status_code == 303
    return key


def typed(client: FlaskClient, day: str = DAY) -> str:
    sent = {"rules": "points-only", "date": day, "p0-player": "Anna", "p1-player": "Ben"}
    games = len(exported(client)["games"])
    answer = client.post("/data/past-game", data=sent | {"p0-score": games, "p1-score": 5 + games})
    assert answer.status_code == 303
    return answer.location.split("/")[2]


def in_a_table(client: FlaskClient, day: str = DAY) -> str:
    before = {one["key"] for one in exported(client)["games"]}
    score = len(before)
    lines = f"{day},points-only,Anna,1,{score}\n{day},points-only,Ben,2,{score + 5}\n"
    table = f"date,rules,player,place,score\n{lines}".encode()
    page = client.post("/data/import", data={"file": (BytesIO(table), "past.csv")})
    address = re.search(r'action="(/data/import/[^"]+)"', page.get_data(as_text=True))
    assert address
    assert client.post(address[1]).status_code == 303
    (key,) = {one["key"] for one in exported(client)["games"]} - before
    return key


def move(client: FlaskClient, key: str, day: str) -> None:
    address = f"/data/past-game/{key}"
    form = fields_of(client.get(address).get_data(as_text=True), "past-game")
    assert client.post(address, data=form | {"date": day}).status_code == 303


def moved(client: FlaskClient) -> str:
    key = typed(client, OTHER_DAY)
    move(client, key, DAY)
    return key


CAME_IN: list[Callable[[FlaskClient], str]] = [played, ended_again, typed, in_a_table, moved]
"""How a game comes into an evening, of today or of `DAY`; each answers the key of one."""


@pytest.mark.parametrize("come", CAME_IN)
def test_a_game_that_comes_into_an_evening_left_out_is_left_out_too(
    app: Flask, come: Callable[[FlaskClient], str]
) -> None:
    client = browser_in(app, play_games(app, 0))
    first = come(client)
    assert first not in left_out_in(client)
    client.post(f"/evenings/{first}/seasons", data={"left_out": first})
    second = come(client)
    assert {first, second} <= left_out_in(client)
    client.post(f"/evenings/{first}/seasons", data={"seen": [first]})
    assert come(client) not in left_out_in(client)  # as one of that evening counts


def test_a_past_result_is_left_out_where_undoing_moves_it_back_and_stays_so(app: Flask) -> None:
    client = browser_in(app, play_games(app, 0))
    first, second = typed(client), typed(client)
    move(client, second, OTHER_DAY)
    client.post(f"/evenings/{first}/seasons", data={"left_out": first})
    changes = client.get(f"/games/{second}/activity").get_data(as_text=True)
    undo = re.search(r'action="(/games/\w+/activity/\d+/undo)"', changes)
    assert undo
    assert client.post(undo[1]).status_code == 303
    assert left_out_in(client) == {first, second}


def test_a_backup_says_itself_which_past_results_count(app: Flask) -> None:
    group = play_games(app, 0)
    client = browser_in(app, group)
    first, _second = typed(client), typed(client)
    client.post(f"/evenings/{first}/seasons", data={"left_out": first})
    assert left_out_in(client) == {first}
    check_backup(app, client, group)


def test_a_past_result_alone_on_its_day_counts_there_as_before(app: Flask) -> None:
    client = browser_in(app, play_games(app, 0))
    other, alone = typed(client, "2024-08-01"), typed(client)
    client.post(f"/evenings/{other}/seasons", data={"left_out": other})
    move(client, alone, OTHER_DAY)
    assert left_out_in(client) == {other}
    move(client, other, "2022-02-02")
    assert left_out_in(client) == {other}


def test_a_result_that_stays_out_of_seasons_is_no_change_of_a_decided_one(app: Flask) -> None:
    client = browser_in(app, club_in(app, 12))
    games = games_of(exported(client))
    year = [one for one in games if one.started.year == games[0].started.year]
    *_, evening = evenings_in(year)
    gone, out = year[0].key, [one.key for one in evening]
    client.post(f"/games/{gone}/bin")
    client.post(f"/evenings/{out[0]}/seasons", data={"left_out": out})
    late = in_a_table(client, f"{evening[0].started:%Y-%m-%d}")
    assert late in left_out_in(client)
    asked = [key for one in exported(client)["seasons"] for key in one.get("changed_games", ())]
    assert set(asked) == {gone, *out}


def test_a_past_result_that_moves_into_an_evening_left_out_is_no_change_of_its_season(
    app: Flask,
) -> None:
    client = browser_in(app, play_games(app, 0))
    out, _counts, moving = (
        typed(client, day) for day in ("2024-05-06", "2024-03-03", "2022-01-02")
    )
    client.post(f"/evenings/{out}/seasons", data={"left_out": out})
    client.post("/seasons/2024/settle", data={"anew": "yes"})
    client.post("/seasons/2022/settle", data={"anew": "yes"})
    move(client, moving, "2024-05-06")
    changed = {one["key"]: one.get("changed_games", []) for one in exported(client)["seasons"]}
    assert changed == {"2024": [], "2023": [], "2022": [moving]}
    move(client, moving, "2024-03-03")
    (season,) = (one for one in exported(client)["seasons"] if one["key"] == "2024")
    assert season.get("changed_games", []) == []  # it stays out of seasons
