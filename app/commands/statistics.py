"""`flask rebuild-stats`: make all statistics anew and say whether they were right."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import click
from flask.cli import with_appcontext

from app.actions.history import purge_deleted
from app.actions.results import rebuild_results
from app.extensions import db
from app.store.engine import meaning_to_write


@click.command("rebuild-stats")
@with_appcontext
def rebuild_stats() -> None:
    """Make all results and statistics anew from the games; they should come out the same."""
    with meaning_to_write():
        right = rebuild_results(db.session(), _with_progress)
        db.session.commit()
    if right:
        click.echo("The statistics were right.", err=True)
    else:
        click.echo("The statistics were not what the games say; now they are.", err=True)


@click.command("empty-bin")
@with_appcontext
def purge_bin() -> None:
    """Delete for good the games that have lain in the bin for 30 days."""
    with meaning_to_write():
        count = purge_deleted(db.session(), datetime.now(UTC))
        db.session.commit()
    click.echo(f"{count} games deleted for good.")


def _with_progress(games: Sequence[int]) -> Iterator[int]:
    label = "Reckoning games"
    with click.progressbar(games, label=label, file=sys.stderr) as bar:
        yield from bar
