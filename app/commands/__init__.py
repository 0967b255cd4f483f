"""What a server admin types: `flask backup`, `flask doctor` and so on, a file for each kind.

`production.py` is `make serve`, `local_server.py` is `make run`; both begin with `startup.py`.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import wraps
from typing import Any, TypeVar

import click
from flask import Flask
from flask.cli import with_appcontext

T = TypeVar("T")


def with_bar(label: str, count: int | None = None) -> Callable[[Iterable[T]], Iterator[T]]:
    """What shows with a bar how things go by; `count`: how many, for what has no length."""

    def track(things: Iterable[T]) -> Iterator[T]:
        with click.progressbar(things, count, label, file=sys.stderr) as bar:
            yield from bar

    return track


def register(app: Flask) -> None:
    """Give the `flask` command our own verbs."""
    from app.commands import backup, exchange, groups, upkeep

    copies = (backup.backup, backup.restore, backup.move_to)
    documents = (exchange.export, exchange.import_)
    others = (groups.group, upkeep.doctor, upkeep.rebuild_stats, upkeep.empty_bin)
    for command in (*copies, *documents, *others):
        app.cli.add_command(_saying_faults(command))


def _saying_faults(command: click.Command) -> click.Command:
    """The command, or each of a group, in our app, saying in words where disk or database fails."""
    saying = copy(command)
    if isinstance(saying, click.Group):
        saying.commands = {name: _saying_faults(one) for name, one in saying.commands.items()}
    elif saying.callback is not None:
        saying.callback = _in_words(with_appcontext(saying.callback))
    return saying


def _in_words(run: Callable[..., Any]) -> Callable[..., Any]:
    from sqlalchemy.exc import SQLAlchemyError

    from app.commands.startup import StartupError

    @wraps(run)
    def run_in_words(*arguments: Any, **options: Any) -> Any:
        try:
            return run(*arguments, **options)
        except (SQLAlchemyError, StartupError, OSError) as fault:
            reason = getattr(fault, "orig", None) or fault
            raise click.ClickException(f"Not done. {reason}") from fault

    return run_in_words
