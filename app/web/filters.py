"""What templates can say: versions of static files, keys of forms."""

import hashlib
import secrets
from functools import cache
from pathlib import Path

from flask import Flask, url_for
from jinja2 import StrictUndefined


def register(app: Flask) -> None:
    """Set the template environment up."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.globals.update(static=_static_address(app), request_key=request_key)


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
