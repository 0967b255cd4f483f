"""`flask group create`: a new group from the shell, where the public may not make one."""

from datetime import UTC, datetime

import click
from flask import Flask, current_app
from flask.cli import AppGroup

from app.actions.by import By
from app.actions.groups import Role, make_group
from app.actions.links import make_link
from app.commands.starting import brought_up_to_date
from app.extensions import db
from app.store.engine import meaning_to_write

group = AppGroup("group", help="Groups of people who share a history.")


@group.command()
@click.argument("name")
@click.option(
    "--url",
    default="http://localhost:5000",
    show_default=True,
    help="The address at which phones reach the app.",
)
def create(name: str, url: str) -> None:
    """Make a group and print the link that manages it; it is not shown again."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    brought_up_to_date(app)
    now = datetime.now(UTC)
    with meaning_to_write():
        made = make_group(db.session(), name, now)
        secret = make_link(db.session(), made.id, Role.MANAGE, By(None, now))
    phones = app.url_map.bind("")
    click.echo(url.rstrip("/") + phones.build("joining.open_link", {"secret": secret}))
