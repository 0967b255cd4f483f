"""What the page of a game's players is given."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.rules.phrases import Phrase, join_phrases, say, say_plural
from app.scorebook.events.attendance import player_returned_event
from app.scorebook.game import Game, Seat
from app.scorebook.joiners import usual_contracts, usual_scores
from app.scorebook.standings import game_status, score_decides
from app.web.game_parts.words import seat_words
from app.web.games.forms import JoinForm


@dataclass(frozen=True, slots=True)
class SeatMenuView:
    """A seat of the game, what happened to it, and what its menu offers."""

    seat: int
    name: str
    badge_number: int
    is_playing: bool
    seat_changes: tuple[Phrase, ...]
    has_gone_out: bool
    """It is entered as going out in the open round."""
    first_holder: str
    """Who took the seat first, where another player plays it on."""
    return_effect: Phrase | None
    """What the player comes back to, who left."""


@dataclass(frozen=True, slots=True)
class StartChoice:
    """A contract or a score that a late joiner usually begins with, and where that leads."""

    value: str
    words: Phrase
    effect: Phrase | None
    chosen: bool


def seat_menu(game: Game, seat: Seat, badges: Mapping[int, int]) -> SeatMenuView:
    """What the page of a game's players says of a seat."""
    number = game.open_number
    name = seat.holder_in(number).name
    there = seat.left_after is None
    return SeatMenuView(
        seat=seat.id,
        name=name,
        badge_number=badges[seat.id],
        is_playing=there,
        seat_changes=tuple(seat_words(game, seat, number)),
        has_gone_out=game.round(number).entry_of(seat.id).went_out,
        first_holder=seat.name if seat.name != name else "",
        return_effect=None if there else _return(game, seat),
    )


def _return(game: Game, seat: Seat) -> Phrase | None:
    """What a player comes back to; None for who never played and begins like a late joiner."""
    number = game.open_number
    if seat.joined_in < number and not seat.has_played_before(number):
        return None
    event = player_returned_event(game, seat)
    standing = game_status(event.apply(game)).standing(seat.id)
    missed, facts = (
        say_plural("{count} missed round", "{count} missed rounds", event.rounds_missed),
        [],
    )
    if standing.contract:
        facts.append(say("contract {number}", number=standing.contract))
    if standing.score is not None:
        facts.append(say("score {score}", score=standing.score))
    return join_phrases([missed, *facts] if event.rounds_missed or not facts else facts)


def start_choices(
    game: Game, form: JoinForm
) -> tuple[tuple[StartChoice, ...], tuple[StartChoice, ...]]:
    """The contracts and the scores that are offered to a late joiner; none where none is kept."""
    rules = game.rules_in(game.open_number)
    contracts, scores = usual_contracts(game), usual_scores(game)
    first = contracts[rules.joiner_contract]
    words = {
        "first": say("Contract {number}", number=contracts["first"]),
        "lowest": say("Contract {number}, the lowest", number=contracts["lowest"]),
        "zero": say("0"),
        "average": say("{score}, the average", score=scores["average"]),
        "highest": say("{score}, the highest", score=scores["highest"]),
    }
    usual_score = rules.joiner_score
    if usual_score == "ask" and not score_decides(game.variant):
        usual_score = "zero"
    sent_contract, sent_score = form.contract.data, form.score.data
    return (
        tuple(
            StartChoice(
                name,
                words[name],
                _place(game, number, scores.get(usual_score, 0)),
                name == (sent_contract or rules.joiner_contract),
            )
            for name, number in contracts.items()
            if game.variant.progress == "individual"
        ),
        tuple(
            StartChoice(
                name,
                words[name],
                _place(game, first, score),
                name == (sent_score or usual_score),
            )
            for name, score in scores.items()
            if game.variant.scores
        ),
    )


def _place(game: Game, contract: int, score: int) -> Phrase | None:
    """Where a late joiner would stand; None before any round was played."""
    if not game.rounds:
        return None
    seat = Seat(0, joined_in=game.open_number, starting_contract=contract, starting_score=score)
    stands = game_status(replace(game, seats=(*game.seats, seat)))
    return say("place {place}", place=stands.standing(0).place or 0)
