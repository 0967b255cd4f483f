"""What people see: pages, forms and fragments, a module or a package for each feature of the app.

A view validates the form, calls actions or queries and renders; rules of the game do not stand
here. What several features show of a game is in `game_parts`, what every feature stands on in
`infrastructure`; `api` is the JSON interface for other programs.
"""

from importlib import import_module

from flask import Flask

_FEATURES = (
    "home", "games.views", "dealing", "rounds.views", "corrections", "checker.views", "rulings",
    "faq", "rulesets.views", "activity", "groups.views", "invites", "tokens", "history.views",
    "evenings", "seasons", "players.views", "tables", "data", "past_games", "language", "offline",
)  # fmt: skip
"""Each has its addresses on a blueprint of its own name."""


def register(app: Flask) -> None:
    """Put the web part together: access before any view, and before what reads a body."""
    from app.extensions import csrf
    from app.web import api
    from app.web.infrastructure import (
        access,
        asker,
        assets,
        error_pages,
        filters,
        fragment_cache,
        headers,
        health,
        htmx,
        idempotency,
        input_validation,
        live_check,
        localization,
        logs,
        metrics,
        outages,
        push,
        redirects,
    )

    headers.register_compression(app)
    for part in (asker, input_validation, logs, outages, redirects, access):
        part.register(app)
    input_validation.register_limits(app)
    csrf.init_app(app)  # it reads forms
    input_validation.register_bodies(app)
    for part in (
        idempotency, headers, htmx, error_pages, filters, localization, fragment_cache, assets,
        push,
    ):  # fmt: skip
        part.register(app)
    for feature in _FEATURES:
        views = import_module(f"app.web.{feature}")
        app.register_blueprint(getattr(views, feature.partition(".")[0]))
    api.register_api(app)
    for part in (live_check, health, metrics):  # in front of the app
        part.register(app)
