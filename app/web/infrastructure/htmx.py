"""Full page or fragment: the one place that knows htmx's request headers.

A fragment is asked for by htmx, but not when it loads a whole page (for a link or plain form that
it boosts, and when it restores one from history), and by our own scripts, with its header. A
fragment of a page is made of the files that the page includes.

What somebody just did is told to who listens (`announce`) with whatever is shown next: a fragment
brings the words in a header, a page in itself, and over a redirect the session keeps them.
"""

import json

from flask import Flask, Response, g, make_response, redirect, render_template, request, session
from flask.globals import request_ctx

from app.rules.phrases import Phrase
from app.web.infrastructure.fragment_cache import cached_fragment
from app.web.infrastructure.localization import render_phrase

_WHOLE_PAGE = ("HX-Boosted", "HX-History-Restore-Request")
_DECIDING_HEADERS = ", ".join(("HX-Request", *_WHOLE_PAGE))
_ANNOUNCED = "announced"
_COPY = "X-Copy"
"""With this `static/js/worker.js` asks for a page to keep, which nobody sees yet."""


def register(app: Flask) -> None:
    """Let answers bring what is announced; keep addresses that only take a POST out of the history.

    A browser could neither reload them nor come back to them: what such a form is answered with is
    shown at the address of the page that has the form.
    """
    app.jinja_env.globals["announced"] = _take_announced

    @app.after_request
    def announce_what_was_done(response: Response) -> Response:
        if not (words := g.get(_ANNOUNCED)):
            return response
        if response.location or "HX-Location" in response.headers:
            session[_ANNOUNCED] = words
        elif wants_fragment():
            response.headers["HX-Trigger"] = json.dumps({"announce": words})
        return response

    @app.after_request
    def keep_address(response: Response) -> Response:
        if request.method == "POST" and "HX-Boosted" in request.headers and not response.location:
            adapter = request_ctx.url_adapter
            if adapter and "GET" not in adapter.allowed_methods():
                response.headers["HX-Push-Url"] = "false"
        return response


def announce(words: Phrase) -> None:
    """Have whatever is shown next tell it to who listens: what was done, or came of it."""
    g.announced = " ".join(filter(None, (g.get(_ANNOUNCED), render_phrase(words))))


def _take_announced() -> str:
    """What a page that is shown has to tell, once; a copy that is kept for later tells nothing."""
    if _COPY in request.headers:
        return ""
    kept = session.pop(_ANNOUNCED) if _ANNOUNCED in session else ""
    return " ".join(filter(None, (kept, g.pop(_ANNOUNCED, ""))))


def wants_fragment() -> bool:
    """Is a part of the page asked for, by htmx or a script of ours?"""
    headers = request.headers
    return "HX-Request" in headers and not any(name in headers for name in _WHOLE_PAGE)


def render_page_or_fragment(
    whole: str, fragment: str = "", /, *, status: int = 200, cached: bool = False, **records: object
) -> Response:
    """The part of a page where one is asked for, else the whole page; both are template files.

    Of `games/new.html` the part is `games/_new.html`, unless the `fragment` names another. `cached`
    says that the fragment is one that `fragment_cache` may keep.
    """
    fragment = fragment or whole.replace("/", "/_")
    if not wants_fragment():
        body: str = render_template(whole, **records)
    elif cached:
        body = cached_fragment(fragment, **records)
    else:
        body = render_template(fragment, **records)
    response = make_response(body, status)
    response.headers["Vary"] = _DECIDING_HEADERS
    return response


def show_address(response: Response, address: str) -> None:
    """With a fragment: have the browser show this as the page's address."""
    if wants_fragment():
        response.headers["HX-Replace-Url"] = address


def go_to(address: str) -> Response:
    """Show another page after something was done: by a redirect, or as htmx is told to load it."""
    # A script never sees the `#…` of a redirect's address.
    if wants_fragment() or ("HX-Request" in request.headers and "#" in address):
        response = make_response("", 204)
        # htmx loads it as if its link had been tapped, without leaving the page.
        whole_page = {"path": address, "headers": {"HX-Boosted": "true"}}
        response.headers["HX-Location"] = json.dumps(whole_page)
        return response
    return make_response(redirect(address, 303))
