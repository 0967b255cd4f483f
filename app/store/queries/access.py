"""Reads that decide who may do what, and that tell who is in a group and which groups there are."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    String,
    and_,
    bindparam,
    exists,
    func,
    null,
    select,
    union,
)
from sqlalchemy.orm import Session

from app.store.games import StoredGame
from app.store.groups import (
    UNNAMED_GROUP,
    Device,
    Group,
    Invitation,
    Link,
    Membership,
    Player,
    Removal,
    Token,
)
from app.store.queries.alphabet import level_by_name


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device by its id: its name, and the group that it looks at."""

    id: int
    name: str
    group: int | None


@dataclass(frozen=True, slots=True)
class Permission:
    """What a device or token may do in a group.

    `game_id` and `version` are of the game asked for; a token has no `version` and no `seen_at`.
    `player` is whose device it is, `seen_at` when it was noted last in that group.
    """

    group: int
    role: str
    player: int | None
    player_name: str | None
    seen_at: datetime | None
    game_id: int | None = None
    version: int | None = None


# Asked before every view, so they are made once and sent past the ORM.
_device, _member = Device.__table__, Membership.__table__
_player, _game = Player.__table__, StoredGame.__table__
_PERMISSION = (
    _member.c.group_id,
    _member.c.role,
    _member.c.player_id,
    _player.c.name,
    _member.c.seen_at,
)
_another = _member.alias("another")
_LOOKED_AT = func.coalesce(
    _device.c.group_id,
    select(_another.c.group_id)
    .where(_another.c.device_id == _device.c.id)
    .order_by(_another.c.seen_at.desc().nulls_last(), _another.c.id)
    .limit(1)
    .scalar_subquery(),
)
"""A device that is out of the group that it looked at looks at the one where it was seen last."""
_KNOWN_DEVICE = (_device.c.id, _device.c.name, _LOOKED_AT)
_SECRET, _KEY = bindparam("secret", type_=String), bindparam("key", type_=String)


def _permission_in(group: Any, devices: Any, *game: Any) -> Select[*tuple[Any, ...]]:
    member = (_member.c.device_id == _device.c.id) & (_member.c.group_id == group)
    return (
        select(*_KNOWN_DEVICE, *_PERMISSION, *game)
        .select_from(devices.outerjoin(_member, member))
        .outerjoin(_player, _player.c.id == _member.c.player_id)
        .where(_device.c.secret_hash == _SECRET)
    )


_IN_OWN_GROUP = _permission_in(_LOOKED_AT, _device, null(), null())
_OR_GAME = _device.outerjoin(_game, (_game.c.key == _KEY) & _game.c.deleted_at.is_(None))
_IN_GAME = _permission_in(_game.c.group_id, _OR_GAME, _game.c.id, _game.c.version)


def known_device(
    connection: Connection, secret_hash: str, game_key: str | None
) -> tuple[KnownDevice, Permission | None] | None:
    """The device with that secret, and its permission, if any; None where no device has it.

    The permission is for the group of the game with that key; without a key, for the group that the
    device looks at.
    """
    if game_key is None:
        row = connection.execute(_IN_OWN_GROUP, {"secret": secret_hash}).first()
    else:
        row = connection.execute(_IN_GAME, {"secret": secret_hash, "key": game_key}).first()
    if row is None:
        return None
    return KnownDevice(*row[:3]), None if row[4] is None else Permission(*row[3:])


_LETS_IN = "manage"
"""The role that lets others in."""


def is_valid(made: type[Link | Invitation | Token]) -> ColumnElement[bool]:
    """May the maker of what lets others in still make such a thing?

    So may the shell, and whoever made it before makers were kept.
    """
    makers_role = select(Membership.role).where(
        Membership.device_id == made.device_id, Membership.group_id == made.group_id
    )
    return made.device_id.is_(None) | (makers_role.scalar_subquery() == _LETS_IN)


@dataclass(frozen=True, slots=True)
class ValidInvite:
    """A link or a join code that is good now: to which group, as what, made by which device."""

    group: int
    group_name: str
    role: str
    inviting_device: int | None
    link_id: int | None
    """The link's id; None for a join code."""
    game_key: str | None = None
    """The game to which it leads, if it does."""


def link_of(session: Session, secret_hash: str) -> ValidInvite | None:
    """The link with that secret; None if there is none, or no longer."""
    row = session.execute(
        select(Link.group_id, Group.name, Link.role, Link.device_id, Link.id)
        .join(Group, Group.id == Link.group_id)
        .where(Link.secret_hash == secret_hash, is_valid(Link))
    ).first()
    return None if row is None else ValidInvite(*row)


def invitation_of(session: Session, code_hash: str, at: datetime) -> ValidInvite | None:
    """The join code that is good at that moment; None if there is none, or it is over."""
    row = session.execute(
        select(
            Invitation.group_id,
            Group.name,
            Invitation.role,
            Invitation.device_id,
            null(),
            StoredGame.key,
        )
        .join(Group, Group.id == Invitation.group_id)
        .outerjoin(
            StoredGame, (StoredGame.id == Invitation.game_id) & StoredGame.deleted_at.is_(None)
        )
        .where(Invitation.code_hash == code_hash, Invitation.ends_at > at, is_valid(Invitation))
    ).first()
    return None if row is None else ValidInvite(*row)


def devices_joined_by_link(
    session: Session, group: int, role: str, *, but: int | None
) -> Collection[int]:
    """The devices in a group that have a role by its link, those that they let in, and so on.

    `but` is left out, and so is whom only that one let in.
    """
    came = session.scalars(
        select(Membership.device_id)
        .join(Link, Link.id == Membership.link_id)
        .where(Link.group_id == group, Link.role == role, Membership.device_id != (but or 0))
        # An earlier version noted a group's first link for others, too, who came in otherwise.
        .where(Membership.group_id == group, Membership.role == role)
    ).all()
    return {*came, *devices_invited_by(session, group, came, but=but)}


def devices_invited_by(
    session: Session, group: int, devices: Collection[int], *, but: int | None
) -> Collection[int]:
    """The devices in a group that these let in, that those let in, and so on.

    `but` is left out, and so is whom only that one let in.
    """
    rows = session.execute(
        select(Membership.let_in_by_id, Membership.device_id).where(Membership.group_id == group)
    )
    let_in = defaultdict[int | None, list[int]](list)
    for maker, device in rows:
        let_in[maker].append(device)
    found, waiting = set[int](), [one for one in devices if one != but]
    while waiting:
        fresh = {one for one in let_in[waiting.pop()] if one != but} - found
        found |= fresh
        waiting += fresh
    return found


def links_of(session: Session, group: int) -> Sequence[Row[str, str, datetime]]:
    """The links of a group that are good now: `role`, `secret_hash`, `created_at`."""
    return session.execute(
        select(Link.role, Link.secret_hash, Link.created_at).where(
            Link.group_id == group, is_valid(Link)
        )
    ).all()


def depends_on_one_device(session: Session, group: int) -> bool:
    """Is the group lost with one device: it alone manages it, and no link does?"""
    managers = select(func.count()).where(Membership.group_id == group, Membership.role == _LETS_IN)
    linked = select(func.count()).where(
        Link.group_id == group, Link.role == _LETS_IN, is_valid(Link)
    )
    found = session.execute(select(managers.scalar_subquery(), linked.scalar_subquery()))
    return found.one() == (1, 0)


_CHOSEN_NAME = func.nullif(Group.name, UNNAMED_GROUP)

DeviceInGroup = Row[*tuple[Any, ...]]
"""A device in a group, as `_in_group` names its columns; `link_id` as of a `Membership`."""


def devices_of(session: Session, group: int) -> Sequence[DeviceInGroup]:
    """The devices in a group, those seen last first."""
    return session.execute(
        _in_group()
        .where(Membership.group_id == group)
        .order_by(Membership.seen_at.desc().nulls_last(), Membership.id)
    ).all()


def devices_known_in(session: Session, group: int) -> Sequence[Row[int, str, str | None]]:
    """The devices that are in a group or were removed from it not long ago, as they came.

    `device`, its `name`, and `player_name`, whose it is.
    """
    there = [
        select(of.device_id.label("device"), of.player_id, of.created_at).where(
            of.group_id == group
        )
        for of in (Membership, Removal)
    ]
    both = union(*there).subquery()
    return session.execute(
        select(both.c.device, Device.name, Player.name.label("player_name"))
        .join(Device, Device.id == both.c.device)
        .outerjoin(Player, Player.id == both.c.player_id)
        .order_by(both.c.created_at, both.c.device)
    ).all()


def device_in_group(session: Session, device: int, group: int) -> DeviceInGroup | None:
    """A device as it is known in a group; None where it is not in it.

    `was_removed` says whether it was removed from another.
    """
    removed = exists().where(Removal.device_id == Membership.device_id).label("was_removed")
    return session.execute(
        _in_group()
        .add_columns(removed)
        .where(Membership.group_id == group, Membership.device_id == device)
    ).first()


def removed_device(
    session: Session, device: int, group: int
) -> Row[str, str | None, datetime] | None:
    """A device that was removed from a group: `name`, `player_name`, `since` when it was in it."""
    return session.execute(
        select(Device.name, Player.name.label("player_name"), Removal.created_at.label("since"))
        .join(Device, Device.id == Removal.device_id)
        .outerjoin(Player, Player.id == Removal.player_id)
        .where(Removal.device_id == device, Removal.group_id == group)
    ).first()


def was_removed(session: Session, device: int, game_key: str | None) -> bool:
    """Was a device removed from the group of that game, or without a key from any?"""
    asked = select(Removal.id).where(Removal.device_id == device).limit(1)
    if game_key is not None:
        asked = asked.join(StoredGame, StoredGame.group_id == Removal.group_id).where(
            StoredGame.key == game_key, StoredGame.deleted_at.is_(None)
        )
    return session.scalar(asked) is not None


def removed_from(session: Session, device: int, after: datetime) -> Sequence[str]:
    """The names of the groups from which a device was removed after that moment, by time."""
    return session.scalars(
        select(Group.name)
        .join(Removal, Removal.group_id == Group.id)
        .where(Removal.device_id == device, Removal.removed_at > after)
        .order_by(Removal.removed_at, Removal.id)
    ).all()


def _in_group() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Membership.id.label("membership"),
            Membership.device_id.label("device"),
            Device.name,
            Membership.role,
            Membership.player_id.label("player"),
            Player.name.label("player_name"),
            Membership.seen_at,
            Membership.created_at.label("since"),
            Membership.link_id,
            Membership.way_back_dismissed,
            _CHOSEN_NAME.label("group_name"),
        )
        .join(Device, Device.id == Membership.device_id)
        .join(Group, Group.id == Membership.group_id)
        .outerjoin(Player, Player.id == Membership.player_id)
    )


def groups_of(session: Session, device: int) -> Sequence[Row[int, str, str]]:
    """The groups that a device is in, by name: `group`, `name`, and its `role` there."""
    rows = session.execute(
        select(Group.id.label("group"), Group.name, Membership.role)
        .join(Membership, Membership.group_id == Group.id)
        .where(Membership.device_id == device)
        .order_by(Group.id)
    )
    return level_by_name(rows)


def group_name(session: Session, group: int) -> str:
    """What a group is called."""
    return session.scalars(select(Group.name).where(Group.id == group)).one()


def chosen_group_name(session: Session, group: int) -> str | None:
    """What people called a group; None where they gave it no name."""
    return session.scalar(select(_CHOSEN_NAME).where(Group.id == group))


def tells_milestones(session: Session, group: int) -> bool:
    """Are milestones told in a group?"""
    return session.scalars(select(Group.milestones).where(Group.id == group)).one()


def players_of(
    session: Session, group: int, *, with_merged: bool = False
) -> Sequence[tuple[int, str]]:
    """The players of a group, id and name, by name."""
    query = select(Player.id, Player.name).where(Player.group_id == group)
    if not with_merged:
        query = query.where(Player.merged_into_id.is_(None))
    rows = session.execute(query)
    return [(row.id, row.name) for row in level_by_name(rows)]


_TOKEN = select(
    Token.id, Token.group_id.label("group"), Token.name, Token.role, Token.created_at, Token.seen_at
).where(is_valid(Token))
TokenRow = Row[int, int, str, str, datetime, datetime | None]
"""A token, its group, what the program is called, its role, since when, last seen: as columns."""


def token_of(session: Session, secret_hash: str) -> TokenRow | None:
    """The token with that secret; None if there is none, or no longer."""
    return session.execute(_TOKEN.where(Token.secret_hash == secret_hash)).first()


def tokens_of(session: Session, group: int) -> Sequence[TokenRow]:
    """The tokens of a group that are good now, oldest first."""
    return session.execute(_TOKEN.where(Token.group_id == group).order_by(Token.id)).all()


def count_groups_and_devices(session: Session, since: datetime) -> tuple[int, int]:
    """How many groups there are, and how many devices were seen since then."""
    groups = select(func.count()).select_from(Group).scalar_subquery()
    devices = func.count(Membership.device_id.distinct())
    seen = select(devices).where(Membership.seen_at >= since).scalar_subquery()
    found = session.execute(select(groups, seen)).one()
    return found[0], found[1]


def is_unused_since(moment: datetime) -> ColumnElement[bool]:
    """Has nobody used a group since then: no device, no program, and nobody made it or a link?"""
    uses = (
        (Membership, func.coalesce(Membership.seen_at, Membership.created_at)),
        (Token, func.coalesce(Token.seen_at, Token.created_at)),
        (Link, Link.created_at),
    )
    of_late = (exists().where(used.group_id == Group.id, at >= moment) for used, at in uses)
    return and_(Group.created_at < moment, *(~use.correlate(Group) for use in of_late))


def all_groups(
    session: Session, *conditions: ColumnElement[bool]
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The groups of which that holds, oldest first: what each has, and when it was last used."""
    games = (
        select(func.count())
        .where(StoredGame.group_id == Group.id, StoredGame.deleted_at.is_(None))
        .scalar_subquery()
    )
    managers = func.count(Membership.id).filter(Membership.role == "manage")
    programs = select(func.max(Token.seen_at)).where(Token.group_id == Group.id).scalar_subquery()
    return session.execute(
        select(
            Group.id,
            Group.name,
            Group.abandoned_at,
            games.label("game_count"),
            func.count(Membership.id).label("device_count"),
            managers.label("manager_count"),
            func.max(Membership.seen_at).label("seen_at"),
            programs.label("program_seen_at"),
        )
        .outerjoin(Membership, Membership.group_id == Group.id)
        .where(*conditions)
        .group_by(Group.id, Group.name, Group.abandoned_at)
        .order_by(Group.id)
    ).all()
