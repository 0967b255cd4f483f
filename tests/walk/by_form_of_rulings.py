"""Walks through the rulings of a group, by their forms."""

from sqlalchemy import select
from werkzeug.test import TestResponse

from app.store.games import RecordedRuling, StoredGame
from tests.walk.world import TEXTS, World, step


def address_of_ruling(world: World) -> str | None:
    """Where a ruling is edited."""
    with world.session() as session:
        rulings = select(StoredGame.key, RecordedRuling.id).where(
            RecordedRuling.game_id == StoredGame.id,
            StoredGame.group_id == world.group,
            StoredGame.deleted_at.is_(None),
        )
        found = [f"/games/{key}/rulings/{ruling}" for key, ruling in session.execute(rulings)]
    return world.one_of(found)


@step("rulings.edit")
def edit_ruling(world: World) -> TestResponse | None:
    address = address_of_ruling(world)
    said = {one: world.chance.choice(TEXTS) for one in ("decided", "reason", "decided_seen")}
    return address and world.post(address, **said, reason_seen="")


@step("rulings.remove")
def remove_ruling(world: World) -> TestResponse | None:
    address = address_of_ruling(world)
    return address and world.post(f"{address}/remove")
