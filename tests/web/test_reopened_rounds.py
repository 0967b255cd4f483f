"""A round that is reopened is told with Undo, which ends it again."""

import re

import pytest

from tests.web.test_told_change import told, undo_address
from tests.web_table import PlainGame


def points_in(record: str) -> list[str]:
    return re.findall(r'class="(?:record-points|record-contract)">([^<]*)<', record)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_round_that_is_reopened_says_so_and_ends_again_by_undo(
    a_running_game: PlainGame, *, stopped: bool
):
    game, client = a_running_game, a_running_game.client
    if stopped:
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    before = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
    client.post(f"/games/{game.key}/rounds/1/undo")
    words = told(client, game)
    assert words == ("Game goes on · Round 1 reopened" if stopped else "Round 1 reopened")
    client.post(undo_address(game), data={"back": "game"})
    after = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
    assert points_in(after) == points_in(before)
    assert ("Play on" in after) == stopped


def test_a_reopened_round_that_holds_together_no_more_is_not_ended_by_undo(
    a_running_game: PlainGame,
):
    game = a_running_game
    game.client.post(f"/games/{game.key}/rounds/1/undo")
    undo, sent = undo_address(game), game.sent()
    sent[f"{game.seats['Anna']}-typed"] = "5"  # who goes out has no points
    game.client.post(f"/games/{game.key}/rounds/1/save", data=sent)
    assert game.client.post(undo).status_code == 422
    assert "Round 1</h2>" in game.page
