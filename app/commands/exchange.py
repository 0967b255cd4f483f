"""`flask export` and `flask import`: a group's games as a file, and back."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import click
from flask import current_app
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.actions import importing
from app.actions.groups import make_group
from app.actions.requests import Actor
from app.commands import with_bar
from app.commands.startup import upgrade_database
from app.exchange.files import is_json, serialize
from app.exchange.round_csv import write_round_csv
from app.extensions import db
from app.rules.phrases import counted
from app.rules.rule_sets import shipped_rule_sets
from app.store.engine import meaning_to_write
from app.store.groups import Group
from app.store.queries.export import count_games, load_group_document
from app.store.queries.rulesets import own_rule_sets
from app.web.infrastructure.localization import all_translators


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--group", "group_id", type=int, help="The group's number, if there are several.")
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="One line for each player and round, or past result, for a spreadsheet.",
)
def export(file: Path, group_id: int | None, as_csv: bool) -> None:
    """Write all that a group keeps into FILE as JSON, but devices, links, tokens and public links.

    With --csv its rounds and past results alone. '-' is the standard output.
    """
    session = db.session()
    group = _find_group(session, group_id)
    document = load_group_document(session, group)
    count = count_games(session, group)
    written = 0
    watched = replace(document, games=with_bar("Writing games", count)(document.games))
    with _whole(file) as out:
        for piece in write_round_csv(watched) if as_csv else serialize(watched):
            out.write(piece)
            written += bool(piece)
    if as_csv:  # beside the heading, a piece for each game that has lines
        count = written - 1
    click.echo(f"{counted(count, 'game')} written.", err=True)


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--group",
    "group_id",
    type=int,
    help="The group to add to. Without it, a backup (JSON) goes to the group that has some of its "
    "games (or, if it has no games, its name), or else to a new one; a CSV to the only group.",
)
@click.option(
    "--look",
    is_flag=True,
    help="Import nothing, only say what would be (the database is upgraded all the same).",
)
def import_(file: IO[bytes], group_id: int | None, look: bool) -> None:
    """Import FILE, a backup (JSON) or a CSV of past results. Safe to run twice.

    A table of rounds, as `flask export --csv` writes it, is for a spreadsheet and is refused.
    """
    upgrade_database(current_app)
    session, content = db.session(), file.read()
    if group_id is not None or not is_json(content):  # a CSV names no group
        group_id = _find_group(session, group_id)
    own = () if group_id is None else own_rule_sets(session, group_id)
    rule_sets = {one.variant.id: one.variant for one in own if one.variant}
    rule_sets.update(shipped_rule_sets())
    try:
        bar = with_bar("Checking games")
        document, _past_results = importing.read_file(
            content, rule_sets, all_translators(), datetime.now(UTC), bar
        )
        if group_id is None:
            group_id = importing.group_with_games(session, document)
        _print_plan(importing.plan_import(session, group_id, document))
        if not look:
            _import(document, group_id)
    except importing.NotImported as refused:
        sys.exit("\n  ".join(["Nothing was imported.", *map(str, refused.faults)]))


def _import(document: importing.PlausibleDocument, group_id: int | None) -> None:
    db.session.rollback()
    with meaning_to_write():
        session, now = db.session(), datetime.now(UTC)
        group = make_group(session, document.name, now).id if group_id is None else group_id
        bar = with_bar("Importing games")
        new = importing.import_into_group(session, Actor(None, now), group, document, bar)
    click.echo(f"{counted(new, 'game')} imported into group {group}.", err=True)


def _find_group(session: Session, group_id: int | None) -> int:
    """The group that is meant; the only one there is, where none is named."""
    groups = session.execute(select(Group.id, Group.name).order_by(Group.id)).all()
    if group_id is None and len(groups) == 1:
        return int(groups[0].id)
    if any(one.id == group_id for one in groups):
        return int(group_id or 0)
    listed = "\n".join(f"  {one.id}  {one.name}" for one in groups) or "  (none)"
    wrong = "Name a group with --group." if group_id is None else f"There is no group {group_id}."
    sys.exit(f"{wrong} There are:\n{listed}")


@contextmanager
def _whole(file: Path) -> Iterator[IO[str]]:
    """The file to write into, which gets its name when it is whole: half a table looks like one.

    What is no plain file (the standard output, a pipe) is written as it is.
    """
    if str(file) == "-" or (file.exists() and not file.is_file()):
        with click.open_file(str(file), "w", encoding="utf-8") as out:
            yield out
        return
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with half.open("w", encoding="utf-8") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)


def _print_plan(plan: importing.ImportPlan) -> None:
    click.echo(
        f"{counted(plan.game_count, 'game')} in it: {plan.new_game_count} new with "
        f"{counted(plan.new_round_count, 'round')}, {plan.game_count - plan.new_game_count} here "
        f"already ({plan.conflicting_game_count} of them not the same; they stay as they are "
        "here). "
        f"{counted(len(plan.new_players), 'new player')}, "
        f"{counted(len(plan.new_rule_sets), 'new rule set')}, "
        f"{counted(len(plan.new_seasons), 'new season')}, "
        f"usual house rules for {counted(plan.new_usual_rules_count, 'rule set')}.",
        err=True,
    )
