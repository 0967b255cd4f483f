"""Home, and a new group: what one came for stands first."""

import re

from flask.testing import FlaskClient

from tests.conftest import ON_SQLITE
from tests.web.test_games_without_scripts import text
from tests.web_table import PlainGame, shown_fields


@ON_SQLITE
def test_games_in_progress_stand_before_the_advice_to_keep_a_way_back(client: FlaskClient):
    ended = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    ended.close(1, out="Anna", Ben="15", Cleo="5")
    client.post(f"/games/{ended.key}/stop", data={"result": "yes"})
    PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    page = client.get("/").get_data(as_text=True)
    places = [page.index(one) for one in ("Games in progress", "Keep a way back", "Recent games")]
    assert places == sorted(places)


@ON_SQLITE
def test_a_group_that_was_just_set_up_shows_its_first_game_and_its_invites_before_all_else(
    client: FlaskClient,
):
    page = text(client.post("/group/new", data={"name": "Thursday"}, follow_redirects=True))
    main = page.split("<main")[1]
    first, folded = main.split('<details class="fold"><summary>More about this group')
    places = [first.index(one) for one in ("New game", "Invite others", "/group/links/score")]
    assert places == sorted(places)
    for one in ("Keep a way back", "This device", "Install the app", "Milestones"):
        assert one not in first
        assert one in folded
    assert "More about this group" not in text(client.get("/group"))


def test_a_trial_game_is_called_so_wherever_it_is_listed(client: FlaskClient) -> None:
    welcome = text(client.get("/")).split('class="welcome"')[1].split("</section>")[0]
    fields: dict[str, list[str]] = {}
    for name, value in shown_fields(welcome):
        fields.setdefault(name, []).append(value)
    game = client.post("/games", data=fields).location
    for address in ("/", "/history", f"{game}/rounds"):
        assert "Trial game" in text(client.get(address)), address


def test_home_offers_the_last_table_again_as_the_rematch_seats_it(client: FlaskClient) -> None:
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo Dora")
    assert game.close(1, out="Anna", Ben="25", Cleo="30", Dora="5").status_code == 303
    at = f"/games/{game.key}/players"
    assert client.post(f"{at}/{game.seats['Cleo']}/leave").status_code == 303
    stand_in = client.post(f"{at}/{game.seats['Ben']}/stand-in", data={"name": "Emil"})
    assert stand_in.status_code == 303
    assert client.post(f"/games/{game.key}/stop", data={"result": "no"}).status_code == 303
    offered = text(client.get("/")).split("Same as last time")[1].split("</small>")[0]
    assert offered.endswith("Anna, Emil, Dora")
    again = client.post(f"/games/{game.key}/rematch").location
    assert [*PlainGame.known(client, again.rsplit("/", 1)[1]).seats] == ["Anna", "Emil", "Dora"]
    assert f'href="{again}"' in game.page, "there the table went on"


def test_home_leads_to_the_page_of_the_group_by_the_name_that_the_page_has(client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ben")
    for name in ("My group", "Thursday club"):
        assert client.post("/group/name", data={"name": name}).status_code == 303
        ways = re.findall(r'href="/group"[^>]*>([^<]+)<', text(client.get("/")))
        assert set(ways) == set(re.findall(r"<h1>([^<]+)<", text(client.get("/group")))) == {name}
