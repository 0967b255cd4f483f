"""What a host types in a shell: `flask backup`, `flask doctor` and so on, one file for each.

`production.py` is `make serve`, `serve.py` is `make run`; `startup.py` is what both do first.
"""

from flask import Flask


def register(app: Flask) -> None:
    """Give the `flask` command our own verbs."""
    from app.commands import backup, doctor, exchange, groups, statistics

    for command in (backup.backup, backup.restore, doctor.doctor, groups.group):
        app.cli.add_command(command)
    for command in (exchange.export, exchange.import_, exchange.seed):
        app.cli.add_command(command)
    for command in (statistics.rebuild_stats, statistics.purge_bin):
        app.cli.add_command(command)
