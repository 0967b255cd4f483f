"""Every setting: its name, its default, what reads it and what it is for.

They are read from the environment, of which nothing else is asked but where the processes of one
host measure (`metrics.py`). A value that cannot be used is refused by the setting's name,
before the app starts. The README's table of settings is compared with this list by a test.
"""

import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

from click import ClickException
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

TOP = Path(__file__).parent.parent


class FaultySetting(ClickException):
    """A setting that cannot be used: its `name` and the reason, which a shell shows as it is."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        super().__init__(f"{name}: {reason}")


def _yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError("is neither yes nor no")
    return text.lower() == "yes"


_UNREADABLE = (
    "is no address that can be read; in a password write @ : / # ? % as %40 %3A %2F %23 %3F %25"
)
"""Says nothing of the value, in which a password may stand."""


def database_address(text: str) -> str:
    """The address of a database; raises `ValueError` for one that cannot be used."""
    if not text.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:")):
        raise ValueError("starts with sqlite: or postgresql:")
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(_UNREADABLE) from None
    if "@" in (url.host or ""):
        raise ValueError(_UNREADABLE)
    return text


def _storage(text: str) -> str:
    if not text.startswith(("memory://", "redis://", "rediss://")):
        raise ValueError("starts with memory:// or redis://")
    return _readable(text)


def _push_address(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ValueError("starts with http:// or https://")
    return text and _readable(text)


def _readable(text: str) -> str:
    try:
        url = urlsplit(text)
        readable = url.port != 0 and url.netloc.count("@") < 2 and not url.fragment
    except ValueError:
        readable = False
    if not readable or (url.scheme != "memory" and not url.hostname):
        raise ValueError(_UNREADABLE)
    return text


def _key(text: str) -> str:
    if text and len(text) < 16:
        raise ValueError("has fewer than 16 characters")
    return text


def _whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"is not a whole number from {least} to {most}")
        return int(text)

    return read


def _days(text: str) -> int:
    days = _whole(0, 10_000)(text)
    if 0 < days < 30:
        raise ValueError("is less than 30 days")
    return days


def _addresses(text: str) -> list[str]:
    addresses = [one.strip() for one in text.split(",")]
    for one in addresses:
        host, _, port = one.rpartition(":")
        if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
            raise ValueError(f"'{one}' is no host:port such as 0.0.0.0:8000")
    return addresses


def _folder(text: str) -> str:
    path = Path(text)
    if text and (not path.is_absolute() or (path.exists() and not path.is_dir())):
        raise ValueError(f"'{text}' is no absolute path of a folder")
    return text


def _log_level(text: str) -> str:
    if text not in ("debug", "info", "warning", "error"):
        raise ValueError("is none of debug, info, warning and error")
    return text


_HOST = re.compile(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?|\[[0-9a-f:.]+\]", re.IGNORECASE)
"""A name or an IPv4 address, perhaps with a port, or an IPv6 address without one.

A name after a dot means itself and all names below it.
"""


def _hosts(text: str) -> list[str] | None:
    names = [one.strip() for one in text.split(",") if one.strip()]
    for one in names:
        if not _HOST.fullmatch(one):
            raise ValueError(f"'{one}' is no host name such as cards.example.org")
    return names or None


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name in the environment, its default, what reads it and what it is for."""

    name: str
    default: str
    read: Callable[[str], object]
    purpose: str


SETTINGS = (
    Setting("DATABASE_URL", "sqlite:///meldkeeper.sqlite", database_address,
        "Where the scores are kept; a relative SQLite file lies in `INSTANCE_PATH`."),
    Setting("SECRET_KEY", "", _key,
        "Signs the forms' tokens; left empty, one is made and kept in `INSTANCE_PATH`."),
    Setting("INSTANCE_PATH", "", _folder,
        "The folder of all that is kept in files, such as the SQLite file and the key; left empty, "
        "`instance/`."),
    Setting("HTTPS", "no", _yes_or_no,
        "`yes` where devices reach the app by https: cookies are then sent by https alone."),
    Setting("NEW_GROUPS", "yes", _yes_or_no,
        "`no`: new groups are made by the server admin alone, with `flask group create`."),
    Setting("NEW_GROUPS_PER_HOUR", "300", _whole(1, 1_000_000),
        "How many new groups can be made in an hour; a tenth of it from one address."),
    Setting("RATE_LIMIT_STORAGE", "memory://", _storage,
        "Where what is limited is counted; several processes and hosts count together in "
        "`redis://…`."),
    Setting("LISTEN", "0.0.0.0:8000", _addresses,
        "Where `make serve` listens: host:port, several separated by commas."),
    Setting("WORKERS", "2", _whole(1, 64),
        "How many processes `make serve` answers with; as many as the machine has cores."),
    Setting("THREADS", "4", _whole(1, 64),
        "How many requests each of these processes answers side by side."),
    Setting("WORKER_MEMORY", "2048", _whole(0, 1_000_000),
        "How many megabytes each of them can hold; a request that would take more is answered "
        "500. 0 sets no limit."),
    Setting("DRAIN_SECONDS", "3", _whole(0, 60),
        "How long `make serve`, told to stop, first goes on as before while `/readyz` says 503, so "
        "that a proxy sends new requests elsewhere; 0 stops at once."),
    Setting("STOP_SECONDS", "20", _whole(1, 300),
        "How long `make serve` then lets the requests at hand come to their end."),
    Setting("TRUSTED_PROXIES", "0", _whole(0, 5),
        "How many proxies of yours stand in front; more than there are lets devices lie "
        "about their address."),
    Setting("TRUSTED_HOSTS", "", _hosts,
        "The host names that devices may ask for, separated by commas; left empty, any."),
    Setting("PUSH_URL", "", _push_address,
        "Where the engine that holds the devices’ streams is told of changes; left empty, devices "
        "ask for them."),
    Setting("METRICS_TOKEN", "", _key,
        "What a Prometheus server sends as bearer token to read `/metrics`; left empty, "
        "there is no such page."),
    Setting("NIGHTLY_COPIES", "0", _whole(0, 400),
        "How many nightly copies of the SQLite file are kept in `INSTANCE_PATH`; 0 makes none."),
    Setting("ABANDONED_DAYS", "0", _days,
        "A group that nobody used for so many days, 30 or more, is removed 30 days after that was "
        "found; 0 keeps all."),
    Setting("LOG_LEVEL", "info", _log_level,
        "From which level on `make serve` logs: debug, info, warning or error."),
)  # fmt: skip


def settings_from(environment: Mapping[str, str]) -> dict[str, object]:
    """The settings, by name, as the app uses them. Raises `FaultySetting`."""
    settings: dict[str, object] = {}
    for setting in SETTINGS:
        try:
            settings[setting.name] = setting.read(environment.get(setting.name, setting.default))
        except ValueError as fault:
            raise FaultySetting(setting.name, str(fault)) from None
    if settings["NIGHTLY_COPIES"] and not str(settings["DATABASE_URL"]).startswith("sqlite:"):
        raise FaultySetting("NIGHTLY_COPIES", "copies SQLite only; PostgreSQL has pg_dump")
    return settings


def misspelt_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that look as if a setting was meant, with the setting's name."""
    known = [setting.name for setting in SETTINGS]
    near = {
        name: get_close_matches(name.upper(), known, 1, cutoff=0.85)
        for name in environment
        if name not in known
    }
    return {name: found[0] for name, found in near.items() if found}


def load_or_make_secret_key(instance: str) -> str:
    """The key that this installation keeps in its instance folder; made where there is none.

    It is written aside and linked into place, so that of several processes that start together
    one wins and none reads half a key. Raises `FaultySetting` where none can be kept or read there.
    """
    file = Path(instance) / "secret_key"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            made = file.with_name(f"secret_key.{secrets.token_hex(4)}")
            try:
                made.touch(mode=0o600)
                made.write_text(secrets.token_urlsafe(32), encoding="utf-8")
                with suppress(FileExistsError):
                    file.hardlink_to(made)
            finally:
                made.unlink(missing_ok=True)
        return file.read_text(encoding="utf-8")
    except OSError as fault:
        reason = f"cannot be kept in {instance} ({fault.strerror}); make room there or set it"
        raise FaultySetting("SECRET_KEY", reason) from None
