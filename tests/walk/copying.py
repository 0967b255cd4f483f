"""A group taken out, brought into an empty one and taken out again, and the two compared."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Select, delete, func, or_, select
from sqlalchemy.orm import Session

from app.exchange.documents import json_schema
from app.extensions import db, limiter
from app.store.engine import meaning_to_write
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Group, Player
from app.store.queries.seasons import season_sums, seasons_of
from app.store.statistics import StoredContractAttempts, StoredPlayerResult, StoredResult
from tests.actions.table import NOON
from tests.many_games import browser_in, play_games

Statistics = dict[str, list[list[str]]]


@cache
def validator() -> jsonschema_rs.Validator:
    """Made where it is asked: each process of the tests reads this file."""
    return jsonschema_rs.validator_for(json_schema())


def exported(phone: FlaskClient) -> dict[str, Any]:
    """The group of a phone as a document, which is as its description says."""
    with phone.get("/data/export.json") as answer:  # what is not closed keeps its connection
        assert answer.status_code == 200
        document = json.loads(answer.get_data(as_text=True))
    validator().validate(document)
    return dict(document)


def check_backup(app: Flask, phone: FlaskClient, group: int) -> None:
    """What is taken out comes in elsewhere whole, with the same statistics and pages."""
    limiter.reset()
    check_table_of_games(phone)
    document = exported(phone)
    with empty_group(app) as copy:
        other = browser_in(app, copy)
        import_document(other, document)
        again = exported(other)
        again["group"] = document["group"]
        check_same(document, again)
        with app.app_context():
            check_same(*(statistics_of(db.session(), one) for one in (group, copy)))
        check_pages(app, other, copy)
    check_portions(app, document)


def check_table_of_games(phone: FlaskClient) -> None:
    """The games of a group, as a table from there, are all there, and none differs."""
    with phone.get("/tables/games.csv") as answer:
        table = answer.data
    if len(table.splitlines()) > 1:
        page = phone.post("/data/import", **multipart(table)).get_data(as_text=True)
        assert "Nothing in this file is new." in page, told(page)
        assert " differ" not in page, told(page)


def check_portions(app: Flask, document: dict[str, Any]) -> None:
    """What comes into a group that has a part of the games is the same, whichever part that is.

    Its past years are seasons by themselves then, unless the document has them.
    """
    with empty_group(app) as copy:
        phone = browser_in(app, copy)
        first = [
            one for place, one in enumerate(document["games"]) if _is_out(one) or not place % 2
        ]
        import_document(phone, {**document, "games": first, "seasons": []})
        import_document(phone, document)
        again = exported(phone)
    for part in ("games", "seasons"):
        here = {one["key"]: one for one in again.get(part, ())}
        wanted = document.get(part, [])
        check_same(wanted, [here.get(one["key"]) for one in wanted])


def _is_out(game: dict[str, Any]) -> bool:
    return bool(game.get("left_out"))


@contextmanager
def empty_group(app: Flask) -> Iterator[int]:
    """A group that is gone afterwards, with all that came into it."""
    group = play_games(app, 0)
    yield group
    with app.app_context(), meaning_to_write():
        db.session.execute(delete(StoredGame).where(StoredGame.group_id == group))
        db.session.execute(delete(Player).where(Player.group_id == group))
        db.session.execute(delete(Group).where(Group.id == group))
        db.session.commit()


def check_same(one: Any, other: Any) -> None:
    """Say where two documents differ, if they do."""
    differ = list(differences(one, other))
    assert not differ, "\n".join(differ[:20])


def import_document(phone: FlaskClient, document: dict[str, Any]) -> None:
    """Look at a document and say yes: a clean preview is never followed by a failure.

    The same again is nothing new, and differs in nothing.
    """
    content = json.dumps(document).encode()
    looked = phone.post("/data/import", **multipart(content))
    page = looked.get_data(as_text=True)
    assert looked.status_code == 200, told(page)
    address = re.search(r'action="(/data/import/[^"]+)"', page)
    if address is not None:
        answer = phone.post(address[1])
        assert answer.status_code == 303, told(answer.get_data(as_text=True))
        page = phone.post("/data/import", **multipart(content)).get_data(as_text=True)
    assert "Nothing in this file is new." in page
    assert " differ" not in page


def multipart(content: bytes) -> dict[str, Any]:
    """A file as a form sends it; the test client itself leaves its own copy of a large one open."""
    head = b'--end\r\nContent-Disposition: form-data; name="file"; filename="group.json"\r\n\r\n'
    return {
        "data": head + content + b"\r\n--end--\r\n",
        "content_type": "multipart/form-data; boundary=end",
    }


def differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """Where two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from differences(one.get(name), other.get(name), f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from differences(first, second, f"{place}[{number}]")
    elif one != other:
        yield f"{place}: {one!r} became {other!r}"


def told(page: str) -> str:
    """What a preview says is wrong."""
    return " ".join(re.sub(r"<[^>]+>", "", page.split("<main", 1)[-1]).split())[:2000]


def check_pages(app: Flask, phone: FlaskClient, group: int) -> None:
    """Every page of what was brought in can be read."""
    with app.app_context():
        keys = db.session.scalars(
            select(StoredGame.key).where(
                StoredGame.group_id == group, StoredGame.deleted_at.is_(None)
            )
        ).all()
    pages = ["/history", "/history/records", "/history/deleted", "/players", "/rules/custom"]
    for key in keys[-3:]:
        pages += [f"/games/{key}{part}" for part in ("", "/rounds", "/activity", "/players")]
    for page in pages:
        assert phone.get(page).status_code in (200, 303), page


def statistics_of(session: Session, group: int) -> Statistics:
    """All facts of a group's games, with names and keys of games in place of ids; its seasons."""
    players = dict(_pairs(session, select(Player.id, Player.name).where(Player.group_id == group)))
    origin = func.coalesce(StoredGame.imported_key, StoredGame.key)
    games = dict(_pairs(session, select(StoredGame.id, origin).where(StoredGame.group_id == group)))
    place = select(StoredSeat.id, StoredSeat.position).where(StoredSeat.game_id.in_(games))
    seats = dict(_pairs(session, place))
    names = {
        "player_id": players, "game_id": games, "seat_id": seats, "group_id": {group: "here"},
    }  # fmt: skip
    found: Statistics = {}
    for model in (StoredPlayerResult, StoredContractAttempts):
        table: Any = model.__table__
        rows = session.execute(select(table).where(table.c.player_id.in_(players))).mappings()
        found[table.name] = _named(rows, names)
    results: Any = StoredResult.__table__
    rows = session.execute(select(results).where(or_(results.c.group_id == group))).mappings()
    found[results.name] = _named(rows, names)
    here = select(StoredGame.key, origin).where(StoredGame.group_id == group)
    came_as = {row[0]: row[1] for row in session.execute(here)}
    found["seasons"] = []
    for one in seasons_of(session, group, NOON):
        sums = season_sums(session, group, one)
        table = sorted(f"{players.get(of.player)}: {replace(of, player=0)}" for of in sums)
        changed = [f"changed: {came_as.get(key)}" for key in one.changed_games]
        won = sorted(f"won: {players.get(of)}" for of in one.champions)
        found["seasons"].append([one.key, str(one.rules), *table, *changed, *won])
    return found


def _pairs(session: Session, asked: Select[Any]) -> list[tuple[int, Any]]:
    return [(row[0], row[1]) for row in session.execute(asked)]


def _named(rows: Any, names: dict[str, dict[int, Any]]) -> list[list[str]]:
    return sorted(
        [f"{name}={names[name].get(value) if name in names else value}" for name, value in one]
        for one in (row.items() for row in rows)
    )
