"""What a change came to beside what its events say: what was, and what is."""

from collections.abc import Iterator
from dataclasses import replace

from app.rules.phrases import Phrase, concatenate, say
from app.scorebook.dealing import dealer_of
from app.scorebook.events.attendance import PlayerLeft
from app.scorebook.events.entries import entry_words
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
