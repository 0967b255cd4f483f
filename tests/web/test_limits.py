"""Limits on what costs: met by nobody who plays, told plainly to who does meet them."""

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
