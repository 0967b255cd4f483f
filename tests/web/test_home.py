"""Home: what goes on stands first."""

from flask.testing import FlaskClient

from tests.conftest import ON_SQLITE
from tests.web_table import PlainGame


@ON_SQLITE
def test_games_in_progress_stand_before_the_advice_to_keep_a_way_back(client: FlaskClient):
    ended = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    ended.close(1, out="Anna", Ben="15", Cleo="5")
    client.post(f"/games/{ended.key}/stop", data={"result": "yes"})
    PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    page = client.get("/").get_data(as_text=True)
    places = [page.index(one) for one in ("Games in progress", "Keep a way back", "Recent games")]
    assert places == sorted(places)
