"""A database session and a table of three, without any web part."""

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from app.extensions import db
from app.store.engine import meaning_to_write
from tests.actions.table import KeptTable


@pytest.fixture
def session(app: Flask) -> Iterator[Session]:
    with app.app_context(), meaning_to_write():
        yield db.session()
        db.session.remove()


@pytest.fixture
def table(session: Session) -> KeptTable:
    """Anna, Ben and Cleo at Frustration, Anna deals; nothing played yet."""
    return KeptTable.started(session, "frustration", "Anna Ben Cleo")


@pytest.fixture
def scored(session: Session) -> KeptTable:
    """The same three at Aggravation Rummy, which keeps score."""
    return KeptTable.started(session, "aggravation-rummy", "Anna Ben Cleo")
