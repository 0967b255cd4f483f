"""What a form of a game was filled with is still in it when it is refused, and why is said."""

import re
from urllib.parse import parse_qsl, quote

import pytest
from flask import Flask

from tests.web_table import PlainGame, shown_fields

LONG = "x" * 201
TOO_LONG = "Use 200 characters or fewer"
STALE = "isn’t open"
NO_NUMBER = "Enter a number or a sum"
ENTERED = "out={Ben}&{Anna}-typed=ten&{Cleo}-typed=5&{Cleo}-met=on"
QUESTION = quote("variant=aggravation-rummy&ask=meld&kind=set&m=8H 8D 2S 2C 2D")

REFUSED = {
    "rounds/2/save": (ENTERED, NO_NUMBER),
    "rounds/2/row": ("changed={Anna}-typed&{Anna}-typed=ten", NO_NUMBER),
    "rounds/2/close": (ENTERED, NO_NUMBER),
    "rounds/2/undo": ("", "The game was changed meanwhile"),
    "rounds/1": (f"{ENTERED}&reason=wrong&note=The+famous+one", NO_NUMBER),
    "rounds/1/note": (f"note={LONG}", TOO_LONG),
    "corrections": (f"seat={{Ben}}&direction=take_off&points=5&number=2&reason={LONG}", TOO_LONG),
    "corrections/seat/{Anna}": ("name=Cleo", "already"),
    "dealing/1/void": ("reason=misdeal", STALE),
    "dealing/2/void": (f"reason={LONG}", TOO_LONG),
    "dealing/1/dealer": ("seat={Cleo}", STALE),
    "dealing/1/seats": ("player=Cleo&player=Ben&player=Anna", STALE),
    "players": (
        "name=Ben&after={Anna}&contract=other&other_contract=3&score=other&other_score=7",
        "is already playing",
    ),
    "players/{Anna}/stand-in": ("name=Ben", "change nothing here: the points stay Anna’s."),
    "about": (f"title={LONG}&note=The+famous+one", "characters or fewer"),
    "rulings": (
        f"question={QUESTION}&asked_by={{Cleo}}&decided=No&switch=wild_limit%3Dnone&reason={LONG}",
        TOO_LONG,
    ),
}
"""Each form of a game with something that it is refused for, and what is said of that."""

NOTHING_TYPED = {
    "corrections/remove", "corrections/keep", "corrections/keep/<int:number>",
    "dealing/<int:number>/seats/arrange",
    "activity/<int:version>/undo", "players/<int:seat>/leave", "archive", "bin", "evening",
    "mine", "rematch", "reopen", "share", "stop", "start/undo",
    # Of rulings, which are of a group: `tests/web/test_rulings.py`.
    "rulings/<int:ruling_id>", "rulings/<int:ruling_id>/remove",
    "house-rules",  # `tests/web/test_rules_of_the_game.py`
}  # fmt: skip
"""Those that are buttons alone, or are never refused."""


@pytest.mark.parametrize("form", REFUSED)
def test_what_a_form_of_a_game_is_refused_for_is_said_and_what_was_typed_stays(
    a_running_game: PlainGame, form: str
) -> None:
    game, (sent, said) = a_running_game, REFUSED[form]
    address, body = (text.format(**game.seats) for text in (form, sent))
    kind = "application/x-www-form-urlencoded"
    answer = game.client.post(f"/games/{game.key}/{address}", data=body, content_type=kind)
    assert answer.status_code in (409, 422)
    assert said in answer.text
    typed = [one for one in parse_qsl(body) if one[0] not in ("changed", "question")]
    assert set(typed) <= set(shown_fields(answer.text))
    names = [value for name, value in typed if name == "player"]
    shown = [value for name, value in shown_fields(answer.text) if name == "player"]
    assert not names or shown == names


def test_each_form_of_a_game_is_among_those_refused(app: Flask) -> None:
    prefix = "/games/<key>/"
    forms = {
        rule.rule.removeprefix(prefix)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(prefix) and "POST" in (rule.methods or ())
    }
    asked = {_pattern(form) for form in REFUSED}
    assert forms == asked | NOTHING_TYPED


def _pattern(form: str) -> str:
    place = {"1": "<int:number>", "2": "<int:number>", "{Anna}": "<int:seat>"}
    return "/".join(place.get(part, part) for part in form.split("/"))


def test_a_refused_round_shows_who_went_out_as_it_was_sent(a_running_game: PlainGame) -> None:
    game, nobody = a_running_game, {"out": "nobody"}
    ben = str(game.seats["Ben"])
    first = dict.fromkeys((f"{seat}-typed" for seat in game.seats.values()), "60")
    assert game.client.post(f"/games/{game.key}/rounds/1", data=first | nobody).status_code == 303
    answer = game.client.post(f"/games/{game.key}/rounds/1", data={"out": ben})
    assert answer.status_code == 422
    assert [value for name, value in shown_fields(answer.text) if name == "out"] == [ben]


@pytest.mark.parametrize("form", ["rounds/2/row", "rounds/2/save", "rounds/2/close", "rounds/1"])
def test_a_round_refused_for_a_seat_that_does_not_play_in_it_says_so(
    a_running_game: PlainGame, form: str
) -> None:
    game = a_running_game
    sent = {"changed": "99-met", "99-met": "on", "out": str(game.seats["Ben"])}
    answer = game.client.post(f"/games/{game.key}/{form}", data=sent)
    assert answer.status_code == 422
    assert re.search(r'class="fault"[^>]*>That player isn’t in this round\.<', answer.text)


UNUSABLE = {
    "5, 10, 10": NO_NUMBER,
    "10+": "The sum ends with +",
    "9" * 9: "more than any hand adds up to",
    "9999": "points is too many",
    "-5": "can’t be less than 0",
}
"""Points that no round ends with, and what is said of them."""


@pytest.mark.parametrize("typed", UNUSABLE)
def test_points_that_cannot_stand_are_told_and_missing_until_they_are_put_right_or_emptied(
    a_running_game: PlainGame, typed: str
) -> None:
    game, seats = a_running_game, a_running_game.seats

    def tap(field: str, value: str) -> str:
        sent = {"changed": field, field: value}
        ours = {"HX-Request": "true"}
        return game.client.post(f"/games/{game.key}/rounds/2/row", data=sent, headers=ours).text

    anna, cleo = (f"{seats[name]}-typed" for name in ("Anna", "Cleo"))
    tap("out", str(seats["Ben"]))
    tap(cleo, "15")
    for page in (tap(anna, typed), tap(cleo, "5"), game.page):
        assert UNUSABLE[typed] in page
        assert "1 player’s points missing<" in page
    assert ("-typed", typed) in [(name[-6:], value) for name, value in shown_fields(game.page)]
    assert UNUSABLE[typed] in game.close(2).get_data(as_text=True)
    assert "1 player’s points missing<" in tap(anna, "")
    assert UNUSABLE[typed] not in game.page
    tap(anna, typed)
    assert "points missing<" not in tap(anna, "60")
    assert UNUSABLE[typed] not in game.page


@pytest.mark.parametrize("number", [1, 2])
def test_cards_that_cannot_be_counted_so_are_told_with_the_points_as_they_were(
    a_running_game: PlainGame, number: int
) -> None:
    game, seat = a_running_game, a_running_game.seats["Anna"]
    game.keep(2, Anna="25")
    sent = {"changed": f"{seat}-counted", **{f"{seat}-counted-{one}": "61" for one in range(4)}}
    address, ours = f"/games/{game.key}/rounds/{number}/row", {"HX-Request": "true"}
    answer = game.client.post(address, data=sent, headers=ours)
    assert answer.status_code == 422
    assert "data-refused" in answer.text
    assert "You can count up to 60 cards of a kind." in answer.text
    assert (f"{seat}-typed", "25") in shown_fields(game.page)
