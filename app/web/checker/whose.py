"""Whose contract is judged, and in which game: its players, each with the contract they try now."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from app.actions.groups import Role
from app.extensions import db
from app.rules.contracts import Contract
from app.scorebook.dealing import players_in
from app.scorebook.marks import Mark
from app.store.queries.games import LoadedGame, last_change_times, load_games, running_games
from app.web.game_parts.lengths import is_idle
from app.web.infrastructure.access import may
from app.web.infrastructure.asker import asker

LOOKED_THROUGH = 20
"""So many running games, or rule sets played last, are looked through for one with contracts."""


@dataclass(frozen=True, slots=True)
class ContractHolder:
    """A player of the open round who tries a contract, which may be down already."""

    seat: int
    player: int
    name: str
    mark: Mark
    contract: Contract
    has_laid_down: bool
    """Do the entries of the open round say that the contract is down?"""


def contract_holders(loaded: LoadedGame) -> tuple[ContractHolder, ...]:
    """Who plays the open round and tries a contract, in seating order.

    Of a game that is over, who played to its end and would in a round that followed.
    """
    game, number = loaded.game, loaded.game.open_number
    tried = {one.seat: one.contract for one in loaded.status.standings}
    return tuple(
        ContractHolder(
            seat=seat.id,
            player=seat.holder_in(number).player,
            name=game.names[seat.id],
            mark=seat.holder_in(number).mark,
            contract=loaded.variant.contract(contract),
            has_laid_down=game.round(number).entry_of(seat.id).laid_down,
        )
        for seat in players_in(game, number)
        if (contract := tried[seat.id])
    )


def own_holder(holders: Iterable[ContractHolder]) -> ContractHolder | None:
    """The device's own player among them."""
    player = asker.permission.player
    return next((one for one in holders if one.player == player), None)


def game_being_played(*, with_contracts: bool) -> LoadedGame | None:
    """The game that the group plays, the one changed last; only one with contracts if asked so.

    One in which the device's own player has a contract comes before all others; one that was left
    alone does not count.
    """
    if not may(Role.WATCH):
        return None
    session, now = db.session(), datetime.now(UTC)
    ids = [one.id for one in running_games(session, asker.group, LOOKED_THROUGH)]
    changed = last_change_times(session, ids)
    fresh = [one for one in ids if not is_idle(changed[one], now)]
    return max(
        (one for one in load_games(session, fresh) if one.variant.contracts or not with_contracts),
        key=lambda one: (own_holder(contract_holders(one)) is not None, changed[one.id]),
        default=None,
    )
