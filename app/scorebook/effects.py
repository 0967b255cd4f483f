"""What a change did: which of its events say so, what became of contracts, scores and places."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.rules.phrases import Phrase, concatenate, say
from app.scorebook.dealing import dealer_of
from app.scorebook.events import corrections, entries, games, rounds, rulings
from app.scorebook.events.attendance import JoinUndone, PlayerJoined, PlayerLeft
from app.scorebook.events.entries import entry_words
from app.scorebook.events.event import REMOVED_SEAT, Event
from app.scorebook.events.seats import HandOverUndone
from app.scorebook.game import Game
from app.scorebook.round_results import before_round
from app.scorebook.standings import Standing, game_status


def leavers_points(event: PlayerLeft, game: Game) -> Phrase | None:
    """The points entered for a player who left in the middle of a round, where they count."""
    entry = game.round(event.round_number).entry_of(event.seat)
    if event.hand_treatment != "counted" or entry.penalty is None:
        return None
    return entry_words(event.player_name, {}, {"typed": entry.typed})


def standing_changes(before: Game, after: Game) -> Iterator[Phrase]:
    """What each player's contracts, score and place were and are, of those that differ.

    Where no place differs though a score or count of contracts does, that is said.
    """
    seats = [one.id for one in before.seats if one.id in after.names]
    pairs = [[game_status(game).standing(one) for game in (before, after)] for one in seats]
    differ = False
    for seat, (was, now) in zip(seats, pairs, strict=True):
        changes = list(_changes(was, now))
        if changes:
            differ = True
            changed = concatenate(changes, ", ")
            yield say("{name}: {changes}", name=after.name_of(seat), changes=changed)
    if differ and all(was.place == now.place for was, now in pairs):
        yield say("places unchanged")


def _changes(was: Standing, now: Standing) -> Iterator[Phrase]:
    one, other = was.contracts_completed, now.contracts_completed
    if one != other:
        yield say("contracts {before} → {after}", before=one, after=other)
    if was.score is not None and now.score is not None and was.score != now.score:
        yield say("score {before} → {after}", before=was.score, after=now.score)
    if was.place is not None and now.place is not None and was.place != now.place:
        yield say("place {before} → {after}", before=was.place, after=now.place)


def dealer_change(before: Game, after: Game) -> tuple[str, str] | None:
    """Who was to deal the open round, and who is now; None unless both are known and differ."""
    number = after.open_number
    was, now = (game.names.get(dealer_of(game, number) or 0) for game in (before, after))
    if not was or not now or was == now or before.open_number != number:
        return None
    return was, now


def overtaken_seats(game: Game) -> list[tuple[int, list[int]]]:
    """Each seat that overtook others by the round that ended last, with those, best first."""
    if len(game.rounds) < 2:
        return []
    last = len(game.rounds)
    after = replace(game, decisions=game.decisions.with_corrections_up_to(last))
    was, now = (
        {one.seat: one.place for one in game_status(at).by_place if one.place}
        for at in (before_round(game, last), after)
    )
    stayed = [seat for seat in now if seat in was]
    found = [
        (seat, [one for one in stayed if was[seat] > was[one] and now[seat] < now[one]])
        for seat in stayed
    ]
    return [(seat, others) for seat, others in found if others]


def done_by(events: Sequence[Event]) -> Sequence[Event]:
    """What somebody did by a change that came to these events, which are not all worth a line.

    What else it did follows from it; a join may change the house rule for later joiners, which is
    not told.
    """
    quiet: tuple[type[Event], ...] = QUIET
    if any(isinstance(one, PlayerJoined | JoinUndone) for one in events):
        quiet += (games.RuleChanged,)
    return [one for one in worth_words(events) if not isinstance(one, quiet)] or events[-1:]


QUIET = (rounds.RoundEdited, games.ChangeUndone, rulings.RulingRecorded)
"""Of a change that did something else, too, these say nothing that is worth a line."""


def worth_words(events: Sequence[Event]) -> Sequence[Event]:
    """The events that are worth words: of a void deal, not all that was dropped with it."""
    if any(isinstance(one, rounds.DealVoided) for one in events):
        return [one for one in events if not isinstance(one, entries.EntryEvent)]
    return events


def without_before(event: Event) -> Event:
    """The event as its words say it without what was before it."""
    return replace(event, before={}) if isinstance(event, entries.EntryChanged) else event


def holding_again(events: Sequence[Event]) -> Sequence[Event]:
    """The events of an undo that say what is so again: nothing is of a seat that is not there."""
    return [
        one
        for one in done_by(events)
        if not isinstance(one, QUIET)
        and not _takes_back(one)
        and getattr(one, "seat", None) != REMOVED_SEAT
    ]


def _takes_back(event: Event) -> bool:
    """Does it say no more than that something is not so?"""
    match event:
        case JoinUndone() | HandOverUndone():
            return True
        case corrections.ScoreCorrected():
            return event.removed
        case rounds.DealVoided():
            return event.is_undone
        case entries.NobodyOutChanged():
            return not event.after["nobody_out"]
        case entries.FirstDownChanged():
            return event.seat is None
    return False
