"""What is asked of the server costs it in proportion to its size, however large a group may become.

A group is made as large as it may be (`tests.web.large_group`), in each way by itself and in all of
them, at half that size and as small as can be. It is brought in; every page of it is opened, every
command carried out; it is taken out and brought in again. Counted are the lines of the app and
what SQLite does, never seconds. `MELDKEEPER_COST=full` looks at each way by itself, at full size;
else a smaller group is looked at that is large in all ways.
"""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from app.extensions import db, limiter
from app.store import game_cache
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Player
from app.store.queries.seasons import seasons_of
from app.web.tables import TABLES
from tests.conftest import ON_SQLITE
from tests.counting import steps_of
from tests.many_games import browser_in, play_games
from tests.walk import by_form, by_form_of_rulings, by_interface  # noqa: F401 (each registers its steps)
from tests.walk.copying import multipart
from tests.walk.world import STEPS, World
from tests.web.large_group import MOST, OWN, RUNNING, STOPPED, Document, document_of

FULL = os.environ.get("MELDKEEPER_COST") == "full"
SHORT = {
    name: 12 if name in ("rounds", "seats", "drafts", "letters") else max(8, most // 100)
    for name, most in MOST.items()
}
LARGE = MOST if FULL else SHORT
FACTORS = {"seats": 3, "contracts": 6}
"""Where all is large together: rounds have seats, and rule sets contracts, so that twice as many of
both would be four times as large a document."""
WAYS = [*MOST, "all together"] if FULL else ["all together"]
MOST_TIMES = 2.3
"""How much more something may cost at twice the size."""
SLACK = 3_000
"""Steps by which two runs of the same may differ, beside an eighth of what the smallest takes."""
REMOVED_DEVICE = 1000
DRAWS = 3 if FULL else 1
"""How often a command is carried out: who is chosen decides whether anything follows from it."""
ATTEMPTS = 60
"""How often a step of the walk is drawn until it does something."""
WITHOUT_PAGES = {"assets.show", "games.stream", "offline.manifest", "static"}
"""What is the same whatever a group holds."""
QUESTIONS = {
    "activity.show": ("", "?until=2"),
    "checker.check": ("", f"?game={RUNNING}", f"?variant={OWN}"),
    "checker.verdict": ("", f"?game={RUNNING}&ask=meld&m=5H 6H 7H"),
    "faq.show": ("", "?words=wild", f"?game={RUNNING}"),
    "games.live": ("", "?v=0", "?v=1&seen=1"),
    "games.show": ("", "?order=standing"),
    "history.index": ("", f"?rules={OWN}&words=Ours"),
    "players.index": ("", "?page=2"),
    "players.show": ("", f"?rules={OWN}"),
    "rulesets.new": (f"?base={OWN}",),
}
"""What pages are asked for beside what their address names."""

Counts = dict[str, int]


class CountingClient(FlaskClient):
    """A browser that notes what its requests cost: lines of the app, hundreds of SQLite's steps."""

    is_counting = False
    database: ClassVar[list[None]] = []
    costs: ClassVar[list[tuple[int, int]]] = []

    def open(self, *asked: Any, **more: Any) -> TestResponse:
        limiter.reset()
        if not self.is_counting:
            return super().open(*asked, **more)
        if more.get("method") == "GET":
            super().open(*asked, **more, buffered=True)  # what is made once is made
        game_cache._games.clear()
        answers: list[TestResponse] = []
        self.database.clear()
        steps = steps_of(
            lambda: answers.append(super(CountingClient, self).open(*asked, **more, buffered=True))
        )
        self.costs.append((steps, len(self.database)))
        return answers[0]

    @classmethod
    @contextmanager
    def counting(cls, counts: Counts, what: str) -> Iterator[None]:
        """Note the dearest request of that name that is made meanwhile."""
        cls.costs.clear()
        yield
        for steps, ticks in cls.costs:
            counts[what] = max(steps, counts.get(what, 0))
            counts[f"{what} (SQLite)"] = max(ticks, counts.get(f"{what} (SQLite)", 0))


@pytest.fixture
def counting(app: Flask) -> Iterator[None]:
    """Browsers count what their requests cost."""
    tick = partial(CountingClient.database.append, None)

    def note(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_progress_handler(tick, 100)

    with app.app_context():
        engine = db.engine
    engine.dispose()
    event.listen(engine, "connect", note)
    usual, app.test_client_class = app.test_client_class, CountingClient
    yield
    CountingClient.is_counting = False
    app.test_client_class = usual
    event.remove(engine, "connect", note)
    engine.dispose()


class LargeWorld(World):
    """The walk's world, in which something is done to the large games, and to the newest else.

    What the newest refuses is drawn by chance.
    """

    attempt = 0

    def one_of(self, found: Any) -> Any:
        found = list(found)
        return found[-1] if found and not self.attempt else super().one_of(found)

    def game(self, *where: Any, binned: bool = False) -> str | None:
        lies = StoredGame.deleted_at.is_not(None) if binned else StoredGame.deleted_at.is_(None)
        keys = self.find(StoredGame.key, where=(lies, *where))
        return keys[-1] if keys else None

    def player(self, *where: Any) -> int | None:
        """Who holds a seat of both large games, but where another is asked for."""
        if where or self.attempt:
            return super().player(*where)
        return self.table(RUNNING).game.seats[1].player

    def players_to_merge(self) -> tuple[int | None, int | None]:
        """First and last of who took over from each other in both large games, the dearest.

        Where nobody did it is somebody who never played, so that no refusal is counted.
        """
        if self.attempt:
            return super().players_to_merge()
        seat = self.table(RUNNING).game.seats[1]
        idle = self.find(Player.id, where=(Player.merged_into_id.is_(None),))[-1]
        return seat.player, seat.stand_ins[-1].player if seat.stand_ins else idle


def costs(app: Flask, document: Document, instance: Path) -> Counts:
    """What each thing costs that is done with a document and its group."""
    counts: Counts = {}
    group = play_games(app, 0)
    manager = browser_in(app, group)
    counting = partial(CountingClient.counting, counts)

    def bring_in(phone: FlaskClient, what: str, content: bytes) -> None:
        with counting(f"preview {what}"):
            shown = phone.post("/data/import", **multipart(content))
        page = shown.get_data(as_text=True)
        address = re.search(r'action="(/data/import/[^"]+)"', page)
        assert address, re.sub(r"<[^>]+>", "", page.split("<main", 1)[-1])[:3000]
        with counting(f"import {what}"):
            assert phone.post(address[1]).status_code == 303

    bring_in(manager, "", json.dumps(document).encode())
    world = LargeWorld(app, Random(0), manager, group)
    manager.post("/group/links/watch")
    link = re.search(r"/join/([\w-]+)", manager.get("/group/links/watch").get_data(as_text=True))
    assert link
    assert manager.post(f"/games/{STOPPED}/share", data={"shared": "yes"}).status_code == 303
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint not in WITHOUT_PAGES:
            for what, address in addresses(app, rule, world, link[1]):
                with counting(f"GET {what}"):
                    headers = {"Authorization": f"Bearer {world.token}"}
                    client = world.program if address.startswith("/api/") else manager
                    answer = client.get(address, headers=headers if client is world.program else {})
                assert answer.status_code in (200, 204, 302, 303), (address, answer.status_code)
    with saved(app, instance) as restore:
        for name, step in STEPS.items():
            done = 0
            for attempt in range(ATTEMPTS):
                restore()
                world.attempt, world.chance = attempt, Random(attempt)
                with counting(name):
                    told = step(world)
                done += told is not None and told.status_code < 400
                if done == DRAWS:
                    break
            assert done, f"{name} did nothing"
        restore()
    with counting("export"):
        exported = manager.get("/data/export.json").get_data()
    other = exported.replace(RUNNING.encode(), RUNNING[::-1].encode())
    other = other.replace(STOPPED.encode(), STOPPED[::-1].encode())
    bring_in(browser_in(app, play_games(app, 0)), "again", other)
    return counts


def addresses(app: Flask, rule: Rule, world: World, link: str) -> Iterator[tuple[str, str]]:
    """Each address of a rule that is to be opened: what it is called here, and itself."""
    with world.session() as session:
        share = session.scalar(select(StoredGame.share_key).where(StoredGame.key == STOPPED))
        seat = session.scalar(select(StoredSeat).order_by(StoredSeat.id.desc()).limit(1))
        assert seat
        other = session.scalar(
            select(StoredSeat.player_id).where(StoredSeat.id != seat.id).limit(1)
        )
        player, rounds = seat.player_id, len(world.table(RUNNING).game.rounds)
        (season, *_) = seasons_of(session, world.group, datetime.now(UTC))
    known: dict[str, tuple[Any, ...]] = {
        "key": (RUNNING, STOPPED), "number": (1, rounds), "player": (player,),
        "variant_id": ("frustration-rummy", OWN), "own": (OWN,), "rule_set": (OWN,),
        "kind": ("toml", "json"), "role": ("watch",), "share": (share,),
        "secret": (link,), "device": (REMOVED_DEVICE,), "season": (season.key,),
        "table": tuple(TABLES), "rival": (other,),
    }  # fmt: skip
    if rule.endpoint == "corrections.show_holder":
        known |= {"key": (RUNNING,), "seat": (world.table(RUNNING).game.seats[0].id,)}
    if rule.endpoint == "past_games.edit":
        known["key"] = (world.game(StoredGame.results_only),)
    assert rule.arguments <= known.keys(), f"what is {rule} to be opened with?"
    drawn: list[dict[str, Any]] = [{}]
    for name in sorted(rule.arguments):
        drawn = [{**one, name: value} for one in drawn for value in known[name]]
    with app.test_request_context():
        for values in drawn:
            address = app.url_for(rule.endpoint, **values)
            places = [known[name].index(value) for name, value in values.items()]
            for asked in QUESTIONS.get(rule.endpoint, ("",)):
                yield f"{rule.rule} {places}{asked}", f"{address}{asked}"


@contextmanager
def saved(app: Flask, instance: Path) -> Iterator[Callable[[], None]]:
    """The database as it stands; what is answered brings that back."""

    def between(source: Path, target: Path) -> None:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()
        for part in target.glob("meldkeeper.sqlite*"):
            part.unlink()
        for part in source.glob("meldkeeper.sqlite*"):
            shutil.copy(part, target)

    with TemporaryDirectory() as copy:
        between(instance, Path(copy))
        yield partial(between, Path(copy), instance)


def sizes_of(way: str, share: float) -> dict[str, int]:
    """As large as that share of it in one way, or in all."""
    if way != "all together":
        return dict.fromkeys(LARGE, 0) | {way: int(LARGE.get(way, 0) * share)}
    some = LARGE | {"rounds": LARGE["rounds"] * 2 // 3, "drafts": LARGE["drafts"] // 3}
    return {name: int(most * share) for name, most in some.items()} | FACTORS


def grows_too_much(least: int, less: int, much: int) -> bool:
    """Does something cost more than in proportion, beside what it costs where all is small?"""
    return much - least > MOST_TIMES * max(0, less - least) + SLACK + least // 8


@pytest.mark.long
@pytest.mark.timeout(3 * 60 * 60 if FULL else 900)
@ON_SQLITE
@pytest.mark.usefixtures("counting")
def test_twice_as_large_costs_at_most_twice_as_much(app: Flask, instance: Path) -> None:
    with saved(app, instance) as restore:

        def costs_of(way: str, share: float) -> Counts:
            restore()
            return costs(app, document_of(sizes_of(way, share)), instance)

        costs_of(WAYS[0], 0)  # what is made once is made now
        CountingClient.is_counting = True
        none = costs_of("rounds", 0) if FULL else {}
        worse = {}
        for way in WAYS:
            start = costs_of(way, 0) if way == "all together" else none
            half, full = costs_of(way, 0.5), costs_of(way, 1)
            assert start.keys() == half.keys() == full.keys()
            dearer = {what for what in full if grows_too_much(start[what], half[what], full[what])}
            again = costs_of(way, 1) if dearer else full  # without what was made once
            for what, much in full.items():
                least, less, lower = start[what], half[what], min(much, again[what])
                if grows_too_much(least, less, lower):
                    worse[way, what] = (least, less, lower)
                if FULL:
                    times = lower / max(1, less)
                    numbers = f"{least:9} {less:9} {lower:9} {times:.2f}"
                    print(f"{way:14} {what:60} {numbers}", flush=True)
    assert not worse, worse
