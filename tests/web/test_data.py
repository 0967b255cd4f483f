"""A group's games out and in again, past results from paper, and files that are refused."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actions import importing
from app.actions.groups import Role
from app.extensions import db
from app.rules.rule_sets import from_dict, rule_set_by_id, to_dict
from app.store.games import StoredGame
from app.store.groups import StoredRuleSet
from tests.many_games import browser_in, play_games
from tests.web.test_history import text
from tests.web.test_interface import token_for
from tests.web_table import PlainGame


def exported(client: FlaskClient) -> str:
    answer = client.get("/data/export.json")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    return text(answer)


def sent(client: FlaskClient, content: str | bytes, name: str = "games.json"):
    content = content.encode() if isinstance(content, str) else content
    return client.post("/data/import", data={"file": (io.BytesIO(content), name)})


def brought_in(client: FlaskClient, content: str | bytes) -> str:
    """What the page says after somebody looked at a file and said yes."""
    address = re.search(r'action="(/data/import/[^"]+)"', text(sent(client, content)))[1]
    answer = client.post(address)
    assert answer.status_code == 303
    return text(client.get(answer.location))


def an_evening(client: FlaskClient) -> PlainGame:
    """A game with a late joiner, an edited round, a counted hand, a name, a note; one running."""
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-last_contract": "2"}
    )
    game.close(1, out="Anna", met="Ben", Ben="10+5", Cleo="60")
    edited = {"out": str(game.seats["Ben"]), f"{game.seats['Anna']}-met": "on"}
    typed = {"Anna": "5", "Ben": "", "Cleo": "60"}
    edited |= {f"{game.seats[name]}-typed": points for name, points in typed.items()}
    answer = client.post(f"/games/{game.key}/rounds/1", data={**edited, "reason": "it was Ben"})
    assert answer.status_code == 303, text(answer)
    client.post(f"/games/{game.key}/players", data={"name": "Dora", "score": "40"})
    client.post(f"/games/{game.key}/about", data={"title": "=1+1", "note": "with Dora"})
    PlainGame.started(client, "frustration", "Ben Cleo").close(1, out="Ben")
    return game


def test_who_has_no_games_sees_the_import_first(client):
    assert client.post("/data").status_code == 303
    headings = re.findall(r"<h2[^>]*>(\w+)<", client.get("/data").text)
    assert headings == ["Import", "Export"]
    PlainGame.started(client, "frustration", "Anna Ben")
    assert re.findall(r"<h2[^>]*>(\w+)<", client.get("/data").text) == ["Export", "Import"]


def test_what_is_brought_into_an_empty_group_goes_out_the_same(app: Flask, client: FlaskClient):
    an_evening(client)
    before = exported(client)
    other = browser_in(app, play_games(app, 0))
    assert "2 games imported." in brought_in(other, before)
    after = json.loads(exported(other))
    wanted = json.loads(before)
    wanted["group"] = after["group"]
    assert after == wanted
    assert "contract 1, went out" in text(other.get(first_record(other)))


def first_record(client: FlaskClient) -> str:
    page = text(client.get("/history?words=dora"))
    return re.search(r'href="(/games/\w+/rounds)"', page)[1]


def test_page_interface_and_shell_export_the_same_whole_group(
    app: Flask, client: FlaskClient, tmp_path: Path
):
    an_evening(client)
    kept = json.dumps({**to_dict(rule_set_by_id("frustration")), "name": "Ours"})
    assert client.post("/rules/custom/keep", data={"document": kept}).status_code == 303
    client.post("/games/new/frustration/rules", data={"rule-last_contract": "3"})
    by_page = json.loads(exported(client))
    assert {"own_rule_sets", "usual_rules"} <= by_page.keys()
    headers = {"Authorization": f"Bearer {token_for(client, 'manage')}"}
    by_interface = app.test_client().get("/api/v1/export", headers=headers)
    assert json.loads(text(by_interface)) == by_page
    file = tmp_path / "games.json"
    done = app.test_cli_runner().invoke(args=["export", str(file)])
    assert done.exit_code == 0, done.output
    assert json.loads(file.read_text()) == by_page


def test_bringing_the_same_in_twice_adds_nothing(app: Flask, client: FlaskClient):
    an_evening(client)
    content = exported(client)
    assert "Nothing in this file is new." in text(sent(client, content))
    other = browser_in(app, play_games(app, 0))
    brought_in(other, content)
    assert "Nothing in this file is new." in text(sent(other, content))


def test_rules_of_an_older_version_come_as_this_one_keeps_them(app: Flask, client: FlaskClient):
    rules = to_dict(rule_set_by_id("frustration")) | {"name": "Ours"}
    assert (
        client.post("/rules/custom/keep", data={"document": json.dumps(rules)}).status_code == 303
    )
    PlainGame.started(client, "frustration", "Anna Ben")
    document = json.loads(exported(client))
    (kept,) = document["own_rule_sets"]
    kept["rules"] |= {"name": " Ours ", "summary": f" {rules['summary']}"}
    (frozen,) = document["rule_sets"].values()
    frozen["name"] = " Frustration "
    for name in ("joiner_score", "missed_round_points"):
        del kept["rules"][name], frozen[name]
    document["usual_rules"] = [
        {"rule_set": "frustration", "rules": {}, "changed_at": kept["changed_at"]}
    ]
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(document))
    with app.app_context():
        stored = db.session.scalars(select(StoredRuleSet).order_by(StoredRuleSet.id.desc())).first()
        assert stored is not None
        assert stored.document == to_dict(from_dict(kept["rules"]))
        names = db.session.scalars(select(StoredGame.variant_name)).all()
    assert {*names} == {"Frustration"}
    assert "Nothing in this file is new." in text(sent(other, json.dumps(document)))


def test_a_season_alone_is_news_enough(app: Flask):
    client, other = (browser_in(app, play_games(app, 0)) for _ in range(2))
    cup = {"name": "The cup", "since": "2025-08-01", "until": "2025-12-31", "measure": "wins"}
    assert other.post("/seasons/new", data=cup).status_code == 303
    content = exported(other)
    assert "1 new season – The cup" in text(sent(client, content))
    brought_in(client, content)
    assert "The cup" in text(client.get("/seasons"))
    assert "Nothing in this file is new." in text(sent(client, content))


def test_statistics_count_what_was_brought_in(app: Flask, client: FlaskClient):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "1"})
    game.close(1, out="Anna")
    other = browser_in(app, play_games(app, 0))
    brought_in(other, exported(client))
    assert "1 win · 100%" in text(other.get("/players"))


BROKEN = {
    "another program": ('{"games": []}', "This isn’t a Meldkeeper file"),
    "a newer version": (
        '{"format": "meldkeeper-group", "version": 2}',
        "This file has version 2, and this app reads version 1.",
    ),
    "cut in half": ('{"format": "meldkeeper-group", "version": 1, "ga', "part of it is missing"),
    "nested too deeply": ("[" * 100_000, "This is"),
    "not a number": ('{"format": NaN}', "a number that isn’t valid"),
}


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_a_document_that_is_none_is_refused_with_the_reason(client, content: str, said: str):
    an_evening(client)
    answer = sent(client, content)
    assert answer.status_code == 422
    assert said in text(answer)


def spoiled(client: FlaskClient, change) -> str:
    document = json.loads(exported(client))
    change(document)
    document["games"][0]["key"] = "another"
    return json.dumps(document)


def _a_thousand_rounds(document) -> None:
    document["games"][0]["rounds"] = [{"number": 1, "rows": []}] * 1000


def _out_without(document) -> None:
    document["games"][0]["rounds"][0]["rows"][0].update(went_out=True, penalty=30)


IMPOSSIBLE = {
    "a thousand rounds": (_a_thousand_rounds, "games[0].rounds", "the limit is"),
    "an unknown player": (
        lambda d: d["games"][0]["seats"][0].update(player="Nobody"),
        "games[0].seats[0].player",
        "no player Nobody",
    ),
    "a penalty for who went out": (
        _out_without,
        "games[0].rounds[0].rows[0].penalty",
        "so their points must be 0, not 30",
    ),
    "a rule set that is none": (
        lambda d: d["rule_sets"].update({next(iter(d["rule_sets"])): {}}),
        "rule_sets.",
        "",
    ),
    "an unknown field": (
        lambda d: d["games"][0]["rounds"][0].update(winner=1),
        "games[0].rounds[0].winner",
        "This field is unknown. If the file is from a newer version, update the app.",
    ),
    "a game that is not over": (
        lambda d: d["games"][0].update(finished_at="2026-01-01T00:00:00Z"),
        "games[0].finished_at",
        "The rounds show that the game isn’t over.",
    ),
    "a log that nobody can read": (
        lambda d: d["games"][0]["log"][0].update(after={}),
        "games[0].log[0].after.players",
        "This is missing.",
    ),
}


@pytest.mark.parametrize(("change", "place", "said"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_document_that_cannot_be_is_refused_whole_with_the_place(
    client: FlaskClient, change, place: str, said: str
):
    an_evening(client)
    before = exported(client)
    answer = sent(client, spoiled(client, change))
    assert answer.status_code == 422
    assert place in text(answer)
    assert said in text(answer)
    assert "Bring " not in text(answer).split("Nothing was imported")[1]
    assert exported(client) == before


def test_the_spreadsheet_has_a_line_for_each_player_and_round_and_runs_no_formula(client):
    an_evening(client)
    answer = client.get("/data/rounds.csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert len(rows) == 3 + 2
    anna = next(one for one in rows if one["player"] == "Anna")
    assert anna["title"] == "'=1+1"
    assert (anna["round"], anna["contract"], anna["met"], anna["penalty"]) == ("1", "1", "yes", "5")
    semicolons = text(client.get("/data/rounds.csv?separator=semicolon"))
    assert semicolons.splitlines()[0].count(";") == 19


PAPER = """date;rule set;player;place;score
31.12.2024;Frustration Rummy;Anna;1;120
31.12.2024;Frustration Rummy;Ben;2;185
31.12.2024;Frustration Rummy;Anna;2;
31.12.2024;Frustration Rummy;Zoé;1;
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_past_results_are_understood_in_the_usual_ways_of_writing_them(
    client: FlaskClient, encoding: str, separator: str
):
    an_evening(client)
    page = text(sent(client, PAPER.replace(";", separator).encode(encoding), "paper.csv"))
    assert "2 new games" in page
    assert 'name="new" value="Zoé"' in page
    row = page.split("<td>Zoé")[1].split("</tr>")[0]
    cells = re.findall("<td[^>]*>(.*?)</td>", f"<td>Zoé{row}")
    folded = '<span class="small folded">2024-12-31 · Frustration Rummy</span>'
    assert cells == ["Zoé" + folded, "1", "", "2024-12-31", "Frustration Rummy"]


def test_past_results_count_and_are_not_doubled(client: FlaskClient):
    an_evening(client)
    assert "2 games imported." in brought_in(client, PAPER)
    assert "Nothing in this file is new." in text(sent(client, PAPER))
    history = text(client.get("/history?words=zoé"))
    assert "Zoé wins!" in history
    address = re.search(r'href="(/games/\w+/rounds)"', history)[1]
    assert "results only" in text(client.get(address))
    assert client.get(address.removesuffix("/rounds")).location == address
    key = address.split("/")[2]
    assert client.post(f"/games/{key}/rounds/1/close", data={"seen": "0"}).status_code in (409, 422)
    assert client.post(f"/games/{key}/reopen").status_code == 409
    assert "Zoé wins!" in text(client.get("/history?words=zoé"))


def test_the_first_lines_of_a_preview_are_those_at_which_something_is_wrong(client: FlaskClient):
    an_evening(client)
    heading, games = "date;game;rule set;player;place\n", range(1, 121)
    good = "".join(
        f"1.2.2024;{game};Frustration;{name};{place}\n"
        for game in games
        for place, name in enumerate(("Anna", "Ben"), 1)
    )
    page = text(sent(client, f"{heading}{good}1.2.2024;121;Frustration;Zoé;1\n", "paper.csv"))
    assert "A game needs at least 2 players." in page
    (first, *_more) = re.findall('<tr class="wrong"><td>([0-9]+)</td>', page)
    assert first == "242"


WRONG_PAPER = {
    "no lines": ("", "The file has no lines below its heading."),
    "no such day": ("2024-13-01,Frustration,Anna,1,", "isn’t a date"),
    "no such rule set": ("2024-12-01,Bridge,Anna,1,", "No rule set is called “Bridge”."),
    "no name": ("2024-12-01,Frustration,,1,", "Line 2 – Enter a name for the player."),
    "some points": (
        "2024-12-01,Frustration,Anna,,\n2024-12-01,Frustration,Ben,,9",
        "Line 2 – Write a place for each player of this game, or points for each.",
    ),
    "no place": ("2024-12-01,Frustration,Anna,first,", "Enter a whole number from 1 to 12."),
    "no score": ("2024-12-01,Frustration,Anna,1,many", "“many” isn’t a score"),
    "alone": ("2024-12-01,Frustration,Anna,1,", "Line 2 – A game needs at least 2 players."),
    "nobody won": (
        "2024-12-01,Frustration,Anna,2,\n2024-12-01,Frustration,Ben,3,",
        "Line 2 – No one won this game.",
    ),
}


@pytest.mark.parametrize(("lines", "said"), WRONG_PAPER.values(), ids=WRONG_PAPER)
def test_a_line_that_is_not_understood_stops_the_whole_and_is_named(client, lines, said):
    an_evening(client)
    answer = sent(client, "date,rule set,player,place,score\n" + lines, "paper.csv")
    assert answer.status_code == 422
    assert said in text(answer)
    assert "/data/import/" not in text(answer)


def test_missing_columns_are_named(client: FlaskClient):
    an_evening(client)
    assert "A column is missing: place." in text(sent(client, "date,rules,player\n", "paper.csv"))


def test_a_file_that_is_neither_is_refused(client: FlaskClient):
    an_evening(client)
    for content in (b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\xfe\x00", b"hello"):
        assert sent(client, content, "x.png").status_code == 422


def test_only_the_import_takes_large_requests_and_only_from_who_was_let_in(client: FlaskClient):
    large = "x" * (300 * 1024)
    assert sent(client, large).status_code in (404, 413)
    an_evening(client)
    assert sent(client, large).status_code == 422
    assert client.post("/games", data={"variant": large}).status_code == 413
    too_large = client.post(
        "/data/import",
        input_stream=io.BytesIO(bytes(17 * 1024 * 1024)),
        content_type="multipart/form-data; boundary=x",
    )
    assert too_large.status_code == 413


class Watched(io.BytesIO):
    """A body that notes how much of it was read."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        self.taken += len(content)
        return content


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x"])
def test_a_large_body_of_who_may_not_import_is_not_even_read(
    app: Flask, client: FlaskClient, kind: str
):
    an_evening(client)
    group = play_games(app, 0)
    watcher, scorer = (browser_in(app, group, role) for role in (Role.WATCH, Role.SCORE))
    for phone in (app.test_client(), watcher, scorer):
        body = Watched(b'["x"]' * 100_000)
        headers = {"Content-Length": str(len(body.getvalue()))}
        answer = phone.post("/data/import", input_stream=body, content_type=kind, headers=headers)
        assert answer.status_code in (403, 404, 413)
        assert body.taken == 0
    for address in ("/api/v1/games", "/api/v1/judge"):
        body = Watched(b'["x"]' * 100_000)
        headers = {"Content-Length": str(len(body.getvalue()))}
        answer = client.post(address, input_stream=body, content_type=kind, headers=headers)
        assert answer.status_code in (401, 413)
        assert body.taken == 0


def test_too_many_rule_sets_are_counted_with_those_of_the_file(app, client, monkeypatch):
    def group_with(*names: str) -> FlaskClient:
        browser = app.test_client()
        for name in names:
            rules = to_dict(rule_set_by_id("frustration")) | {"name": name}
            kept = browser.post("/rules/custom/keep", data={"document": json.dumps(rules)})
            assert kept.status_code == 303, text(kept)
        return browser

    document = exported(group_with("Ours", "Yours"))
    monkeypatch.setattr(importing, "MOST_OWN_RULE_SETS", 3)
    answer = sent(group_with("Mine", "Theirs"), document)
    assert "There are 4; the limit is 3." in text(answer)


def test_all_contracts_count_where_imported_rules_do_not_say_which_is_the_last(client, app):
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben")
    game.close(1, out="Anna")
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    document = json.loads(client.get("/data/export.json").get_data(as_text=True))
    for rules in document["rule_sets"].values():
        del rules["last_contract"]
    stranger = app.test_client()
    PlainGame.started(stranger, "frustration", "Xenia Yves")
    brought_in(stranger, json.dumps(document))
    assert re.search(r">Anna</span></span> <b>1/14</b>", text(stranger.get("/history")))


def test_who_is_in_no_group_yet_brings_a_backup_from_home(app: Flask, client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ben")
    backup, fresh = exported(client), app.test_client()
    assert "I have a backup" in text(fresh.get("/"))
    assert fresh.post("/data").status_code == 303
    brought_in(fresh, backup)
    page = text(fresh.get("/"))
    assert "I have a backup" not in page
    assert "Anna" in page
