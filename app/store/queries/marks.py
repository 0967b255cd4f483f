"""Reads of the marks of a group's players."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from app.scorebook.marks import Mark, next_mark
from app.store.groups import Player
from app.store.queries.players import player_ids


def marks_in_group(session: Session, group: int) -> Sequence[Mark]:
    """The marks of the group's players; entries merged into others left out."""
    return session.scalars(select(Player.mark).where(Player.id.in_(player_ids(group)))).all()


def marks_of_names(session: Session, group: int, names: Sequence[str]) -> list[Mark]:
    """The marks of the group's players of these names; those of new ones as they would get them."""
    into = aliased(Player)
    rows = session.execute(
        select(Player.name_key, Player.merged_into_id, Player.mark, into.mark)
        .outerjoin(into, into.id == Player.merged_into_id)
        .where(Player.group_id == group, Player.name_key.in_([one.casefold() for one in names]))
    )
    kept = {name: of_other if merged else own for name, merged, own, of_other in rows}
    taken = [*marks_in_group(session, group)]
    for name in names:
        if name.casefold() not in kept:
            kept[name.casefold()] = next_mark(taken)
            taken.append(kept[name.casefold()])
    return [kept[name.casefold()] for name in names]


def marks_of(session: Session, players: Collection[int]) -> Mapping[int, Mark]:
    """The marks of these players, by id."""
    rows = session.execute(select(Player.id, Player.mark).where(Player.id.in_(players)))
    return {player: mark for player, mark in rows}  # noqa: C416 (mypy knows these as a tuple)
