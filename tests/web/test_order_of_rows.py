"""No page says things in an order that the database left open.

What a query asks for in no order is answered from the last row to the first. Whatever a page then
says otherwise, PostgreSQL may say in any order.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, event, text
from sqlalchemy.sql.selectable import GenerativeSelect
from werkzeug.exceptions import HTTPException

from app.extensions import db
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in

pytestmark = ON_SQLITE

EACH = 4
"""Of each kind of page so many are looked at, those that are found first."""


@pytest.fixture
def club(app: Flask) -> FlaskClient:
    return browser_in(app, club_in(app, evenings=12))


def _reversed(_connection: Connection, asked: Any, several: Any, one: Any, _options: Any) -> Any:
    if isinstance(asked, GenerativeSelect) and not asked._order_by_clauses:
        columns = range(1, min(len(asked.selected_columns), 4) + 1)
        asked = asked.order_by(*(text(f"{number} DESC") for number in columns))
    return asked, several, one


def _page(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    page = answer.get_data(as_text=True) if "text" in answer.mimetype else ""
    return re.sub(r'(request_key|csrf_token|csrf-token)" (value|content)="[^"]*"', "", page)


def _pages(app: Flask, client: FlaskClient) -> Iterator[tuple[str, str]]:
    """Pages that can be reached by links from Home, each with what it says."""
    found: Counter[str] = Counter()
    coming, known = ["/"], {"/"}
    routes = app.url_map.bind("localhost")
    while coming:
        address = coming.pop(0)
        try:
            endpoint, _values = routes.match(address.partition("?")[0], "GET")
        except HTTPException:
            continue
        if found[endpoint] == EACH or endpoint == "static":
            continue
        found[endpoint] += 1
        page = _page(client, address)
        yield address, page
        links = unescape(" ".join(re.findall(r'href="(/[^"#]*)', page))).split()
        coming += (link for link in dict.fromkeys(links) if link not in known)
        known.update(links)


def test_every_page_says_the_same_in_whatever_order_the_database_answers(
    app: Flask, club: FlaskClient
):
    pages = dict(_pages(app, club))
    assert len(pages) > 60
    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_execute", _reversed, retval=True)
    differ = [address for address, page in pages.items() if _page(club, address) != page]
    event.remove(engine, "before_execute", _reversed)
    assert not differ
