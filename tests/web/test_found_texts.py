"""What a search found leads to where it stands."""

import re

import pytest
from flask.testing import FlaskClient

from tests.conftest import ON_SQLITE
from tests.web.test_history import text
from tests.web_table import PlainGame


@ON_SQLITE
@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("rounds/1/note", {"note": "famous"}),
        ("dealing/1/void", {"reason": "famous"}),
        ("corrections", {"number": "1", "points": "5", "reason": "famous"}),
        ("rulings", {"question": "ask=meld&m=5H+6H+7H", "decided": "so", "reason": "famous"}),
    ],
)
def test_what_was_found_is_there_where_its_link_leads(
    client: FlaskClient, path: str, sent: dict[str, str], ended: bool
):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    answer = client.post(f"/games/{game.key}/{path}", data={"seat": game.seats["Ben"], **sent})
    assert answer.status_code == 303
    if ended:
        assert game.close(1, out="Anna", Ben="15", Cleo="20").status_code == 303
    found = text(client.get("/history?words=famous"))
    [(address, anchor)] = re.findall(r'game-card" href="([^"#]+)#([^"]+)"', found)
    assert "<mark>famous</mark>" in found
    part = text(client.get(address)).split(f' id="{anchor}"')[1]
    assert "famous" in part.split("</section>")[0]
