"""What templates can say: phrases in the page's language, versions of static files, marks."""

import hashlib
import secrets
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from flask import Flask, url_for
from jinja2 import StrictUndefined

from app.rules.wording import Phrase, say, say_many


def register(app: Flask) -> None:
    """Set the template environment up."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.add_extension("jinja2.ext.i18n")
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(words=words, ago=ago, day=day)
    environment.globals.update(static=_static_address(app), request_key=request_key)


def words(phrase: Phrase | str) -> str:
    """A phrase in the page's language."""
    return str(phrase)


def request_key() -> str:
    """A key for one form: a repeat of the request that bears it changes nothing."""
    return secrets.token_urlsafe(16)


def _static_address(app: Flask):  # type: ignore[no-untyped-def]
    folder = Path(app.static_folder or "")

    @cache
    def fingerprint(file: str) -> str:
        return hashlib.sha256((folder / file).read_bytes()).hexdigest()[:10]

    def static(file: str) -> str:
        """The address of a static file, which changes with the file's content."""
        return url_for("static", filename=file, v=fingerprint(file))

    return static


def ago(moment: datetime) -> Phrase:
    """How long ago a moment was."""
    minutes = int((datetime.now(UTC) - moment).total_seconds()) // 60
    if minutes < 15:
        return say("just now")
    if minutes < 60:
        return say_many("{count} minute ago", "{count} minutes ago", minutes)
    if minutes < 24 * 60:
        return say_many("{count} hour ago", "{count} hours ago", minutes // 60)
    return say_many("{count} day ago", "{count} days ago", minutes // (24 * 60))


def day(moment: datetime) -> str:
    """The day of a moment."""
    return moment.strftime("%Y-%m-%d")
