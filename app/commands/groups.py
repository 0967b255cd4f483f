"""`flask group`: make a group from the shell, list the groups, give a lost one back."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

import click
from flask import current_app
from flask.cli import AppGroup

from app.actions.groups import Role, make_group, read_group_name, role_of
from app.actions.memberships import make_link
from app.actions.requests import Actor
from app.commands.startup import upgrade_database
from app.extensions import db
from app.scorebook.refusals import Refused
from app.store.engine import meaning_to_write
from app.store.queries.access import all_groups

group = AppGroup("group", help="Groups of people who share a history.")


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
def show_all() -> None:
    """List the groups: number, name, games, devices and managers, last seen."""
    upgrade_database(current_app)
    for one in all_groups(db.session()):
        seen = f"{one.seen_at:%Y-%m-%d}" if one.seen_at else "never"
        click.echo(
            f"{one.id}\t{one.name}\tgames: {one.game_count}\tdevices: {one.device_count}"
            f"\tmanagers: {one.manager_count}\tlast seen: {seen}"
        )


@group.command()
@click.argument("number", type=int)
@click.option(
    "--role",
    type=click.Choice([role.slug for role in Role]),
    default=Role.MANAGE.slug,
    show_default=True,
    help="What the link lets its holder do.",
)
@click.option("--remove", is_flag=True, help="Also remove the devices that joined by the old link.")
@_url
def link(number: int, role: str, remove: bool, url: str) -> None:
    """Print a new link to the group of that NUMBER; the old one of its role stops working.

    So a group is given back whose last manager lost the device. It is not shown again.
    """
    upgrade_database(current_app)
    if number not in [one.id for one in all_groups(db.session())]:
        raise click.ClickException(f"There is no group {number}; see `flask group list`.")
    db.session.rollback()
    actor = Actor(None, datetime.now(UTC))
    with meaning_to_write():
        secret = make_link(
            db.session(), actor, number, role_of(role) or Role.MANAGE, keep=not remove
        )
    click.echo(_link_address(url, secret))


def _link_address(url: str, secret: str | None) -> str:
    addresses = current_app.url_map.bind("")
    return url.rstrip("/") + addresses.build("invites.open_link", {"secret": secret})
