"""A past game that is typed: read, judged and imported as a CSV of past results is."""

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from io import BytesIO
from random import Random
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from app.actions.results import rebuild_facts
from app.extensions import db
from app.store.games import StoredGame
from tests.club import exported
from tests.web.test_history import text
from tests.web.test_invites import joined
from tests.web.test_own_rule_sets import made
from tests.web_table import PlainGame, fields_of, shown_fields

PAST = {"date": "2024-12-31", "rules": "frustration-rummy"}
PAST_SEATS = {"p0-player": "Anna", "p0-place": "1", "p2-player": "Zoé", "p2-place": "2"}


def test_a_past_game_is_typed_and_its_record_leads_to_the_next(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    form = fields_of(text(client.get("/data/past-game")), "past-game")
    assert form["rules"] == "frustration"
    added = client.post("/data/past-game", data=PAST | PAST_SEATS | {"p2-score": "−5"})
    assert added.status_code == 303
    record = text(client.get(added.location))
    assert "results only" in text(client.get("/history"))
    assert "Anna wins!" in record
    again = re.search(r'href="(/data/past-game[^"]+)"', record)[1].replace("&amp;", "&")
    assert PAST.items() <= fields_of(text(client.get(again)), "past-game").items()


def test_a_past_result_is_not_the_last_table_of_a_new_game(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    assert client.post("/data/past-game", data=PAST | PAST_SEATS).status_code == 303
    page = text(client.get("/games/new/frustration"))
    assert "Same players: Ben, Cleo<" in page
    offered = re.findall(r'value="add:([^"]+)"', page)
    assert offered == ["Anna", "Zoé", "Ben", "Cleo"]  # who plays comes last


def test_a_past_game_like_another_is_added_only_when_that_is_confirmed(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    games = [client.post("/data/past-game", data=PAST | PAST_SEATS).location]
    for _ in range(2):
        refused = client.post("/data/past-game", data=PAST | PAST_SEATS)
        for _confirmed in games:
            assert refused.status_code == 422
            assert "This very result was entered before." in text(refused)
            form = fields_of(text(refused), "past-game")
            refused = client.post("/data/past-game", data=form)
        games.append(refused.location)
    assert len(set(games)) == 3
    assert all(client.get(one).status_code == 200 for one in games)


def test_the_players_of_the_group_are_entered_by_taps(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    sent_fields = PAST | {"p0-player": "Anna", "p0-score": "7", "arrange": "add:Cleo"}
    page = text(client.post("/data/past-game/players", data=sent_fields))
    filled = dict(shown_fields(page))
    assert (filled["p0-player"], filled["p1-player"], filled["p0-score"]) == ("Anna", "Cleo", "7")
    assert _chips(page) == {"Ben": "+", "Cleo": "✓"}  # no number: it would read as a place
    page = text(client.post("/data/past-game/players", data=filled | {"arrange": "add:Ben"}))
    assert _chips(page) == {"Ben": "✓", "Cleo": "✓"}
    filled = dict(shown_fields(page)) | {"p1-score": "9", "arrange": "add:cleo"}
    page = text(client.post("/data/past-game/players", data=filled))
    assert _chips(page) == {"Ben": "✓", "Cleo": "+"}
    left = dict(shown_fields(page))
    assert (left["p1-player"], left["p1-score"], left["p2-player"]) == ("", "", "Ben")


@pytest.mark.parametrize(("seed", "edited"), [(0, False), (1, True), (2, False), (3, True)])
def test_whatever_names_are_tapped_each_player_keeps_what_was_typed_for_them(
    client: FlaskClient, seed: int, *, edited: bool
):
    names = ("Anna", "Ben", "Cleo", "Dora", "Emil")
    for pair in ("Anna Ben", "Cleo Dora", "Emil Anna"):
        PlainGame.started(client, "frustration", pair)
    address = "/data/past-game"
    if edited:
        address = _edit_page(client.post(address, data=PAST | PAST_SEATS).location)
    chance, page = Random(seed), text(client.get(address))
    typed: dict[str, tuple[str, str]] = {"Anna": ("1", "")} if edited else {}
    for step in range(25):
        fields = dict(shown_fields(page))
        for line in range(12):
            name = fields.get(f"p{line}-player")
            if name in names and name not in typed and chance.random() < 0.7:
                typed[name] = (str(line + 1), str(chance.randint(1, 99)))
                fields |= {f"p{line}-place": typed[name][0], f"p{line}-score": typed[name][1]}
        fields["arrange"] = f"add:{chance.choice(names)}"
        page = text(client.post(f"{address}/players", data=fields))
        fields = dict(shown_fields(page))
        for line in range(12):
            if (name := fields.get(f"p{line}-player")) in names:
                said = (fields[f"p{line}-place"], fields[f"p{line}-score"])
                assert said == typed.get(name, ("", "")), (step, name)
    assert len(typed) == len(names)


def _chips(page: str) -> dict[str, str]:
    chips = re.findall(r'value="add:(\w+)"([^>]*)><span class="name">(.*?)&nbsp;', page)
    assert all(("aria-pressed" in rest) == (shown != "+") for _name, rest, shown in chips)
    return {name: shown for name, _rest, shown in chips}


@pytest.mark.parametrize(
    ("rules", "scores", "places"),
    [
        ("frustration-rummy", ("150", "90", "120"), (3, 1, 2)),
        ("points-only", ("90", "10", "10"), (3, 1, 1)),
        ("points-only", ("", "", ""), (1, 2, 3)),
    ],
)
def test_places_that_nobody_entered_follow_from_the_points_or_the_order(
    client: FlaskClient, rules: str, scores: tuple[str, ...], places: tuple[int, ...]
):
    added = _without_places(client, rules, scores)
    assert added.status_code == 303
    (game,) = [one for one in exported(client)["games"] if "paper" in one]
    assert tuple(one["place"] for one in game["paper"]) == places


@pytest.mark.parametrize("rules", ["frustration-rummy", "points-only"])
def test_points_of_some_players_alone_say_no_places(client: FlaskClient, rules: str):
    """What is asked stands at the points that are missing, and nowhere else."""
    refused = _without_places(client, rules, ("", "90", ""))
    assert refused.status_code == 422
    faults = re.findall(r'id="(p\d-\w+)-fault"[^>]*>([^<]+)', text(refused))
    assert dict(faults) == {
        f"p{place}-score": f"Enter {name}’s points, or a place for each player."
        for place, name in ((0, "Anna"), (2, "Cleo"))
    }
    refused = _without_places(client, rules, ("90", "many", "50"))
    assert "“many” isn’t a score." in text(refused)


def _without_places(client: FlaskClient, rules: str, scores: tuple[str, ...]) -> TestResponse:
    PlainGame.started(client, "frustration", "Ben Cleo")
    seats = {f"p{place}-player": name for place, name in enumerate(("Anna", "Ben", "Cleo"))}
    seats |= {f"p{place}-score": score for place, score in enumerate(scores)}
    return client.post("/data/past-game", data={"date": "2024-12-31", "rules": rules} | seats)


def test_a_game_from_paper_is_an_event_of_the_whole_day(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    assert client.post("/data/past-game", data=PAST | PAST_SEATS).status_code == 303
    file = text(client.get("/evenings.ics"))
    assert "DTSTART;VALUE=DATE:20241231\r\nDTEND;VALUE=DATE:20250101\r\n" in file
    assert file.count("DTSTART:") == 1, "the evening of the game that runs"


def test_a_past_game_is_of_the_evening_of_its_day_and_no_other(app: Flask, client: FlaskClient):
    for hour in (19, 21):
        game = PlainGame.started(client, "frustration", "Anna Zoé")
        game.close(1, out="Anna")
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
        began = datetime(2024, 12, 31, hour, tzinfo=UTC)
        times = {"started_at": began, "finished_at": began + timedelta(hours=1)}
        with app.app_context():
            db.session.execute(update(StoredGame).where(StoredGame.key == game.key).values(**times))
            db.session.commit()
    for day in ("2024-12-30", "2024-12-31", "2025-01-01"):
        past = PAST | PAST_SEATS | {"date": day}
        assert client.post("/data/past-game", data=past).status_code == 303
    evenings = text(client.get("/evenings")).split('class="card game-card"')[1:]
    assert [re.search(r"(\d+) game", one)[1] for one in evenings] == ["1", "3", "1"]
    calendar = text(client.get("/evenings.ics"))
    assert "DTSTART:20241231T190000Z\r\nDTEND:20241231T220000Z" in calendar
    assert calendar.count("DTSTART;VALUE=DATE") == 2


WRONG_PAST = {
    "no day": ({"date": ""}, "date", "isn’t a date"),
    "a day to come": ({"date": "2199-12-31"}, "date", "is in the future"),
    "no such rule set": ({"rules": "Bridge"}, "rules", "No rule set is called “Bridge”."),
    "no name": ({"p0-player": ""}, "p0-player", "Enter a name for the player."),
    "two lines": ({"p0-player": '"A\nB', "p1-place": "x"}, "p1-player", "Enter a name"),
    "no place": (
        {"p2-place": ""},
        "p2-place",
        "Enter Zoé’s place; if they left early, the last place.",
    ),
    "place 13": ({"p2-place": "13"}, "p2-place", "Enter a whole number from 1 to 12."),
    "no score": ({"p2-score": "many"}, "p2-score", "“many” isn’t a score."),
    "twice": ({"p2-player": "ANNA"}, "p2-player", "Anna is listed twice."),
    "alone": ({"p2-player": "", "p2-place": ""}, "past-game", "A game needs at least 2 players."),
    "nobody won": ({"p0-place": "2"}, "past-game", "No one won this game."),
    "nobody": (dict.fromkeys(PAST_SEATS, ""), "p0-player", "Enter a name for the player."),
}


@pytest.mark.parametrize(("wrong", "field", "said"), WRONG_PAST.values(), ids=WRONG_PAST)
def test_what_is_wrong_with_a_past_game_stands_beside_its_field_and_all_stays(
    client: FlaskClient, wrong: dict[str, str], field: str, said: str
):
    """Be it one that is added or one that is edited."""
    PlainGame.started(client, "frustration", "Ben Cleo")
    _refused(client, "/data/past-game", wrong, field, said)
    assert _papers(client) == []
    record = client.post("/data/past-game", data=PAST | PAST_SEATS).location
    before = _papers(client)
    _refused(client, _edit_page(record), wrong, field, said)
    assert _papers(client) == before


def _refused(client: FlaskClient, address: str, wrong: dict[str, str], field: str, said: str):
    sent_fields = PAST | PAST_SEATS | wrong
    answer = client.post(address, data=sent_fields)
    assert answer.status_code == 422
    assert said in re.search(rf'id="{field}-fault"[^>]*>([^<]+)', text(answer))[1]
    kept = {one: " ".join(value.split()) for one, value in sent_fields.items() if one != "rules"}
    assert kept.items() <= dict(shown_fields(text(answer))).items()


def test_past_games_are_by_any_rule_set_that_a_new_game_offers(client: FlaskClient):
    own = made(client, name="Grandma’s")
    offered = set(re.findall(r'href="/games/new/([^"]+)"', text(client.get("/games/new"))))
    form = text(client.get("/data/past-game"))
    assert offered == set(re.findall(r'<option value="([^"]+)"', form)) >= {own}
    added = client.post("/data/past-game", data=PAST | PAST_SEATS | {"rules": own})
    assert "Grandma’s" in text(client.get(added.location))
    form = fields_of(text(client.get("/data/past-game")), "past-game")
    assert form["rules"] == own
    table = "date,rules,player,place\n2025-01-01,Grandma’s,Ann,1\n2025-01-01,Grandma’s,Ben,2\n"
    file = (BytesIO(table.encode()), "past.csv")
    preview = client.post("/data/import", data={"file": file})
    assert preview.status_code == 200
    action = re.search(r'action="(/data/import/[^"]+)"', text(preview))[1]
    assert client.post(action).status_code == 303
    assert text(client.get("/history")).count("results only") == 2


EMPTY_PLACES = ("/history", "/evenings", "/seasons", "/history/records", "/players")


def test_each_place_that_a_past_game_would_fill_leads_to_one_for_who_can_add_it(
    app: Flask, client: FlaskClient
):
    begun = client.post("/data", data={"past": "yes"})
    assert begun.location == "/data/past-game"
    client.post("/group/links/watch")
    link = re.search(r"(/join/[\w-]+)", text(client.get("/group/links/watch")))[1]
    watcher = joined(app, link)
    for place in EMPTY_PLACES:
        assert 'href="/data/past-game"' in text(client.get(place))
        assert 'href="/data/past-game"' not in text(watcher.get(place))
    client.post("/data/past-game", data=PAST | PAST_SEATS)
    head, _list = text(client.get("/history")).split('class="card game-card"')
    assert 'href="/data/past-game"' in head


def test_wins_in_a_row_are_a_record_of_past_games_too(client: FlaskClient):
    client.post("/data", data={"past": "yes"})
    for day in ("2024-12-30", "2024-12-31"):
        client.post("/data/past-game", data=PAST | PAST_SEATS | {"date": day})
    assert "2 wins in a row" in text(client.get("/history/records"))


def test_who_is_added_to_a_new_group_is_listed_until_taken_out_again(client: FlaskClient):
    def listed(**sent: object) -> list[str]:
        page = text(client.post("/group/new/players", data={"name": "Club", **sent}))
        assert 'value="Club"' in page
        return re.findall(r'name="player" value="([^"]+)"', page)

    assert listed(players="Zoé, Anna, zoé", arrange="add") == ["Zoé", "Anna"]
    assert listed(player=["Zoé", "Anna"], arrange="remove:0") == ["Anna"]
    assert client.get("/group").status_code == 404
    sent = {"name": "Club", "player": ["Zoé", "Anna"], "players": "Ben"}
    group = text(client.get(client.post("/group/new", data=sent).location))
    assert "Players: Anna, Ben, Zoé" in group


def test_a_club_is_set_up_before_its_first_game(client: FlaskClient):
    assert 'href="/group/new"' in text(client.get("/"))
    sent = {"name": "Club du jeudi", "players": "Édouard, Zoé, édouard"}
    assert client.post("/group/new", data=sent | {"name": " "}).status_code == 422
    assert client.post("/group/new", data=sent | {"players": "Z" * 90}).status_code == 422
    assert client.get("/group").status_code == 404  # a form that was refused makes no group
    shown = client.post("/group/new", data=sent).location
    group = text(client.get(shown))
    assert "Club du jeudi</h1>" in group
    for way_on in ("/games/new", "/data/past-game", "/group/invite"):
        assert f'href="{way_on}"' in group
    assert re.findall(r'value="add:(\w+)"', text(client.get("/data/past-game"))) == [
        "Édouard",
        "Zoé",
    ]
    home = text(client.get("/"))
    assert re.search(r'<a [^>]*href="/group">Club du jeudi</a>', home)
    assert client.post("/group/new", data={"name": "Other"}).location == shown
    assert client.get("/group/new").location == "/group"
    assert "Club du jeudi" in text(client.get("/group"))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_picture_says_whole_that_three_with_the_longest_names_won(
    client: FlaskClient, language: str
):
    names = [
        f"{first}-Antoinette-de-Saint-Exupéry-Lindqvist"[:40] for first in ("Marie", "Anna", "Rosa")
    ]
    past = dict(PAST)
    for place, name in enumerate(names):
        past |= {f"p{place}-player": name, f"p{place}-place": "1"}
    client.post("/data", data={"past": "yes"})
    record = client.post("/data/past-game", data=past).location
    address = record.replace("/rounds", "/result.svg")
    svg = client.get(address, headers={"Accept-Language": language}).data
    title, *drawn = [one for one in ElementTree.fromstring(svg) if (one.text or "").strip()]
    assert all(name in title.text for name in names)
    heading = [one for one in drawn if one.get("fill") == "#ffffff"]
    assert " ".join(one.text for one in heading).replace("- ", "-") == title.text
    # Letters of names are on average at most so wide.
    assert all(len(one.text) * float(one.get("font-size")) * 0.6 < 1004 for one in heading)


def _edited(client: FlaskClient, record: str, **sent: str) -> TestResponse:
    """The answer to a past result's form, prefilled and then changed."""
    address = re.search(r'href="(/data/past-game/\w+)"', text(client.get(record)))[1]
    return client.post(address, data=fields_of(text(client.get(address)), "past-game") | sent)


def _papers(client: FlaskClient) -> list[dict]:
    games = [one for one in exported(client)["games"] if "paper" in one]
    return [
        {
            "day": one["started_at"][:10],
            "rules": one["rules"].split("-")[0],
            "of": {
                one["seats"][line["seat"] - 1]["player"]: (line["place"], line.get("score"))
                for line in one["paper"]
            },
        }
        for one in games
    ]


def test_a_past_result_is_edited_in_the_form_it_was_typed_in_and_that_is_undone(
    app: Flask, client: FlaskClient
):
    PlainGame.started(client, "frustration", "Ben Cleo")
    sent = PAST | PAST_SEATS | {"p0-score": "-7"}
    record = client.post("/data/past-game", data=sent).location
    (before,), first = _papers(client), text(client.get(record))
    unchanged = _edited(client, record)
    assert (unchanged.status_code, unchanged.location) == (303, record)
    assert _papers(client) == [before]
    changed = {"date": "2024-11-30", "rules": "points-only", "p0-player": "Ben", "p0-score": "12"}
    changed |= {"p1-player": "Zoé", "p1-place": "2", "p2-player": "New", "p2-place": "3"}
    assert _edited(client, record, **changed).location == record
    (after,) = _papers(client)
    assert after["day"] == "2024-11-30"
    assert after["of"] == {"Ben": (1, 12), "Zoé": (2, None), "New": (3, None)}
    page = text(client.get(record))
    assert "Ben wins!" in page
    assert re.search(r"result\.svg\?v=\d+", page)[0] not in first  # a browser shows it anew
    assert "Result edited" in page  # told to who did it, with its Undo
    assert "1 game" in text(client.get("/players/" + _player(client, "New")))
    with app.app_context():
        assert rebuild_facts(db.session())
    undo = re.search(r'action="(/games/\w+/activity/\d+/undo)"', page)[1]
    assert client.post(undo).status_code == 303
    assert _papers(client) == [before]
    with app.app_context():
        assert rebuild_facts(db.session())
    changes = text(client.get(record.replace("/rounds", "/activity")))
    assert "Anna 1 (−7) → –" in changes
    assert "Nov 30, 2024" in changes
    assert "2024-11-30" not in re.sub(r"<[^>]*>", "", changes)
    redo = re.search(r'action="(/games/\w+/activity/\d+/undo)"', changes)[1]
    assert client.post(redo).status_code == 303
    assert _papers(client) == [after]


@pytest.mark.parametrize("rules", ["points-only", "frustration-rummy"])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_points_are_edited_places_follow_them(client: FlaskClient, rules: str, seed: int):
    """Where they were typed, too, as the points have them anyway."""
    chance, names = Random(seed), ("Mia", "Thomas", "Zoé")
    PlainGame.started(client, "frustration", "Ben Cleo")
    sent = {"date": "2024-12-31", "rules": rules}
    for line, name in enumerate(names):
        sent |= {f"p{line}-player": name, f"p{line}-score": str(120 + line), f"p{line}-place": ""}
        if seed:
            sent[f"p{line}-place"] = str(line + 1)
    record = client.post("/data/past-game", data=sent).location
    for _ in range(4):
        scores = [chance.randint(-20, 220) for _name in names]
        changed = {f"p{line}-score": str(score) for line, score in enumerate(scores)}
        assert _edited(client, record, **changed).status_code == 303
        (kept,) = _papers(client)
        ranks = [1 + sum(other < one for other in scores) for one in scores]
        assert kept["of"] == dict(zip(names, zip(ranks, scores, strict=True), strict=True))


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("typed", {"Anna": (1, 210), "Zoé": (2, 205)}),
        ("points", {"Anna": (2, 210), "Zoé": (1, 205)}),
    ],
)
def test_a_place_that_the_points_contradict_is_asked_about_once(
    client: FlaskClient, answer: str, kept: dict[str, tuple[int, int]], *, edited: bool
):
    PlainGame.started(client, "frustration", "Ben Cleo")
    address, sent = "/data/past-game", PAST | PAST_SEATS | {"rules": "points-only"}
    if edited:
        address = _edit_page(client.post(address, data=sent | {"p0-score": "120"}).location)
        sent |= {"seen": fields_of(text(client.get(address)), "past-game")["seen"]}
    asked = client.post(address, data=sent | {"p0-score": "210", "p2-score": "205"})
    assert asked.status_code == 422
    page = text(asked)
    assert "Anna has place 1, but more points than Zoé. Keep the places as typed?" in page
    assert 'id="past-game-fault"' not in page
    assert len(_papers(client)) == edited
    form = fields_of(page, "past-game") | {"places": answer}
    assert client.post(address, data=form).status_code == 303
    (paper,) = _papers(client)
    assert paper["of"] == kept


def _player(client: FlaskClient, name: str) -> str:
    return re.search(rf'href="/players/(\d+)[^"]*"[^>]*>(?:(?!</a>).)*{name}', players(client))[1]


def players(client: FlaskClient) -> str:
    return text(client.get("/players")).replace("\n", " ")


def test_a_result_that_another_device_edited_meanwhile_is_looked_at_again(client: FlaskClient):
    PlainGame.started(client, "frustration", "Ben Cleo")
    record = client.post("/data/past-game", data=PAST | PAST_SEATS).location
    seen = fields_of(text(client.get(_edit_page(record))), "past-game")["seen"]
    assert _edited(client, record, **{"p0-score": "5"}).status_code == 303
    late = _edited(client, record, **{"p0-score": "9", "seen": seen})
    assert late.status_code == 409
    assert "The game was changed meanwhile" in text(late)
    assert [one["of"]["Anna"] for one in _papers(client)] == [(1, 5)]
    again = client.post(_edit_page(record), data=fields_of(text(late), "past-game"))
    assert again.status_code == 303
    assert [one["of"]["Anna"] for one in _papers(client)] == [(1, 9)]


def _edit_page(record: str) -> str:
    return record.replace("/games/", "/data/past-game/").removesuffix("/rounds")


def test_a_game_with_rounds_is_not_edited_as_a_past_result(client: FlaskClient):
    game = PlainGame.started(client, "frustration", "Ben Cleo")
    assert client.get(f"/data/past-game/{game.key}").status_code == 404
    assert client.post(f"/data/past-game/{game.key}", data=PAST | PAST_SEATS).status_code == 404


@pytest.mark.parametrize("win", ["highest_score", "lowest_score"])
def test_a_past_result_says_to_bg_stats_which_score_wins(client: FlaskClient, win: str):
    rules = made(client, "points-only", rule__win=win, rule__score_limit="100")
    scores = {"p0-score": "10", "p2-score": "10"}
    added = client.post("/data/past-game", data=PAST | {"rules": rules} | PAST_SEATS | scores)
    handed = re.search(r"createPlay\.html\?data=([^\"]+)", text(client.get(added.location)))
    play = json.loads(unquote(unescape(handed[1])))
    assert play["game"]["highestWins"] is (win == "highest_score")
