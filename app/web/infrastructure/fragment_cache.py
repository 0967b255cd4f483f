"""The cache of rendered fragments, keyed by all that they are made of.

A cached fragment is a template that is given frozen records and shows nothing else: no time, no
group, no request; its addresses have nothing of the request's own (`outside_fragments`).
`tests/web/test_fragment_cache.py` holds every such template to that. So what is cached can never be
out of date: other records, or another language, are another fragment. Two things differ for each
answer and are filled in last: the form's token, and the key of each form.
"""

import re
import secrets
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from flask import Flask, current_app, g, request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from app.web.infrastructure.localization import current_locale

_CACHED = 2000
_TOKEN_PLACE = f"token-{secrets.token_hex(16)}"
_KEY_PLACE = f"key-{secrets.token_hex(16)}"


def register(app: Flask) -> None:
    """Let templates include cached fragments, and have tokens and keys of their own outside."""
    app.jinja_env.globals.update(
        fragment=cached_fragment, csrf_token=csrf_token, request_key=request_key
    )
    # Flask-WTF offers its own in this way, which comes before the globals.
    app.context_processor(lambda: {"csrf_token": csrf_token})


def cached_fragment(template: str, **records: object) -> Markup:
    """The part of a page that a template makes of these records, each of them hashable."""
    html = _rendered(template, current_locale(), request.script_root, tuple(records.items()))
    if not g.get("within_fragment"):
        if _TOKEN_PLACE in html:  # making a token costs more than looking
            html = html.replace(_TOKEN_PLACE, csrf_token())
        html = re.sub(_KEY_PLACE, lambda _place: secrets.token_urlsafe(16), html)
    # Made by the template, which escapes whatever it is given.
    return Markup(html)  # noqa: S704


def outside_fragments(
    add: Callable[[str, dict[str, Any]], None],
) -> Callable[[str, dict[str, Any]], None]:
    """Let what `app_url_defaults` adds of the request be in no address of a cached fragment."""

    @wraps(add)
    def added(endpoint: str, values: dict[str, Any]) -> None:
        if not g.get("within_fragment"):
            add(endpoint, values)

    return added


def csrf_token() -> str:
    """The token that the browser's forms carry; in a fragment, its place."""
    if g.get("within_fragment"):
        return _TOKEN_PLACE
    # Flask-WTF keeps it there, too, but is slow to find it.
    return str(g.get("csrf_token") or generate_csrf())


def request_key() -> str:
    """A key for one form, so that a repeat of its request is known; in a fragment, its place."""
    return _KEY_PLACE if g.get("within_fragment") else secrets.token_urlsafe(16)


@lru_cache(maxsize=_CACHED)
def _rendered(
    template: str, _locale: str, _root: str, records: tuple[tuple[str, object], ...]
) -> str:
    within = g.get("within_fragment", False)
    g.within_fragment = True
    try:
        return current_app.jinja_env.get_template(template).render(dict(records))
    finally:
        g.within_fragment = within
