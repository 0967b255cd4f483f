"""Documents that this app did not write: what is imported breaks nothing.

`MELDKEEPER_DOCUMENTS` says how many spoiled documents are sent at least, `MELDKEEPER_SEED` which
ones; they are others on each database.
"""

import io
import json
import os
import re
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.exchange.keys import OUR_KEY
from app.extensions import db, limiter
from app.rules.rule_types import RESERVED_IDS
from app.store.games import StoredGame
from app.store.groups import Player
from tests.conftest import ON_SQLITE
from tests.exchange.test_documents import places
from tests.many_games import browser_in, play_games
from tests.walk.copying import check_pages, exported, import_document, told
from tests.web.test_data import an_evening, sent
from tests.web_table import PlainGame

HOW_MANY = int(os.environ.get("MELDKEEPER_DOCUMENTS", "12"))
SEED = int(os.environ.get("MELDKEEPER_SEED", "16"))
ODD = (
    None, True, 0, -1, 1, 2, 3, 12, 13, 500, 501, 10**6, 10**6 + 1, 2**31, 2**63, 10**400, 1.5,
    "", "x", "1", "new", "own", "Anna", "Ben", "a\u0301", "ﬃ" * 40, "x" * 61, "x" * 1001,
    "row", "closed", "left", "joined", "first_down", "nobody_out", "rule_changed", "undone",
    "imported", "twos", "natural", "contracts", "2026-01-01T00:00:00Z",
    "1900-01-01T00:00:00+14:00", "2200-12-31T23:00:00-10:00", "0001-01-01T00:00:00+14:00",
    [], {}, [1], [[]], {"first_down": 99}, {"met": True}, {"x": "y"},
)  # fmt: skip


@pytest.fixture
def other(app: Flask) -> tuple[FlaskClient, int]:
    """A phone that manages an empty group, and the group."""
    group = play_games(app, 0)
    return browser_in(app, group), group


def spoil(document: Any, chance: Random) -> None:
    """Put something odd in one or two places of a document."""
    for _ in range(chance.choice((1, 1, 2))):
        *path, last = chance.choice(places(document))
        target = document
        for name in path:
            target = target[name]
        target[last] = json.loads(json.dumps(chance.choice(ODD)))


@pytest.mark.timeout(900 + 2 * HOW_MANY)
def test_a_spoiled_document_is_refused_or_breaks_no_page_no_undoing_and_no_export(
    app: Flask, client: FlaskClient, kind_of_database: str
):
    game = an_evening(client)
    ben = game.seats["Ben"]
    for field in ("met", "typed", "counted-0", "typed"):
        tap = {"changed": f"{ben}-{field}".removesuffix("-0"), f"{ben}-{field}": "1"}
        client.post(f"/games/{game.key}/rounds/2/row", data=tap)
    assert (
        client.post(f"/games/{game.key}/activity/{version_of(client, game)}/undo").status_code
        == 303
    )
    ruled = {"question": "ask=meld&m=5H+6H+7H", "decided": "so", "switch": "twos=natural"}
    assert client.post(f"/games/{game.key}/rulings", data=ruled).status_code == 303
    whole = json.dumps(exported(client))
    chance, accepted, refused = Random(f"{kind_of_database} {SEED}"), 0, 0
    while accepted + refused < HOW_MANY or not (accepted and refused):
        assert accepted + refused < 9 * HOW_MANY
        document = json.loads(whole)
        spoil(document, chance)
        if chance.random() < 0.7 and isinstance(document["games"], list):
            document["games"] = document["games"][:1]
        limiter.reset()
        group = play_games(app, 0)
        phone = browser_in(app, group)
        looked = sent(phone, json.dumps(document))
        assert looked.status_code in (200, 422), told(looked.get_data(as_text=True))
        refused += looked.status_code == 422
        if looked.status_code == 200:
            accepted += 1
            import_document(phone, document)
            use(app, phone, group, chance)
            assert import_again(app, exported(phone))


def version_of(client: FlaskClient, game: PlainGame) -> int:
    return next(one["version"] for one in exported(client)["games"] if one["key"] == game.key)


def use(app: Flask, phone: FlaskClient, group: int, chance: Random) -> None:
    """Do with what was imported what anybody may: read it, undo changes, play on."""
    check_pages(app, phone, group)
    with app.app_context():
        keys = db.session.scalars(select(StoredGame.key).where(StoredGame.group_id == group)).all()
    for key in keys:
        log = phone.get(f"/games/{key}/activity").get_data(as_text=True)
        undone = re.findall(rf'action="(/games/{key}/activity/\d+/undo)"', log)
        for address in chance.sample(undone, min(3, len(undone))):
            assert phone.post(address).status_code in (303, 422)
    check_pages(app, phone, group)


def import_again(app: Flask, document: dict[str, Any]) -> bool:
    import_document(browser_in(app, play_games(app, 0)), document)
    return True


@ON_SQLITE
def test_a_game_whose_key_is_a_word_of_an_address_is_found_all_the_same(
    app: Flask, client: FlaskClient, other
):
    phone, group = other
    document = exported_game(client)
    document["games"][0]["key"] = "new"
    import_document(phone, document)
    with app.app_context():
        key = db.session.scalars(select(StoredGame.key).where(StoredGame.group_id == group)).one()
    assert key != "new"
    assert phone.get(f"/games/{key}").status_code == 200
    assert exported(phone)["games"][0]["key"] == "new"


def exported_game(client: FlaskClient) -> dict[str, Any]:
    PlainGame.started(client, "frustration", "Anna Ben").close(1, out="Anna")
    return exported(client)


@ON_SQLITE
def test_no_key_of_ours_and_no_id_of_a_rule_set_is_a_word_of_an_address(app: Flask):
    words: dict[str, set[str]] = {"<key>": set(), "<variant_id>": set()}
    rules = [rule.rule.split("/") for rule in app.url_map.iter_rules()]
    for parts in rules:
        for place, part in enumerate(parts):
            for other in rules:
                if part in words and other[:place] == parts[:place] and len(other) > place:
                    words[part].add(other[place])
    assert not any(OUR_KEY.fullmatch(word) for word in words["<key>"])
    assert words["<variant_id>"] - {"<variant_id>", ""} == RESERVED_IDS


def test_names_that_grow_when_their_case_is_folded_are_kept_on_every_database(
    app: Flask, client: FlaskClient, other
):
    long = "ﬃ" * 40
    phone, group = other
    PlainGame.started(client, "frustration", f"Anna {long}")
    import_document(phone, exported(client))
    with app.app_context():
        names = set(db.session.scalars(select(Player.name).where(Player.group_id == group)))
    assert names == {"Anna", long}


@ON_SQLITE
def test_a_rule_set_whose_id_is_too_long_is_refused_with_the_place(client: FlaskClient):
    document = exported_game(client)
    for one in document["rule_sets"].values():
        one["id"] = "x" * 61
    answer = sent(client, json.dumps(document))
    assert answer.status_code == 422
    page = told(answer.get_data(as_text=True))
    assert re.search(r"rule_sets\.\w+\.id", page)
    assert "Enter text of 60 characters or fewer." in page


def test_decomposed_letters_of_a_csv_make_no_twin(app: Flask, client: FlaskClient):
    PlainGame.started(client, "frustration", "Zoé Ben")
    lines = ["2024-12-31,Frustration,Zoe\u0301,1,", "2024-12-31,Frustration,Ben,2,"]
    table = "\n".join(["date,rule set,player,place,score", *lines]).encode()
    looked = client.post("/data/import", data={"file": (io.BytesIO(table), "past.csv")})
    named = told(looked.get_data(as_text=True)).split("2 known players – ")[1][:8]
    assert named in ("Zoé, Ben", "Ben, Zoé")


@ON_SQLITE
def test_a_game_of_two_who_are_one_person_here_is_refused_at_the_first_look(
    app: Flask, client: FlaskClient, other
):
    phone, group = other
    document = exported_game(client)
    PlainGame.started(phone, "frustration", "Anna Cleo")
    PlainGame.started(phone, "frustration", "Ben Cleo")
    with app.app_context():
        players = select(Player.name, Player.id).where(Player.group_id == group)
        ids = {row.name: row.id for row in db.session.execute(players)}
    merged = phone.post(f"/players/{ids['Anna']}/merge", data={"into": str(ids["Ben"])})
    assert merged.status_code == 303
    answer = sent(phone, json.dumps(document))
    assert answer.status_code == 422
    assert "has been merged with another player" in told(answer.get_data(as_text=True))
