"""Answers that a browser saves as a file."""

from collections.abc import Callable, Iterator

from flask import Response
from sqlalchemy.orm import Session

from app.exchange.documents import GroupDocument
from app.extensions import db
from app.store.queries.export import load_group_document
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def asked_separator() -> str:
    """What is to separate the columns of an exported table."""
    return _SEPARATORS.get(asked_line("separator"), ",")


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


def as_download(response: Response, name: str) -> Response:
    """The response, to be saved under that name."""
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response
