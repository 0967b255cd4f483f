"""Any rule set that the loader accepts works in the whole app, from its file to the result."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import create_app
from app.rules.rule_set_transfer import to_json
from app.rules.variant import Variant
from tests.any_rules import rule_sets
from tests.draws import drawn
from tests.web_table import PlainGame


@pytest.fixture(scope="module")
def table(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One app for all the games of this file."""
    folder = tmp_path_factory.mktemp("any_rules")
    for part in migrated.parent.glob("meldkeeper.sqlite*"):
        (folder / part.name).write_bytes(part.read_bytes())
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "only for these tests"})
    app.config["TESTING"] = True
    app.config["WTF_CSRF_ENABLED"] = False
    yield app
    with app.app_context():
        from app.extensions import db

        db.engine.dispose()


@settings(
    max_examples=drawn(8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rules=rule_sets(), data=st.data())
def test_any_rule_set_is_kept_ruled_on_judged_and_played_to_its_end(
    table: Flask, rules: Variant, data: st.DataObject
):
    client = table.test_client()
    kept = client.post("/rules/custom/keep", data={"document": to_json(rules)})
    assert kept.status_code == 303
    key = kept.location.rsplit("/", 1)[1]
    for address in (
        kept.location,
        f"{kept.location}/change",
        f"{kept.location}/file.toml",
        f"/rules/{key}",
        f"/rules/{key}/sheet",
        f"/games/new/{key}",
    ):
        assert client.get(address).status_code == 200, address
    for address in (
        f"/check?variant={key}&ask=hand&contract=1&m=3H+4H+5H+6H+7H+7S+7D",
        f"/check?variant={key}&ask=contract&contract=1&m=3H+4H+5H&m=7H+7S+7D",
        f"/check?variant={key}&ask=meld&kind=run&m=3H+4H+5H+6H",
    ):
        assert client.get(address).status_code == 200, address
    if rules.contracts:
        play_to_the_end(client, key, rules, data)
    else:
        play_for_points(client, key, rules)


def play_to_the_end(client: FlaskClient, key: str, rules: Variant, data: st.DataObject) -> None:
    game = started(client, key)
    for number in range(1, len(rules.contracts) + 1):
        if 'id="round"' not in game.page:
            break
        met = " ".join(data.draw(st.sets(st.sampled_from(["Ben", "Cleo"]))))
        points = str(rules.penalties.of("7")) if rules.keeps_score else ""
        typed = {f"{game.seats[name]}-typed": points for name in ("Ben", "Cleo")}
        sent = game.sent(out="Anna", met=met) | typed
        closed = game.close(number, sent)
        for _asked in range(2):  # what is missing is asked first, then what looks wrong
            if closed.status_code == 422:
                shown = closed.get_data(as_text=True)
                closed = game.close(number, {**sent, **answers_to(shown, game)})
        assert closed.status_code == 303, said_of(closed)
    assert re.search(r"wins!|tie for the win!", game.page)


def play_for_points(client: FlaskClient, key: str, rules: Variant) -> None:
    """Three rounds of points alone, on the page and in the game's record, and a result."""
    game = started(client, key)
    for number in range(1, 4):
        if 'id="round"' not in game.page:
            break
        assert not re.search("Laid down|ent out|ontract", game.page.split('<div id="game"')[1])
        points = {name: str(number * rules.points_step) for name in ("Anna", "Ben", "Cleo")}
        assert game.close(number, **points).status_code == 303
    if 'id="round"' in game.page:
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    assert "tie for the win!" in game.page
    for part in ("rounds", "screen", "rules", "activity"):
        shown = client.get(f"/games/{game.key}/{part}", follow_redirects=True)
        assert shown.status_code == 200
        said = re.sub(r'class="[^"]*"', "", shown.get_data(as_text=True).split("<main")[1])
        assert "ontract" not in said, part


def started(client: FlaskClient, key: str) -> PlainGame:
    """The game, with what looks wrong about its rules accepted."""
    sent = {"variant": key, "player": ["Anna", "Ben", "Cleo"]}
    answer = client.post("/games", data=sent)
    if answer.status_code == 422:
        marks = re.findall(r'name="accepted" value="([^"]*)"', answer.get_data(as_text=True))
        return PlainGame.started(
            client, key, "Anna Ben Cleo", accepted=[unescape(mark) for mark in marks]
        )
    return PlainGame.started(client, key, "Anna Ben Cleo")


def answers_to(shown: str, game: PlainGame) -> dict[str, object]:
    """What a table answers to a question about the round: Anna was first, and it is right so."""
    marks = [unescape(one) for one in re.findall(r'name="accepted" value="([^"]*)"', shown)]
    return {"first_down": str(game.seats["Anna"]), "accepted": marks}


def said_of(answer) -> str:
    return " ".join(
        re.findall(r'class="(?:fault|doubt)"[^>]*>([^<]*)', answer.get_data(as_text=True))
    )
