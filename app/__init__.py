"""Meldkeeper: the table companion for the contract-rummy family of card games.

What its packages are, and which knows which, stands in `.github/CONTRIBUTING.md`. `config.py` holds
the settings, `extensions.py` what Flask extensions need. Everything heavy is imported inside
`create_app`, so that `python -m app.rules` starts at once.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

__version__ = "1.1.0"


def create_app(environment: Mapping[str, str] | None = None) -> "Flask":
    """The app, set up from the environment (or from another mapping of settings).

    Raises `FaultySetting` where a setting cannot be used.
    """
    import os
    from datetime import timedelta

    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from app import commands, web
    from app.config import TOP, load_or_make_secret_key, settings_from
    from app.extensions import db, limiter, migrate
    from app.store.engine import configure_engine, engine_options

    settings = settings_from(os.environ if environment is None else environment)
    app = Flask(
        __name__,
        instance_path=str(settings["INSTANCE_PATH"] or TOP / "instance"),
        template_folder=TOP / "templates",
        static_folder=None,  # web/infrastructure/assets.py serves static/
    )
    url = str(settings["DATABASE_URL"])
    app.config.update(
        settings,
        SECRET_KEY=settings["SECRET_KEY"] or load_or_make_secret_key(app.instance_path),
        SQLALCHEMY_DATABASE_URI=url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(url),
        WTF_CSRF_TIME_LIMIT=None,  # a phone lies open through an evening
        MAX_CONTENT_LENGTH=256 * 1024,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings["HTTPS"],
        SESSION_COOKIE_NAME="meldkeeper_form",
        # A phone that was closed with a tap not yet sent sends it with the same form token later.
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_REFRESH_EACH_REQUEST=False,
        RATELIMIT_STORAGE_URI=settings["RATE_LIMIT_STORAGE"],
    )
    proxies = int(str(settings["TRUSTED_PROXIES"]))
    if proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies
        )
    db.init_app(app)
    with app.app_context():
        configure_engine(db.engine)
    migrate.init_app(app, db, directory=str(TOP / "app/store/migrations"), render_as_batch=True)
    limiter.init_app(app)
    app.jinja_env.globals["release"] = __version__
    web.register(app)
    commands.register(app)
    return app
