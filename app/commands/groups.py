"""`flask group`: make a group from the shell, list the groups, give a lost one back, remove one."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import click
from flask import current_app
from sqlalchemy import Row

from app.actions.groups import Role, make_group, read_group_name, remove_group, role_of
from app.actions.memberships import make_link
from app.actions.requests import Actor
from app.commands.startup import upgrade_database
from app.extensions import db
from app.scorebook.refusals import Refused
from app.store.engine import meaning_to_write
from app.store.groups import Group
from app.store.queries.access import all_groups, is_unused_since
from app.store.queries.history import KEEP_DELETED
from app.web.infrastructure.push import announcer_of

group = click.Group("group", help="Groups of people who share a history.")


def _validate_url(_context: click.Context, _option: click.Parameter, url: str) -> str:
    """The address, if devices can open it. Raises `BadParameter`."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or set(url) & set(" ?#@\\"):
        raise click.BadParameter("Use a form like https://cards.example.org")
    return url


_url = click.option(
    "--url",
    callback=_validate_url,
    default="http://localhost:5000",
    show_default=True,
    help="The address at which phones reach the app.",
)


@group.command()
@click.argument("name")
@_url
def create(name: str, url: str) -> None:
    """Make a group and print the link that manages it; it is not shown again."""
    upgrade_database(current_app)
    now = datetime.now(UTC)
    try:
        name = read_group_name(name)
    except Refused as refused:
        raise click.ClickException(str(refused.faults[0].message)) from None
    with meaning_to_write():
        made = make_group(db.session(), name, now)
        secret = make_link(db.session(), Actor(None, now), made.id, Role.MANAGE)
    click.echo(_link_address(url, secret))


@group.command("list")
@click.option(
    "--abandoned",
    type=click.IntRange(1, 10_000),
    metavar="DAYS",
    help="Only those that nobody has used for so many days.",
)
def show_all(abandoned: int | None) -> None:
    """List the groups: number, name, games, devices and managers, last seen.

    Of one that ABANDONED_DAYS is about to remove, also on which day.
    """
    upgrade_database(current_app)
    now = datetime.now(UTC)
    unused = [is_unused_since(now - timedelta(days=abandoned))] if abandoned else []
    for one in all_groups(db.session(), *unused):
        seen = max(filter(None, (one.seen_at, one.program_seen_at)), default=None)
        click.echo(
            f"{one.id}\t{one.name}\tgames: {one.game_count}\tdevices: {one.device_count}"
            f"\tmanagers: {one.manager_count}\tlast seen: {f'{seen:%Y-%m-%d}' if seen else 'never'}"
            + (f"\tremoved: {one.abandoned_at + KEEP_DELETED:%Y-%m-%d}" if one.abandoned_at else "")
        )


@group.command("delete")
@click.argument("number", type=int)
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(number: int, yes: bool) -> None:
    """Remove the group of that NUMBER for good, with its games, players, devices and links."""
    upgrade_database(current_app)
    one = _group_of(number)
    what = f"{one.name}, games: {one.game_count}, devices: {one.device_count}"
    if not yes:
        click.confirm(f"Remove group {number} for good: {what}?", abort=True)
    with meaning_to_write():
        if not remove_group(db.session(), number):
            raise click.ClickException(f"Group {number} is gone already.")
    _end_streams()
    click.echo(f"Removed group {number}: {what}.")


@group.command()
@click.argument("number", type=int)
@click.option(
    "--role",
    type=click.Choice([role.slug for role in Role]),
    default=Role.MANAGE.slug,
    show_default=True,
    help="What the link lets its holder do.",
)
@click.option(
    "--remove", is_flag=True, help="Also remove who joined by the old link or through them."
)
@_url
def link(number: int, role: str, remove: bool, url: str) -> None:
    """Print a new link to the group of that NUMBER; the old one of its role stops working.

    So a group is given back whose last manager lost the device. It is not shown again.
    """
    upgrade_database(current_app)
    _group_of(number)
    actor = Actor(None, datetime.now(UTC))
    with meaning_to_write():
        secret = make_link(
            db.session(), actor, number, role_of(role) or Role.MANAGE, keep=not remove
        )
    _end_streams()
    click.echo(_link_address(url, secret))


def _end_streams() -> None:
    """Tell the push engine, if there is one, that access ended, before the command ends."""
    if announcer := announcer_of(current_app):
        announcer.finish()


def _group_of(number: int) -> Row[*tuple[Any, ...]]:
    found = all_groups(db.session(), Group.id == number)
    db.session.rollback()
    if not found:
        raise click.ClickException(f"There is no group {number}; see `flask group list`.")
    return found[0]


def _link_address(url: str, secret: str | None) -> str:
    addresses = current_app.url_map.bind("")
    return url.rstrip("/") + addresses.build("invites.open_link", {"secret": secret})
