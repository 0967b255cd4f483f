"""A table of past results in which not every cell is filled."""

import json

from flask.testing import FlaskClient

from tests.web.test_data import an_evening, brought_in, exported, sent
from tests.web.test_history import text

LEFT_EARLY = """date,rule set,player,place,score
2024-12-01,Frustration Rummy,Anna,1,40
2024-12-01,Frustration Rummy,Ben,1,40
2024-12-01,Frustration Rummy,Zoé,,12
2024-12-01,Frustration Rummy,Cleo,,
2024-12-08,Frustration Rummy,Anna,,90
2024-12-08,Frustration Rummy,Ben,,30
2024-12-08,Frustration Rummy,Cleo,,90
"""


def test_who_has_no_place_in_a_table_left_early_and_points_alone_say_places(client: FlaskClient):
    an_evening(client)
    page = text(sent(client, LEFT_EARLY, "paper.csv"))
    assert "2 players have no place: they left early, and come last." in page
    assert page.count("(left early)") == 2
    assert "2 games imported." in brought_in(client, LEFT_EARLY)
    games = [one["paper"] for one in json.loads(exported(client))["games"] if "paper" in one]
    assert sorted([line["place"] for line in one] for one in games) == [[1, 1, 3, 3], [2, 1, 2]]
    by_hand = LEFT_EARLY.replace("Zoé,,", "Zoé,3,").replace("Cleo,,\n", "Cleo,3,\n")
    assert "Nothing in this file is new." in text(sent(client, by_hand))


def test_a_table_without_a_column_of_places_has_points(client: FlaskClient):
    an_evening(client)
    heading, *lines = LEFT_EARLY.replace(",place", "").replace(",,", ",").splitlines()
    table = "\n".join([heading, *(one for one in lines if "12-08" in one)])
    assert "Import 1 game<" in text(sent(client, table))
