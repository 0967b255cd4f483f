"""Addresses of version 1.0.0 that have another name now: bookmarks and links keep working."""

import re
from urllib.parse import quote

from flask import Flask, redirect, request
from werkzeug.wrappers import Response

MOVED = (
    (re.compile(r"^/people(?=/|$)"), "/players"),
    (re.compile(r"^/history/bin$"), "/history/deleted"),
    (re.compile(r"^(/games/[^/]+)/log$"), r"\1/activity"),
    (re.compile(r"^/rules/own(?=/|$)"), "/rules/custom"),
    (re.compile(r"^/group/let-in$"), "/group/invite"),
)


def register(app: Flask) -> None:
    """Send who reads an old address to the new one."""

    @app.before_request
    def redirect_old_address() -> Response | None:
        if request.method not in ("GET", "HEAD"):
            return None
        for old, new in MOVED:
            if old.match(request.path):
                query = request.query_string.decode("latin-1")
                return redirect(quote(old.sub(new, request.path)) + (query and f"?{query}"), 301)
        return None
