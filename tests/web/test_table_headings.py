"""How the columns of tables are called: in the language of the reader, and read in every one."""

import csv
import io

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.web.infrastructure.localization import languages
from app.web.tables import TABLES
from tests.many_games import browser_in, club_in, play_games
from tests.web.test_data import an_evening, brought_in, sent
from tests.web.test_history import text

LANGUAGES = ("en", "fr")
ENGLISH_TOO = {"bonus", "correction", "date", "moment", "note", "points", "record", "score"}
"""Headings that are the same word in French."""
OF_ROUNDS = {"en": "This is a table of rounds.", "fr": "C’est un tableau de manches."}
PAST = """date;rules;player;place;score
2024-05-03;points-only;Ann;1;10
2024-05-03;points-only;Ben;2;30
2024-05-04;frustration-nineteen;Ben;1;
2024-05-04;frustration-nineteen;Ann;2;
"""


def speaking(client: FlaskClient, language: str) -> FlaskClient:
    client.set_cookie("language", language)
    return client


def table(client: FlaskClient, address: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text(client.get(address)).removeprefix("\ufeff"))))


def test_the_languages_named_here_are_those_of_the_app(app: Flask):
    with app.app_context():
        assert {*languages()} == {*LANGUAGES}


def test_each_table_has_headings_in_french_for_who_reads_french(app: Flask):
    group = club_in(app, 6)
    english = browser_in(app, group)
    french = speaking(browser_in(app, group), "fr")
    player = text(english.get("/players")).split('href="/players/')[1].split('"')[0]
    addresses = [f"/tables/{name}.csv?with={player}" for name in (*TABLES, "2025")]
    for address in (*addresses, "/data/rounds.csv"):
        (ours, *lines), (theirs, *same) = table(english, address), table(french, address)
        assert lines, address
        assert len(same) == len(lines)
        assert len({*theirs}) == len(ours), address
        assert {*ours} & {*theirs} <= ENGLISH_TOO, address
        cells = {cell for line in same for cell in line}
        assert not cells & {"yes", "no", "seconds", "Fastest game", "Points only"}, address
    assert {"oui", "non"} <= {cell for line in table(french, "/data/rounds.csv") for cell in line}


@pytest.mark.parametrize("written", LANGUAGES)
@pytest.mark.parametrize("read", LANGUAGES)
def test_what_is_exported_in_any_language_comes_in_in_any(app: Flask, written: str, read: str):
    told = speaking(browser_in(app, play_games(app, 0)), written)
    brought_in(told, PAST)
    for address in ("/tables/games.csv", "/data/rounds.csv"):
        for separator in ("comma", "semicolon", "tab"):
            content = told.get(f"{address}?separator={separator}").data
            other = speaking(browser_in(app, play_games(app, 0)), read)
            brought_in(other, content)
            speaking(other, written)
            assert games_of(other) == games_of(told) != []


def games_of(client: FlaskClient) -> list[tuple[str, ...]]:
    """What each line of the table of games says, but for the key of its game."""
    lines = table(client, "/tables/games.csv")[1:]
    return sorted((day, rules, *rest) for day, rules, _key, *rest in lines)


@pytest.mark.parametrize("read", LANGUAGES)
@pytest.mark.parametrize("written", LANGUAGES)
def test_a_table_of_rounds_is_known_for_one_in_any_language(app: Flask, written: str, read: str):
    group = club_in(app, 2)
    rounds = speaking(browser_in(app, group), written).get("/data/rounds.csv").data
    page = text(sent(speaking(browser_in(app, group), read), rounds, "x.csv"))
    assert OF_ROUNDS[read] in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_page_says_of_columns_can_be_sent(client: FlaskClient, language: str):
    """The example, and the columns that are missing."""
    an_evening(client)
    speaking(client, language)
    sample = text(client.get("/data")).split('<pre class="sample">')[1].split("</pre>")[0]
    assert sent(client, sample, "x.csv").status_code == 200
    said = text(sent(client, "x;y\n", "x.csv"))
    headings = sample.split("\n")[0].strip().split(",")[:4]
    assert all(one in said.split("<main")[1] for one in headings)


@pytest.mark.parametrize(
    "heading",
    [
        "date;jeu;joueur;rang;points",
        "Jour;Règle;NOM;Classement;Score",
        "JOUR;regles;Joueuse;RANG;Total",
        "Date;Variante;Prénom;Rang final;Points",
    ],
)
def test_headings_are_read_as_people_write_them_in_french(client: FlaskClient, heading: str):
    an_evening(client)
    lines = "2024-05-03;Points seuls;Ann;1;10\n2024-05-03;points SEULS;Ben;2;30\n"
    assert sent(client, f"{heading}\n{lines}", "paper.csv").status_code == 200
