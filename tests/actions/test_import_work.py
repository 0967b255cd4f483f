"""An import takes work in proportion to its size: counted in calls, so that no clock matters."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

from flask import Flask

from app.actions.groups import make_group
from app.actions.importing import import_into_group, plan_import, require_plausible
from app.actions.requests import Actor
from app.exchange.files import read_document, serialize
from app.extensions import db
from app.rules.rule_sets import rule_set_by_id, to_dict, with_house_rules
from app.store.engine import meaning_to_write
from tests.actions.table import NOON
from tests.counting import calls_of, instructions_of
from tests.simulation import simulate_group


def long_game(rounds: int) -> dict[str, Any]:
    """A document with a game that goes on and on, with a bonus that only the dealer can have."""
    rules = with_house_rules(
        rule_set_by_id("frustration-rummy"),
        {"keep_score": "yes", "max_deals": 0, "exact_deal_bonus": -50},
    )
    at = datetime(2026, 11, 20, tzinfo=UTC).isoformat()
    return {
        "format": "meldkeeper-group",
        "version": 1,
        "group": {"name": "Long"},
        "players": [{"name": f"P{seat}", "since": at} for seat in range(1, 5)],
        "rule_sets": {"r": to_dict(rules)},
        "games": [
            {
                "key": f"long-{rounds}",
                "rules": "r",
                "version": rounds,
                "started_at": at,
                "seats": [{"player": f"P{seat}", "deals_first": seat == 1} for seat in range(1, 5)],
                "rounds": [round_of(number, at) for number in range(1, rounds + 1)],
                "log": [
                    {"version": number, "at": at, "kind": "closed", "round": number}
                    for number in range(1, rounds + 1)
                ],
            }
        ],
    }


def round_of(number: int, at: str) -> dict[str, Any]:
    dealer = (number - 1) % 4 + 1
    rows = [
        {"seat": seat, "penalty": 5 * seat, "exact_deal": seat == dealer} for seat in range(1, 5)
    ]
    return {"number": number, "closed_at": at, "rows": rows}


def test_twice_the_rounds_take_twice_the_work(app: Flask):
    with app.app_context(), meaning_to_write():
        session = db.session()
        group = make_group(session, "Long", NOON).id

        def work(rounds: int) -> Callable[[], None]:
            plain = json.loads(json.dumps(long_game(rounds)))

            def bring_in() -> None:
                sound = require_plausible(read_document(plain))
                assert plan_import(session, group, sound).new_game_count == 1
                assert import_into_group(session, Actor(None, NOON), group, sound) == 1

            return bring_in

        work(30)()  # what is made once is made now
        counts = [calls_of(work(rounds)) for rounds in (75, 150, 300)]
    first, then = counts[1] - counts[0], counts[2] - counts[1]
    assert then < 2.5 * first  # twice as many rounds more; going through all for each makes it four


def test_as_many_games_again_take_the_database_as_much_again(app: Flask):
    with app.app_context(), meaning_to_write():
        session = db.session()
        if session.connection().dialect.name != "sqlite":
            return  # which does not tell its instructions

        def work(games: int) -> Callable[[], None]:
            made = simulate_group(f"{games} games", games, 3, 5, Random(1))
            sound = require_plausible(read_document(json.loads("".join(serialize(made)))))
            group = make_group(session, made.name, NOON).id

            def bring_in() -> None:
                assert import_into_group(session, Actor(None, NOON), group, sound) == games

            return bring_in

        work(2)()
        counts = [instructions_of(session, work(games)) for games in (20, 40, 80)]
        first, then = counts[1] - counts[0], counts[2] - counts[1]
        assert then < 2.2 * first, counts
