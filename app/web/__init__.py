"""What people see: pages, forms and fragments, one package for each feature of the app.

A view validates the form, calls one action and renders; rules of the game do not stand here. Each
feature has `views.py` (addresses), and where it needs them `forms.py` (what is typed) and
`view_models.py` (the frozen records that templates are given). What every feature stands on is in
`infrastructure`; `api` is the JSON interface for other programs.
"""

from flask import Flask


def register(app: Flask) -> None:
    """Put the web part together: access first, so that no view runs without it."""
    from app.extensions import csrf
    from app.web.activity.views import activity
    from app.web.api import openapi
    from app.web.checker.views import checker
    from app.web.corrections.views import corrections
    from app.web.data.views import data
    from app.web.dealing.views import dealing
    from app.web.faq.views import faq
    from app.web.games.views import games
    from app.web.groups.views import groups
    from app.web.history.views import history
    from app.web.home.views import home
    from app.web.infrastructure import (
        access,
        assets,
        compression,
        error_pages,
        filters,
        fragments,
        headers,
        health,
        idempotency,
        input_validation,
        localization,
        logs,
        metrics,
        poll_middleware,
        redirects,
        request_observers,
        upload_limits,
    )
    from app.web.invites.views import invites
    from app.web.language.views import language
    from app.web.offline.views import offline
    from app.web.players.views import players
    from app.web.rounds.views import rounds
    from app.web.rulesets.views import rulesets
    from app.web.tokens.views import tokens

    compression.register(app)
    input_validation.register(app)
    request_observers.register(app)
    logs.register(app)
    metrics.register(app)
    redirects.register(app)
    access.register(app)
    upload_limits.register(app)
    csrf.init_app(app)  # it reads forms
    input_validation.register_bodies(app)
    idempotency.register(app)
    headers.register(app)
    error_pages.register(app)
    filters.register(app)
    localization.register(app)
    fragments.register(app)
    assets.register(app)
    playing = (home, games, dealing, rounds, corrections)
    at_the_table = (*playing, checker, faq, rulesets, activity)
    around_it = (groups, invites, tokens, history, players, data, language, offline)
    for blueprint in (*at_the_table, *around_it, health.health):
        app.register_blueprint(blueprint)
    openapi.register(app)
    poll_middleware.register(app)
