"""A verdict that was recorded is shown as it was said, and never judged again."""

import json
import re
from html import unescape
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from sqlalchemy import update

from app.exchange.documents import RulingDocument
from app.exchange.schema import Misread, schema_of
from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.games import LogEntry, RecordedRuling
from tests.many_games import browser_in, play_games
from tests.watched_judge import watching
from tests.web.test_data import brought_in, exported
from tests.web_table import PlainGame

TOO_WILD = "variant=aggravation-rummy&ask=meld&kind=set&m=8H 8D 2S 2C 2D"
HAND = "variant=aggravation-rummy&ask=hand&contract=1&m=3H 3D 3C 5S 5D 5C 9H 9S 9D KD 4S"
FRENCH = {"Accept-Language": "fr"}


@pytest.fixture
def ruled(a_running_game: PlainGame) -> PlainGame:
    """A game with a meld and a hand that the table could not agree on."""
    for question in (TOO_WILD, HAND):
        sent = {"question": question, "decided": "no"}
        answer = a_running_game.client.post(f"/games/{a_running_game.key}/rulings", data=sent)
        assert answer.status_code == 303
    return a_running_game


def pages_of(app: Flask, game: PlainGame) -> list[str]:
    """Every address with nothing to fill in but the game, a round, or a player."""
    places: dict[str, Any] = {"key": game.key, "number": 1, "player": 1, "role": "watch"}
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments <= places.keys():
            with app.test_request_context():
                here = {one: places[one] for one in rule.arguments}
                found.append(app.url_for(rule.endpoint, **here))
    return found


def test_no_page_judges_what_was_recorded(app: Flask, ruled: PlainGame):
    addresses = pages_of(app, ruled)
    assert f"/games/{ruled.key}/activity" in addresses
    assert f"/games/{ruled.key}/rounds" in addresses
    for address in addresses:
        for more in ({}, {"headers": {**FRENCH, "HX-Request": "true"}}):
            with watching() as seen, ruled.client.get(address, **more) as answer:
                assert answer.status_code < 500
            assert seen.questions == [], address
    news = {"seen": "0", "changed": f"{ruled.seats['Anna']}-met", "shows": "0"}
    with watching() as seen:
        ruled.client.post(f"/games/{ruled.key}/rounds/2/close", data=news)
        ruled.client.post(f"/games/{ruled.key}/activity/1/undo")
    assert seen.questions == []


def test_recording_judges_the_question_once(a_running_game: PlainGame):
    with watching() as asked:
        a_running_game.client.get(f"/check?{HAND}")
    for switch in ("", "deal=5"):  # the second is refused: that rule cannot change
        with watching() as seen:
            sent = {"question": HAND, "switch": switch}
            answer = a_running_game.client.post(f"/games/{a_running_game.key}/rulings", data=sent)
        assert answer.status_code == (422 if switch else 303)
        assert seen.questions == asked.questions


def test_a_verdict_is_said_in_the_language_of_who_reads_it(ruled: PlainGame):
    for address in (f"/games/{ruled.key}/activity", f"/games/{ruled.key}/rounds"):
        english = ruled.client.get(address).get_data(as_text=True)
        assert "Not legal. Too many wild cards: 3 of 5" in english
        assert "You can lay it down" in english
        french = ruled.client.get(address, headers=FRENCH).get_data(as_text=True)
        assert "3 wild cards" not in french
        assert "You can lay it down" not in french


def test_the_record_says_where_the_rule_stands_that_a_verdict_rests_on(ruled: PlainGame):
    checked = ruled.client.get(f"/check?{TOO_WILD}").get_data(as_text=True)
    source = re.search(r'<p class="grounds small"><b.*?</b> (.*?)\.?</p>', checked, re.DOTALL)[1]
    assert source in ruled.client.get(f"/games/{ruled.key}/rounds").get_data(as_text=True)


OLD = "Not legal: 3 wild cards and 2 natural: a meld may have at most as many wild as natural cards"


def as_recorded_by_the_first_version(app: Flask) -> None:
    """Keep the verdict of the meld as version 1.0.0 did: as one text."""
    with app.app_context(), meaning_to_write():
        db.session.execute(update(RecordedRuling).values(recorded_verdict=None, verdict=OLD))
        for entry in db.session.query(LogEntry).filter_by(kind="ruling"):
            said = {name: one for name, one in entry.after.items() if name != "said"}
            entry.after = {**said, "verdict": OLD}
        db.session.commit()


def test_a_verdict_of_the_first_version_is_shown_as_it_was_said(app: Flask, ruled: PlainGame):
    as_recorded_by_the_first_version(app)
    for address in (f"/games/{ruled.key}/activity", f"/games/{ruled.key}/rounds"):
        with watching() as seen:
            english = ruled.client.get(address).get_data(as_text=True)
            french = ruled.client.get(address, headers=FRENCH).get_data(as_text=True)
        assert seen.questions == []
        assert "Not legal. 3 wild cards and 2 natural" in english
        assert "3 wild cards and 2 natural" in french
        assert "Not legal" not in french


def test_a_document_keeps_verdicts_as_they_were_said(app: Flask, ruled: PlainGame):
    before = json.loads(exported(ruled.client))
    kept = before["games"][0]
    assert [one["verdict"][:9] for one in kept["rulings"]] == ["Not legal", "You can l"]
    logged = [one["after"]["said"] for one in kept["log"] if one["kind"] == "ruling"]
    assert logged == [one["said"] for one in kept["rulings"]]
    assert logged[0]["verdict"]["values"]["verdict"] == {"text": "Not legal"}
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(before))
    assert json.loads(exported(other))["games"] == before["games"]


BROKEN = [
    {"verdict": "Legal"},
    {"verdict": {"text": 5}},
    {"verdict": {"text": "{x}", "values": {"y": 1}}},
    {"verdict": {"text": "{x.__class__}", "values": {"x": 1}}},
    {"verdict": {"text": "{x!r}", "values": {"x": 1}}},
    {"verdict": {"text": "{x:>99999999}", "values": {"x": 1}}},
    {"verdict": {"text": "{", "values": {"x": 1}}},
    {"verdict": {"text": "one", "plural": "many"}},
    {"verdict": {"text": "Legal"}, "source": {"text": "{x}", "values": {"x": True}}},
    {"verdict": {"text": "Legal"}, "more": 1},
    {"source": {"text": "Legal"}},
]


@pytest.mark.parametrize("said", BROKEN, ids=json.dumps)
def test_a_document_whose_verdict_cannot_be_said_is_refused(said: object):
    read = schema_of(RulingDocument).read
    plain = {"round": 1, "at": "2026-11-20T19:30:00Z", "question": "", "verdict": "Legal"}
    assert read({**plain, "said": {"verdict": {"text": "Legal"}}}).said
    with pytest.raises(Misread) as misread:
        read({**plain, "said": said})
    assert "recorded verdict" in str(misread.value.faults[0].message)


def test_a_verdict_that_fits_no_translation_is_shown_in_english(app: Flask, ruled: PlainGame):
    """As a document may bring it in: its plural is not the one that the catalogue knows."""
    count = "{count} deck can’t make contract {number}: {words}"
    said = {"verdict": {"text": count, "plural": "many", "count": 3, "values": {"count": 3}}}
    with app.app_context(), meaning_to_write():
        db.session.execute(update(RecordedRuling).values(recorded_verdict=said))
        db.session.commit()
    answer = ruled.client.get(f"/games/{ruled.key}/rounds", headers=FRENCH)
    assert answer.status_code == 200
    assert "3 of 5" in answer.get_data(as_text=True)


SWAP = "variant=aggravation-rummy&ask=swap&kind=run&m=5H JK 7H&position=2&add=6H"
TYPED = {"decided": "take it", "reason": "so did Grandma", "switch": "wild_swap=any"}


@pytest.mark.parametrize(
    "without", [left_out for count in range(4) for left_out in combinations(TYPED, count)]
)
def test_the_record_tells_what_the_rules_said_and_all_that_the_group_decided(
    a_running_game: PlainGame, without: tuple[str, ...]
) -> None:
    game, sent = a_running_game, {name: one for name, one in TYPED.items() if name not in without}
    game.client.post(f"/games/{game.key}/rulings", data={"question": SWAP, **sent})
    record = game.client.get(f"/games/{game.key}/rounds").text
    part = record.split('id="rulings"')[1].split("</section>")[0]
    told = " ".join(unescape(re.sub("<[^>]*>", " ", part)).split())
    decided = told.index("The group decided:")
    assert told.index("The rules said: Not legal. A wild card on the table stays there.") < decided
    words = {**TYPED, "switch": "You can swap for wild cards in everyone’s melds."}
    assert [name for name, one in words.items() if one in told[decided:]] == [*sent]
    assert ("as the rules say" in told) == ({"decided", "switch"} <= {*without})


def test_a_recorded_question_is_asked_in_its_game_by_the_rules_of_now_or_of_then(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    frozen = game.client.get(f"/games/{game.key}/check").location
    asked = {"question": f"{SWAP}&{frozen.partition('?')[2]}", "switch": "wild_swap=any"}
    game.client.post(f"/games/{game.key}/rulings", data=asked)
    record = game.client.get(f"/games/{game.key}/rounds").text
    there = unescape(re.search(r'href="(/check[^"]*)">The question', record)[1])
    now = unescape(game.client.get(there).location)
    assert "By your house rules: Legal" in game.client.get(now).text
    then = game.client.get(there.removesuffix("&by=now")).text
    assert "Back to the game" in then
    assert "before round 2" in then
    assert "A wild card on the table stays there" in then
    button = re.search(r'name="(\w+)" value="(\w+)">Check by this game’s rules now', then)
    entered = {**dict(parse_qsl(there.partition("?")[2])), "m": "5H 6H JK", "add": "7H"}
    sent = game.client.get("/check", query_string={**entered, button[1]: button[2]})
    shown = game.client.get(sent.location).text
    assert "Your house rule decides: You can swap for wild cards in everyone’s melds." in shown
    assert re.search(r'value="5H 6H JK"', shown)
    assert re.search(r'value="7H"', shown)
    assert "Back to the game" in shown
    assert not re.search("before round|by this game’s rules now", shown)


def test_who_asked_is_who_held_the_seat_in_that_round(client: Any) -> None:
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben Cleo")
    asks = {"question": "ask=meld&kind=set&m=5H+5D+5C", "asked_by": game.seats["Anna"]}
    stand_in = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
    client.post(f"/games/{game.key}/rulings", data=asks)
    for number, name in ((1, "Dora"), (2, "Anna")):
        game.close_anyway(number, out="Ben", Anna="5", Cleo="10")
        client.post(stand_in, data={"name": name})
        client.post(f"/games/{game.key}/rulings", data=asks)
    expected = ["Anna", "Dora", "Anna"]
    asked = re.compile(r"[,·] (\w+) asked<")
    assert asked.findall(client.get(f"/games/{game.key}/rounds").text) == expected
    assert asked.findall(client.get("/group/rulings").text) == expected


@pytest.mark.parametrize(
    ("words", "quoted"),
    [("flip", "A card <mark>flip</mark>ped"), ("tonight", "only for <mark>tonight</mark>")],
)
def test_a_game_is_found_by_what_was_decided_in_it_and_why(
    a_running_game: PlainGame, words: str, quoted: str
) -> None:
    client, at = a_running_game.client, f"/games/{a_running_game.key}"
    client.post(f"{at}/dealing/2/void", data={"reason": "A card flipped"})
    client.post(f"{at}/rulings", data={"question": SWAP, "decided": "only for tonight"})
    assert quoted in client.get(f"/history?words={words}").text
    assert quoted not in client.get("/history?words=elsewhere").text
