"""What watches over the app asks: is the process alive, and may phones be sent to it?"""

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

from app.extensions import db
from app.store.schema import newest_revision, revision_of
from app.web.infrastructure.access import open_to_all

health = Blueprint("health", __name__)


@health.get("/healthz")
@open_to_all
def alive() -> Response:
    """The process answers; the database is not asked, so that its trouble restarts nobody."""
    return _said("ok", 200)


@health.get("/readyz")
@open_to_all
def ready() -> Response:
    """The database answers and has the schema that this version needs."""
    try:
        with db.engine.connect() as connection:
            revision = revision_of(connection)
    except SQLAlchemyError:
        return _said("The database does not answer.", 503)
    if revision != newest_revision():
        return _said("The database has another schema than this version needs.", 503)
    return _said("ok", 200)


def _said(words: str, status: int) -> Response:
    return Response(words + "\n", status, content_type="text/plain; charset=utf-8")
