"""Every address says who may use it."""

import pytest
from flask import Flask

from app.actions.groups import Role

WHO = {
    "home.index": None,
    "health.alive": None,
    "health.ready": None,
    "games.choose": None,
    "games.new": None,
    "games.arrange": None,
    "games.start": None,
    "games.show": Role.WATCH,
    "games.live": Role.WATCH,
    "games.screen": Role.WATCH,
    "games.players": Role.WATCH,
    "games.join": Role.SCORE,
    "games.leave": Role.SCORE,
    "games.reopen": Role.SCORE,
    "games.rematch": Role.SCORE,
    "rulings.index": None,
    "rulings.show": None,
    "rulings.sheet": None,
    "rulings.of_game": Role.WATCH,
    "checker.check": None,
    "checker.verdict": None,
    "checker.from_game": Role.WATCH,
    "checker.record": Role.SCORE,
    "rounds.show_all": Role.WATCH,
    "rounds.show": Role.WATCH,
    "rounds.set_row": Role.SCORE,
    "rounds.save": Role.SCORE,
    "rounds.close": Role.SCORE,
    "rounds.undo": Role.SCORE,
    "rounds.mend": Role.SCORE,
    "log.show": Role.WATCH,
    "log.undo": Role.SCORE,
    "groups.show": Role.WATCH,
    "groups.this_is_me": Role.WATCH,
    "groups.leave": Role.WATCH,
    "groups.look": None,
    "groups.rename": Role.MANAGE,
    "groups.put_out": Role.MANAGE,
    "groups.link": Role.MANAGE,
    "groups.replace_link": Role.MANAGE,
    "groups.choose_role": Role.MANAGE,
    "groups.let_in": Role.MANAGE,
    "groups.arrivals": Role.MANAGE,
    "groups.end_code": Role.MANAGE,
    "joining.ask": None,
    "joining.by_code": None,
    "joining.open_link": None,
    "joining.by_link": None,
}
"""Endpoint and the role that it takes; None: open to all."""


def test_every_address_is_in_the_table_of_roles_and_has_the_role_it_says(app: Flask):
    views = {name: view for name, view in app.view_functions.items() if name != "static"}
    assert {name: view.role for name, view in views.items()} == WHO


@pytest.mark.parametrize("endpoint", [name for name, role in WHO.items() if role is not None])
def test_a_stranger_learns_nothing_about_a_game(app: Flask, a_running_game, endpoint):
    rule = next(one for one in app.url_map.iter_rules() if one.endpoint == endpoint)
    method = "POST" if "POST" in rule.methods else "GET"
    with app.test_request_context():
        values = dict.fromkeys(rule.arguments, 1) | {"key": a_running_game.key}
        address = app.url_for(endpoint, **values)
    stranger = app.test_client()
    answer = stranger.open(address, method=method)
    assert answer.status_code == 404
    assert a_running_game.key not in answer.get_data(as_text=True)
