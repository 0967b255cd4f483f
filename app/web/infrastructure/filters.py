"""What templates can say: how long ago something was.

Sentences and dates are in `localization.py`.
"""

from datetime import UTC, datetime

from flask import Flask
from jinja2 import StrictUndefined

from app.rules.phrases import Phrase, say, say_plural
from app.web.infrastructure.qr_codes import qr_code


def register(app: Flask) -> None:
    """Set the template environment up."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(ago=ago, qr_code=qr_code)


def ago(moment: datetime) -> Phrase:
    """How long ago a moment was."""
    minutes = int((datetime.now(UTC) - moment).total_seconds()) // 60
    if minutes < 15:
        return say("just now")
    if minutes < 60:
        return say_plural("{count} minute ago", "{count} minutes ago", minutes)
    if minutes < 24 * 60:
        return say_plural("{count} hour ago", "{count} hours ago", minutes // 60)
    return say_plural("{count} day ago", "{count} days ago", minutes // (24 * 60))
