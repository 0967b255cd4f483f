"""How the columns of a table of past results are called."""

import io

from flask import Flask
from flask.testing import FlaskClient

from app.web.infrastructure.localization import all_translators, languages
from tests.web.test_data import an_evening, sent
from tests.web.test_history import text


def test_a_table_is_headed_by_the_words_for_its_columns_in_each_language(
    app: Flask, client: FlaskClient
):
    an_evening(client)
    with app.app_context():
        known = dict(zip(languages(), all_translators(), strict=True))
    for language, translate in known.items():
        words = [translate(one, None, None) for one in ("Day", "Rule set", "Player", "Place")]
        bare = {"file": (io.BytesIO(b"x;y\n"), "paper.csv")}
        there = {"Accept-Language": language}
        said = text(client.post("/data/import", data=bare, headers=there))
        assert all(one in said.split("<main")[1] for one in words), language
        table = f"{';'.join(words)}\n2024-05-03;Frustration;Ann;1\n2024-05-03;Frustration;Ben;2"
        assert sent(client, table, "paper.csv").status_code == 200, language


def test_a_table_may_call_its_rule_sets_games_in_french(client: FlaskClient):
    an_evening(client)
    table = "date;jeu;joueur;rang;points\n2024-05-03;Frustration;Ann;1;10\n"
    assert sent(client, f"{table}2024-05-03;Frustration;Ben;2;30\n", "paper.csv").status_code == 200
