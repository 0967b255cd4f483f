"""What is told to other devices are addresses that they can open."""

import pytest

from app.web.infrastructure.network import address_for_others, network_address

WARNING = "works on this device alone"


def _invite(game, host):
    answer = game.client.post("/group/invite", data={"role": "score"}, headers={"Host": host})
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("host", ["localhost:5301", "127.0.0.1:5301", "[::1]:5301"])
def test_a_page_opened_by_a_name_of_any_machine_tells_the_address_of_this_one(app, host):
    with app.test_request_context(base_url=f"http://{host}"):
        there = network_address(5301) or f"http://{host}"
        assert address_for_others("invites.show_code_form") == f"{there}/join"


def test_an_invite_says_so_where_the_server_is_known_by_its_own_names_alone(
    app, a_running_game, monkeypatch
):
    monkeypatch.setitem(app.config, "TRUSTED_HOSTS", ["localhost", "cards.example.org"])
    assert WARNING in _invite(a_running_game, "localhost")


def test_any_other_name_is_told_as_it_was_opened(app):
    with app.test_request_context(base_url="http://cards.example.org"):
        assert address_for_others("invites.show_code_form") == "http://cards.example.org/join"
