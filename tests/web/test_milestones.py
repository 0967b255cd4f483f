"""Milestones of the simulated club beside a plain reckoning over the exported document."""

from collections import Counter, defaultdict

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.store.games import StoredGame
from app.store.queries.milestones import Milestone, milestones_of_game, milestones_of_player
from app.store.queries.players import player_names
from tests.club import Played, club_in, exported, games_of, imported
from tests.many_games import browser_in
from tests.web.test_history import text

ROUND_NUMBERS = {50, 100, 250, 500, 1000}
IN_A_ROW = {5, 10, 15, 20}

Said = tuple[str, str, int, str]
"""Kind, player, count and rival."""


def plain_milestones(games: list[Played]) -> dict[str, set[Said]]:
    """What is told of each game, by its key."""
    played, row = Counter[str](), Counter[str]()
    won: set[str] = set()
    shared: Counter[frozenset[str]] = Counter()
    ahead: set[tuple[str, str]] = set()
    said: dict[str, set[Said]] = defaultdict(set)
    for game in games:
        told = said[game.key]
        names = list(game.places)
        shared.update(frozenset((a, b)) for a in names for b in names if a < b)
        for name in names:
            wins = game.places[name] == 1
            played[name] += 1
            row[name] = row[name] + 1 if wins else 0
            if played[name] in ROUND_NUMBERS:
                told.add(("games", name, played[name], ""))
            if row[name] in IN_A_ROW:
                told.add(("wins_in_a_row", name, row[name], ""))
            if wins and name not in won:
                told.add(("first_win", name, 1, ""))
            for other in names:
                if game.places[name] < game.places[other]:
                    together = shared[frozenset((name, other))]
                    if wins and (name, other) not in ahead and together >= 5:
                        told.add(("first_ahead", name, together, other))
                    ahead.add((name, other))
            won |= {name} if wins else set()
        told |= {("contract", "", contract, "") for contract in laid_at_once(game)}
    return said


def laid_at_once(game: Played) -> set[int]:
    """The contracts that everyone laid down at the first try."""
    contracts = {contract for _name, contract in game.tries}
    return {
        one for one in contracts if all(game.tries.get((n, one)) == [True] for n in game.places)
    }


def told(milestones: list[Milestone]) -> set[tuple[str, Said]]:
    return {(m.game_key, (m.kind, m.player, m.count, m.rival)) for m in milestones}


def test_milestones_of_games_and_players_equal_a_plain_reckoning(app: Flask):
    group = club_in(app)
    expected = plain_milestones(games_of(exported(browser_in(app, group))))
    kinds = {one[0] for said in expected.values() for one in said}
    assert kinds >= {"first_win", "first_ahead", "contract"}
    with app.app_context():
        session = db.session()
        for game in session.scalars(select(StoredGame).where(StoredGame.group_id == group)):
            found = told(milestones_of_game(session, game.id))
            assert found == {(game.key, one) for one in expected[game.key]}
        for player, name in player_names(session, group):
            found = told(milestones_of_player(session, player, name))
            personal = {one for one in found if one[1][0] != "contract"}
            assert personal == {
                (key, one) for key, said in expected.items() for one in said if one[1] == name
            }


def test_a_milestone_is_told_where_the_game_ended_unless_the_group_wants_none(app: Flask):
    group = club_in(app, 6)
    client = browser_in(app, group)
    document = exported(client)
    first = games_of(document)[0]
    winner = first.winners[0]
    sentence = f"{winner}: the first win!"
    assert sentence in text(client.get(f"/games/{first.key}"))
    assert client.post("/group/milestones", data={"told": "no"}).status_code == 303
    assert sentence not in text(client.get(f"/games/{first.key}"))
    off = exported(client)
    assert off["milestones"] is False
    assert exported(browser_in(app, imported(app, off)))["milestones"] is False
