"""Who is best at what, beside what the tables of players say."""

import re
from fractions import Fraction
from html import unescape

from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in
from tests.web.test_history import text
from tests.web.test_tables import rows
from tests.web_table import PlainGame


@ON_SQLITE
def test_the_head_of_the_records_says_who_is_best_at_what(app: Flask):
    client = browser_in(app, club_in(app))
    best = (
        unescape(text(client.get("/history/records")))
        .split('<dl class="best">')[1]
        .split("</dl>")[0]
    )
    told = {
        title: (set(re.findall(r'class="name[^>]*>([^<]+)<', names)), value)
        for title, names, value in re.findall(
            r"<dt[^>]*>([^<]+)</dt><dd>(.*?)</dd><dd><b>([^<]+)</b>", best, re.DOTALL
        )
    }
    players = [one for one in rows(client, "/tables/players.csv") if int(one["games"])]
    often = [one for one in players if int(one["games"]) >= 5]

    def shares(part: str, whole: str) -> dict[str, Fraction]:
        return {
            one["player"]: Fraction(int(one[part]), int(one[whole]))
            for one in often
            if int(one[whole]) >= (1 if whole == "placed" else 10)
        }

    def expected(figures: dict[str, Fraction], best: Fraction) -> set[str]:
        return {name for name, figure in figures.items() if figure == best}

    wins = {one["player"]: Fraction(one["wins"]) for one in players}
    most = max(wins.values())
    assert told.pop("Most wins") == (expected(wins, most), f"{most} wins")
    streaks = {one["player"]: Fraction(one["most"]) for one in rows(client, "/tables/streaks.csv")}
    most = max(streaks.values())
    assert told.pop("Longest winning streak") == (expected(streaks, most), f"{most} wins in a row")
    for title, part, whole, is_least in (
        ("Best average place", "place_sum", "placed", True),
        ("Lays down most often", "times_met", "contract_rounds", False),
        ("Goes out most often", "times_went_out", "contract_rounds", False),
        ("Fewest points a round when not going out", "penalty", "penalty_rounds", True),
    ):
        figures = shares(part, whole)
        best = (min if is_least else max)(figures.values())
        names, value = told.pop(title)
        assert names == expected(figures, best), title
        shown = (
            f"{float(best):.1f}" if is_least else f"{int(100 * best + Fraction(1, 2))}% of rounds"
        )
        assert value == shown, title
    assert not told


def test_a_share_of_rounds_is_a_record_only_from_so_many_rounds_on(client: FlaskClient):
    def told_after_a_game() -> str:
        game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
        for number in range(1, 8):
            assert game.close(number, out="Anna", Ben="55", Cleo="65").status_code == 303
        return text(client.get("/history/records"))

    rates = ("Lays down most often", "Goes out most often")
    seven_rounds, fourteen = told_after_a_game(), told_after_a_game()
    assert "Most wins" in seven_rounds
    assert not any(rate in seven_rounds for rate in rates)
    assert all(rate in fourteen for rate in rates)
    for page in (seven_rounds, fourteen):
        assert page.count("Figures of rounds are compared from 10 rounds on.") == 1
