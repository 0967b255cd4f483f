"""Filters of templates beside those of `localization.py`: how long ago, QR codes, an aim."""

from datetime import UTC, datetime

import segno
from flask import Flask
from jinja2 import StrictUndefined
from markupsafe import Markup

from app.rules.house_rules import aim_in_words
from app.rules.phrases import Phrase, say, say_plural


def register(app: Flask) -> None:
    """Set the template environment up."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(ago=ago, aim=aim_in_words, qr_code=qr_code)


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


def qr_code(address: str) -> Markup:
    """An address as a QR code: SVG, as large as its place; empty for one that no code can hold."""
    try:
        code = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:
        return Markup()
    drawn = code.svg_inline(border=3, omitsize=True)
    return Markup(drawn)  # noqa: S704 (the library's own drawing; the address is dots in it)
