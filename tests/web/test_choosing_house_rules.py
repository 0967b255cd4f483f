"""House rules as they are chosen for a new game."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web.test_own_rule_sets import made
from tests.web_table import PlainGame, fields_of


@pytest.mark.parametrize(("language", "whole"), [("en", "yes, and you also draw"), ("fr", "oui, ")])
def test_what_is_chosen_of_a_house_rule_is_read_whole_below_its_list(
    client: FlaskClient, language: str, whole: str
) -> None:
    there = {"headers": {"Accept-Language": language}}
    fresh = client.get("/games/new/frustration", **there).get_data(as_text=True)
    about = re.compile(r'id="about-buying"[^>]*>(?:<b class="sentence">([^<]*)</b>)?')
    assert about.findall(fresh) == [""]
    sent = {"rule-buying": "one_more_card"}
    there["headers"] |= {"HX-Request": "true"}
    answer = client.post("/games/new/frustration/effect", data=sent, **there)
    told = about.findall(answer.get_data(as_text=True))
    assert len(told) == 1
    assert told[0].startswith(whole)


def test_what_is_dealt_and_wild_is_said_by_the_house_rules_that_are_chosen(
    client: FlaskClient,
) -> None:
    fresh = client.get("/games/new/frustration-rummy").get_data(as_text=True)
    assert re.search(r'id="deal".*?13 cards each ·\s*2 decks.*?Runs in one suit', fresh, re.DOTALL)
    sent = {"rule-deal": "12", "rule-decks": "3", "rule-run_suit": "any"}
    answer = client.post(
        "/games/new/frustration-rummy/effect", data=sent, headers={"HX-Request": "true"}
    )
    told = answer.get_data(as_text=True)
    deal = re.compile(
        r'id="deal"[^>]*hx-swap-oob.*?12 cards each ·\s*3 decks.*?Runs of any suits', re.DOTALL
    )
    assert deal.search(told), told


def test_what_is_not_the_groups_own_stands_under_a_heading_of_its_own(client: FlaskClient) -> None:
    made(client, "frustration")
    page = client.get("/rules").get_data(as_text=True)
    headings = re.findall(r"<h2>([^<]*)</h2>", page)
    assert headings[:2] == ["Custom rules", "Frustration family"]
    assert page.index("Frustration family") < page.index("/rules/aggravation-rummy")


def test_house_rules_lead_to_where_card_values_are_chosen(client: FlaskClient) -> None:
    page = client.get("/games/new/twelve-step-rummy").get_data(as_text=True)
    (there,) = re.findall(r'href="([^"]+)">Other card values', page)
    assert 'name="points-JK"' in client.get(there).get_data(as_text=True)
    assert "Other card values" not in client.get("/games/new/points-only").get_data(as_text=True)


def setup_after(client: FlaskClient, button: str = "", variant: str = "frustration") -> str:
    """The page of a new game, or what a button of it is answered with."""
    address = f"/games/new/{variant}"
    page = client.get(address).get_data(as_text=True)
    if button:
        sent = fields_of(page, "new-game") | {"player": ["Cleo", "Dora"], "arrange": button}
        page = client.post(address, data=sent).get_data(as_text=True)
    return page


def chosen(page: str) -> dict[str, str]:
    """The house rules that a page of a new game sends, without those that are asked apart."""
    sent = fields_of(page, "new-game")
    apart = ("rule-last_contract", "rule-keep_score")
    return {
        name: value
        for name, value in sent.items()
        if name.startswith("rule-") and value and name not in apart
    }


def test_a_new_game_begins_with_the_house_rules_of_the_last_by_its_rule_set(client: FlaskClient):
    ours = {"rule-knock": "false", "rule-buying": "one_more_card"}
    said, button = "House rules as last time.", "last-rules"
    fresh = setup_after(client)
    assert chosen(fresh) == {}
    assert not {said, button} & set(re.findall(rf"{said}|{button}", fresh))
    PlainGame.started(client, "frustration", "Anna Ben", **ours, **{"rule-last_contract": "7"})
    PlainGame.started(client, "carioca", "Anna Ben")
    again = setup_after(client)
    assert (chosen(again), said in again) == (ours, True)
    assert fields_of(again, "new-game")["rule-last_contract"] == "7"
    standard = setup_after(client, "standard-rules")
    assert (chosen(standard), said in standard, button in standard) == ({}, False, True)
    assert fields_of(standard, "new-game")["rule-last_contract"] == "10"
    assert re.findall(r'name="player" value="(\w+)"', standard) == ["Cleo", "Dora"]
    assert chosen(setup_after(client, button)) == ours
    for variant in ("carioca", "frustration-rummy"):
        assert said not in setup_after(client, variant=variant)
    client.post("/games/new/frustration/rules", data={})
    usual = setup_after(client)
    assert (chosen(usual), said in usual, button in usual) == ({}, False, False)


KNOCK = {"question": "ask=meld&kind=set&m=5H 5D 5C", "switch": "knock=false"}


def test_what_a_game_changes_of_its_house_rules_holds_in_the_next_one(client: FlaskClient) -> None:
    """Whoever starts it, and whatever the group had set before; what it sets later counts more."""
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-buying": "one_more_card"})
    for usual in ({}, {"rule-knock": "true"}, {"rule-deal": "10", "rule-knock": "true"}):
        if usual:
            client.post("/games/new/frustration/rules", data=usual)
            game = PlainGame.started(client, "frustration", "Anna Ben", **usual)
        assert "rule-knock" not in chosen(setup_after(client))
        assert client.post(f"/games/{game.key}/rulings", data=KNOCK).status_code == 303
        assert chosen(setup_after(client))["rule-knock"] == "false"
        assert game.close_anyway(1, out="Anna").status_code == 303
        stop = {**fields_of(game.page, "round"), "result": "yes"}
        client.post(f"/games/{game.key}/stop", data=stop)
        expected = {name: value for name, value in usual.items() if name != "rule-knock"}
        expected |= {"rule-knock": "false"} | ({} if usual else {"rule-buying": "one_more_card"})
        assert chosen(setup_after(client)) == expected
        counted = f"{len(expected)} house rule{'s' * (len(expected) > 1)} "
        assert counted + "stay" in game.page
        assert usual or counted + "stay" in client.get("/").text  # where no game is running
        assert "<li>You don’t announce your last card.</li>" in game.page
        again = client.post(f"/games/{game.key}/rematch").location
        assert counted + "hold" in client.get(again).text
        assert "You don’t announce your last card." in client.get(f"{again}/rounds").text
    client.post("/games/new/frustration/rules", data={})
    assert chosen(setup_after(client)) == {}


def test_what_a_groups_own_rule_set_changes_is_no_house_rule_of_its_last_game(client: FlaskClient):
    own = made(client, rule__knock="false")
    PlainGame.started(client, own, "Anna Ben", **{"rule-buying": "one_more_card"})
    assert chosen(setup_after(client, variant=own)) == {"rule-buying": "one_more_card"}


def test_the_editor_goes_by_the_name_that_is_typed_and_speaks_of_rules(client):
    page = client.get("/rules/custom/new?base=frustration").text
    assert "No rule changed yet." in page
    form = fields_of(page, "rule-set")
    sent, headers = {**form, "name": "Grandma’s"}, {"HX-Request": "true"}
    drawn = client.post("/rules/custom/draft", data=sent, headers=headers).text
    assert re.search(r'<h1 id="draft-title" hx-swap-oob="true">Grandma’s</h1>', drawn)
