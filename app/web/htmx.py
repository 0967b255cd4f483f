"""Full page or fragment: the one place that knows htmx's request headers.

A fragment is asked for by htmx itself, but not when it restores a page from history. A fragment's
file is the one that the full page includes.
"""

from flask import Response, make_response, redirect, render_template, request

_DECIDING_HEADERS = "HX-Request, HX-History-Restore-Request"


def wants_fragment() -> bool:
    """Does htmx ask, for a part of the page?"""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def answer(whole: str, part: str, /, *, status: int = 200, **records: object) -> Response:
    """The part of a page for htmx, the whole page for everybody else; both are template files."""
    body = render_template(part if wants_fragment() else whole, **records)
    response = make_response(body, status)
    response.headers["Vary"] = _DECIDING_HEADERS
    return response


def go_to(address: str) -> Response:
    """Show another page after something was done: htmx loads it, others are redirected."""
    if wants_fragment():
        response = make_response("", 204)
        response.headers["HX-Redirect"] = address
        return response
    return make_response(redirect(address, 303))
