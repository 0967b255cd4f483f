"""Editing a past result: its day, its rules, who played, and what they came to.

The event names the players; the rows follow from what it says (`keep_past_result`), in the change
itself and where it is undone.
"""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import delete, select

from app.actions.players import different_players, known_players
from app.actions.results import refresh_facts
from app.actions.seasons import noting_season_changes
from app.actions.transaction import Change, any_game_action
from app.exchange.days import noon
from app.exchange.documents import GroupDocument
from app.rules.rule_sets import from_dict, to_dict
from app.scorebook.events.event import no_way_back
from app.scorebook.events.games import events_to_edit_result
from app.scorebook.game import PastLine, PastResult
from app.store.base import insert_rows
from app.store.games import StoredPastResult, StoredSeat
from app.store.groups import Player


@any_game_action
def edit_past_result(change: Change, document: GroupDocument, seen: int | None) -> None:
    """Let a past result be that of a document with one game.

    Raises `Refused`, and `StaleVersion` where it has changed since that version was seen.
    """
    change.refuse_unless_seen(seen)
    (game,) = document.games
    names = [one.player for one in game.seats]
    players = different_players(
        change.session, change.actor, change.group, names, plays_again=False
    )
    lines = [
        PastLine(player=player.name, place=one.place, score=one.score)
        for player, one in zip(players, game.past_result, strict=True)
    ]
    result = PastResult(day=game.started_at.date().isoformat(), players=tuple(lines))
    variant = from_dict(document.rule_sets[game.rules])
    change.record(events_to_edit_result(change.game, result, variant))
    keep_past_result(change, players)


def keep_past_result(change: Change, players: Sequence[Player] = ()) -> None:
    """Store the past result that a change comes to, if it is another than before.

    `players` are those of its lines; without them, who has the names that it says. Raises
    `Refused` where nobody has one anymore.
    """
    session, before, after = change.session, change.loaded.game, change.game
    result = after.past_result
    if result is None or (result, after.variant) == (before.past_result, before.variant):
        return
    players = players or known_players(change, [one["player"] for one in result["players"]])
    kept = change.stored_game
    try:
        day = date.fromisoformat(result["day"])
    except ValueError:  # an imported log may say anything
        raise no_way_back() from None
    with noting_season_changes(session, kept.group_id, [kept.id], change.actor.at):
        if before.past_result and before.past_result["day"] != result["day"]:
            kept.started_at = kept.finished_at = noon(day)
            session.flush()
            change.stay_out_of_seasons(noon(day))
            kept.left_out = change.game.left_out
        if before.variant != after.variant:
            kept.rules, kept.variant_id = to_dict(after.variant), after.variant.id
            kept.variant_name = after.variant.name.strip()
        seats = {
            one.player_id: one
            for one in session.scalars(select(StoredSeat).where(StoredSeat.game_id == kept.id))
        }
        of_game = StoredPastResult.seat_id.in_([one.id for one in seats.values()])
        session.execute(delete(StoredPastResult).where(of_game))
        staying = {one.id for one in players}
        gone = [one.id for player, one in seats.items() if player not in staying]
        session.execute(delete(StoredSeat).where(StoredSeat.id.in_(gone)))
        lines = []
        for position, (player, line) in enumerate(zip(players, result["players"], strict=True)):
            seat = seats.get(player.id) or StoredSeat(game_id=kept.id, player_id=player.id)
            seat.position, seat.deals_first = position, not position
            session.add(seat)
            session.flush()
            lines.append({"seat_id": seat.id, "place": line["place"], "score": line["score"]})
        insert_rows(session, StoredPastResult, lines)
        refresh_facts(session, [kept.id])
