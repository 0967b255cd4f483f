"""Full page or fragment: the one place that knows htmx's request headers.

A fragment is asked for by htmx itself, but not when it loads a whole page: for a link or plain form
that it boosts, and when it restores one from history. A fragment of a page is made of
the files that the page includes.
"""

import json

from flask import Flask, Response, make_response, redirect, render_template, request
from flask.globals import request_ctx

from app.web.infrastructure.fragment_cache import cached_fragment

_WHOLE_PAGE = ("HX-Boosted", "HX-History-Restore-Request")
_DECIDING_HEADERS = ", ".join(("HX-Request", *_WHOLE_PAGE))


def register(app: Flask) -> None:
    """Keep addresses that can only be posted to out of a browser's history.

    There they could be neither loaded anew nor come back to: what such a form is answered with is
    shown at the address of the page that has the form.
    """

    @app.after_request
    def keep_address(response: Response) -> Response:
        if request.method == "POST" and "HX-Boosted" in request.headers and not response.location:
            adapter = request_ctx.url_adapter
            if adapter and "GET" not in adapter.allowed_methods():
                response.headers["HX-Push-Url"] = "false"
        return response


def wants_fragment() -> bool:
    """Does htmx ask, for a part of the page?"""
    headers = request.headers
    return "HX-Request" in headers and not any(name in headers for name in _WHOLE_PAGE)


def render_page_or_fragment(
    whole: str, fragment: str, /, *, status: int = 200, cached: bool = False, **records: object
) -> Response:
    """The part of a page for htmx, the whole page for everybody else; both are template files.

    `cached` says that the fragment is one that `fragment_cache` may keep.
    """
    if not wants_fragment():
        body: str = render_template(whole, **records)
    elif cached:
        body = cached_fragment(fragment, **records)
    else:
        body = render_template(fragment, **records)
    response = make_response(body, status)
    response.headers["Vary"] = _DECIDING_HEADERS
    return response


def go_to(address: str) -> Response:
    """Show another page after something was done: htmx loads it, others are redirected."""
    # A redirect would lose the place on the page: browsers keep it from who asked by a script.
    if wants_fragment() or ("HX-Request" in request.headers and "#" in address):
        response = make_response("", 204)
        # htmx loads it as if its link had been tapped, without leaving the page.
        whole_page = {"path": address, "headers": {"HX-Boosted": "true"}}
        response.headers["HX-Location"] = json.dumps(whole_page)
        return response
    return make_response(redirect(address, 303))
