"""Parts of pages, remembered by what they are made of.

A part is a template that is given frozen records and shows nothing else: no time, no group, no
request. Who made it once in a language need not make it again for the same records, and what was
remembered can never be out of date: other records are another part. Two things differ for each
answer and are filled in last: the form's token, and the key of each form.
"""

import re
import secrets
from functools import lru_cache

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from app.web.infrastructure.localization import spoken

_REMEMBERED = 2000
_TOKEN_PLACE = f"token-{secrets.token_hex(16)}"
_KEY_PLACE = f"key-{secrets.token_hex(16)}"


def register(app: Flask) -> None:
    """Let templates include parts, and have tokens and keys of their own outside of them."""
    app.jinja_env.globals.update(part=part, csrf_token=csrf_token, request_key=request_key)
    # Flask-WTF offers its own in this way, which comes before the globals.
    app.context_processor(lambda: {"csrf_token": csrf_token})


def part(template: str, **records: object) -> Markup:
    """The part of a page that a template makes of these records, each of them hashable."""
    made = _made(template, spoken(), request.script_root, tuple(records.items()))
    if not g.get("making_part"):
        made = made.replace(_TOKEN_PLACE, csrf_token())
        made = re.sub(_KEY_PLACE, lambda _place: secrets.token_urlsafe(16), made)
    # Made by the template, which escapes whatever it is given.
    return Markup(made)  # noqa: S704


def csrf_token() -> str:
    """The token that the browser's forms carry; in a part, its place."""
    if g.get("making_part"):
        return _TOKEN_PLACE
    raw = session.get("csrf_token")
    return _signed(current_app.secret_key, raw) if raw else generate_csrf()


def request_key() -> str:
    """A key for one form: a repeat of the request that bears it changes nothing."""
    return _KEY_PLACE if g.get("making_part") else secrets.token_urlsafe(16)


@lru_cache(maxsize=_REMEMBERED)
def _signed(_secret_key: object, _raw: str) -> str:
    """The browser's token, signed: good for as long as its cookie, so it need not be made again."""
    return str(generate_csrf())


@lru_cache(maxsize=_REMEMBERED)
def _made(
    template: str, _language: str, _root: str, records: tuple[tuple[str, object], ...]
) -> str:
    within = g.get("making_part", False)
    g.making_part = True
    try:
        return current_app.jinja_env.get_template(template).render(dict(records))
    finally:
        g.making_part = within
