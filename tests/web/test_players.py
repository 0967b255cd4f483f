"""The pages of players, and what is done to their entries."""

import html
import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actions.groups import Role
from app.extensions import db
from app.store.groups import Membership
from tests.many_games import browser_in
from tests.web.test_history import text
from tests.web_table import PlainGame, fields_of


def play(client: FlaskClient, names: str, winner: str) -> PlainGame:
    """A short game that one of them wins."""
    game = PlainGame.started(client, "frustration", names, **{"rule-last_contract": "1"})
    assert game.close(1, out=winner).status_code == 303
    return game


def ids(client: FlaskClient) -> dict[str, int]:
    page = text(client.get("/players"))
    row = r'href="/players/(\d+)">(?:(?!</a>).)*?person-name[^>]*>([^<]+)'
    found = re.findall(row, page, re.DOTALL)
    return {name: int(one) for one, name in found}


@pytest.fixture
def friends(client: FlaskClient) -> FlaskClient:
    """Anna beat Ben three times, Annie (the same Anna) beat Cleo once."""
    for _ in range(3):
        play(client, "Anna Ben", "Anna")
    play(client, "Annie Cleo", "Annie")
    return client


def page_of(client: FlaskClient, name: str) -> str:
    return text(client.get(f"/players/{ids(client)[name]}"))


def test_a_players_page_says_what_the_games_came_to(friends: FlaskClient):
    page = page_of(friends, "Anna")
    assert re.search(r"<dt>games</dt><dd><b>3</b>", page)
    assert re.search(r"<dt>longest winning streak</dt><dd><b>3</b>", page)
    assert "Head-to-head" in page
    assert re.search(r"<b>3</b>.*– <b>0</b>", page)


def test_the_longest_streak_of_the_group_is_a_record(friends: FlaskClient):
    page = friends.get("/history/records").get_data(as_text=True)
    card = page.split("Longest winning streak")[1].split("</div>")[0]
    assert "3 wins in a row" in card
    assert ">Anna<" in card


def test_a_players_page_leads_to_the_last_games_and_counts_no_wins_now_where_there_are_none(
    friends: FlaskClient,
):
    newest = play(friends, "Anna Ben", "Ben")
    page = page_of(friends, "Anna")
    recent = page.split('id="recent-title"')[1].split("</section>")[0]
    told = re.findall(
        r'href="/games/([^/"]+)/rounds">[^<]*(place \d of \d) · Frustration[^<]*<', recent
    )
    assert told[0] == (newest.key, "place 2 of 2")
    assert [place for _, place in told[1:]] == ["place 1 of 2"] * 3
    assert re.search(r"<dt>longest winning streak</dt><dd><b>3</b></dd>", page)
    assert '<dd class="small">now 1, since ' in page_of(friends, "Ben")


def test_one_shared_game_makes_rivals_on_both_their_pages(friends: FlaskClient):
    for name, rival, score in (("Cleo", "Annie", "0 – 1"), ("Annie", "Cleo", "1 – 0")):
        (told,) = page_of(friends, name).split('<li class="rival">')[1:]
        words = " ".join(re.sub("<[^>]+>", "", told.split("</li>")[0]).split())
        assert words == f"{rival} {score.replace(' –', ' ahead, –')} behind 1 game"


def test_a_rival_narrows_the_page_of_the_player_alone(friends: FlaskClient):
    known = ids(friends)
    anna, ben = known["Anna"], known["Ben"]
    (rival,) = page_of(friends, "Anna").split('<li class="rival">')[1:]
    address = html.unescape(re.search(r'href="([^"]+)"', rival)[1])
    page = text(friends.get(f"{address}&rules=frustration"))
    assert "with Ben" in page
    links = {html.unescape(one) for one in re.findall(r'href="(/[^"#]+)', page)}
    narrowed = {one for one in links if "with=" in one}
    itself, chosen = f"/players/{anna}?", f"with={ben}&with={anna}"
    assert [one for one in narrowed if not one.startswith(itself) and chosen not in one] == []
    assert all("here=1" in one for one in narrowed if one.startswith(itself))
    assert any(one.startswith("/history?") and "rules=frustration" in one for one in links)
    asked = text(friends.get(f"/players/{anna}?with={ben}"))
    assert f'href="/history?with={ben}"' in asked


def test_head_to_head_says_of_which_games_it_is_where_a_season_led_there(friends: FlaskClient):
    year = datetime.now(UTC).astimezone().year
    table = text(friends.get(f"/seasons/{year}"))
    address = html.unescape(re.search(r'href="(/players/[^"]+)"', table)[1])
    said = text(friends.get(address)).split('id="rivals-title"')[1].split("</section>")[0]
    assert f"Filter: {year}" in said
    assert "Filter" not in page_of(friends, "Anna").split('id="rivals-title"')[1]


def test_a_player_is_renamed_from_who_plays_by_who_may(client: FlaskClient, app):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    page = text(client.get(f"/games/{game.key}/players"))
    address = html.unescape(re.findall(r'href="(/players/\d+[^"]*)">Rename', page)[1])
    assert 'value="Ben"' in text(client.get(address))
    form = re.search(r'action="(/players/\d+/name[^"]*)"', text(client.get(address)))[1]
    assert (
        client.post(html.unescape(form), data={"name": "Benedikt"}).location == f"/games/{game.key}"
    )
    assert "Benedikt" in text(client.get(f"/games/{game.key}/players"))
    with app.app_context():
        group = db.session.scalars(select(Membership.group_id)).one()
        db.session.rollback()
    scorer = browser_in(app, group, Role.SCORE)
    assert "Rename" not in text(scorer.get(f"/games/{game.key}/players"))


def test_merging_two_entries_gives_one_all_games_and_separating_gives_them_back(
    friends: FlaskClient,
):
    before = ids(friends)
    answer = friends.post(f"/players/{before['Annie']}/merge", data={"into": before["Anna"]})
    assert answer.status_code == 303
    assert "Annie" not in ids(friends)
    landed = friends.get(answer.location).get_data(as_text=True)
    told = landed.split("<main")[1].split('class="tiles"')[0]
    assert "Annie: merged" in told
    assert f'action="/players/{before["Annie"]}/separate"' in told
    page = page_of(friends, "Anna")
    assert "Annie: merged" not in page
    assert re.search(r"<dt>games</dt><dd><b>4</b>", page)
    assert re.search(r"<dt>longest winning streak</dt><dd><b>4</b>", page)
    assert friends.post(f"/players/{before['Annie']}/separate").status_code == 303
    assert re.search(r"<dt>games</dt><dd><b>3</b>", page_of(friends, "Anna"))
    assert re.search(r"<dt>game</dt><dd><b>1</b>", page_of(friends, "Annie"))


def test_the_devices_of_a_merged_player_are_theirs_who_has_the_games(friends: FlaskClient):
    app, players = friends.application, ids(friends)
    with app.app_context():
        group, own = db.session.execute(select(Membership.group_id, Membership.device_id)).one()
    guest = browser_in(app, group, Role.SCORE)

    def whose() -> dict[int, int]:
        with app.app_context():
            rows = db.session.execute(select(Membership.device_id, Membership.player_id))
            return {row.device_id: row.player_id for row in rows}

    guest.post("/group/me", data={"player": players["Annie"], "device": "phone"})
    (removed,) = whose().keys() - {own}
    friends.post(f"/group/devices/{removed}/put-out")
    friends.post(f"/players/{players['Annie']}/merge", data={"into": players["Anna"]})
    friends.post(f"/group/devices/{removed}/restore")
    friends.post("/group/me", data={"player": players["Annie"], "device": "ours"})
    assert whose() == {own: players["Anna"], removed: players["Anna"]}


def test_a_player_may_take_the_name_of_an_entry_that_was_merged_into_theirs(friends: FlaskClient):
    before = ids(friends)
    friends.post(f"/players/{before['Annie']}/merge", data={"into": before["Anna"]})
    answer = friends.post(f"/players/{before['Anna']}/name", data={"name": "Annie"})
    assert answer.status_code == 303
    assert ids(friends).keys() == {"Annie", "Ben", "Cleo"}
    friends.post(f"/players/{before['Annie']}/separate")
    assert ids(friends).keys() == {"Anna", "Annie", "Ben", "Cleo"}


def test_who_types_the_merged_name_means_the_one_player(friends: FlaskClient):
    before = ids(friends)
    friends.post(f"/players/{before['Annie']}/merge", data={"into": before["Anna"]})
    data = {"variant": "frustration", "player": ["Annie", "Anna"]}
    answer = friends.post("/games", data=data)
    assert answer.status_code == 422
    assert "Anna and Annie are the same player." in text(answer)
    play(friends, "Anna Ben", "Ben")
    assert set(ids(friends)) == {"Anna", "Ben", "Cleo"}


def test_two_players_of_one_game_are_not_merged_and_the_game_is_named(friends: FlaskClient):
    before = ids(friends)
    answer = friends.post(f"/players/{before['Anna']}/merge", data={"into": before["Ben"]})
    assert answer.status_code == 422
    refused = r"Anna and Ben had two seats in “Frustration” on [A-Z][a-z]{2} \d+, \d{4}, so"
    assert re.search(refused, text(answer))
    assert ids(friends) == before


def test_a_new_name_holds_in_old_games_too(friends: FlaskClient):
    friends.post(f"/players/{ids(friends)['Ben']}/name", data={"name": "Benedict"})
    assert "Benedict" in text(friends.get("/history"))


def test_a_new_name_is_told_with_a_way_back(friends: FlaskClient):
    address = f"/players/{ids(friends)['Ben']}/name"
    shown = friends.get(friends.post(address, data={"name": "Benedict"}).location)
    assert "Ben is now called Benedict" in text(shown)
    assert 'name="name" value="Ben">Undo<' in text(shown)
    shown = friends.get(friends.post(address, data={"name": "Ben"}).location)
    assert "Benedict is now called Ben" in text(shown)
    assert "Ben" in ids(friends)


def test_a_player_is_added_where_there_is_none_and_asked_about_where_one_is_much_alike(
    client: FlaskClient,
):
    assert client.post("/group/new", data={"name": "Friday club"}).status_code == 303
    empty = text(client.get("/players"))
    assert "No players yet." in empty
    assert "Filter:" not in empty
    assert client.post("/players", data=fields_of(empty, "add-player") | {"name": "Zoé"}).location
    assert [*ids(client)] == ["Zoé"]
    asked = client.post("/players", data={"name": "Zoe"})
    assert asked.status_code == 422
    assert "Is Zoe the same person as Zoé?" in text(asked)
    form = fields_of(text(asked), "add-player") | {"meant": "Zoé"}
    assert client.post("/players", data=form).status_code == 303
    assert [*ids(client)] == ["Zoé"]
    assert client.post("/players", data={"name": ""}).status_code == 422


@pytest.mark.parametrize("name", ["", "ANNIE", "x" * 41])
def test_a_name_that_is_none_or_taken_is_refused_beside_the_form(friends: FlaskClient, name: str):
    before = ids(friends)
    answer = friends.post(f"/players/{before['Anna']}/name", data={"name": name})
    assert answer.status_code == 422
    assert 'class="fault"' in text(answer)
    assert ids(friends) == before


def test_who_no_longer_plays_is_not_offered_until_they_play_again(friends: FlaskClient):
    cleo = ids(friends)["Cleo"]
    friends.post(f"/players/{cleo}/archive", data={"archived": "yes"})
    assert "Cleo" not in text(friends.get("/games/new/frustration"))
    assert "Inactive" in text(friends.get("/players"))
    play(friends, "Anna Cleo", "Cleo")
    assert "Cleo" in text(friends.get("/games/new/frustration"))


def test_a_player_of_another_group_is_nobody_here(friends: FlaskClient):
    anna = ids(friends)["Anna"]
    other = friends.application.test_client()
    play(other, "Xenia Yves", "Yves")
    xenia = ids(other)["Xenia"]
    assert other.get(f"/players/{anna}").status_code == 404
    assert other.post(f"/players/{anna}/name", data={"name": "Mine"}).status_code == 404
    answer = other.post(f"/players/{xenia}/merge", data={"into": anna})
    assert answer.status_code == 422
    assert "Anna" not in text(answer)
    assert "Anna" in ids(friends)


@pytest.mark.parametrize(
    ("variant_id", "repeated"), [("liverpool-rummy", False), ("aggravation-rummy", True)]
)
def test_rounds_of_a_contract_are_counted_only_where_it_can_take_several(
    client, variant_id, repeated
):
    game = PlainGame.started(client, variant_id, "Anna Ben Cleo")
    for number in (1, 2):
        answer = game.close_anyway(number, out="Anna", met="Anna", Ben="15", Cleo="95")
        assert answer.status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    for address in ("/history/records", f"/players/{ids(client)['Cleo']}"):
        page = text(client.get(address))
        assert "Success rate" in page
        assert ("Average rounds" in page) == repeated, address
    assert ("Who is stuck where" in text(client.get("/history/records"))) == repeated


def test_a_game_counts_for_who_holds_the_seat_at_its_end_and_for_who_left_it(client: FlaskClient):
    """The page says of how many games there is no place, which is not in the average."""
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "9"})
    seat = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
    for number, name in enumerate(("Cleo", "Anna", "Cleo"), 1):
        assert game.close(number, out="Ben").status_code == 303
        client.post(seat, data={"name": name})
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    game = PlainGame.started(client, "frustration", "Anna Ben Dora", **{"rule-last_contract": "2"})
    assert game.close(1, out="Anna").status_code == 303
    client.post(f"/games/{game.key}/players/{game.seats['Ben']}/leave")
    assert game.close(2, game.sent() | {"out": str(game.seats["Anna"])}).status_code == 303
    for name, games, left in (("Anna", 1, 0), ("Ben", 2, 1), ("Cleo", 1, 0), ("Dora", 1, 0)):
        tile = page_of(client, name).split('<div class="tile">')[1].split("</div>")[0]
        assert f"<b>{games}</b>" in tile
        assert ("left early" in tile) == (f"{left} left early" in tile) == bool(left)


def test_players_come_in_the_order_that_is_asked_for(client: FlaskClient):
    for names, winner in (
        ("Anna Ben", "Ben"),
        ("Anna Ben", "Ben"),
        ("Anna Cleo", "Cleo"),
        ("Anna Dora", "Anna"),
    ):
        game = PlainGame.started(client, "frustration", names, **{"rule-max_deals": "1"})
        assert game.close(1, out=winner).status_code == 303
    for order, first in (("games", "Anna"), ("wins", "Ben"), ("rate", "Ben"), ("nonsense", "Anna")):
        page = client.get(f"/players?by={order}").text.partition('class="cards"')[2]
        assert min(("Anna", "Ben", "Cleo", "Dora"), key=page.index) == first, order
