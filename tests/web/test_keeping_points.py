"""Whether points are kept: chosen with a game's players, and changed while it is played."""

import re
from typing import Any

import pytest

from app.rules.rule_sets import shipped_rule_sets
from tests.web.test_interface import token_for
from tests.web.test_told_change import undo_address
from tests.web_table import PlainGame, fields_of


def _chosen(client, variant_id: str, suffix: str = "") -> str:
    page = client.get(f"/games/new/{variant_id}{suffix}").get_data(as_text=True)
    return fields_of(page, "new-game").get("rule-keep_score", "not asked")


def _keep(game: PlainGame, number: int, keep: str) -> None:
    address = f"/games/{game.key}/corrections"
    fields = fields_of(game.client.get(address).get_data(as_text=True), "keep")
    answer = game.client.post(f"{address}/keep/{number}", data={**fields, "keep": keep})
    assert answer.status_code == 303


def _told_rules(game: PlainGame) -> dict[str, Any]:
    """The rules of a game as a program is told them."""
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'watch')}"}
    return game.client.get(f"/api/v1/games/{game.key}", headers=bearer).json["rules"]


def test_a_group_is_asked_where_rules_leave_it_open_and_its_last_choice_is_remembered(client):
    assert _chosen(client, "frustration-rummy") == ""
    assert _chosen(client, "aggravation-rummy") == ""  # among the house rules
    PlainGame.started(client, "frustration-rummy", "Anna Ben", **{"rule-keep_score": "yes"})
    PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert _chosen(client, "frustration") == "yes"
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-keep_score": "yes"})
    _keep(game, 1, "no")
    assert _chosen(client, "frustration-rummy-bilingual") == ""


def test_the_last_choice_holds_for_rules_with_usual_house_rules_too(client):
    PlainGame.started(client, "frustration-rummy", "Anna Ben", **{"rule-keep_score": "yes"})
    sent = {"rule-knock": "false"}
    assert client.post("/games/new/frustration/rules", data=sent).status_code == 200
    page = client.get("/games/new/frustration").get_data(as_text=True)
    chosen = fields_of(page, "new-game")
    assert (chosen["rule-keep_score"], chosen["rule-knock"]) == ("yes", "false")


def test_a_choice_that_is_in_sight_at_setup_is_not_told_again_below_it(client):
    def told(variant_id: str, **rules: str) -> list[str]:
        page = client.post(f"/games/new/{variant_id}/effect", data=rules).get_data(as_text=True)
        assert "The standard rules." not in page
        return re.findall(r'difference-question">([^<]+)<', page)

    in_sight = {"rule-keep_score": "yes", "rule-last_contract": "3"}
    assert told("frustration-rummy", **in_sight) == []
    assert told("frustration-rummy", **in_sight, **{"rule-knock": "false"}) == [
        "Do you announce your last card?"
    ]


def test_a_new_game_asks_in_a_heading_whether_to_keep_points_and_says_what_no_means(client):
    page = client.get("/games/new/frustration-rummy").get_data(as_text=True)
    assert '<h2 id="keep-points">Keep points?</h2>' in page
    assert "With “No”, contracts alone decide." in page


def test_points_begin_in_the_middle_of_a_game_and_rounds_before_have_none(client):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    assert "Add or subtract points" not in game.page
    game.close(1, out="Anna")
    assert _told_rules(game)["keep_score"]["value"] == "no"
    _keep(game, 2, "yes")
    assert _told_rules(game)["keep_score"]["value"] == "yes"
    assert "Add or subtract points" in game.page
    game.close_anyway(2, out="Ben", Anna="55")
    record = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
    assert record.count(">no points<") == 2
    assert (
        "Keep points?"
        not in client.get(f"/games/{game.key}/corrections")
        .get_data(as_text=True)
        .split("<h1>")[1]
        .split("</h1>")[0]
    )
    activity = client.get(f"/games/{game.key}/activity").get_data(as_text=True)
    assert "From round 2 on: You keep points." in activity


def test_a_program_keeps_points_too_and_the_next_game_keeps_what_the_last_one_did(client):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    _keep(game, 1, "yes")
    game.close_anyway(1, out="Ben", Anna="55")
    client.post(f"/games/{game.key}/stop", data={**fields_of(game.page, "round"), "result": "yes"})
    answer = client.post(f"/games/{game.key}/rematch")
    again = PlainGame(client, answer.location.rsplit("/", 1)[1])
    assert "points" in again.page
    assert "Add or subtract points" in again.page


@pytest.mark.parametrize(
    ("variant_id", "jokers", "dearest"),
    [
        ("frustration", "0", "2"),
        ("frustration", "2", "2 and joker"),
        ("garbage-rummy", "0", "A"),
        ("garbage-rummy", "4", "joker"),
    ],
)
def test_only_cards_that_the_decks_have_are_counted(client, variant_id, jokers, dearest):
    """A class of cards keeps its place among the others: what is sent has a number for each."""
    chosen = {"rule-keep_score": "yes"} if variant_id == "frustration" else {}
    chosen["rule-jokers"] = jokers
    page = PlainGame.started(client, variant_id, "Anna Ben", **chosen).page
    assert re.findall(r'stepper-label"[^>]*>([^<]+) <', page)[-1] == dearest
    places = sorted(set(re.findall(r'name="\d+-counted-(\d)"', page)))
    classes = shipped_rule_sets()[variant_id].penalties.classes
    assert places == [str(place) for place in range(len(classes))]


def test_the_menu_begins_to_keep_points_and_stops_in_one_step_that_can_be_undone(client):
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben Cleo")
    old_page = game.page  # shown since round 1
    game.close(1, out="Anna", met="Anna")
    for page, keep, words in ((old_page, "yes", "Keep points"), ("", "no", "Stop keeping points")):
        in_menu = rf'action="([^"]+)"(?:(?!<form).)*name="keep" value="{keep}">{words}</button>'
        address = re.search(in_menu, page or game.page, re.DOTALL)[1]
        assert game.client.post(address, data={"keep": keep}).location == f"/games/{game.key}"
        assert _told_rules(game)["keep_score"]["value"] == keep
        assert undo_address(game)


def test_points_stand_beside_contracts_in_each_listed_game_that_keeps_them(client):
    rules = {"rule-last_contract": "1", "rule-keep_score": "yes"}
    for names in ("Anna Ben", "Anna Ben Cleo"):  # points part only who is level in the second
        game = PlainGame.started(client, "frustration-rummy", names, **rules)
        left = {name: f"{100 + place}" for place, name in enumerate(names.split()[1:])}
        assert game.close_anyway(1, out="Anna", **left).status_code == 303
    page = client.get("/history").get_data(as_text=True)
    cards = page.split("game-card-people")[1:]
    assert [len(re.findall(r"<b>[01]/1</b> <span[^>]*>\d+<", one)) for one in cards] == [3, 2]
    assert all("Contracts completed · Points" in one for one in cards)
