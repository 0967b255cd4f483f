"""Who holds a seat is the scorebook's to say: each list names whom it names, whatever was done.

`MELDKEEPER_LAWS` says how many evenings are played, `MELDKEEPER_SEED` the first of them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from flask import Flask
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.actions.games import start_rematch
from app.actions.importing import import_into_group, require_plausible
from app.exchange.documents import GroupDocument, PlayerDocument, RulingDocument
from app.exchange.files import read_document, serialize
from app.extensions import db
from app.rules.rule_sets import to_dict
from app.scorebook.game import Game
from app.store.engine import meaning_to_write
from app.store.games import StoredGame
from app.store.queries.games import LoadedGame, load_game, load_games, next_game_key
from app.store.queries.history import ListedGame, ListedSeat, listed_games
from app.store.queries.rulings import group_rulings, rulings_of
from tests.actions.table import somebody
from tests.documents import MOMENT, game_document
from tests.many_games import play_games
from tests.scorebook import test_event_laws as laws

MOVES = (
    *laws.STEPS, *[laws.stand_in] * 4, *[laws.go, laws.return_again, laws.reopen] * 2,
    *[laws.fill, laws.end] * 3,
)  # fmt: skip

EVENINGS = max(30, laws.LAWS // 4)
pytestmark = pytest.mark.timeout(300 + laws.LAWS)


@pytest.fixture
def session(app: Flask) -> Iterator[Session]:
    with app.app_context(), meaning_to_write():
        yield db.session()
        db.session.remove()


@pytest.fixture
def group(app: Flask) -> int:
    return play_games(app, 0)


def evenings() -> Iterator[Game]:
    for seed in range(laws.SEED, laws.SEED + EVENINGS):
        chance = Random(seed)
        yield laws.an_evening(chance).play(chance, MOVES, 40).game


def kept(session: Session, group: int, games: Sequence[Game]) -> Sequence[LoadedGame]:
    """These games in the database, with a ruling of each seat in each round."""
    documents = [
        replace(game_document(game, key=f"evening{number}"), rulings=(*rulings_in(game),))
        for number, game in enumerate(games)
    ]
    players = [PlayerDocument(one, MOMENT) for one in sorted(laws.NAMES)]
    rules = {one.rules: to_dict(game.variant) for one, game in zip(documents, games, strict=True)}
    read = read_document(
        json.loads("".join(serialize(GroupDocument("Here", players, rules, documents))))
    )
    import_into_group(session, somebody(), group, require_plausible(read))
    ids = select(StoredGame.id).where(StoredGame.group_id == group).order_by(StoredGame.id)
    return load_games(session, session.scalars(ids).all())


def rulings_in(game: Game) -> Iterator[RulingDocument]:
    for number in range(1, game.open_number + 1):
        for seat in range(1, len(game.seats) + 1):
            at = MOMENT + timedelta(minutes=number, seconds=seat)
            yield RulingDocument(number, at, "kind=meld", "Legal", asked_by=seat)


def test_a_ruling_was_asked_by_who_held_the_seat_in_its_round(session: Session, group: int):
    games = kept(session, group, [*evenings()])
    everywhere = {one.id: one.asked_by for one in group_rulings(session, group, 100_000)}
    for one in games:
        rounds = range(1, one.game.open_number + 1)
        found = rulings_of(session, one.id)
        assert [ruling.asked_by for ruling in found] == [
            name for number in rounds for name in one.game.names_in(number).values()
        ]
        assert {ruling.id: ruling.asked_by for ruling in found}.items() <= everywhere.items()


def test_lists_name_who_plays_the_seats_or_did_at_the_end(session: Session, group: int):
    games = kept(session, group, [*evenings()])
    listed = {one.id: one for one in listed_games(session, [one.id for one in games])}
    assert {one.status.has_result for one in games} == {True, False}
    for one in games:
        check_listed(one, listed[one.id])


def check_listed(one: LoadedGame, listed: ListedGame) -> None:
    """It names who holds each seat by the standings, and who played it before."""
    named, last = {seat.name: seat for seat in listed.seats}, one.status.last_held
    assert len(named) == len(listed.seats)
    for seat in one.game.seats:
        holder, place = seat.holder_in(last), one.status.standing(seat.id).place
        others = {other.name for other in seat.holders_before(last)} - {holder.name}
        shown = named.get(holder.name, ListedSeat("", holder.mark))
        if one.status.has_result and not place:
            continue
        assert shown.name == holder.name
        assert shown.place == (place if one.status.has_result else None)
        if seat.plays_in(last) and not one.status.has_result:
            assert (shown.mark, shown.has_own_seat) == (holder.mark, seat.player == holder.player)
            assert {*shown.taken_over_from} == others
    winners = [one.game.names_in(last)[seat] for seat in one.status.winners]
    assert sorted(listed.winners) == sorted(winners)


def test_who_sits_at_the_table_at_the_end_plays_again(session: Session, group: int):
    games = [one for one in kept(session, group, [*evenings()]) if one.finished_at]
    assert len(games) > EVENINGS / 5
    for one in games:
        key = start_rematch(session, somebody(), group, one.id)
        again = session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
        names = [*load_game(session, again).game.names.values()]
        assert names == [holder.name for holder in one.game.seated.values()]
        there = [seat for seat in one.game.seats if seat.left_after is None]
        assert {*names} == {one.game.names[seat.id] for seat in there}
        assert next_game_key(session, group, one) == key
