"""Limits on what costs: met by nobody who plays, told plainly to who does meet them."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from limits.storage import MemoryStorage

from tests.servers import Http, Production, free_port

HAND = "/check/verdict?ask=hand&m=3H%203D%203C"
MELD = "/check/verdict?ask=meld&m=3H%203D%203C"


def statuses(client, address: str, times: int) -> list[int]:
    asked = {"HX-Request": "true"}
    return [client.get(address, headers=asked).status_code for _ in range(times)]


def test_hands_are_solved_for_one_address_a_hundred_times_a_minute_and_then_no_more(client):
    found = statuses(client, HAND, 121)
    assert set(found[:110]) == {200}
    assert found[-1] == 429
    refused = client.get(HAND.replace("/verdict", ""))
    assert "Wait a minute" in refused.get_data(as_text=True)


def test_a_question_about_one_meld_weighs_a_tenth_of_a_hand(client):
    assert set(statuses(client, HAND, 100)) == {200}
    assert set(statuses(client, MELD, 100)) == {200}


def test_another_address_is_not_affected(app, client):
    statuses(client, HAND, 121)
    other = app.test_client()
    answer = other.get(HAND, environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
    assert answer.status_code in (200, 303)


def test_a_groups_past_is_taken_out_thirty_times_an_hour(a_running_game):
    found = []
    for _ in range(31):
        with a_running_game.client.get("/data/export.json") as answer:
            found.append(answer.status_code)
    assert found == [200] * 30 + [429]


def test_wrong_codes_are_counted_though_the_shared_counts_cannot_be_reached(tmp_path):
    """In a process of its own: the limiter remembers for long that its counts were out of reach."""
    settings = {"RATE_LIMIT_STORAGE": f"redis://127.0.0.1:{free_port()}", "WORKERS": "1"}
    with Production(tmp_path, settings) as server:
        phone = Http(server.port)
        found = [phone.post("/join", {"code": "123456"}).status_code for _ in range(11)]
    assert found == [422] * 10 + [429]


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="only Linux tells the limits")
def test_a_process_holds_so_many_megabytes_and_no_more(tmp_path):
    with Production(tmp_path, {"WORKERS": "1", "WORKER_MEMORY": "300"}) as server:
        (worker,) = server.workers
        limits = Path(f"/proc/{worker}/limits").read_text(encoding="ascii")
    assert re.search(rf"Max data size +{300 * 1024 * 1024} ", limits)


def statuses_of_new_groups(app, addresses: list[str]) -> list[int]:
    sent = {"variant": "frustration", "player": ["Anna", "Ben"]}
    return [
        app.test_client()
        .post("/games", data=sent, environ_overrides={"REMOTE_ADDR": address})
        .status_code
        for address in addresses
    ]


def test_strangers_of_one_address_make_a_tenth_of_the_groups_of_all(app):
    app.config["NEW_GROUPS_PER_HOUR"] = 40
    assert statuses_of_new_groups(app, ["192.0.2.1"] * 7) == [303] * 4 + [429] * 3
    others = [f"192.0.2.{number}" for number in range(2, 42)]
    assert statuses_of_new_groups(app, others) == [303] * 36 + [429] * 4


def test_an_ipv6_network_counts_as_one_address(app):
    app.config["NEW_GROUPS_PER_HOUR"] = 40
    addresses = [f"2001:db8:0:1::{number}" for number in range(6)]
    assert statuses_of_new_groups(app, addresses) == [303] * 4 + [429] * 2
    assert statuses_of_new_groups(app, ["2001:db8:0:2::1"]) == [303]


def test_who_has_a_group_starts_as_many_games_as_they_like(app, a_running_game):
    app.config["NEW_GROUPS_PER_HOUR"] = 10
    assert statuses_of_new_groups(app, ["127.0.0.1"] * 2)[-1] == 429
    sent = {"variant": "frustration", "player": ["Anna", "Ben"]}
    found = [a_running_game.client.post("/games", data=sent).status_code for _ in range(5)]
    assert found == [303] * 5


@pytest.mark.parametrize("address", ["/games", "/join", "/nowhere", "/api/v1/games"])
def test_a_form_of_more_fields_than_any_page_has_is_not_read(client, address):
    form = {"content_type": "application/x-www-form-urlencoded"}
    assert client.post(address, data="&" * 1000, **form).status_code == 413
    assert client.post(address, data="a=b&" * 900, **form).status_code != 413


def test_requests_at_the_same_moment_are_all_counted(monkeypatch):
    """Two threads meet where the library is about to start its timer, which they do by chance."""
    counts, meeting = MemoryStorage(), Barrier(2)
    counts.timer.join()

    def set_timer(storage, timer):
        vars(storage)["timer"] = timer
        with suppress(BrokenBarrierError):
            meeting.wait(timeout=0.2)

    timer = property(lambda storage: vars(storage)["timer"], set_timer)
    monkeypatch.setattr(MemoryStorage, "timer", timer, raising=False)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: counts.incr("asked", 60), range(8)))
    assert sorted(found) == list(range(1, 9))
