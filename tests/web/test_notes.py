"""A note on a round: by form, by interface, in the record, the activity and documents."""

import json

from flask import Flask

from tests.many_games import browser_in, play_games
from tests.web.test_data import brought_in, exported, sent
from tests.web.test_interface import token_for
from tests.web_table import PlainGame, fields_of, shown_fields


def text(answer) -> str:
    return answer.get_data(as_text=True)


def write(game: PlainGame, note: str, number: int = 1):
    return game.client.post(f"/games/{game.key}/rounds/{number}/note", data={"note": note})


def test_a_note_is_said_in_the_record_and_the_activity_also_once_the_game_is_over(
    a_running_game: PlainGame,
):
    game = a_running_game
    game.client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    assert write(game, "The famous misdeal").location.endswith("/rounds#notes")
    record = text(game.client.get(f"/games/{game.key}/rounds"))
    assert ", note</span></a>" in record
    assert "The famous misdeal" in record.split('id="notes"')[1]
    round_page = text(game.client.get(f"/games/{game.key}/rounds/1"))
    assert 'value="The famous misdeal"' in round_page
    activity = f"/games/{game.key}/activity"
    assert "Note on round 1: The famous misdeal" in text(game.client.get(activity))
    write(game, "")
    assert 'id="notes"' not in text(game.client.get(f"/games/{game.key}/rounds"))
    assert "Note on round 1 removed" in text(game.client.get(activity))


def test_a_note_that_is_too_long_is_refused_beside_its_field_and_one_of_no_round_not_found(
    a_running_game: PlainGame,
):
    answer = write(a_running_game, "x" * 201)
    assert answer.status_code == 422
    assert "Use 200 characters or fewer." in text(answer).split('id="note-text"')[1]
    assert "Use 200 characters" in text(write(a_running_game, "x" * 201, number=2))
    assert write(a_running_game, "Too early", number=3).status_code == 404


def test_the_open_round_is_noted_from_the_menu_of_the_game(a_running_game: PlainGame):
    client, at = a_running_game.client, f"/games/{a_running_game.key}"
    page = f"{at}/rounds/note"
    assert f'href="{page}"' in a_running_game.page
    assert f'action="{at}/rounds/2/note"' in text(client.get(page))
    assert write(a_running_game, "The famous misdeal", number=2).location.endswith(at)
    assert 'value="The famous misdeal"' in text(client.get(page))
    assert "The famous misdeal" in text(client.get(f"{at}/rounds"))
    client.post(f"{at}/stop", data={"result": "yes"})
    assert client.get(page).location.endswith("/rounds")


def test_a_note_over_another_that_its_writer_did_not_see_is_asked_about_with_both(
    a_running_game: PlainGame,
) -> None:
    game, at = a_running_game, f"/games/{a_running_game.key}"
    for number in (2, 1):  # the open round, and one that ended of a game that is over
        if number == 1:
            game.client.post(f"{at}/stop", data={"result": "yes"})
        page = f"{at}/rounds/note" if number == 2 else f"{at}/rounds/1"
        shown = fields_of(text(game.client.get(page)), "note" if number == 2 else "round")
        address, theirs, mine = f"{at}/rounds/{number}/note", f"Theirs {number}", f"Mine {number}"
        write(game, theirs, number)
        asked = game.client.post(address, data=shown | {"note": mine})
        assert asked.status_code == 409
        assert "Another device says something else." in text(asked)
        for note in (theirs, mine):
            assert f"<dd>{note}</dd>" in text(asked)
        record = f"{at}/rounds"
        assert mine not in text(game.client.get(record))
        write(game, "", number)  # once more: what is asked about is what was shown
        again = game.client.post(address, data=fields_of(text(asked), "note"))
        assert again.status_code == 409
        assert "<dd>Nothing entered</dd>" in text(again)
        assert game.client.post(address, data=fields_of(text(again), "note")).status_code == 303
        assert mine in text(game.client.get(record))
        same = game.client.post(address, data=shown | {"note": mine})
        assert same.status_code == 303


def test_an_edit_that_came_late_keeps_the_note_of_another_device_that_it_left_alone(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    game.close(1, out="Anna")
    at = f"/games/{game.key}/rounds/1"
    sent = fields_of(text(game.client.get(at)), "round")
    write(game, "The famous misdeal")
    edited = sent | {f"{game.seats['Ben']}-typed": "85"}
    stale = game.client.post(at, data=edited)
    assert stale.status_code == 409
    assert game.client.post(at, data=fields_of(text(stale), "round")).status_code == 303
    assert "The famous misdeal" in text(game.client.get(f"/games/{game.key}/rounds"))


def test_a_note_comes_by_the_interface_and_comes_back_with_a_document(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'manage')}"}
    address = f"/api/v1/games/{game.key}/rounds/2/note"
    answer = game.client.put(address, json={"note": " The famous  misdeal"}, headers=bearer)
    assert answer.json["notes"] == [{"round": 2, "note": "The famous misdeal"}]
    for note in ("x" * 201, None, 5):
        answer = game.client.put(address, json={"note": note}, headers=bearer)
        assert answer.status_code == 422
    first = address.replace("rounds/2", "rounds/1")
    game.client.put(first, json={"note": "Anna’s"}, headers=bearer)
    lines = text(game.client.get("/data/rounds.csv")).splitlines()
    assert [one.rpartition(",")[2] for one in lines] == ["note", *["Anna’s"] * (len(lines) - 1)]
    assert len(lines) > 1
    game.client.put(first, json={"note": ""}, headers=bearer)
    before = json.loads(exported(game.client))
    (kept,) = before["games"]
    assert kept["course"]["notes"] == [{"number": 2, "note": "The famous misdeal"}]
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(before))
    assert json.loads(exported(other))["games"] == before["games"]
    kept["course"]["notes"] *= 2
    assert "games[0].course.notes[1].number" in text(sent(other, json.dumps(before)))


def test_a_note_is_saved_with_the_edit_of_its_round_and_kept_where_that_is_refused(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    game.close(1, out="Anna")
    at = f"/games/{game.key}/rounds/1"
    sent = fields_of(text(game.client.get(at)), "round")
    refused = game.client.post(at, data=sent | {"note": "x" * 201})
    assert refused.status_code == 422
    assert "Use 200 characters or fewer." in text(refused).split('id="note-text"')[1]
    unlike = sent | {"note": "The famous misdeal", f"{game.seats['Ben']}-typed": "many"}
    assert 'value="The famous misdeal"' in text(game.client.post(at, data=unlike))
    assert game.client.post(at, data=sent | {"note": "The famous misdeal"}).status_code == 303
    assert "The famous misdeal" in text(game.client.get(f"/games/{game.key}/rounds"))
    again = fields_of(text(game.client.get(at)), "round")
    game.client.post(at, data=again | {f"{game.seats['Ben']}-typed": "85"})
    assert "The famous misdeal" in text(game.client.get(f"/games/{game.key}/rounds"))


def test_a_games_name_and_note_over_others_that_their_writer_did_not_see_are_asked_about(
    a_running_game: PlainGame,
) -> None:
    client, at = a_running_game.client, f"/games/{a_running_game.key}"
    client.post("/group/me", data={"device": "Cleo’s phone"})

    def shown_now() -> dict[str, str]:
        page = text(client.get(f"{at}/rounds"))
        fields = dict(shown_fields(page.split('/about"')[1].split("</form>")[0]))
        return {name: one for name, one in fields.items() if name != "request_key"}

    shown = shown_now()
    theirs = {"title": "The long one", "note": "It rained.\nAll night."}
    assert client.post(f"{at}/about", data=shown | theirs).status_code == 303
    late = client.post(f"{at}/about", data=shown | {"title": "With Dora"})
    assert late.status_code == 409
    assert "Cleo’s phone says something else. Which is right?" in text(late)
    assert "<dd>The long one</dd>" in text(late)
    assert "<dd>With Dora</dd>" in text(late)
    record = text(client.get(f"{at}/rounds"))
    assert "With Dora" not in record
    again = shown_now()
    assert client.post(f"{at}/about", data=again | {"title": "With Dora"}).status_code == 303
    stays = client.post(f"{at}/about", data=again | {"note": "It rained."})
    assert stays.status_code == 303
    record = text(client.get(f"{at}/rounds"))
    assert "With Dora" in record
    assert "All night." not in record
