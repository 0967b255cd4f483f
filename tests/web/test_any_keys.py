"""Random requests with keys drawn from a handful, from phones and programs of two groups.

What holds, whatever is sent in whatever order: a request that was carried out stands in what is
kept exactly once, and one that was refused nowhere; the same request with its key is answered as
the first time; its key for another request is refused; and nobody's key means anything to anybody
else. `MELDKEEPER_KEYS=500` walks five hundred times instead of a few.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from sqlalchemy import text

from app.actions.games import StartPlan, start_game
from app.actions.groups import JoiningBrowser, Role, admit, let_in_first_device
from app.actions.memberships import make_token
from app.actions.requests import Actor
from app.extensions import db
from app.rules.rule_sets import rule_set_by_id, to_dict
from app.store.engine import meaning_to_write
from tests.actions.table import NOON

WALKS = int(os.environ.get("MELDKEEPER_KEYS", "6"))
STEPS = 40
KEYS = ("one", "two", "three")
NO_KEYS = ("", "k" * 256, "a\tb")
HTMX = {"HX-Request": "true"}

KEPT = """
SELECT 'log', id, game_id, CAST(after AS TEXT) FROM log
UNION ALL SELECT 'rule set', id, version, name FROM rule_sets
UNION ALL SELECT 'group', id, 0, name FROM groups
UNION ALL SELECT 'player', id, group_id, name FROM players
UNION ALL SELECT 'seat', id, game_id, '' FROM seats
UNION ALL SELECT 'game', id, version, title FROM games
UNION ALL SELECT 'ruling', id, game_id, decided FROM recorded_rulings
UNION ALL SELECT 'house rules', id, group_id, CAST(rules AS TEXT) FROM default_rules
"""
CHANGES = "SELECT g.group_id, g.key, l.at, l.kind FROM log l JOIN games g ON g.id = l.game_id"


@dataclass(frozen=True)
class Asked:
    """A request. `mark` is a text that stands in what is kept as often as it was carried out."""

    door: str
    method: str
    address: str
    sent: str
    mark: str
    where: str

    @property
    def values(self) -> Any:
        return json.loads(self.sent)


@dataclass(frozen=True)
class Answered:
    """What a sender was told: status, the name of what was made, that the key is another's."""

    status: int
    made: str
    reused: bool


@dataclass(eq=False)
class Sender:
    """A phone or program of one group, and what it was told about each of its keys."""

    door: str
    client: FlaskClient
    group: int
    headers: Mapping[str, str] = field(default_factory=dict)
    told: dict[str, tuple[Asked, Answered]] = field(default_factory=dict)

    def send(self, asked: Asked, key: str | None) -> Answered:
        if self.door == "program":
            headers = {**self.headers} | ({} if key is None else {"Idempotency-Key": key})
            answer = self.client.open(
                f"/api/v1{asked.address}", method=asked.method, headers=headers, json=asked.values
            )
            told = answer.json
            made = str(told.get("key") or told.get("id") or "")
            return Answered(answer.status_code, made, "key_reused" in str(told.get("faults")))
        sent = asked.values | ({} if key is None else {"request_key": key})
        answer = self.client.post(asked.address, data=sent, headers=dict(self.headers))
        found = re.search(r"/(?:games|own)/([\w-]{12,})", answer.headers.get("HX-Location", ""))
        reused = "already saved with other values" in answer.get_data(as_text=True)
        return Answered(answer.status_code, found[1] if found else "", reused)


@dataclass
class Playing:
    """A game as it stands: its open round, version and seats."""

    key: str
    number: int
    version: int
    seats: list[int]


Drawn = tuple[str, str, dict[str, Any], str]
"""Method, address, values, and the text that is kept of them."""
Draws = Callable[[Playing, str, int], Drawn]
"""What makes a request of a game, a new word, and 0, or 1 for a request that is to be refused."""


def _tap(game: Playing, word: str, off: int) -> Drawn:
    seat, typed = game.seats[0] + 50 * off, _sum(word)
    sent = {"changed": f"{seat}-typed", f"{seat}-typed": typed, "seen": str(game.version)}
    return "POST", f"/games/{game.key}/rounds/{game.number}/row", sent, f'"{typed}"'


def _close(game: Playing, word: str, off: int) -> Drawn:
    out, *others = game.seats
    typed = {f"{seat}-typed": _sum(word) for seat in others}
    sent = {"out": str(out), "seen": str(game.version - off), **typed}
    return "POST", f"/games/{game.key}/rounds/{game.number}/close", sent, f'"{_sum(word)}"'


def _join(game: Playing, word: str, off: int) -> Drawn:
    name = "Anna" if off else word
    return "POST", f"/games/{game.key}/players", {"name": name}, f'"{name}"'


def _start(_game: Playing, word: str, off: int) -> Drawn:
    sent = {"variant": "frustration", "player": [word, word if off else f"{word} too"]}
    return "POST", "/games", sent, f'"{word}"'


def _describe(game: Playing, word: str, off: int) -> Drawn:
    title = word * 20 if off else word
    return "POST", f"/games/{game.key}/about", {"title": title}, f'"{title}"'


def _rule(game: Playing, word: str, off: int) -> Drawn:
    question = "ask=contract&contract=2&m=3H+2D+2C+2S&m=9H+9D+9C&variant=aggravation-rummy"
    sent = {"question": "" if off else question, "decided": word}
    return "POST", f"/games/{game.key}/rulings", sent, f'"{word}"'


def _keep(_game: Playing, word: str, off: int) -> Drawn:
    document = to_dict(rule_set_by_id("frustration")) | {"name": "" if off else word}
    return "POST", "/rules/custom/keep", {"document": json.dumps(document)}, word


def _rename(_game: Playing, word: str, off: int) -> Drawn:
    return "POST", "/group/name", {"name": "" if off else word}, word


def _undo(game: Playing, _word: str, off: int) -> Drawn:
    return "POST", f"/games/{game.key}/rounds/{game.number - 1 - off}/undo", {}, ""


def _row(game: Playing, word: str, off: int) -> Drawn:
    address = f"/games/{game.key}/rounds/{game.number + off}/rows/{game.seats[1]}"
    return "PUT", address, {"points": _sum(word)}, f'"{_sum(word)}"'


def _close_by_program(game: Playing, word: str, off: int) -> Drawn:
    out, *others = game.seats
    rows: list[dict[str, Any]] = [{"seat": seat, "points": _sum(word)} for seat in others]
    rows.append({"seat": out, "went_out": not off})
    return (
        "POST",
        f"/games/{game.key}/rounds/{game.number}/close",
        {"rows": rows},
        f'"{_sum(word)}"',
    )


def _start_by_program(_game: Playing, word: str, off: int) -> Drawn:
    sent = {"rule_set": "none" if off else "frustration", "players": [word, f"{word} too"]}
    return "POST", "/games", sent, f'"{word}"'


def _keep_by_program(_game: Playing, word: str, off: int) -> Drawn:
    document = to_dict(rule_set_by_id("frustration")) | {"name": "" if off else word}
    return "POST", "/rule-sets", {"document": document}, word


def _sum(word: str) -> str:
    """A penalty that no other word makes, as somebody may type it."""
    return f"5+{5 * int(word.removeprefix('W'))}"


DRAWS: dict[str, tuple[Draws, ...]] = {
    "phone": (_tap, _close, _join, _start, _describe, _rule, _keep, _rename, _undo),
    "program": (_row, _close_by_program, _join, _start_by_program, _keep_by_program, _undo),
}


class Requests(RuleBasedStateMachine):
    """Two groups with two phones and two programs each, which send and send again."""

    app: ClassVar[Flask]

    def __init__(self) -> None:
        super().__init__()
        self.words = 0
        self.asked: list[Asked] = []
        self.carried_out: Counter[Asked] = Counter()
        with self.app.app_context(), meaning_to_write():
            self.senders = [sender for name in "AB" for sender in self._group(name)]
            self.before = self._kept()

    def _group(self, name: str) -> list[Sender]:
        session, actor = db.session(), Actor(None, NOON)
        host = let_in_first_device(session, JoiningBrowser(), NOON)
        guest = admit(session, JoiningBrowser(), host.group, Role.MANAGE, NOON)
        plan = StartPlan(rule_set_by_id("aggravation-rummy"), ["Anna", "Ben", "Cleo"], 0)
        start_game(session, actor, host.group, plan)
        phones = []
        for joined in (host, guest):
            client = self.app.test_client()
            client.set_cookie("meldkeeper", joined.secret)
            phones.append(Sender("phone", client, host.group, HTMX))
        programs = []
        for number in range(2):
            secret = make_token(session, actor, host.group, f"{name}{number}", Role.MANAGE)
            bearer = {"Authorization": f"Bearer {secret}"}
            programs.append(Sender("program", self.app.test_client(), host.group, bearer))
        return phones + programs

    @rule(
        who=st.integers(0, 7),
        key=st.sampled_from((*KEYS, None)),
        what=st.integers(0, 8),
        off=st.sampled_from((0, 0, 0, 0, 1)),
    )
    def something_new_is_asked(self, who: int, key: str | None, what: int, off: int) -> None:
        sender = self.senders[who]
        self.words += 1
        draws = DRAWS[sender.door]
        game = self._playing(sender.group)
        made = draws[what % len(draws)](game, f"W{self.words}", off)
        method, address, sent, mark = made
        asked = Asked(sender.door, method, address, json.dumps(sent), mark, game.key)
        self.asked.append(asked)
        self.send(sender, asked, key)

    @precondition(lambda self: self.asked)
    @rule(who=st.integers(0, 7), key=st.sampled_from((*KEYS, None)), back=st.integers(0, 5))
    def something_is_asked_again_by_whomever(self, who: int, key: str | None, back: int) -> None:
        sender = self.senders[who]
        asked = self.asked[-1 - back % len(self.asked)]
        if asked.door == sender.door:
            self.send(sender, asked, key)

    @precondition(lambda self: any(sender.told for sender in self.senders))
    @rule(chosen=st.integers(0, 50))
    def a_request_is_sent_again_with_its_key(self, chosen: int) -> None:
        known = [(one, key) for one in self.senders for key in one.told]
        sender, key = known[chosen % len(known)]
        self.send(sender, sender.told[key][0], key)

    @precondition(lambda self: self.asked)
    @rule(who=st.integers(0, 7), key=st.sampled_from(NO_KEYS))
    def a_key_is_sent_that_is_none(self, who: int, key: str) -> None:
        sender, asked = self.senders[who], self.asked[-1]
        if asked.door == sender.door:
            assert sender.send(asked, key).status == 400
            assert self._kept_now() == self.before

    def send(self, sender: Sender, asked: Asked, key: str | None) -> None:
        """Send a request, and hold the answer and what is kept against what was before."""
        earlier = sender.told.get(key) if key else None
        answer, before = sender.send(asked, key), self.before
        self.before = self._kept_now()
        assert earlier or not answer.reused, "a key that others used is free"
        if earlier and earlier[0] == asked:
            assert answer == earlier[1], "a repeat is answered as the first time"
            assert self.before == before, "a repeat changes nothing"
        elif answer.status >= 400:
            assert self.before == before, "what was refused is nowhere"
            assert answer.status < 500
        else:
            assert earlier is None, "a key is good for one request"
            self._was_carried_out(sender, asked, before)
            if key:
                sender.told[key] = asked, answer

    def _was_carried_out(self, sender: Sender, asked: Asked, before: Counter[Any]) -> None:
        """What is new is one change, in the sender's own group, and holds what was asked."""
        new = self.before - before
        if not new:
            assert self.carried_out[asked], "what was acknowledged is kept"
            return
        self.carried_out[asked] += 1
        assert any(asked.mark in words for *_which, words in new)
        assert len({game for kind, _id, game, _words in new if kind == "log"}) <= 1
        own = [group for kind, _id, group, _words in new if kind == "player"]
        assert set(own) <= {sender.group}

    def _playing(self, group: int) -> Playing:
        with self.app.app_context():
            connection = db.session.connection()
            found = connection.execute(
                text("SELECT min(id) FROM games WHERE group_id = :of"), {"of": group}
            ).scalar()
            key, version = connection.execute(
                text("SELECT key, version FROM games WHERE id = :of"), {"of": found}
            ).one()
            closed = connection.execute(
                text("SELECT count(*) FROM rounds WHERE game_id = :of AND closed_at IS NOT NULL"),
                {"of": found},
            ).scalar_one()
            seats = connection.execute(
                text("SELECT id FROM seats WHERE game_id = :of ORDER BY position"), {"of": found}
            )
            return Playing(key, closed + 1, version, [row.id for row in seats])

    def _kept_now(self) -> Counter[Any]:
        with self.app.app_context():
            return self._kept()

    def _kept(self) -> Counter[Any]:
        return Counter(tuple(row) for row in db.session.connection().execute(text(KEPT)))

    def teardown(self) -> None:
        """Each change stands in the log once: as many changes of a kind as were acknowledged."""
        with self.app.app_context():
            changes = {
                (key, at, kind == "opened_again")
                for _group, key, at, kind in db.session.connection().execute(text(CHANGES))
            }
        of_games = Counter(key for key, _at, _undo in changes)
        for sender in self.senders:
            game = self._playing(sender.group).key
            done = sum(
                times
                for asked, times in self.carried_out.items()
                if asked.where == game and asked.address.startswith(f"/games/{game}/")
            )
            assert of_games[game] == 1 + done, "the log holds the start and what was acknowledged"


def test_whatever_is_sent_with_whatever_key_is_carried_out_once_or_not_at_all(app: Flask):
    machine = type("RequestsToOneApp", (Requests,), {"app": app})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=WALKS,
            stateful_step_count=STEPS,
            deadline=None,
            phases=[Phase.generate],  # to make a failure shorter takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
