"""What version 1.0.0 left behind, and who reads it after the upgrade.

`from-1.0.0/` holds an SQLite file of that version: 47 games of all nine rule sets at random, with
late joiners, leavers, edited and undone rounds, house rules, recorded disputes and a custom rule
set, and four games more, so that the log has an entry of each kind. Beside it lie the export that
that version made of the file, and what its pages and its interface answered about each game, also
after changes were undone; `seen.py` read them there, too.
"""

import lzma
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from flask import Flask
from flask.testing import FlaskClient

from tests.upgrade.seen import Get

T = TypeVar("T")
WHOLE = os.environ.get("MELDKEEPER_UPGRADE") == "whole"
"""Is every game to be looked at? Otherwise a part of them."""

LEFT_BEHIND = Path(__file__).parent / "from-1.0.0"
FILE = "meldkeeper.sqlite"


def unpacked(name: str) -> bytes:
    """A file that version 1.0.0 left behind."""
    return lzma.decompress((LEFT_BEHIND / f"{name}.xz").read_bytes())


@dataclass
class Readers:
    """Who reads: a phone that manages the group, and a program with a token."""

    app: Flask
    group: int
    phone: FlaskClient

    def get(self, address: str, language: str = "en") -> str:
        headers = {"Accept-Language": language}
        if address.startswith("/api/"):
            headers["Authorization"] = f"Bearer {self.token}"
        answer = (self.app.test_client() if "Authorization" in headers else self.phone).get(
            address, headers=headers
        )
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        return answer.get_data(as_text=True)

    def reading(self, language: str) -> Get:
        return lambda address: self.get(address, language)

    @cached_property
    def token(self) -> str:
        made = self.phone.post("/group/tokens", data={"name": "upgrade", "role": "watch"})
        page = made.get_data(as_text=True)
        return page.split('<input class="field" value="', 1)[1].split('"', 1)[0]


def chosen(things: list[T], of: int, place: int) -> list[T]:
    """One in so many of some things, so that a test takes a second; all of them where asked for."""
    return things if WHOLE else things[place::of]
