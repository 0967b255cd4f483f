"""What people see: pages, forms and fragments, one folder for each part of the app.

A view reads the form, calls one action and renders; rules of the game do not stand here. Each
folder has `views.py` (addresses), and where it needs them `forms.py` (what is typed) and
`pages.py` (the frozen records that templates are given).
"""

from flask import Flask


def register(app: Flask) -> None:
    """Put the web part together: the gate first, so that no view runs without it."""
    from app.web import (
        access,
        errors,
        filters,
        headers,
        health,
        live_check,
        logs,
        metrics,
        sendable,
    )
    from app.web.checker.views import checker
    from app.web.games.views import games
    from app.web.groups.views import groups
    from app.web.home.views import home
    from app.web.joining.views import joining
    from app.web.log.views import log
    from app.web.rounds.views import rounds
    from app.web.rulings.views import rulings

    sendable.register(app)
    logs.register(app)
    metrics.register(app)
    access.register(app)
    headers.register(app)
    errors.register(app)
    filters.register(app)
    for blueprint in (home, games, rounds, checker, rulings, groups, joining, log, health.health):
        app.register_blueprint(blueprint)
    live_check.register(app)
