"""Whatever a table did, in any order: its game goes elsewhere in a document and is the same there.

`MELDKEEPER_STATES` says how many steps are walked, `MELDKEEPER_SEED` which ones.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from app.exchange.documents import GameDocument
from app.exchange.games import game_from_document
from app.exchange.plausibility import find_implausibilities
from app.rules.house_rules import HOUSE_RULES, SWITCHABLE
from app.scorebook.dealing import players_in
from app.scorebook.events.entries import SetEntry, events_to_reach
from app.scorebook.events.event import apply_all
from app.scorebook.events.games import events_to_change_rule, events_to_stop
from app.scorebook.game import Game, SeatHolder
from app.scorebook.refusals import ConfirmationNeeded, Refused
from app.scorebook.round_results import is_over, round_results
from app.scorebook.standings import GameStatus, game_status
from app.scorebook.statistics import result_of
from app.scorebook.undo import can_be_undone
from tests.documents import events_in, game_document, numbered, seat_numbers, sent_elsewhere
from tests.scorebook import test_event_laws as laws

STATES = int(os.environ.get("MELDKEEPER_STATES", "150"))
SEED = int(os.environ.get("MELDKEEPER_SEED", "4242"))
OF_AN_EVENING = 60
TOGETHER = 25
"""So many states are read back at once."""
OFTEN = {
    "fill": 5, "end": 7, "undo_any": 10, "reopen": 3, "stand_in": 5, "return_again": 5, "go": 4,
    "buy": 4, "switch_any_rule": 4, "correct": 3, "edit": 2, "edit_when_over": 2, "someone_else": 3,
}  # fmt: skip
"""How much oftener than once a step is drawn."""
NOT_WHEN_OVER = (laws.tap, laws.fill, laws.join, laws.return_again, laws.switch)


def switch_any_rule(chance: Random, game: Game) -> laws.Change:
    rule = HOUSE_RULES[chance.choice(["buying", "buying", "most_buys", *sorted(SWITCHABLE)])]
    choices = [str(one.value).lower() for one in rule.choices] or [str(rule.least), "3"]
    return events_to_change_rule(game, rule.field, chance.choice(choices))


def buy(chance: Random, game: Game) -> laws.Change:
    """A purchase is entered, and where the rules know of none they learn of it first."""
    number = game.open_number
    if not game.rules_in(number).counts_buys:
        return events_to_change_rule(game, "buying", "one_more_card")
    seat = chance.choice(players_in(game, number)).id
    changed, _fault = SetEntry(number, seat, {"buys": chance.randint(1, 3)}).round_after(game)
    return events_to_reach(game, changed)


@dataclass(frozen=True)
class State:
    """A game after a step, what it is as a document, and the last steps to it."""

    game: Game
    document: GameDocument
    steps: tuple[str, ...]


class Walk:
    """An evening after the other, each step held to what its document says."""

    def __init__(self, seed: int) -> None:
        self.chance, self.drawn = Random(seed), Counter[str]()
        self.states, self.steps = list[State](), list[str]()
        self.begin()

    def begin(self) -> None:
        self.game, self.changes = laws.an_evening(self.chance).game, list[laws.Change]()

    def undo_any(self, chance: Random, game: Game) -> laws.Change:
        """Undo a change, an older one as often as the last."""
        offered = [one for one in self.changes if can_be_undone(game, one)]
        if not offered:
            return ()
        chosen = chance.choice([offered[-1], chance.choice(offered)])
        events = laws.events_to_undo(game, chosen)
        if events and chosen is not self.changes[-1]:
            self.drawn["undo_any of an older one"] += 1
        return events

    def step(self) -> None:
        steps = (*laws.STEPS, laws.reopen, switch_any_rule, buy, self.undo_any)
        weights = [OFTEN.get(one.__name__, 1) for one in steps]
        (act,) = self.chance.choices(steps, weights)
        if is_over(self.game) and act in (*NOT_WHEN_OVER, switch_any_rule, buy):
            return
        try:
            events = act(self.chance, self.game)
        except Refused:
            self.drawn[f"{act.__name__} refused"] += 1
            return
        except ConfirmationNeeded:
            return
        if events:
            self.drawn[act.__name__] += 1
            self.steps.append(" ".join([act.__name__, *(one.kind for one in events)]))
            self.game = apply_all(self.game, events)
            self.changes.append(events)
            self.check(events)
        if len(self.changes) % OF_AN_EVENING == OF_AN_EVENING // 2 and self.chance.random() < 0.5:
            self.go_on_elsewhere()
        if len(self.changes) >= OF_AN_EVENING:
            self.begin()

    def check(self, events: laws.Change) -> None:
        """The game says one thing everywhere; what is read back is looked at with others."""
        status = game_status(self.game)
        check_stopping(self.game, status)
        check_result(self.game, status)
        document = game_document(self.game, events)
        self.states.append(State(self.game, document, tuple(self.steps[-12:])))
        if len(self.states) == TOGETHER:
            self.look()

    def look(self) -> None:
        """Each state since the last look is the same elsewhere."""
        states, self.states = self.states, []
        read = sent_elsewhere([one.document for one in states], [one.game for one in states])
        for state, document in zip(states, read, strict=True):
            try:
                check_elsewhere(state, document)
            except Exception as fault:
                fault.add_note("after " + ", ".join(state.steps))
                raise

    def go_on_elsewhere(self) -> None:
        """The evening goes on with the game as another installation read it, log and all."""
        self.drawn["go_on_elsewhere"] += 1
        whole = game_document(self.game, [event for one in self.changes for event in one])
        (read,) = sent_elsewhere([whole], [self.game])
        self.game = by_player(game_from_document(read, self.game.variant))
        events = events_in(read)
        self.changes = [[next(events) for _event in one] for one in self.changes]


def check_stopping(game: Game, status: GameStatus) -> None:
    """Stopping takes its place from who has played no round alone, and playing on undoes it."""
    if status.over or not game.rounds:
        return
    stop = events_to_stop(game, result=True)
    stopped = apply_all(game, stop)
    there = game_status(stopped)
    played = {entry.seat for one in round_results(game) for entry in one.entries}
    ranks = [one.place for one in status.standings if one.place and one.seat in played]
    places = [
        (
            one.seat,
            1 + sum(rank < one.place for rank in ranks)
            if one.place and one.seat in played
            else None,
            one.score,
        )
        for one in status.standings
    ]
    assert [(one.seat, one.place, one.score) for one in there.standings] == places
    assert [*there.winners] == [seat for seat, place, _score in places if place == 1]
    check_result(stopped, there)
    assert apply_all(stopped, laws.events_to_undo(stopped, stop)) == game


def check_result(game: Game, status: GameStatus) -> None:
    """Statistics say of who stands at the end what the table says; nothing is left of a game."""
    result = result_of(game)
    if result is None:
        return
    assert {one.seat: one.place for one in result.players if one.place} == {
        one.seat: one.place for one in status.standings if one.place
    }
    assert sorted(one.seat for one in result.players if one.won) == sorted(status.winners)


def check_elsewhere(state: State, read: GameDocument) -> None:
    """The game is the same elsewhere, its standings too, and could have been played."""
    game = state.game
    assert list(find_implausibilities(read, game.variant)) == []
    there = game_from_document(read, game.variant)
    assert numbered(there) == numbered(game)
    assert game_document(there, (), key=read.key) == replace(state.document, log=(), version=1)
    numbers = seat_numbers(game)
    here = [replace(one, seat=numbers[one.seat]) for one in game_status(game).standings]
    assert here == list(game_status(there).standings)


def by_player(game: Game) -> Game:
    """The game with the ids by which the laws know its players."""

    def id_of(name: str) -> int:
        return laws.NAMES.index(name) + 1

    def held(stand_ins: Sequence[SeatHolder]) -> tuple[SeatHolder, ...]:
        return tuple(replace(one, player=id_of(one.name)) for one in stand_ins)

    seats = (
        replace(one, player=id_of(one.name), stand_ins=held(one.stand_ins)) for one in game.seats
    )
    return replace(game, seats=tuple(seats))


@pytest.mark.parametrize("number", range(3))
@pytest.mark.timeout(600 + STATES)
def test_every_state_is_the_same_elsewhere(number: int) -> None:
    walk = Walk(SEED + number)
    for _ in range(STATES):
        try:
            walk.step()
        except Exception as fault:
            fault.add_note("walked " + ", ".join(walk.steps[-12:]))
            raise
    walk.look()
    print(sorted(walk.drawn.items()))
    assert walk.drawn["undo_any"]
