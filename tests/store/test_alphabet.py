"""Lists of names stand by the alphabet of people, on both databases."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web.test_history import text

NAMES = ["Zoé", "émile", "Élodie", "Eduard", "Jean-Marc", "Jean Luc", "Ärne", "Anna", "Bo"]
IN_ORDER = ["Anna", "Ärne", "Bo", "Eduard", "Élodie", "émile", "Jean Luc", "Jean-Marc", "Zoé"]


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("/players", r'class="name person-name">([^<]+)<'),
        ("/games/new/frustration", r'name="arrange" value="add:([^"]+)"'),
        ("/data/past-game", r'name="arrange" value="add:([^"]+)"'),
        ("/group", r'<option value="\d+">([^<]+)<'),
    ],
)
def test_an_accent_counts_as_its_letter_in_each_list(
    client: FlaskClient, address: str, names: str
) -> None:
    client.post("/group/new", data={"name": "Club", "players": ", ".join(NAMES)})
    assert re.findall(names, text(client.get(address))) == IN_ORDER
