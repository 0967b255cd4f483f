"""Which schema a database has, and which one this version of the app needs."""

from functools import cache
from pathlib import Path

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def newest_revision() -> str:
    """The revision that this version of the app needs."""
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


@cache
def known_revisions() -> frozenset[str]:
    """The revisions that this version of the app can bring up to the newest."""
    script = ScriptDirectory(str(MIGRATIONS))
    return frozenset(one.revision for one in script.walk_revisions())


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision
