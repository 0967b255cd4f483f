"""Walks through the rulings of a group, by their forms."""

from urllib.parse import urlencode

from sqlalchemy import select
from werkzeug.test import TestResponse

from app.rules.house_rules import HOUSE_RULES, SWITCHABLE
from app.store.games import RecordedRuling, StoredGame
from tests.walk.world import TEXTS, World, step


@step("checker.record_ruling")
def record(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    question = {"variant": table.variant.id, "ask": "meld", "m": "5H 6H 7H"}
    rule = world.one_of(one for one in HOUSE_RULES.values() if one.field in SWITCHABLE)
    switch = ""
    if world.maybe(0.7):
        choice = world.one_of(one.value for one in rule.choices) if rule.choices else rule.least
        switch = f"{rule.field}={str(choice).lower()}"
    return world.post(
        f"/games/{key}/rulings",
        question=urlencode({**question, "game": key}),
        asked_by=str(world.one_of([*table.game.names, ""])),
        decided=world.chance.choice(TEXTS),
        reason=world.chance.choice(TEXTS),
        switch=switch,
    )


def ruling(world: World) -> tuple[str, dict[str, str]] | None:
    """Where a ruling is edited, and what its form was shown."""
    with world.session() as session:
        rulings = (
            select(
                StoredGame.key, RecordedRuling.id, RecordedRuling.decision, RecordedRuling.reason
            )
            .join(StoredGame, StoredGame.id == RecordedRuling.game_id)
            .where(
                StoredGame.group_id == world.group,
                StoredGame.deleted_at.is_(None),
                RecordedRuling.removed_at.is_(None),
            )
            .order_by(RecordedRuling.id)
        )
        rows = session.execute(rulings).all()
    if not rows:
        return None
    key, number, decision, reason = world.one_of(rows)
    seen = {"decided_seen": decision, "reason_seen": reason}
    return f"/games/{key}/rulings/{number}", seen


@step("rulings.edit")
def edit_ruling(world: World) -> TestResponse | None:
    found = ruling(world)
    said = {one: world.chance.choice(TEXTS) for one in ("decided", "reason")}
    return found and world.post(found[0], **said, **found[1])


@step("rulings.remove")
def remove_ruling(world: World) -> TestResponse | None:
    found = ruling(world)
    return found and world.post(f"{found[0]}/remove")


@step("rulings.change_house_rule")
def change_house_rule(world: World) -> TestResponse | None:
    key = world.running_game()
    number = key and world.table(key).game.open_number
    field, value = world.one_of(
        (("knock", "true"), ("buying", "none"), ("most_buys", "2"), ("wild_limit", "none"))
    )
    sent = {"field": field, "switch": value, "number": str(number)}
    return key and world.post(f"/games/{key}/house-rules", **sent)
