"""Every address says who may use it."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actions.groups import Role
from tests.web_table import PlainGame

WHO = {
    "home.index": None,
    "groups.new": None,
    "groups.set_up": None,
    "groups.list_players": None,
    "games.choose": None,
    "games.new": None,
    "games.arrange": None,
    "games.start": None,
    "games.preview_house_rules": None,
    "games.keep_rules": Role.MANAGE,
    "games.show": Role.WATCH,
    "games.claim_player": Role.WATCH,
    "games.live": Role.WATCH,
    "games.stream": Role.WATCH,
    "games.screen": Role.WATCH,
    "games.players": Role.WATCH,
    "games.join": Role.SCORE,
    "games.leave": Role.SCORE,
    "games.stand_in": Role.SCORE,
    "games.play_on": Role.SCORE,
    "games.ask_stop": Role.SCORE,
    "corrections.show": Role.SCORE,
    "corrections.correct_score": Role.SCORE,
    "corrections.keep_points": Role.SCORE,
    "corrections.remove_correction": Role.SCORE,
    "corrections.show_holder": Role.SCORE,
    "corrections.correct_holder": Role.SCORE,
    "games.stop": Role.SCORE,
    "games.rematch": Role.SCORE,
    "games.undo_start": Role.SCORE,
    "rulesets.show_all": None,
    "rulesets.new": None,
    "rulesets.make": None,
    "rulesets.redraw_editor": None,
    "rulesets.show": Role.WATCH,
    "rulesets.edit": Role.SCORE,
    "rulesets.save": Role.SCORE,
    "rulesets.remove": Role.MANAGE,
    "rulesets.restore": Role.MANAGE,
    "rulesets.download": Role.WATCH,
    "rulesets.start_import": None,
    "rulesets.preview_import": None,
    "rulesets.save_import": None,
    "faq.index": None,
    "faq.show": None,
    "faq.sheet": None,
    "faq.show_for_game": Role.WATCH,
    "checker.check": None,
    "checker.verdict": None,
    "checker.from_game": Role.WATCH,
    "checker.record_ruling": Role.SCORE,
    "rulings.index": Role.WATCH,
    "rulings.edit": Role.SCORE,
    "rulings.house_rules": Role.SCORE,
    "rulings.change_house_rule": Role.SCORE,
    "rulings.remove": Role.SCORE,
    "history.record": Role.WATCH,
    "dealing.show": Role.SCORE,
    "dealing.void_deal": Role.SCORE,
    "dealing.choose_dealer": Role.SCORE,
    "dealing.change_seats": Role.SCORE,
    "dealing.arrange": Role.SCORE,
    "rounds.show": Role.WATCH,
    "rounds.take_tap": Role.SCORE,
    "rounds.save": Role.SCORE,
    "rounds.end_round": Role.SCORE,
    "rounds.reopen_round": Role.SCORE,
    "rounds.edit_round": Role.SCORE,
    "rounds.show_note": Role.SCORE,
    "rounds.note_round": Role.SCORE,
    "language.choose": None,
    "faq.tour": None,
    "faq.skip_tour": None,
    "history.index": Role.WATCH,
    "history.records": Role.WATCH,
    "tables.download": Role.WATCH,
    "evenings.calendar": Role.WATCH,
    "players.milestones": Role.WATCH,
    "groups.switch_milestones": Role.MANAGE,
    "seasons.index": Role.WATCH,
    "seasons.show": Role.WATCH,
    "seasons.new": Role.MANAGE,
    "seasons.make": Role.MANAGE,
    "seasons.edit": Role.MANAGE,
    "seasons.change": Role.MANAGE,
    "seasons.remove": Role.MANAGE,
    "seasons.leave_out": Role.MANAGE,
    "seasons.settle": Role.MANAGE,
    "evenings.index": Role.WATCH,
    "evenings.show": Role.WATCH,
    "evenings.picture": Role.WATCH,
    "seasons.picture": Role.WATCH,
    "evenings.leave_out": Role.MANAGE,
    "evenings.mark": Role.MANAGE,
    "history.show_deleted": Role.MANAGE,
    "history.restore": Role.MANAGE,
    "history.describe": Role.SCORE,
    "history.archive": Role.MANAGE,
    "history.delete": Role.MANAGE,
    "history.share": Role.MANAGE,
    "history.picture": Role.WATCH,
    "history.shared": None,
    "history.shared_picture": None,
    "players.index": Role.WATCH,
    "players.add": Role.SCORE,
    "players.show": Role.WATCH,
    "players.rename": Role.MANAGE,
    "players.change_mark": Role.SCORE,
    "players.archive": Role.MANAGE,
    "players.merge": Role.MANAGE,
    "players.separate": Role.MANAGE,
    "data.index": Role.MANAGE,
    "data.begin": None,
    "data.schema": None,
    "data.export_json": Role.MANAGE,
    "data.export_csv": Role.MANAGE,
    "data.preview": Role.MANAGE,
    "data.import_file": Role.MANAGE,
    "past_games.name_player": Role.MANAGE,
    "past_games.new": Role.MANAGE,
    "past_games.add": Role.MANAGE,
    "past_games.edit": Role.MANAGE,
    "past_games.save": Role.MANAGE,
    "assets.show": None,
    "offline.manifest": None,
    "offline.worker": None,
    "offline.page": None,
    "activity.show": Role.WATCH,
    "activity.undo": Role.SCORE,
    "groups.show": Role.WATCH,
    "groups.edit_device": Role.WATCH,
    "groups.leave": Role.WATCH,
    "groups.switch_group": None,
    "groups.dismiss_way_back": Role.MANAGE,
    "groups.dismiss_removals": None,
    "groups.rename": Role.MANAGE,
    "groups.change_role": Role.MANAGE,
    "groups.remove_device": Role.MANAGE,
    "groups.show_removed_device": Role.MANAGE,
    "groups.undo_removal": Role.MANAGE,
    "groups.remove_invitees": Role.MANAGE,
    "groups.replace_group_links": Role.MANAGE,
    "groups.link": Role.MANAGE,
    "groups.replace_link": Role.MANAGE,
    "groups.choose_invite_role": Role.MANAGE,
    "groups.show_code": Role.MANAGE,
    "groups.joined_devices": Role.MANAGE,
    "groups.end_code": Role.MANAGE,
    "tokens.show_all": Role.MANAGE,
    "tokens.make": Role.MANAGE,
    "tokens.revoke": Role.MANAGE,
    "invites.show_code_form": None,
    "invites.join_by_code": None,
    "invites.open_link": None,
    "invites.join_by_link": None,
}
"""Endpoint and the role that it takes; None: open to all."""

INTERFACE = {
    "api_document.openapi_document": None,
    "api_document.page": None,
    "api_rule_sets.all_rule_sets": Role.WATCH,
    "api_rule_sets.one_rule_set": Role.WATCH,
    "api_rule_sets.keep_rule_set": Role.SCORE,
    "api_rule_sets.change_rule_set": Role.SCORE,
    "api_rule_sets.remove_rule_set": Role.MANAGE,
    "api_rule_sets.judge": Role.WATCH,
    "api_statistics.players": Role.WATCH,
    "api_statistics.one_player": Role.WATCH,
    "api_statistics.rivalry": Role.WATCH,
    "api_statistics.contracts": Role.WATCH,
    "api_statistics.records": Role.WATCH,
    "api_statistics.milestones": Role.WATCH,
    "api_statistics.evenings": Role.WATCH,
    "api_statistics.one_evening": Role.WATCH,
    "api_statistics.seasons": Role.WATCH,
    "api_statistics.one_season": Role.WATCH,
    "api_statistics.mark": Role.MANAGE,
    "api_statistics.leave_out": Role.MANAGE,
    "api_statistics.make_season": Role.MANAGE,
    "api_statistics.change_season": Role.MANAGE,
    "api_statistics.remove_season": Role.MANAGE,
    "api_statistics.settle_season": Role.MANAGE,
    "api_rulings.all_rulings": Role.WATCH,
    "api_rulings.edit_ruling": Role.SCORE,
    "api_rulings.remove_ruling": Role.SCORE,
    "api_games.all_games": Role.WATCH,
    "api_games.one_game": Role.WATCH,
    "api_games.standings": Role.WATCH,
    "api_games.all_rounds": Role.WATCH,
    "api_games.start": Role.SCORE,
    "api_games.set_row": Role.SCORE,
    "api_games.end_round": Role.SCORE,
    "api_games.edit_round": Role.SCORE,
    "api_games.note_round": Role.SCORE,
    "api_games.reopen_round": Role.SCORE,
    "api_games.void_round": Role.SCORE,
    "api_games.choose_dealer": Role.SCORE,
    "api_games.change_seats": Role.SCORE,
    "api_games.reopen": Role.SCORE,
    "api_games.stop": Role.SCORE,
    "api_games.correct_score": Role.SCORE,
    "api_games.keep_points": Role.SCORE,
    "api_games.remove_correction": Role.SCORE,
    "api_games.join": Role.SCORE,
    "api_games.leave": Role.SCORE,
    "api_games.correct_holder_of": Role.SCORE,
    "api_games.stand_in": Role.SCORE,
    "api_games.export": Role.MANAGE,
}
"""The same for the JSON interface, whose roles are those of tokens."""


def test_every_address_is_in_the_table_of_roles_and_has_the_role_it_says(app: Flask) -> None:
    views = {name: view for name, view in app.view_functions.items() if name != "static"}
    assert {name: view.role for name, view in views.items()} == WHO | INTERFACE


PLACES = {"variant_id": "frustration", "role": "watch", "secret": "x", "ruling": "x"}
GUARDED = {name: role for name, role in WHO.items() if role is not None}


@pytest.fixture
def phones(app: Flask, a_running_game: PlainGame) -> dict[Role | None, FlaskClient]:
    """A phone for each role in the group of a running game, and a stranger's."""
    from app.actions.groups import JoiningBrowser, admit
    from app.extensions import db
    from app.store.engine import meaning_to_write

    made: dict[Role | None, FlaskClient] = {None: app.test_client()}
    with app.app_context(), meaning_to_write():
        for role in Role:
            joined = admit(db.session(), JoiningBrowser(), 1, role, datetime.now(UTC))
            made[role] = app.test_client()
            made[role].set_cookie("meldkeeper", joined.secret)
        db.session.commit()
    return made


def addresses(app: Flask, endpoint: str, key: str) -> list[tuple[str, str]]:
    """The methods and the address of an endpoint, for the game with that key."""
    rule = next(one for one in app.url_map.iter_rules() if one.endpoint == endpoint)
    with app.test_request_context():
        values: dict[str, Any] = dict.fromkeys(rule.arguments, 1) | PLACES | {"key": key}
        address = app.url_for(endpoint, **{name: values[name] for name in rule.arguments})
    return [(method, address) for method in ("GET", "POST") if method in (rule.methods or ())]


def test_a_stranger_learns_nothing_about_a_game(
    app: Flask, a_running_game: PlainGame, phones: dict[Role | None, FlaskClient]
) -> None:
    for endpoint in GUARDED:
        for method, address in addresses(app, endpoint, a_running_game.key):
            answer = phones[None].open(address, method=method)
            assert answer.status_code == 404, endpoint
            assert a_running_game.key not in answer.get_data(as_text=True), endpoint


@pytest.mark.parametrize("endpoint", GUARDED)
def test_each_weaker_role_sees_a_friendly_refusal_and_the_others_are_let_through(
    app: Flask, a_running_game: PlainGame, phones: dict[Role | None, FlaskClient], endpoint
) -> None:
    for method, address in addresses(app, endpoint, a_running_game.key):
        for role in Role:
            answer = phones[role].open(address, method=method)
            assert (answer.status_code == 403) == (role < GUARDED[endpoint])
            if answer.status_code == 403:
                said = "can only watch" if role == Role.WATCH else "can’t do that"
                assert f"This device {said}" in answer.get_data(as_text=True)


def test_every_change_without_the_forms_token_is_refused(
    app: Flask, a_running_game: PlainGame, phones: dict[Role | None, FlaskClient]
) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    for endpoint in WHO:
        for method, address in addresses(app, endpoint, a_running_game.key):
            if method == "POST":
                answer = phones[Role.MANAGE].post(address)
                assert answer.status_code == 400, endpoint
                assert "This page has expired" in answer.get_data(as_text=True)


def test_another_groups_game_is_as_if_it_were_not_there(
    app: Flask, a_running_game: PlainGame, phones: dict[Role | None, FlaskClient]
) -> None:
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    for endpoint in GUARDED:
        for method, address in addresses(app, endpoint, other.key):
            if other.key in address:
                assert phones[Role.MANAGE].open(address, method=method).status_code == 404


FOR_EVERYBODY = {"assets.show", "offline.manifest"}


def test_no_answer_but_what_is_the_same_for_everybody_is_kept_on_its_way(
    app: Flask, a_running_game: PlainGame, phones: dict[Role | None, FlaskClient]
) -> None:
    made = phones[Role.MANAGE].post("/group/tokens", data={"name": "all", "role": "manage"})
    secret = re.search(r'value="([\w-]{43})"', made.get_data(as_text=True))[1]
    token = {"Authorization": f"Bearer {secret}"}
    found = set()
    for endpoint in (WHO | INTERFACE).keys() - FOR_EVERYBODY:
        for method, address in addresses(app, endpoint, a_running_game.key):
            if method == "GET":
                with phones[Role.MANAGE].get(address, headers=token) as answer:
                    assert answer.headers["Cache-Control"] == "no-store", endpoint
                    found |= {endpoint} if answer.status_code == 200 else set()
    assert {"api_games.export", "api_games.one_game", "data.export_json", "home.index"} <= found
