"""A new name that differs in little from a player’s: people are asked who is meant."""

import html
import io
import json
import re
from operator import itemgetter

import pytest
from flask.testing import FlaskClient

from tests.club import exported
from tests.web.test_history import text
from tests.web.test_past_games import PAST
from tests.web_table import PlainGame, fields_of

ASKED = "Is {} the same person as {}?"
KNOWN = ["Édouard", "Jean-Luc", "Zoé"]


@pytest.fixture
def game(client: FlaskClient) -> PlainGame:
    client.post("/group/new", data={"name": "Club", "players": ", ".join(KNOWN)})
    return PlainGame.started(client, "frustration", "Anna Ben")


def people(client: FlaskClient) -> list[str]:
    names = re.findall(r'class="name person-name[^"]*">([^<]+)<', text(client.get("/players")))
    return sorted(html.unescape(one) for one in names)


def answered(page: str, name: str) -> dict[str, str]:
    """What the button sends that is called so."""
    found = re.search(rf'name="(\S+)" value="([^"]*)"[^>]*>{name}<', page)
    return {found[1]: html.unescape(found[2])}


def linked(where: str, page: str) -> str:
    found = re.search(f"href={where}", page)
    return html.unescape(found[1]) if found else ""


@pytest.mark.parametrize(
    ("typed", "known"), [("Edouard", "Édouard"), ("JEAN luc", "Jean-Luc"), ("zoe\u0301-", "Zoé")]
)
@pytest.mark.parametrize("address", ["players", "players/{Ben}/stand-in"])
@pytest.mark.parametrize("button", ["Yes, {}", "No, someone else"])
def test_a_name_that_is_typed_amid_a_game_is_asked_about_and_either_answer_goes_on(
    client: FlaskClient, game: PlainGame, address: str, typed: str, known: str, button: str
):
    typed_as = typed.replace("e\u0301", "é")
    asked, before = f"/games/{game.key}/{address.format(**game.seats)}", people(client)
    page = client.post(asked, data={"name": typed})
    assert page.status_code == 422
    assert ASKED.format(typed_as, known) in html.unescape(text(page))
    assert people(client) == before
    sent = answered(text(page), button.format(known))
    assert client.post(asked, data={"name": typed} | sent).status_code == 303
    assert set(people(client)) - set(before) == (set() if "Yes" in button else {typed_as})


def test_a_name_that_is_known_or_like_no_other_is_not_asked_about(
    client: FlaskClient, game: PlainGame
):
    for name in ("édouard", "Edouard-Luc", "🦊"):
        page = client.post(f"/games/{game.key}/players", data={"name": name})
        assert page.status_code == 303
    assert people(client) == sorted([*KNOWN, "Anna", "Ben", "Edouard-Luc", "🦊"])


def test_at_setup_a_name_is_asked_about_once_and_changed_by_a_tap(
    client: FlaskClient, game: PlainGame
):
    new = "/games/new/frustration"
    sent = {"player": ["Anna"], "typed": "Edouard, Ben", "arrange": "add"}
    page = text(client.post(new, data=sent))
    assert ASKED.format("Edouard", "Édouard") in page
    sent = {"player": ["Anna", "Edouard", "Ben"], **answered(page, "Yes, Édouard")}
    page = text(client.post(new, data=sent))
    assert re.findall(r'name="player" value="([^"]+)"', page) == ["Anna", "Édouard", "Ben"]
    assert "the same person" not in page
    started = {"variant": "frustration", "player": ["Anna"], "typed": "zoe"}
    page = text(client.post("/games", data=started))  # typed, and not seen yet
    assert ASKED.format("zoe", "Zoé") in page
    again = fields_of(page, "new-game") | {"player": ["Anna", "zoe"]}
    assert client.post("/games", data=again).status_code == 303
    assert "zoe" in people(client)


def test_a_player_of_a_past_game_is_asked_about(client: FlaskClient, game: PlainGame):
    sent = PAST | {"p0-player": "Edouard", "p1-player": "zoe", "p2-player": "Ben"}
    page = client.post("/data/past-game", data=sent)
    assert page.status_code == 422
    sent |= answered(text(page), "Yes, Zoé")
    page = client.post("/data/past-game", data=sent)
    assert "Zoé" in fields_of(text(page), "past-game").values()
    sent = fields_of(text(page), "past-game") | answered(text(page), "No, someone else")
    assert client.post("/data/past-game", data=sent).status_code == 303
    assert people(client) == sorted([*KNOWN, "Anna", "Ben", "Edouard"])


def test_who_is_seated_stays_so_by_other_rules_and_the_last_table_is_one_tap_away(
    client: FlaskClient, game: PlainGame
):
    page = text(
        client.post("/games/new/frustration", data={"player": ["Zoé", "Ben"], "dealer": "1"})
    )
    choose = linked(r'"(/games/new\?[^"]+)"', page)
    other = linked(r'"(/games/new/garb[^"]+)"', text(client.get(choose)))
    page = text(client.get(other))
    assert re.findall(r'name="player" value="([^"]+)"', page) == ["Zoé", "Ben"]
    assert 'value="1" checked' in page
    page = text(client.get("/games/new/garbage-rummy"))
    assert "Same players: Anna, Ben" in page
    page = text(client.get(linked(r'"([^"]+)">Same players', page)))
    assert re.findall(r'name="player" value="([^"]+)"', page) == ["Anna", "Ben"]


LINES = ["2024-05-06,Jean Luc,1", "2024-05-06,zoé,2", "2024-05-06,Dora,3", "2024-05-07,Dora,1"]


def previewed(client: FlaskClient, *lines: str) -> str:
    rows = "".join(one.replace(",", ",Frustration,", 1) + "\n" for one in lines)
    table = f"date,rule set,player,place\n{rows}"
    sent = {"file": (io.BytesIO(table.encode()), "past.csv")}
    return html.unescape(text(client.post("/data/import", data=sent)))


def chosen(page: str) -> dict[str, str]:
    """Whom each new name of a file is taken for."""
    names = re.findall(r'name="new" value="([^"]+)"', page)
    choices = re.findall(r'name="known"[^>]*>(.*?)</select>', page, re.DOTALL)
    selected = [re.search(r'value="([^"]*)" selected', one) for one in choices]
    return {name: one[1] if one else "" for name, one in zip(names, selected, strict=True)}


def imported(client: FlaskClient, page: str, **known: str):
    """The answer where new names of a file are taken for those players."""
    sent = chosen(page) | {name.replace("_", " "): one for name, one in known.items()}
    action = linked(r'"(/data/import/[^"]+)"', page.replace("action=", "href="))
    return client.post(action, data={"new": [*sent], "known": [*sent.values()]})


def test_whom_a_new_name_of_a_file_means_is_chosen_before_anything_comes_in(
    client: FlaskClient, game: PlainGame
):
    lines, before = [*LINES, "2024-05-07,Ben,2"], people(client)
    page = previewed(client, *lines)
    assert chosen(page) == {"Jean Luc": "Jean-Luc", "Dora": ""}
    assert page.count("Looks like Jean-Luc, so these games will count for Jean-Luc.") == 1
    assert people(client) == before
    assert imported(client, page, Dora="Anna").status_code == 303
    assert people(client) == before
    played = [set(one["paper_of"]) for one in past_games(client)]
    assert played == [{"Jean-Luc", "Zoé", "Anna"}, {"Anna", "Ben"}]
    assert "Nothing in this file is new." in previewed(client, *lines)


def test_a_new_name_of_a_file_stays_a_new_player_where_that_is_chosen(
    client: FlaskClient, game: PlainGame
):
    page = previewed(client, *LINES, "2024-05-07,Ben,2")
    assert imported(client, page, Jean_Luc="").status_code == 303
    assert people(client) == sorted([*KNOWN, "Anna", "Ben", "Dora", "Jean Luc"])


@pytest.mark.parametrize("who", ["Anna", "Zoé"])
def test_two_names_of_one_game_are_never_one_player(client: FlaskClient, game: PlainGame, who: str):
    """Nor are they offered as one, and nothing that was chosen is lost."""
    page = previewed(client, "2024-05-06,zoe,1", "2024-05-06,Zoé,2", "2024-05-06,Dora,3")
    assert chosen(page) == {"zoe": "", "Dora": ""}
    before = people(client)
    again = imported(client, page, zoe=who, Dora=who)
    assert again.status_code == 422
    again = html.unescape(text(again))
    assert "play in the same game, so they are two players." in again
    assert chosen(again) == {"zoe": who, "Dora": who}
    assert people(client) == before
    assert imported(client, again, zoe="", Dora="").status_code == 303


def test_who_has_another_name_since_a_preview_is_nobody(client: FlaskClient, game: PlainGame):
    page = previewed(client, *LINES, "2024-05-07,Ben,2")
    before = people(client)
    assert imported(client, page, Dora="Emil").status_code == 422
    assert people(client) == before


def test_no_new_name_of_a_file_means_another_one(client: FlaskClient, game: PlainGame):
    """A preview offers none of them; whoever sends one all the same is refused."""
    lines = ["2024-05-06,Ana,1", "2024-05-06,Ben,2", "2024-05-07,Zed,1", "2024-05-07,Ben,2"]
    page, before = previewed(client, *lines), people(client)
    for known in ({"Ana": "Zed", "Zed": "Anna"}, {"Ana": "Zed"}):
        assert imported(client, page, **known).status_code == 422
        assert people(client) == before
    assert imported(client, page, Ana="Anna").status_code == 303


def past_games(client: FlaskClient) -> list[dict]:
    """The past results of a group, the oldest first, with the players who have them."""
    document = exported(client)
    into = {one["name"]: one.get("merged_into") or one["name"] for one in document["players"]}
    games = sorted(
        (one for one in document["games"] if "paper" in one), key=itemgetter("started_at")
    )
    return [one | {"paper_of": [into[seat["player"]] for seat in one["seats"]]} for one in games]


def test_the_last_table_is_who_sat_there_at_its_end(client: FlaskClient, game: PlainGame) -> None:
    stand_in = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
    assert client.post(stand_in, data={"name": "Dora"}).status_code == 303
    page = text(client.get("/games/new/garbage-rummy"))
    assert "Same players: Dora, Ben<" in page


def test_a_file_of_many_new_names_comes_in_by_the_form_of_its_preview(
    client: FlaskClient, game: PlainGame
):
    days = [f"20{year:02}-{month:02}-01" for year in range(10, 25) for month in range(1, 13)]
    lines = [f"{day},{day} {place},{place}" for day in days for place in range(1, 6)]
    page = previewed(client, *lines)
    assert len(chosen(page)) < len(lines)
    assert imported(client, page).status_code == 303
    assert len(past_games(client)) == len(days)


def test_other_names_of_known_players_come_in_without_a_game(client: FlaskClient, game: PlainGame):
    document = exported(client)
    document["games"] = []
    document["players"] = [{**document["players"][0], "name": "Jean Luc", "merged_into": None}]
    sent = {"file": (io.BytesIO(json.dumps(document).encode()), "group.json")}
    page = html.unescape(text(client.post("/data/import", data=sent)))
    assert chosen(page) == {"Jean Luc": "Jean-Luc"}
    assert imported(client, page).status_code == 303
    merged = {one["name"]: one.get("merged_into") for one in exported(client)["players"]}
    assert merged["Jean Luc"] == "Jean-Luc"


def test_who_came_back_to_their_own_seat_under_another_name_is_taken_for_themselves(
    client: FlaskClient, game: PlainGame
):
    document = exported(client)
    (seated,), me = document["games"], document["players"][0]
    document["players"] += [{**me, "name": name, "merged_into": None} for name in ("Ana", "Ulf")]
    stood_in = [{"from_round": 1, "player": who, "played_as": who} for who in ("Ulf", "Ana")]
    seat = {**seated["seats"][0], "stand_ins": stood_in}
    document["games"] = [
        {**seated, "key": "q" * 8, "seats": [seat, *seated["seats"][1:]], "log": []}
    ]
    sent = {"file": (io.BytesIO(json.dumps(document).encode()), "group.json")}
    page = html.unescape(text(client.post("/data/import", data=sent)))
    assert imported(client, page, Ana="Anna").status_code == 303
