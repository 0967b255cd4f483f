"""Where contracts come first and points second, screens show both, the one that ranks larger."""

import re

import pytest
from flask.testing import FlaskClient

from app.rules.rule_sets import rule_set_by_id
from tests.rules.test_variants import IDS
from tests.web_table import PlainGame


def _text(client: FlaskClient, address: str) -> str:
    return client.get(address).get_data(as_text=True)


def _figures(page: str, pattern: str) -> list[tuple[str, str]]:
    """Those of the part of a page that a pattern finds, each with how large it is shown."""
    part = re.search(pattern, page, re.DOTALL)
    assert part
    return re.findall(r'<span class="(score|small)">([^<]+)<', part[1])


@pytest.mark.parametrize("kept", [True, False])
def test_each_screen_of_a_game_shows_what_ranks_largest(client: FlaskClient, kept: bool):
    for variant_id in IDS:
        variant = rule_set_by_id(variant_id)
        optional = variant.score_is_optional
        if not (kept or optional):
            continue
        chosen = {"rule-keep_score": "yes" if kept else "no"} if optional else {}
        game = PlainGame.started(client, variant_id, "Anna Ben Cleo", **chosen)
        points = {"Anna": "10", "Ben": "30"} if kept else {}
        assert game.close(1, out="Cleo", met="Anna", **points).status_code == 303
        at, anna = f"/games/{game.key}", game.seats["Anna"]
        largest = f"1/{variant.last_contract}" if optional else "10"
        shown = [("small", "10")] * (kept and optional) + [("score", largest)]
        in_row = _figures(_text(client, at), rf'id="row-{anna}".*?"row-stands"(.*?)</summary>')
        assert in_row == (shown if kept else []), variant_id  # else the contract is on the card
        for page, row in (("", r'<li[^>]*>(?:(?!</li>).)*board-name">Anna(.*?)</li>'),
                          ("/screen", rf'id="screen-{anna}"(.*?)</li>')):  # fmt: skip
            assert _figures(_text(client, at + page), row) == shown, variant_id
        assert f"Anna</span></span> <b>{largest}</b>" in _text(client, "/")
        client.post(f"{at}/stop", data={"result": "yes"})
        assert f"Anna</span></span> <b>{largest}</b>" in _text(client, "/history").split("<li>")[1]
        for page in ("", "/rounds"):
            found = _figures(_text(client, at + page), r'standing-name">Anna(.*?)</li>')
            assert found[-1] == ("score", largest), variant_id
            assert len(found) == 1 + kept
        picture = _text(client, f"{at}/result.svg")
        assert re.search(rf'font-size="44"[^>]*>{largest}<', picture), variant_id


def test_the_picture_of_a_result_says_which_figures_are_points_and_who_left(client: FlaskClient):
    points = {"rule-keep_score": "yes"}
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **points)
    game.close_anyway(1, out="Anna", met="Ben", Ben="15", Cleo="60")
    client.post(f"/games/{game.key}/players/{game.seats['Cleo']}/leave", data={"cards": ""})
    picture = _text(client, f"/games/{game.key}/result.svg")
    assert re.findall(r">(\d+ points)<", picture) == ["0 points", "15 points", "60 points"]
    assert re.findall(r">(\w+)<tspan[^>]*>\W*left<", picture) == ["Cleo"]


def test_a_place_explains_itself_by_a_tap_without_scripts(a_running_game: PlainGame):
    game = a_running_game
    page = _text(game.client, f"/games/{game.key}")
    said = "Place 2: more points than Anna."
    menu = re.search(
        r'<div class="person-menu" role="group" aria-label="Ben">(.*?)</div>', page, re.S
    )
    assert menu
    assert said in menu[1]
    game.client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    for address in ("", "/rounds"):
        page = _text(game.client, f"/games/{game.key}{address}")
        assert re.search(
            rf"<details>\s*<summary class=\"standing (?:(?!</details>).)*{said}", page, re.S
        )
