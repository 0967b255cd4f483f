"""Whose contract is judged in a game: its players, each with the contract that they try now."""

from dataclasses import dataclass

from app.rules.contracts import Contract
from app.scorebook.dealing import players_in
from app.scorebook.marks import Mark
from app.store.queries.games import LoadedGame


@dataclass(frozen=True, slots=True)
class ContractHolder:
    """A player of a game who has a contract to lay down."""

    seat: int
    player: int
    name: str
    mark: Mark
    contract: Contract


def contract_holders(loaded: LoadedGame) -> tuple[ContractHolder, ...]:
    """Who plays the open round and has a contract to lay down, in dealing order."""
    game, number = loaded.game, loaded.game.open_number
    tried = {one.seat: one.contract for one in loaded.status.standings}
    return tuple(
        ContractHolder(
            seat=seat.id,
            player=seat.holder_in(number).player,
            name=game.names[seat.id],
            mark=seat.holder_in(number).mark,
            contract=loaded.variant.contract(contract),
        )
        for seat in players_in(game, number)
        if (contract := tried[seat.id])
    )
