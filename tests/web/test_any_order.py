"""Whatever a group did, in whatever order: it can be taken out whole and brought in elsewhere.

`MELDKEEPER_WALK` says how many steps are walked, `MELDKEEPER_SEED` which ones.
"""

import os
from collections import Counter
from itertools import count
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.extensions import db, limiter
from app.store import game_cache
from app.store.groups import Group
from app.store.queries.games import LoadedGame
from tests.walk import by_form, by_form_of_rulings, by_interface  # noqa: F401 (each registers its steps)
from tests.walk.copying import check_backup
from tests.walk.world import STEPS, World
from tests.web.test_idempotency import changing
from tests.web_table import PlainGame

HOW_MANY = int(os.environ.get("MELDKEEPER_WALK", "120"))
SEED = int(os.environ.get("MELDKEEPER_SEED", "16"))
BETWEEN = max(24, HOW_MANY // 25)
"""Steps between two looks, each longer than the last: the group grows."""

OFTEN = {
    "rounds.end_round": 12, "rounds.take_tap": 6, "api_games.end_round": 6, "games.start": 3,
    "games.join": 3, "games.leave": 3, "games.stand_in": 3, "api_games.edit_round": 2,
    "checker.record_ruling": 2, "activity.undo": 6, "rounds.reopen_round": 3,
}  # fmt: skip
"""How much oftener than once a step is made."""

BESIDE_THE_DOCUMENT = {
    "groups.switch_group", "groups.leave", "groups.remove_device", "groups.undo_removal",
    "groups.remove_invitees", "groups.change_role", "groups.dismiss_removals",
    "groups.replace_link", "groups.replace_group_links", "groups.show_code", "groups.end_code",
    "tokens.make", "tokens.revoke", "invites.join_by_code", "invites.join_by_link",
    "groups.dismiss_way_back", "data.begin", "groups.set_up",
    "language.choose", "faq.skip_tour",
}  # fmt: skip
"""What changes who may come in, or how a phone speaks: no document holds that."""


def test_every_address_that_changes_something_is_walked_or_is_about_rights(app: Flask):
    assert changing(app) == STEPS.keys() | BESIDE_THE_DOCUMENT
    assert not STEPS.keys() & BESIDE_THE_DOCUMENT


@pytest.mark.timeout(900 + HOW_MANY)
def test_a_group_is_taken_out_and_brought_in_whole_whatever_it_did(
    app: Flask, client: FlaskClient, kind_of_database: str, monkeypatch: pytest.MonkeyPatch
):
    """Two processes serve in turn, each with a memory of its own.

    What stands in between is looked at on SQLite; on PostgreSQL, what all steps came to.
    """
    memories: tuple[dict[int, LoadedGame], ...] = ({}, {})
    monkeypatch.setattr(game_cache, "_games", memories[0])
    PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    with app.app_context():
        group = db.session.scalars(select(Group.id)).one()
    world = World(app, Random(SEED), client, group)
    done: Counter[str] = Counter()
    made: list[str] = []
    for number in count(1):
        missing = [name for name in STEPS if not done[name]]
        if number > HOW_MANY and (not missing or number > 6 * HOW_MANY):
            break
        names = list(STEPS)
        weights = [OFTEN.get(name, 1) * (20 if name in missing else 1) for name in names]
        name = world.chance.choices(names, weights)[0]
        answer = STEPS[name](world)
        if answer is not None:
            assert answer.status_code < 500, name
            done[name] += answer.status_code < 400
            made.append(f"{name} {answer.status_code}")
        world.check_cache(memories[number % 2])
        if kind_of_database == "sqlite" and number % BETWEEN == 0 and number <= HOW_MANY:
            look(world, made)
    look(world, made)
    print(sorted(done.items()))
    assert missing == []


def look(world: World, made: list[str]) -> None:
    """Compare the group with a copy of it; a fault says what was done before."""
    limiter.reset()
    try:
        check_backup(world.app, world.phone, world.group)
    except Exception as fault:
        fault.add_note("after " + "\n".join(made[-BETWEEN - 10 :]))
        raise
