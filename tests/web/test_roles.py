"""What a device can do is changed by who manages the group, in the list of the devices."""

import re

import pytest

from tests.web.test_invites import joined, made_link, text

OUT = {"watch": 403, "score": 409, "manage": 409}
"""What is answered to the end of a round that a device did not see, by its role."""


def change(game, name: str, role: str, **fields: str):
    """Choose another role for the device of that name."""
    page = text(game.client.get("/group"))
    address = re.search(
        rf'action="(/group/devices/\d+/role)"(?:(?!</form>).)*aria-label="{name}"', page, re.S
    )[1]
    return game.client.post(address, data={"role": role, **fields})


def ends_round(game, phone) -> int:
    return phone.post(f"/games/{game.key}/rounds/2/close", data={"seen": "0"}).status_code


@pytest.mark.parametrize("before", OUT)
@pytest.mark.parametrize("after", OUT)
def test_a_manager_changes_what_another_device_can_do_by_one_choice(
    app, a_running_game, before, after
):
    game = a_running_game
    phone = joined(app, made_link(game, before))
    page = text(game.client.get("/group"))
    assert re.findall(r'value="(\w+)" aria-current', page) == [before]
    told = text(game.client.get(change(game, "iPhone", after).location))
    assert re.findall(r'value="(\w+)" aria-current', told) == [after]
    assert f"iPhone: Can {after}" in told
    lost = before == "manage" != after
    assert ("created on it no longer work" in told) == lost
    assert ends_round(game, phone) == OUT[after]
    assert phone.get("/group/invite").status_code == (200 if after == "manage" else 403)


def test_the_last_device_that_manages_keeps_that(app, a_running_game):
    game = a_running_game
    answer = game.client.post("/group/devices/1/role", data={"role": "score"})
    assert answer.status_code == 422
    assert "the last device that can manage the group" in text(answer)
    assert game.client.get("/group/invite").status_code == 200


def test_a_choice_that_is_sent_again_changes_nothing_and_none_is_made_elsewhere(
    app, a_running_game
):
    game = a_running_game
    phone = joined(app, made_link(game, "watch"))
    change(game, "iPhone", "score", request_key="once")
    change(game, "iPhone", "watch")
    change(game, "iPhone", "score", request_key="once")
    assert ends_round(game, phone) == OUT["watch"]
    for address, sent in (("2", "boss"), ("2", ""), ("99", "score")):
        answer = game.client.post(f"/group/devices/{address}/role", data={"role": sent})
        assert answer.status_code == 404


def test_a_page_is_shown_anew_once_its_device_can_do_more_or_less(app, a_running_game):
    game = a_running_game
    phone = joined(app, made_link(game, "watch"))

    def answers() -> list[int]:
        """Of a page of who scores, of one of who watches, and of the big screen."""
        asked = f"/games/{game.key}/live?v={version}"
        return [phone.get(asked + more).status_code for more in ("&can=score", "&can=watch", "")]

    page = text(phone.get(f"/games/{game.key}"))
    version = re.search(r'data-version="(\d+)"', page)[1]
    assert "can=watch" in page
    assert answers() == [205, 204, 204]
    change(game, "iPhone", "score")
    assert answers() == [204, 205, 204]
    assert "can=score" in text(phone.get(f"/games/{game.key}"))


def test_devices_of_one_name_are_numbered_and_told_apart_by_since_when_they_are_in(
    app, a_running_game
):
    game = a_running_game
    link, listed = made_link(game, "score"), r"<b>(iPhone[^<]*)</b>.*?(?:· since\s+<time|</li>)"
    joined(app, link)
    assert re.findall(listed, text(game.client.get("/group")), re.DOTALL) == ["iPhone"]
    joined(app, link)
    page = text(game.client.get("/group"))
    assert set(re.findall(listed, page, re.DOTALL)) == {"iPhone (1)", "iPhone (2)"}
    assert len(re.findall(r"· since\s+<time", page)) == 2
    assert change(game, r"iPhone \(2\)", "watch").status_code == 303


def test_devices_of_one_kind_are_told_apart_wherever_what_they_did_is_told(app, a_running_game):
    """By the number that the list of devices gives them, or by whose they are."""
    game, link = a_running_game, made_link(a_running_game, "score")
    phones = [joined(app, link) for _ in range(2)]
    for number, phone in enumerate(phones, 1):
        address = f"/games/{game.key}/rounds/1/note"
        assert phone.post(address, data={"note": f"Note {number}"}).status_code == 303
    told = text(game.client.get(f"/games/{game.key}/activity"))
    assert re.findall(r"<span>(iPhone[^<]*)</span>", told)[:2] == ["iPhone (2)", "iPhone (1)"]
    stale = {"note": "Another", "seen_note": "Note 1"}
    answer = game.client.post(f"/games/{game.key}/rounds/1/note", data=stale)
    assert "iPhone (2)" in text(answer)
    ben = re.search(r'value="(\d+)" *>Ben<', text(phones[1].get("/group")))[1]
    sent = {"device": "iPhone", "player": ben}
    assert phones[1].post("/group/me", data=sent).status_code == 303
    told = text(game.client.get(f"/games/{game.key}/activity"))
    assert re.findall(r"<span>(iPhone[^<]*|Ben)</span>", told)[:2] == ["Ben", "iPhone"]
