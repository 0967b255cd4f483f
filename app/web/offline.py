"""The app on a device: its manifest, its worker, and the page for when there is no network.

What the worker keeps, and when it forgets, stands in `static/js/worker.js`; it is told here which
files and pages there are.
"""

import json

from flask import Blueprint, Response, abort, render_template, url_for

from app.rules.phrases import say
from app.rules.rule_sets import family_rule_sets
from app.web.infrastructure.access import open_to_all
from app.web.infrastructure.assets import STATIC, address_of, all_assets, assets_version
from app.web.infrastructure.localization import languages, render_phrase

offline = Blueprint("offline", __name__)

_GREEN, _PAPER = "#0d5c46", "#f6f3ea"
_A_DAY = "public, max-age=86400"
_ICONS = (
    ("icons/meldkeeper.svg", "any", "any", "image/svg+xml"),
    ("icons/app-192.png", "192x192", "any", "image/png"),
    ("icons/app-512.png", "512x512", "any", "image/png"),
    ("icons/app-maskable-512.png", "512x512", "maskable", "image/png"),
)


@offline.get("/manifest-<code>.webmanifest")
@open_to_all
def manifest(code: str) -> Response:
    """What a device needs to install the app; in the language that its address names."""
    if code not in languages():
        abort(404)
    values = {
        "name": "Meldkeeper",
        "short_name": "Meldkeeper",
        "description": render_phrase(say("Scores and rules for contract rummy card games.")),
        "lang": code.replace("_", "-"),
        "id": "/",
        "start_url": url_for("home.index"),
        "scope": "/",
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _GREEN,
        "categories": ["games", "utilities"],
        "icons": [
            {"src": address_of(name), "sizes": sizes, "purpose": purpose, "type": kind}
            for name, sizes, purpose, kind in _ICONS
        ],
    }
    response = Response(json.dumps(values), content_type="application/manifest+json")
    response.headers["Cache-Control"] = _A_DAY
    return response


@offline.get("/service-worker.js")
@open_to_all
def worker() -> Response:
    """The worker, told which version it belongs to and what to keep."""
    values = {
        "VERSION": assets_version(),
        "FILES": [address_of(name) for name in all_assets() if not name.endswith(".png")],
        "PAGES": _pages_to_keep(),
        "NO_NETWORK": url_for("offline.page"),
        "HOME": url_for("home.index"),
    }
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    body = constants + (STATIC / "js/worker.js").read_text(encoding="utf-8")
    return Response(body, content_type="text/javascript; charset=utf-8")


@offline.get("/offline")
@open_to_all
def page() -> str:
    """What is shown where there is no network and no copy of a page."""
    return render_template("offline/offline.html")


def _pages_to_keep() -> list[str]:
    sheets = [url_for("faq.sheet", variant_id=name) for name in family_rule_sets()]
    answers = [url_for("faq.show", variant_id=name) for name in family_rule_sets()]
    return [url_for("faq.index"), url_for("checker.check", ask="contract"), *sheets, *answers]
