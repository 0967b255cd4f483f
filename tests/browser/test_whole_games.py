"""Whole games on a phone to their end, with one round edited: one of each way to win and to score.

Any rule set is played by forms (`tests.web.test_any_rules`).
"""

import pytest
from playwright.sync_api import Page, expect

from app.rules.rule_sets import family_rule_sets
from tests.browser.at_the_table import GameOnPhone
from tests.browser.conftest import has_worker
from tests.builders import a_game

NAMES = "Anna Ben Cleo"
SHORTEST = {
    (one.win, one.keeps_score, one.go_out_bonus, one.exact_deal_bonus): one
    for one in sorted(family_rule_sets().values(), key=lambda one: -one.last_contract)
}
"""Of the rule sets that are won and scored in the same way, the one with the fewest contracts."""

GAMES = [
    pytest.param(one, id=one.id, marks=[] if number else [pytest.mark.worker])
    for number, one in enumerate(SHORTEST.values())
]
"""The first with the worker, which goes by addresses and knows no rules (`test_evening` has it).

It is played by taps alone; of the others the rounds in the middle are sent by forms.
"""


@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_game_is_played_to_its_end_with_an_edited_round(
    phone: Page, request: pytest.FixtureRequest, variant
) -> None:
    """Anna goes out in every round, Ben meets every second contract, Cleo none but the first.

    Points are such as all cards count that were dealt, where somebody holds them.

    Round 2 is edited in between: it was Cleo who met the contract, too.
    """
    game = GameOnPhone(phone)
    expected = a_game(variant.id, NAMES)
    by_taps = has_worker(request)
    (game.set_up if by_taps else game.start)(variant.name, NAMES)
    for number in range(1, variant.last_contract + 1):
        met = ["Ben"] * (number % 2) + ["Cleo"] * (number == 1)
        left = {"Ben": 15 if "Ben" in met else 100, "Cleo": 60 + 5 * ((number + 1) % 3)}
        penalties = left if variant.keeps_score else {}
        if by_taps or number < 4 or number == variant.last_contract:
            game.play(number, "Anna", " ".join(met), **penalties)
        else:
            typed = {name: str(points) for name, points in penalties.items()}
            ended = game.plain.close_anyway(number, out="Anna", met=" ".join(met), **typed)
            assert ended.status_code == 303
        if number == variant.last_contract - 1:
            phone.reload()
        expected = expected.round(out="Anna", met=" ".join(met), penalties=penalties)
        if number == 3:
            edit_round_two(phone)
            again = {"Ben": 100, "Cleo": 60} if variant.keeps_score else {}
            expected = expected.round(out="Anna", met="Cleo", penalties=again, number=2)
    assert expected.winners == "Anna"
    expect(phone.get_by_role("heading", name="Anna wins!")).to_be_visible()
    expect(phone.locator(".result").get_by_text(str(expected.reason))).to_be_visible()
    shown = phone.locator(".standing").all_inner_texts()
    for line, name in zip(
        shown,
        ["Anna", *sorted(["Ben", "Cleo"], key=lambda one: expected.place_of(one) or 0)],
        strict=True,
    ):
        assert name in line
        if variant.keeps_score:
            assert str(expected.score_of(name)).replace("-", "−") in line
    phone.reload()
    expect(phone.get_by_role("heading", name="Anna wins!")).to_be_visible()


def edit_round_two(phone: Page) -> None:
    GameOnPhone(phone).from_menu("Rounds")
    phone.locator("#round-2").get_by_text("Edit").tap()
    GameOnPhone(phone).meets("Cleo")
    phone.get_by_role("button", name="Save round 2").tap()
    expect(phone.locator("#round-2")).to_be_visible()
    phone.get_by_role("link", name="Back to the game").tap()
    expect(phone.locator("#round")).to_be_visible()
