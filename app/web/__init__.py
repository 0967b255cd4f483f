"""What people see: pages, forms and fragments, one folder for each part of the app.

A view reads the form, calls one action and renders; rules of the game do not stand here. Each
folder has `views.py` (addresses), and where it needs them `forms.py` (what is typed) and
`pages.py` (the frozen records that templates are given).
"""

from flask import Flask


def register(app: Flask) -> None:
    """Put the web part together: the gate first, so that no view runs without it."""
    from app.extensions import csrf
    from app.web import (
        access,
        assets,
        compression,
        errors,
        filters,
        headers,
        health,
        idempotency,
        language,
        live_check,
        logs,
        metrics,
        moved,
        parts,
        sendable,
        traffic,
        uploads,
    )
    from app.web.api import document
    from app.web.api.tokens import tokens
    from app.web.checker.views import checker
    from app.web.data.views import data
    from app.web.faq.views import faq
    from app.web.games.rounds import rounds
    from app.web.games.views import games
    from app.web.groups.views import groups
    from app.web.history.views import history
    from app.web.home.views import home
    from app.web.joining.views import joining
    from app.web.languages import language as language_switch
    from app.web.log.views import log
    from app.web.offline.views import offline
    from app.web.people.views import people
    from app.web.rulesets.views import rulesets

    compression.register(app)
    sendable.register(app)
    traffic.register(app)
    logs.register(app)
    metrics.register(app)
    moved.register(app)
    access.register(app)
    uploads.register(app)
    csrf.init_app(app)  # it reads forms
    sendable.register_bodies(app)
    idempotency.register(app)
    headers.register(app)
    errors.register(app)
    filters.register(app)
    language.register(app)
    parts.register(app)
    assets.register(app)
    at_the_table = (home, games, rounds, checker, faq, rulesets, log)
    around_it = (groups, joining, tokens, history, people, data, language_switch, offline)
    for blueprint in (*at_the_table, *around_it, health.health):
        app.register_blueprint(blueprint)
    document.register(app)
    live_check.register(app)
