"""What the page about dealing is given."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, say
from app.scorebook.dealing import dealer_of, first_player_of, players_in
from app.scorebook.events.dealing import events_to_change_seats
from app.scorebook.events.event import apply
from app.scorebook.events.voids import RoundVoided
from app.scorebook.game import Game
from app.scorebook.refusals import Refused
from app.store.queries.games import LoadedGame
from app.web.games.forms import Seating
from app.web.games.seat_badges import badge_numbers


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player of the open round."""

    seat: int
    name: str
    badge_number: int
    is_dealer: bool


@dataclass(frozen=True, slots=True)
class DealingPage:
    """Who deals the open round, and what the table may decide about it."""

    key: str
    round_number: int
    dealer: str
    passes_to: str
    """Who deals if the deal is passed on."""
    players: Sequence[PlayerView]
    seats: Sequence[PlayerView]
    """The players in the order that is being arranged."""
    seating_effect: Phrase | None
    """Who deals and starts with the seats so arranged; None where none were moved."""
    fault: Phrase | None


def dealing_page(
    loaded: LoadedGame, seating: Seating | None = None, fault: Phrase | None = None
) -> DealingPage:
    """The page about dealing; `seating` is the order that is being arranged."""
    game, number = loaded.game, loaded.game.open_number
    dealer, badges = dealer_of(game, number), badge_numbers(game)
    players = [
        PlayerView(seat.id, game.names[seat.id], badges[seat.id], seat.id == dealer)
        for seat in players_in(game, number)
    ]
    order = [one.name for one in players] if seating is None else seating.names
    seats = sorted(players, key=lambda one: order.index(one.name) if one.name in order else 99)
    passed_on = RoundVoided(number, dealer, passed_on=True).apply(game)
    return DealingPage(
        key=loaded.key,
        round_number=number,
        dealer=game.names.get(dealer or 0, ""),
        passes_to=game.names.get(dealer_of(passed_on, number) or 0, ""),
        players=players,
        seats=seats,
        seating_effect=_seating_effect(game, seats) if seats != players else None,
        fault=fault,
    )


def seat_ids(game: Game, seating: Seating) -> list[int]:
    """The seats of these names; 0 for a name that plays no longer."""
    ids = {game.names[seat.id]: seat.id for seat in players_in(game, game.open_number)}
    return [ids.get(name, 0) for name in seating.names]


def _seating_effect(game: Game, seats: Sequence[PlayerView]) -> Phrase | None:
    try:
        moved = apply(game, events_to_change_seats(game, [one.seat for one in seats]))
    except Refused:
        return None
    names, number = moved.names, moved.open_number
    return say(
        "With these seats, {dealer} deals round {number} and {first} starts.",
        dealer=names.get(dealer_of(moved, number) or 0, ""),
        number=number,
        first=names.get(first_player_of(moved, number) or 0, ""),
    )
