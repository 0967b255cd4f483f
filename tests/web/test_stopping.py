"""A game that the table stops before its end: what every page and program says of it."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_migrate import downgrade
from sqlalchemy import update

from app.actions.results import rebuild_facts
from app.commands.startup import upgrade_database
from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.games import LogEntry, StoredGame, StoredRound
from app.store.statistics import StoredResult
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, play_games
from tests.web.test_data import brought_in, exported
from tests.web.test_interface import token_for
from tests.web.test_tables import rows
from tests.web_table import PlainGame

FRENCH = {"Accept-Language": "fr"}


def text(answer) -> str:
    return answer.get_data(as_text=True)


def stop(game: PlainGame, result: str) -> None:
    assert game.client.post(f"/games/{game.key}/stop", data={"result": result}).status_code == 303


def results_kept(app: Flask) -> int:
    with app.app_context():
        return db.session.query(StoredResult).count()


def test_with_a_result_every_place_says_by_which_order(app: Flask, a_running_game: PlainGame):
    game = a_running_game
    offered = text(game.client.get(f"/games/{game.key}/stop"))
    assert "Ahead now: <b>Anna</b>" in offered
    stop(game, "yes")
    reason = "stopped early: lowest score"
    for address in ("", "/screen", "/rounds"):
        page = text(game.client.get(f"/games/{game.key}{address}"))
        assert "Anna wins!" in page
        assert reason in page
        assert len(re.findall(r"\b1 round\b", page)) <= 1
    picture = text(game.client.get(f"/games/{game.key}/result.svg"))
    assert "Stopped early: lowest score" in picture
    for address in ("/", "/history", "/history?state=finished"):
        assert "stopped early" in text(game.client.get(address))
    assert "arrêtée avant la fin" in text(game.client.get(f"/games/{game.key}", headers=FRENCH))
    assert results_kept(app) == 1


def test_it_is_said_what_becomes_of_a_round_that_is_half_entered(client: FlaskClient):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    said = "What is entered for round 2 doesn’t count. It stays there in case you play on."
    assert game.close(1, out="Anna", Ben="25", Cleo="30").status_code == 303
    assert said not in text(client.get(f"/games/{game.key}/stop"))
    game.keep(2, met="Ben", Cleo="15")
    assert said in text(client.get(f"/games/{game.key}/stop"))
    stop(game, "yes")
    assert client.post(f"/games/{game.key}/reopen").status_code == 303
    assert 'value="15"' in game.page


@pytest.mark.parametrize("rounds", [0, 1])
def test_either_way_is_said_only_where_there_are_two(client: FlaskClient, rounds: int):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    for number in range(rounds):
        assert game.close(number + 1, out="Anna", Ben="25", Cleo="30").status_code == 303
    page = text(client.get(f"/games/{game.key}/stop"))
    assert page.count('name="result"') == rounds + 1
    assert ("Either way, you can play on later." in page) == (rounds == 1)
    assert ("You can play on later." in page) == (rounds == 0)


@pytest.mark.parametrize("limit", ["", "200"])
def test_where_only_the_table_can_end_it_stopping_is_its_end(client: FlaskClient, limit: str):
    rules = {"rule-score_limit": limit} if limit else {}
    game = PlainGame.started(client, "points-only", "Anna Ben", **rules)
    assert game.close(1, Anna="1", Ben="2").status_code == 303
    assert ("End the game" in game.page) == (not limit)
    assert ("End the game" in text(client.get(f"/games/{game.key}/stop"))) == (not limit)
    stop(game, "yes")
    addresses = ("", "/rounds", "/activity")
    pages = [text(client.get(f"/games/{game.key}{one}")) for one in addresses]
    pages += [text(client.get(one)) for one in ("/", "/history", f"/evenings/{game.key}")]
    assert {"topped early" in page for page in pages} == {bool(limit)}


@pytest.mark.parametrize("limit", ["", "200"])
def test_what_the_table_ends_by_the_rules_can_be_the_closest(client: FlaskClient, limit: str):
    rules = {"rule-score_limit": limit} if limit else {}
    game = PlainGame.started(client, "points-only", "Anna Ben", **rules)
    assert game.close(1, Anna="1", Ben="21").status_code == 303
    stop(game, "yes")
    for page in ("/history/records", f"/evenings/{game.key}"):
        assert ("Closest finish" in text(client.get(page))) == (not limit), page


def test_without_a_result_it_is_kept_and_counts_nowhere(app: Flask, a_running_game: PlainGame):
    game = a_running_game
    stop(game, "no")
    assert results_kept(app) == 0
    for address in ("", "/screen", "/rounds"):
        page = text(game.client.get(f"/games/{game.key}{address}"))
        assert "wins!" not in page
        assert "stopped without a result" in page
    record = text(game.client.get(f"/games/{game.key}/rounds"))
    assert 'id="share"' not in record
    assert "css/ended.css" in record  # how standings look
    line = text(game.client.get("/history")).split('class="card game-card"')[1]
    assert "stopped without a result" in line
    assert " left" not in line.split("</li>")[0]
    assert "<b>" not in line.split("</li>")[0]


@pytest.mark.parametrize("variant", ["frustration", "aggravation-rummy", "points-only"])
def test_where_no_round_was_played_nobody_has_a_place(client: FlaskClient, variant: str):
    game = PlainGame.started(client, variant, "Anna Ben Cleo")
    for is_over in (False, True):
        if is_over:
            stop(game, "no")
        for address in ("", "/screen", "/rounds"):
            page = text(client.get(f"/games/{game.key}{address}"))
            places = re.findall(r'<span class="place[^"]*">([^<]+)', page)
            assert set(places) <= {"–"}, address
            assert "tied with" not in page
        picture = text(client.get(f"/games/{game.key}/result.svg"))
        assert "1. " not in picture
        assert "No one is left" not in picture
    line = text(client.get("/history")).split('class="card game-card"')[1]
    assert "<b>" not in line.split("</li>")[0]


def test_the_shared_result_is_gone_while_there_is_none(a_running_game: PlainGame):
    game = a_running_game
    stop(game, "yes")
    game.client.post(f"/games/{game.key}/share", data={"shared": "yes"})
    share = text(game.client.get(f"/games/{game.key}/rounds")).split("/results/")[1].split('"')[0]
    assert "stopped early" in text(game.client.get(f"/results/{share}"))
    game.client.post(f"/games/{game.key}/reopen")
    assert game.client.get(f"/results/{share}").status_code == 404
    stop(game, "no")
    assert game.client.get(f"/results/{share}").status_code == 404


@pytest.mark.parametrize("result", ["yes", "no"])
def test_it_goes_on_where_it_stopped_and_is_undone_like_any_change(
    app: Flask, a_running_game: PlainGame, result: str
):
    game = a_running_game
    stop(game, result)
    assert game.close(2, {"out": str(game.seats["Ben"])}).status_code in (409, 422)
    answer = game.client.post(f"/games/{game.key}/reopen")
    assert answer.location.endswith(f"/games/{game.key}")
    assert "Round 2" in game.page
    log = text(game.client.get(f"/games/{game.key}/activity"))
    assert "Game goes on" in log
    newest = log.split("/activity/")[1].split("/undo")[0]
    assert game.client.post(f"/games/{game.key}/activity/{newest}/undo").status_code == 303
    assert "stopped" in game.page
    assert results_kept(app) == (result == "yes")


def test_a_program_stops_it_and_reads_it(a_running_game: PlainGame):
    game = a_running_game
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'score')}"}
    address = f"/api/v1/games/{game.key}"
    answer = game.client.post(f"{address}/stop", json={"result": False}, headers=bearer)
    told = (answer.json["over"], answer.json["stopped"], answer.json["winners"])
    assert told == (True, "no_result", [])
    (line,) = game.client.get("/api/v1/games", headers=bearer).json["games"]
    assert line["stopped"] == "no_result"
    again = game.client.post(f"{address}/stop", json={"result": True}, headers=bearer)
    assert again.status_code == 422
    answer = game.client.post(f"{address}/reopen", headers=bearer)
    assert (answer.json["over"], answer.json["stopped"]) == (False, None)


def test_beside_the_edits_of_a_stopped_game_is_what_lets_it_go_on(a_running_game: PlainGame):
    game = a_running_game
    rounds = f"/games/{game.key}/rounds"
    assert "Play on" not in text(game.client.get(rounds))
    stop(game, "yes")
    page = text(game.client.get(rounds))
    assert "The game stays over unless you play on." in page
    address = re.search(r'action="([^"]+)">(?:(?!</form>).)*Play on', page, re.DOTALL)[1]
    assert game.client.post(address).location == f"/games/{game.key}"
    assert "Round 2" in game.page
    assert "Play on" not in text(game.client.get(rounds))


def test_a_document_takes_it_to_another_group_and_back(app: Flask, a_running_game: PlainGame):
    stop(a_running_game, "no")
    before = json.loads(exported(a_running_game.client))
    assert before["games"][0]["stopped"] == "no_result"
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(before))
    assert json.loads(exported(other))["games"] == before["games"]


def test_a_game_that_nobody_touched_for_a_week_is_offered_both(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    for days, offered in ((6, False), (8, True)):
        with app.app_context(), meaning_to_write():
            then = datetime.now(UTC) - timedelta(days)
            db.session.execute(update(StoredGame).values(started_at=then - timedelta(hours=1)))
            db.session.execute(update(LogEntry).values(at=then))
            db.session.commit()
        for page in (game.page, text(game.client.get("/"))):
            assert ("No one has played since" in page) == offered
        assert ("Stop without a result" in game.page) == offered


def test_it_took_as_long_as_its_rounds_on_its_page_as_among_the_records(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    with app.app_context(), meaning_to_write():
        then = datetime.now(UTC) - timedelta(days=2)
        db.session.execute(update(StoredGame).values(started_at=then - timedelta(minutes=70)))
        db.session.execute(
            update(StoredRound).where(StoredRound.number == 1).values(closed_at=then)
        )
        db.session.commit()
    stop(game, "yes")
    for address in (f"/games/{game.key}/rounds", "/history/records"):
        assert "1 h 10 min" in text(game.client.get(address)), address
    assert "%22durationMin%22%3A%2070" in text(game.client.get(f"/games/{game.key}/rounds"))


@ON_SQLITE
@pytest.mark.parametrize(
    ("ends", "holder", "takeovers"),
    [
        ("stopped", "Rosemary", ["Karl in round 3", "Rosemary after round 3"]),
        ("no_result", "Rosemary", ["Karl in round 3", "Rosemary after round 3"]),
        ("played", "Rosemary", ["Karl in round 3", "Rosemary in round 4"]),
        ("held", "Karl", ["Karl in round 3"]),
        ("running", "Rosemary", ["Karl in round 3", "Rosemary in round 4"]),
    ],
)
def test_who_holds_a_seat_at_the_end_holds_it_on_every_page_and_in_every_list(
    client: FlaskClient, ends: str, holder: str, takeovers: list[str]
):
    """Karl plays round 3 for Rosemary, who is back in round 4, unless the game ends with Karl."""
    rules = {"rule-last_contract": {"held": "3", "played": "4"}.get(ends, "5")}
    game = PlainGame.started(client, "aggravation-rummy", "Tom Rosemary Ben", **rules)
    key, seat = game.key, game.seats["Rosemary"]
    stand_in = f"/games/{key}/players/{seat}/stand-in"
    assert "the result counts as theirs" in text(client.get(f"/games/{key}/players"))
    for number, name in enumerate(("Rosemary", "Rosemary", "Karl", "Rosemary"), start=1):
        if number > 2:
            client.post(stand_in, data={"name": name})
        if number == 4 and ends != "played":
            break
        sent = game.sent(Tom="65", Ben="80") | {"out": str(seat)}
        assert game.close(number, sent).status_code == 303
    if ends in ("stopped", "no_result"):
        client.post(f"/games/{key}/stop", data={"result": "yes" if ends == "stopped" else "no"})

    record = text(client.get(f"/games/{key}/rounds"))
    named = re.findall(
        r'name (?:record-name)?(?: long)?">([^<]+)<', record.split('id="rounds-title"')[1]
    )
    names = "Rosemary → Karl" if holder == "Karl" else "Rosemary → Karl → Rosemary"
    assert named == ["Tom", names, "Ben"] + 2 * ["Tom", *names.split(" → "), "Ben"]
    for words in takeovers:
        name, _, when = words.partition(" ")
        what = "took over from Rosemary" if name == "Karl" else "is back"
        told = 1 if ends == "running" else 2  # in the standings, too
        assert record.count(f"{name} {what} {when}") == told
    picture = text(client.get(f"/games/{key}/result.svg"))
    assert names in picture
    addresses = f"/games/{key}", f"/games/{key}/screen", f"/evenings/{key}", "/", "/history"
    pages = [record, picture, *(text(client.get(one)) for one in addresses)]
    relieved = "took over from Rosemary" if holder == "Karl" else "stand-in: Karl"
    assert relieved in pages[-1]
    for page in pages:
        assert set(re.findall(r"\w+ wins!", page)) <= {f"{holder} wins!"}
        assert ends not in ("stopped", "no_result") or "round 4" not in page.lower()
    has_result = ends not in ("no_result", "running")
    assert any(f"{holder} wins!" in page for page in pages) == has_result

    headers = {"Authorization": f"Bearer {token_for(client, 'watch')}"}
    told = client.get(f"/api/v1/games/{key}/standings", headers=headers).json
    assert [one["player"] for one in told["standings"]] == ["Tom", holder, "Ben"]
    won = {"/data/rounds.csv": ("won", "yes"), "/tables/players.csv": ("wins", "1")}
    for address, (column, value) in won.items():
        winners = {one["player"] for one in rows(client, address) if one.get(column) == value}
        assert winners == ({holder} if has_result else set())
    lost = {one["player"] for one in rows(client, "/data/rounds.csv") if one["won"] == "no"}
    assert lost == ({"Tom", "Ben"} if has_result else set())  # no game of who was replaced


def test_who_joined_for_a_round_that_never_came_is_said_to_have_joined_and_not_played(client):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", Ben="40", Cleo="45").status_code == 303
    client.post(f"/games/{game.key}/players", data={"name": "Dora", "score": "zero"})
    stop(game, "yes")
    record = text(client.get(f"/games/{game.key}/rounds"))
    assert record.count("Dora joined after round 1, but didn’t play") == 2  # in the standings, too
    assert "round 2" not in record.lower()
    standings = record.split("Dora joined")[0]
    assert re.findall(r'<span class="place[^"]*">([^<]+)', standings)[-1] == "–"
    assert "· didn’t play</tspan>" in text(client.get(f"/games/{game.key}/result.svg"))
    assert "Dora" not in text(client.get(f"/evenings/{game.key}")).split('id="games"')[0]
    people = {one["player"]: one["games"] for one in rows(client, "/tables/players.csv")}
    assert people == {"Anna": "1", "Ben": "1", "Cleo": "1", "Dora": "0"}


def test_a_database_of_before_knows_after_its_upgrade_whose_result_it_was(client, app: Flask):
    """Until then it said that Ben, whom Emil replaced, had lost."""
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", Ben="40", Cleo="45").status_code == 303
    seat = game.seats["Ben"]
    client.post(f"/games/{game.key}/players/{seat}/stand-in", data={"name": "Emil"})
    stop(game, "yes")
    with app.app_context():
        downgrade(revision="0033")
    upgrade_database(app)
    with app.app_context():
        assert rebuild_facts(db.session())
        db.session.rollback()
    people = {one["player"]: one["games"] for one in rows(client, "/tables/players.csv")}
    assert people == {"Anna": "1", "Ben": "0", "Cleo": "1", "Emil": "1"}


def test_the_bar_that_comes_to_open_pages_says_that_the_game_is_over(a_running_game: PlainGame):
    """By it their menus, which stay, offer no more to deal again or to stop."""
    assert 'class="bar over"' not in a_running_game.page
    stop(a_running_game, "no")
    live = text(a_running_game.client.get(f"/games/{a_running_game.key}/live?v=1"))
    assert 'class="bar over"' in live
    assert 'class="bar over"' in a_running_game.page


def test_back_to_the_question_whether_to_stop_leads_to_the_game_that_is_over(
    a_running_game: PlainGame,
):
    stop(a_running_game, "yes")
    answer = a_running_game.client.get(f"/games/{a_running_game.key}/stop")
    assert (answer.status_code, answer.location) == (303, f"/games/{a_running_game.key}")
