"""A group's export as an answer that is read from the database while it is sent."""

from collections.abc import Callable, Iterator

from flask import Response
from sqlalchemy.orm import Session

from app.exchange.documents import GroupDocument
from app.extensions import db
from app.store.queries.export import load_group_document
from app.web.infrastructure.asker import asker


def export_response(write: Callable[[GroupDocument], Iterator[str]], mimetype: str) -> Response:
    """The asking group, written in pieces as it was when it was asked for.

    The session is the answer's own: the request's ends before the answer is sent, and its snapshot
    with it.
    """
    db.session.rollback()
    session = Session(db.engine)
    try:
        pieces = write(load_group_document(session, asker.group))
    except BaseException:
        session.close()
        raise
    response = Response(pieces, mimetype=mimetype)
    response.headers["Cache-Control"] = "no-store"
    response.call_on_close(session.close)
    return response
