"""What leaves games out of seasons says so where it was tapped, and one tap undoes it."""

import re

import pytest
from flask import Flask

from tests.club import evenings_in, exported, games_of
from tests.many_games import browser_in, club_in
from tests.web_table import shown_fields

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.mark.parametrize("where", ["season", "evening"])
@pytest.mark.parametrize("counts_again", [False, True])
def test_leaving_out_is_told_where_it_was_done_with_an_undo(
    app: Flask, where: str, counts_again: bool
) -> None:
    client = browser_in(app, club_in(app, 12))
    games = games_of(exported(client))
    evening = [one.key for one in next(of for of in evenings_in(games) if len(of) > 1)]
    season = next(one for one in games if one.key == evening[0]).started.year

    def left_out() -> set[str]:
        return {one["key"] for one in exported(client)["games"] if one.get("left_out")}

    if counts_again:
        client.post(f"/evenings/{evening[0]}/seasons", data={"left_out": evening[0]})
    before = left_out()
    if where == "season":
        sent = {"evening": evening[0]} | ({"counts": "yes"} if counts_again else {})
        answer = client.post(f"/seasons/{season}/leave-out", data=sent)
    else:
        sent = {"seen": evening[0]} if counts_again else {"left_out": evening[:2]}
        answer = client.post(f"/evenings/{evening[0]}/seasons", data=sent)
    assert answer.location.endswith("#left-out")
    assert left_out() != before
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
    assert left_out() == before


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
