"""How templates are read, and their filters beside those of `localization.py`."""

import re
from datetime import UTC, datetime

import segno
from flask import Flask
from jinja2 import StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from app.rules.grounds import SOURCE_ADDRESSES
from app.rules.house_rules import aim_in_words, points_in_words
from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.statistics import percent


class _ShortIndents(Extension):
    """Templates are indented for people; of an indent one blank is sent, and none between tags.

    The blank keeps the words of a line from those before it, if these end in a tag of Jinja: such a
    tag takes the end of its line along.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The template; each line keeps its number."""
        source = re.sub("(?<=>\n)[ \t]+(?=<)", "", source)
        return re.sub("^[ \t]+", " ", source, flags=re.MULTILINE)


def register(app: Flask) -> None:
    """Set the template environment up."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.add_extension(_ShortIndents)
    environment.filters.update(
        ago=ago,
        aim=aim_in_words,
        percent=percent,
        points=points_in_words,
        qr_code=qr_code,
        with_links=with_links,
    )


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


_SOURCE = re.compile(
    f"({'|'.join(map(re.escape, SOURCE_ADDRESSES))}"
    r"|(?<=\()(?:[\w-]+\.)+[a-z]{2,}/[^\s()]+(?=\)))"
)
"""A document that can be read elsewhere, or the address that stands behind its name."""


def with_links(text: str) -> Markup:
    """The text of a citation; the documents that can be read elsewhere are links, to a new page."""

    def link(source: str) -> Markup:
        address = SOURCE_ADDRESSES.get(source, f"https://{source}")
        opens = Markup('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>')
        return opens.format(address, source)

    parts = _SOURCE.split(text)  # in turns what is none, and a source
    parts[1::2] = map(link, parts[1::2])
    return Markup().join(parts)


def qr_code(address: str) -> Markup:
    """An address as a QR code: SVG, as large as its place; empty for one that no code can hold."""
    try:
        code = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:
        return Markup()
    drawn = code.svg_inline(border=3, omitsize=True)
    return Markup(drawn)  # noqa: S704 (the library's own drawing; the address is dots in it)
