"""`flask export` and `flask import`: a group's games as a document, and back."""

import os
import sys
from collections.abc import Iterable, Iterator
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
from app.commands.startup import upgrade_database
from app.exchange.documents import GameDocument
from app.exchange.files import parse_json, read_document, serialize
from app.exchange.round_csv import write_round_csv
from app.exchange.schema import DocumentError
from app.extensions import db
from app.rules.phrases import counted
from app.store.engine import meaning_to_write
from app.store.groups import Group
from app.store.queries.export import count_games, load_group_document


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--group", "group_id", type=int, help="The group's number, if there are several.")
@click.option("--csv", "as_csv", is_flag=True, help="One line for each player and round.")
def export(file: Path, group_id: int | None, as_csv: bool) -> None:
    """Write what a group has played into FILE as JSON; '-' is the standard output."""
    session = db.session()
    group = _find_group(session, group_id)
    document = load_group_document(session, group)
    count = count_games(session, group)
    written = 0
    with _progress_bar(count, "Writing games") as track, _whole(file) as out:
        watched = replace(document, games=track(document.games))
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
    help="The group to add to; without it, the one that has some of its games (or, if FILE has no "
    "games, its name), or else a new one.",
)
@click.option(
    "--look",
    is_flag=True,
    help="Import nothing, only say what would be (the database is upgraded all the same).",
)
def import_(file: IO[bytes], group_id: int | None, look: bool) -> None:
    """Bring a group's games in from FILE, written by `flask export`. Safe to run twice."""
    upgrade_database(current_app)
    session = db.session()
    try:
        plain = parse_json(file.read())
        with _progress_bar(_count_games(plain), "Checking games") as track:
            document = importing.validate_document(read_document(plain), track)
        if group_id is None:
            group_id = importing.group_with_games(session, document)
        _print_plan(importing.plan_import(session, group_id, document))
        if not look:
            _import(document, group_id)
    except DocumentError as fault:
        _exit_with_faults([fault])
    except importing.NotImported as refused:
        _exit_with_faults(refused.faults)


def _import(document: importing.ValidDocument, group_id: int | None) -> None:
    db.session.rollback()
    with meaning_to_write(), _progress_bar(len(document.games), "Bringing games in") as track:
        session, now = db.session(), datetime.now(UTC)
        if group_id is None:
            group = make_group(session, document.name, now).id
        else:
            group = _find_group(session, group_id)
        new = importing.import_group(session, Actor(None, now), group, document, track)
    click.echo(f"{counted(new, 'game')} brought in, into group {group}.", err=True)


def _find_group(session: Session, group_id: int | None) -> int:
    """The group that is meant; the only one there is, where none is named."""
    groups = session.execute(select(Group.id, Group.name).order_by(Group.id)).all()
    if group_id is None and len(groups) == 1:
        return int(groups[0].id)
    if any(one.id == group_id for one in groups):
        return int(group_id or 0)
    listed = "\n".join(f"  {one.id}  {one.name}" for one in groups) or "  (none)"
    sys.exit(f"Name a group with --group. There are:\n{listed}")


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


def _count_games(plain: object) -> int:
    games = plain.get("games") if isinstance(plain, dict) else None
    return len(games) if isinstance(games, list) else 0


def _print_plan(plan: importing.ImportPlan) -> None:
    click.echo(
        f"{counted(plan.game_count, 'game')} in it: {plan.new_game_count} new with "
        f"{counted(plan.new_round_count, 'round')}, {plan.game_count - plan.new_game_count} here "
        f"already ({plan.conflicting_game_count} of them in another version; they stay as they are "
        "here). "
        f"{counted(len(plan.new_players), 'new player')}, "
        f"{counted(len(plan.new_rule_sets), 'new rule set')}, "
        f"{counted(len(plan.new_seasons), 'new season')}.",
        err=True,
    )


def _exit_with_faults(faults: Iterable[DocumentError]) -> None:
    lines = "\n".join(f"  {one.path}: {one.message}" for one in faults)
    sys.exit(f"Nothing was brought in.\n{lines}")


@contextmanager
def _progress_bar(length: int, label: str) -> Iterator[importing.Track]:
    """What shows with a bar how the games go by."""
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:

        def track(games: Iterable[GameDocument]) -> Iterator[GameDocument]:
            for game in games:
                bar.update(1)
                yield game

        yield track
