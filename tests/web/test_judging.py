"""Every way to the judge is counted by what is asked, and one hand is searched at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from limits import parse
from werkzeug.routing import Rule

from app.extensions import limiter
from app.rules.cards import read_cards
from app.rules.coach import coach
from app.rules.rule_sets import shipped_rule_sets, to_dict
from app.rules.solver import feasibility, solve
from app.web.faq import judge_examples
from app.web.infrastructure import rate_limits as gate
from app.web.infrastructure.rate_limits import judging
from tests.watched_judge import is_searching, watching
from tests.web.test_interface import token_for
from tests.web_table import PlainGame

HAND = "ask=hand&variant=frustration&contract=1&m=3H 3D 3C 5S 5D 5C 9H"
MELD = "ask=meld&variant=frustration&m=3H 3D 3C"
FRAGMENT = {"HX-Request": "true"}

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""What is counted and searched has nothing to do with where scores are kept."""


def counted() -> int:
    """How much of what may be asked in a minute has been asked."""
    left = limiter.limiter.get_window_stats(parse("1200/minute"), "127.0.0.1", "judging")[1]
    return 1200 - left


def has_asked(much: int) -> None:
    """Let so much have been asked in this minute."""
    limiter.limiter.hit(parse("1200/minute"), "127.0.0.1", "judging", cost=much)


@contextmanager
def another_hand() -> Iterator[None]:
    """Another hand is being searched meanwhile, in another thread."""
    begun, done = Event(), Event()

    def search() -> None:
        with gate._search_turn():
            begun.set()
            done.wait(60)

    thread = Thread(target=search)
    thread.start()
    assert begun.wait(60)
    try:
        yield
    finally:
        done.set()
        thread.join()


@dataclass
class World:
    """A game, and a token of its group; made anew when a request has taken them away."""

    app: Flask
    game: PlainGame
    token: str = ""

    def as_new(self) -> None:
        bearer = {"Authorization": f"Bearer {self.token}"}
        client, key = self.game.client, self.game.key
        if (
            client.get(f"/games/{key}/check").status_code != 303
            or client.get(f"/api/v1/games/{key}", headers=bearer).status_code != 200
        ):
            self.game = PlainGame.started(self.app.test_client(), "frustration", "Anna Ben")
            self.token = token_for(self.game.client, "manage")


def asked_in_every_way(world: World, rule: Rule) -> Iterator[dict[str, Any]]:
    """Requests for an address, by each of its methods, that ask as much as can be asked there."""
    asked = {"ask": "hand", "variant": "frustration", "contract": 1, "hand": "3H 3D 3C"}
    form = {"question": HAND, "base": "frustration", "name": "Zoe"}
    json = {
        **asked,
        "document": to_dict(shipped_rule_sets()["frustration"]),
        "name": "Zoe",
        "rows": [],
    }
    reading = ({"headers": FRAGMENT}, {"headers": FRAGMENT, "content_type": "application/json"})
    for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
        for more in reading if method == "GET" else ({"data": form}, {"json": json}):
            world.as_new()
            places = {"variant_id": "frustration", "rule_set": "frustration"}
            values = dict.fromkeys(rule.arguments, 1) | places | {"key": world.game.key}
            with world.app.test_request_context():
                here = {one: values[one] for one in rule.arguments}
                address = world.app.url_for(rule.endpoint, **here)
            bearer = {"Authorization": f"Bearer {world.token}"} if "/api/" in address else {}
            headers = {**bearer, **more.get("headers", {})}
            yield {
                "path": address,
                "method": method,
                "query_string": HAND,
                **more,
                "headers": headers,
            }


def test_no_address_reaches_the_judge_uncounted_or_searches_two_hands_at_once(
    app: Flask, a_running_game: PlainGame
):
    world, judged = World(app, a_running_game), set()
    judge_examples.cache_clear()
    requests = (
        (rule.endpoint, request)
        for rule in app.url_map.iter_rules()
        for request in asked_in_every_way(world, rule)
    )
    for endpoint, request in requests:
        limiter.reset()
        with watching() as seen:
            world.game.client.open(**request).close()
        if not seen.questions:
            assert counted() == 0, request
            continue
        judged.add(endpoint)
        searches = "solve" in seen.questions
        assert counted() >= (10 if searches else 1), request
        assert not seen.searched_freely, request
    assert judged == {
        "checker.check",
        "checker.verdict",
        "checker.record_ruling",
        "faq.show",
        "api_rule_sets.judge",
    }


WAYS = {
    "a page": {"path": f"/check?{HAND}"},
    "a fragment": {"path": f"/check/verdict?{HAND}", "headers": FRAGMENT},
    "a fragment that says that it is JSON": {
        "path": f"/check/verdict?{HAND}",
        "headers": FRAGMENT,
        "content_type": "application/json",
    },
    "HEAD": {"path": f"/check?{HAND}", "method": "HEAD"},
    "recording it": {"path": "/games/{key}/rulings", "method": "POST", "data": {"question": HAND}},
    "the interface": {
        "path": "/api/v1/judge",
        "method": "POST",
        "json": {"ask": "hand", "variant": "frustration", "contract": 1, "hand": "3H 3D 3C"},
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_a_hand_weighs_the_same_however_it_is_asked_about(a_running_game: PlainGame, way: str):
    token = token_for(a_running_game.client, "watch")
    request = {**WAYS[way], "path": str(WAYS[way]["path"]).format(key=a_running_game.key)}
    request["headers"] = {"Authorization": f"Bearer {token}", **request.get("headers", {})}
    has_asked(1190)
    assert a_running_game.client.open(**request).status_code in (200, 303)
    assert counted() == 1200
    assert a_running_game.client.open(**request).status_code == 429


def test_all_ways_are_counted_together(a_running_game: PlainGame):
    client, record = a_running_game.client, f"/games/{a_running_game.key}/rulings"
    has_asked(1180)
    assert client.post(record, data={"question": HAND}).status_code == 303
    assert client.get(f"/check/verdict?{HAND}", headers=FRAGMENT).status_code == 200
    assert client.post(record, data={"question": HAND}).status_code == 429
    assert client.get(f"/check?{HAND}").status_code == 429


def test_the_rulings_of_a_rule_set_are_judged_and_counted_once(client: FlaskClient):
    house_rule = "rule-decks=3&rule-run_both_aces=forbid&rule-wild_limit=none"
    with watching() as seen:
        client.get(f"/rules/frustration?{house_rule}")
    first = counted()
    assert "solve" in seen.questions
    assert first > 30
    client.get(f"/rules/frustration?{house_rule}&words=wild")
    assert counted() == first


def test_a_second_hand_is_asked_to_come_again_and_then_judged(client: FlaskClient):
    with another_hand():
        for address in (f"/check?{HAND}", f"/check/verdict?{HAND}"):
            answer = client.get(address, headers=FRAGMENT)
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "1"
            assert "data-ask-again" in answer.get_data(as_text=True)
    answer = client.get(f"/check?{HAND}")
    assert answer.status_code == 200
    assert "data-ask-again" not in answer.get_data(as_text=True)


def test_without_scripts_a_button_asks_again(client: FlaskClient):
    with another_hand():
        page = client.get(f"/check?{HAND}").get_data(as_text=True)
    assert "Another hand is being checked" in page
    assert 'type="submit" form="question"' in page
    assert 'value="3H 3D 3C 5S 5D 5C 9H"' in page


def test_while_a_hand_is_searched_only_one_other_waits(client: FlaskClient):
    """Whoever waits takes a thread of the server from everybody else."""
    with another_hand(), gate._places:
        assert client.get(f"/check?{HAND}").status_code == 503


def test_a_ruling_that_meets_another_hand_is_sent_again_whole(a_running_game: PlainGame):
    address = f"/games/{a_running_game.key}/rulings"
    sent = {"question": HAND, "decided": 'it "stands"', "request_key": "once"}
    with another_hand():
        answer = a_running_game.client.post(address, data=sent)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"
    assert f'action="{address}"' in page
    assert 'name="decided" value="it &#34;stands&#34;"' in page
    assert 'value="once"' not in page
    assert a_running_game.client.post(address, data=sent).status_code == 303


@pytest.mark.parametrize("unstorable", ["%00", "%ED%A0%80%00"])
def test_a_ruling_on_a_question_that_cannot_be_stored_is_refused(
    a_running_game: PlainGame, unstorable: str
):
    """The question is an address in a field: what it encodes came through no door yet."""
    sent = {"question": f"ask=meld&kind=set&m={unstorable}x", "decided": "no"}
    assert (
        a_running_game.client.post(f"/games/{a_running_game.key}/rulings", data=sent).status_code
        == 400
    )


def test_a_program_that_meets_another_hand_is_told_when_to_ask_again(a_running_game: PlainGame):
    bearer = {"Authorization": f"Bearer {token_for(a_running_game.client, 'watch')}"}
    asked = WAYS["the interface"]["json"]
    with another_hand():
        answer = a_running_game.client.post("/api/v1/judge", json=asked, headers=bearer)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"
    assert answer.json["message"] == "Another hand is being checked. Ask again."


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "There are too many ways to lay down this contract. Check it meld by meld."),
        (
            "fr",
            "Il y a trop de façons de poser ce contrat. Vérifiez-le combinaison par combinaison.",
        ),
    ],
)
def test_a_hand_that_takes_too_many_steps_is_refused_in_words(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, language: str, words: str
):
    monkeypatch.setattr(feasibility, "MOST_STEPS", 1)
    for address in (f"/check?{HAND}", f"/check/verdict?{HAND}"):
        answer = client.get(address, headers={**FRAGMENT, "Accept-Language": language})
        assert answer.status_code == 200
        assert words in answer.get_data(as_text=True)


def test_a_program_is_told_that_a_hand_takes_too_many_steps(
    a_running_game: PlainGame, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(feasibility, "MOST_STEPS", 1)
    bearer = {"Authorization": f"Bearer {token_for(a_running_game.client, 'watch')}"}
    asked = {**WAYS["the interface"]["json"], "hand": "3H 3D 3C 5S 5D 5C 9H"}
    answer = a_running_game.client.post("/api/v1/judge", json=asked, headers=bearer)
    assert answer.status_code == 422
    assert "too many ways" in answer.get_data(as_text=True)


def test_melds_taps_and_pages_never_wait_for_a_hand(a_running_game: PlainGame):
    client, key = a_running_game.client, a_running_game.key
    seat = a_running_game.seats["Anna"]
    tap = {"changed": f"{seat}-met", f"{seat}-met": "on"}
    with another_hand(), gate._places:
        for address in ("/healthz", "/", f"/games/{key}", f"/check?{MELD}", "/rules"):
            assert client.get(address).status_code == 200
        answer = client.post(f"/games/{key}/rounds/2/row", data=tap, headers=FRAGMENT)
        assert answer.status_code == 200


def test_a_fault_while_a_hand_is_searched_leaves_the_place_to_the_next(app: Flask):
    def search_in_vain() -> None:
        with judging("hand"):
            assert is_searching()
            raise RuntimeError("on the way")

    with app.test_request_context("/check", environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        for _ in range(3):
            with pytest.raises(RuntimeError, match="on the way"):
                search_in_vain()
    assert not is_searching()


def test_a_turn_that_is_not_proven_best_is_called_the_best_found(database: str):
    rules = shipped_rule_sets()["frustration"]
    proven = solve(rules, 1, read_cards("3H 3D 3C 5S 5D 5C 9H KD"))
    assert proven.is_proven_best
    told = coach(rules, 1, read_cards("3H 3D 3C 5S 5D 5C 9H KD"), (), proven, 2)
    found = replace(told, turn=replace(proven, is_proven_best=False))
    assert [str(one) for one in found.sentences] == [
        "This is the best found. There may be a better turn.",
        *(str(one) for one in told.sentences),
    ]
