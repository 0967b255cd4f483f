"""What people see: pages, forms and fragments, one package for each feature of the app.

A view validates the form, calls one action and renders; rules of the game do not stand here. Each
feature has `views.py` (addresses), and where it needs them `forms.py` (what is typed) and
`view_models.py` (the frozen records that templates are given). What every feature stands on is in
`infrastructure`; `api` is the JSON interface for other programs.
"""

from importlib import import_module

from flask import Flask

_AT_THE_TABLE = (
    "home", "games", "dealing", "rounds", "corrections", "checker", "faq", "rulesets", "activity",
)  # fmt: skip
_AROUND_IT = ("groups", "invites", "tokens", "history", "players", "data", "language", "offline")


def register(app: Flask) -> None:
    """Put the web part together: access first, so that no view runs without it."""
    from app.extensions import csrf
    from app.web.api import openapi
    from app.web.infrastructure import (
        access,
        assets,
        compression,
        error_pages,
        filters,
        fragment_cache,
        headers,
        health,
        htmx,
        idempotency,
        input_validation,
        localization,
        logs,
        metrics,
        outages,
        poll_middleware,
        redirects,
        request_observers,
        upload_limits,
    )

    for part in (compression, input_validation, request_observers, logs, outages, redirects):
        part.register(app)
    access.register(app)
    upload_limits.register(app)
    csrf.init_app(app)  # it reads forms
    input_validation.register_bodies(app)
    for part in (
        idempotency, headers, htmx, error_pages, filters, localization, fragment_cache, assets,
    ):  # fmt: skip
        part.register(app)
    for feature in (*_AT_THE_TABLE, *_AROUND_IT):
        app.register_blueprint(getattr(import_module(f"app.web.{feature}.views"), feature))
    openapi.register_api(app)
    for part in (poll_middleware, health, metrics):  # in front of the app
        part.register(app)
