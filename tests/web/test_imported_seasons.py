"""Seasons of a document, where the group that they come into has games of their time."""

from tests.club import exported
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in, imported
from tests.walk.copying import import_document


@ON_SQLITE
def test_a_season_comes_with_its_rules_where_that_year_was_played_and_asks_about_those_games(app):
    client = browser_in(app, club_in(app))
    document = exported(client)
    here, elsewhere = document["games"][:5], document["games"][5:]
    other = browser_in(app, imported(app, {**document, "games": here, "seasons": []}))
    year = {"name": "2025", "least_games": "5", "measure": "wins", "place_points": "5 3 2 1"}
    assert client.post("/seasons/2025/edit", data=year).status_code == 303
    document = exported(client)
    import_document(other, {**document, "games": elsewhere})
    assert exported(other)["seasons"] == document["seasons"]

    third = browser_in(app, imported(app, {**document, "games": here, "seasons": []}))
    client.post(f"/games/{elsewhere[0]['key']}/bin")
    (season,) = (one for one in exported(client)["seasons"] if one["key"] == "2025")
    assert season["decided"]
    import_document(third, {**exported(client), "games": elsewhere})
    (came,) = (one for one in exported(third)["seasons"] if one["key"] == "2025")
    wanted = [*season["changed_games"], *(one["key"] for one in here)]
    assert came == {**season, "changed_games": wanted}
