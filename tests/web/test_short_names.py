"""What people are called where there is little room: one short name each."""

import pytest
from flask.testing import FlaskClient

from app.web.game_parts.words import short_names
from tests.web.test_told_change import told
from tests.web_table import PlainGame, fields_of


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Rosalind", "Rosalind"),
        ("Bartholomew", "Bartholomew"),
        ("Marie-Antoinette", "Marie-A."),
        ("Maximilian-Alexander", "Maximilian…"),
        ("Josephine-Elisabeth Roy", "Josephine…"),
        ("Grandma Josephine-Elisabeth", "Grandma J."),
        ("Grandpa Jean-Christophe", "Grandpa J."),
        ("Tante Anne", "Tante Anne"),
        ("Grandmother Josephine-Elisabeth", "Josephine…"),
        ("Dr. Anna Smithson", "Anna"),
        ("Grand-Père", "Grand-Père"),
        ("Papi", "Papi"),
    ],
)
def test_a_long_name_is_cut_to_what_one_is_called_by(name: str, short: str) -> None:
    assert short_names([name, "Zoé"])[name] == short


def test_nobody_is_called_by_what_is_short_for_two() -> None:
    named = short_names(["Grand-Père Jean-Christophe", "Jean-Christophe", "Tante Anne", "Anne"])
    assert list(named.values()) == ["Grand-Père…", "Jean-C.", "Tante Anne", "Anne"]
    named = short_names(["Grandma Josephine-Elisabeth", "Grandma Julia", "Oma"])
    assert list(named.values()) == ["Josephine…", "Julia", "Oma"]


def test_a_person_has_one_short_name_whoever_else_is_named() -> None:
    few, many = ["Anne-Sophie", "Bo"], ["Anne-Sophie", "Maximilian-Alexander", "Grand-Mère"]
    assert short_names(few)["Anne-Sophie"] == short_names(many)["Anne-Sophie"] == "Anne-S."


def test_long_names_leave_room_for_what_was_and_is(client: FlaskClient) -> None:
    names = ["Tom Featherstonehaugh-Smythe", "Mia Constantinopoulou", "Anna-Katharina Mustermann"]
    game = PlainGame.started(client, "aggravation-rummy", "", player=names)
    tom, mia, anna = (game.seats[one] for one in names)
    entered = {"out": str(tom), f"{mia}-met": "on", f"{mia}-typed": "35", f"{anna}-typed": "70"}
    assert game.close(1, {**fields_of(game.page, "round"), **entered}).status_code == 303
    address = f"/games/{game.key}/rounds/1"
    sent = fields_of(client.get(address).get_data(as_text=True), "round")
    client.post(address, data={**sent, f"{mia}-typed": "55"})
    assert told(client, game).startswith("Round 1, Mia: 55 points (was 35) · Mia: score 35 → 55")
