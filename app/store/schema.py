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


def why_not_upgradable(revision: str | None) -> str:
    """Why a database of this revision cannot be upgraded; "" where it can."""
    known = {one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if revision in known:
        return ""
    if revision is not None and revision < min(known):
        return f"It has the schema {revision}, from before 1.0.0: upgrade it with 1.0.0 first."
    return (
        f"It has the schema {revision}, which this version does not know: it was used by a newer "
        "one. Take that one, or restore a copy made before."
    )


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision
