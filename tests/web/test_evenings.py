"""Evenings of the simulated club beside a plain reckoning over the exported document."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actions.groups import Role
from app.actions.results import refresh_facts
from app.extensions import db
from app.scorebook.statistics import PlayerSums, total
from app.store.engine import meaning_to_write
from app.store.games import StoredGame, StoredRound
from app.store.queries import players as reads
from app.store.queries.evenings import evenings_of
from app.store.queries.group_records import game_tallies
from app.store.queries.players import player_contract_stats
from app.store.queries.selection import GameSelection, with_few_lacking_players
from app.store.queries.trends import months_of, others_chosen
from tests.club import PlainSeason, evenings_in, exported, games_of
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in
from tests.web.test_history import text
from tests.web.test_tables import rows
from tests.web_table import PlainGame

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def club(app: Flask):
    group = club_in(app, 12)
    return app, group, browser_in(app, group)


def test_games_of_one_sitting_make_an_evening_with_its_winner(club):
    _app, _group, client = club
    document = exported(client)
    evenings = list(evenings_in(games_of(document)))
    assert len(evenings) == 12
    assert any(len(games) > 1 for games in evenings)
    page = text(client.get("/evenings"))
    cards = page.split('class="card game-card"')[1:]
    assert len(cards) == len(evenings)
    for card, games in zip(cards, reversed(evenings), strict=True):
        assert f"{len(games)} game" in card
        best = [name for place, name in PlainSeason().table(games) if place == 1]
        said = re.search(r'game-card-name">([^<]*)<', card)[1]
        assert sorted(re.findall(r"[A-Z]\w+", said)) == sorted(best)
        wins = Counter(name for game in games for name in game.winners)
        shown = re.findall(r">(\w+)</span></span>(?: <b>(\d+) wins?<)?", card)
        assert dict(shown) == {
            name: str(wins[name] or "") for game in games for name in game.places
        }


@ON_SQLITE
def test_evenings_are_split_and_joined_by_hand_and_stay_so_in_a_backup(club):
    app, group, client = club
    evenings = list(evenings_in(games_of(exported(client))))
    several = next(games for games in evenings if len(games) > 1)
    first, second = sorted(several, key=lambda one: one.started)[:2]
    page = text(client.get(f"/evenings/{first.key}"))
    assert page.count("game-card-name") == len(several)
    split = {"mark": "begins"}
    assert client.post(f"/games/{second.key}/evening", data=split).status_code == 303
    assert text(client.get(f"/evenings/{first.key}")).count("game-card-name") == 1
    assert "Evenings split" in text(client.get(f"/games/{second.key}/activity"))
    later = next(games for games in evenings if games[0].started > several[-1].ended)
    join = {"mark": "joins"}
    assert client.post(f"/games/{later[0].key}/evening", data=join).status_code == 303
    document = exported(client)
    marks = {one["key"]: one["evening"] for one in document["games"] if "evening" in one}
    assert marks == {second.key: "begins", later[0].key: "joins"}
    expected = list(evenings_in(games_of(document)))
    with app.app_context():
        said = evenings_of(db.session(), group, 100)
        assert [one.results for one in reversed(said)] == [len(games) for games in expected]


@ON_SQLITE
def test_who_may_only_watch_sees_evenings_and_splits_none(club):
    app, group, client = club
    guest = browser_in(app, group, Role.WATCH)
    key = exported(client)["games"][0]["key"]
    assert "Split here" not in text(guest.get(f"/evenings/{key}"))
    assert guest.post(f"/games/{key}/evening", data={"mark": "begins"}).status_code == 403


@pytest.mark.parametrize("names", ["Ben", "Cleo", "Ben Cleo"])
@pytest.mark.parametrize("knowing", [True, False], ids=["few others", "many"])
def test_with_whom_narrows_figures_to_the_games_that_were_shared(club, names: str, knowing: bool):
    app, group, client = club
    there = set(names.split())
    shared = [game for game in games_of(exported(client)) if there <= game.places.keys()]
    with app.app_context():
        session = db.session()
        ids = {name: number for number, name in reads.player_names(session, group)}
        selection = GameSelection(players=tuple(ids[one] for one in there))
        if knowing:
            selection = with_few_lacking_players(session, group, selection)
            assert selection.few_lacking_players
        assert sum(one.games for one in game_tallies(session, group, selection)) == len(shared)
        everyone = player_contract_stats(session, group, selection)
        for one in reads.players_with_sums(session, group, selection):
            mine = [game for game in shared if one.name in game.places]
            assert one.sums.games == len(mine)
            assert one.sums.wins == sum(game.places[one.name] == 1 for game in mine)
            months = months_of(session, one.id, selection, others_chosen(selection, one.id))
            assert total([PlayerSums(), *(month.sums for month in months)]) == one.sums
            tries = player_contract_stats(session, group, selection, player=one.id)
            assert tries == [tried for tried in everyone if tried.player == one.id]
            assert sum(tried.stats.sums.rounds for tried in tries) == sum(
                len(rounds)
                for game in mine
                for (name, _contract), rounds in game.tries.items()
                if name == one.name
            )
            rivals = reads.rivals_of(session, one.id, selection)
            assert {rival.name: rival.shared for rival in rivals} == Counter(
                name for game in mine for name in game.places.keys() - {one.name}
            )
            last = reads.last_games_of(session, one.id, 2, selection)
            assert [game.place for game in last] == [game.places[one.name] for game in mine][-2:]


@ON_SQLITE
def test_an_evening_says_by_what_it_was_won_and_is_drawn_as_a_picture(club):
    _app, _group, client = club
    games = max(evenings_in(games_of(exported(client))), key=len)
    page = text(client.get(f"/evenings/{games[0].key}"))
    wins = Counter(name for game in games for name in game.winners)
    assert wins.most_common()[0][1] > wins.most_common()[1][1]
    assert "Most wins<" in page
    address = re.search(r'src="(/evenings/\w+/evening.svg[^"]*)"', page)[1]
    picture = ElementTree.fromstring(client.get(address).data)
    drawn = [one.text for one in picture.iter(f"{SVG}text")]
    winners = [name for place, name in PlainSeason().table(games) if place == 1]
    assert all(name in drawn[0] for name in winners)
    assert {name for game in games for name in game.places} <= set(drawn)


@ON_SQLITE
def test_the_points_that_told_who_won_stand_beside_the_wins_where_they_did(client: FlaskClient):
    def played(**points: str) -> list[str]:
        game = PlainGame.started(client, "points-only", "Anna Ben Cleo")
        assert game.close(1, **points).status_code == 303
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
        at = f"/evenings/{game.key}"
        return [text(client.get(one)) for one in (at, f"{at}/evening.svg", "/evenings")]

    for page in played(Anna="1", Ben="2", Cleo="3"):
        assert not re.search("Points</summary>|8 points|points for places|Most wins", page)
    evening, picture, cards = played(Ben="1", Cleo="2", Anna="3")
    assert "Ben wins!" in evening
    assert "As many wins, more points for places (5\xa0–\xa03\xa0–\xa02\xa0–\xa01)<" in evening
    assert "Most wins" not in evening
    assert re.search(r"Points</summary>.*Ben<.*<td>8</td>.*Anna<.*<td>7</td>", evening, re.DOTALL)
    assert re.search(r"1 win<.*8 points<|8 points<.*1 win<", picture, re.DOTALL)
    assert re.search(
        r"more points for places \(5\s–.*\).*Ben<.*>1 win<.*>8 points<.*Anna<.*>7 points<",
        cards,
        re.DOTALL,
    )


@ON_SQLITE
def test_the_picture_of_an_evening_of_one_game_shows_the_places_in_it(client: FlaskClient):
    names = ["Anna", "Ben", "Cleo", "Dan", "Emil", "Fay", "Gus"]
    game = PlainGame.started(client, "points-only", " ".join(names))
    assert game.close(1, **{name: str(at) for at, name in enumerate(names)}).status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    picture = client.get(f"/evenings/{game.key}/evening.svg").data
    drawn = [one.text for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert [one for one in drawn if one in set("1234567")] == list("1234567")


@ON_SQLITE
def test_nothing_is_said_to_decide_where_all_share_the_evening(client: FlaskClient):
    for points in ({"Anna": "1", "Ben": "2"}, {"Anna": "2", "Ben": "1"}):
        game = PlainGame.started(client, "points-only", "Anna Ben")
        assert game.close(1, **points).status_code == 303
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    evening = text(client.get(f"/evenings/{game.key}"))
    assert "Anna and Ben tie for the win!" in evening
    assert not re.search("Most wins|points for places|Points</summary>", evening)


@ON_SQLITE
def test_points_for_places_stand_where_they_part_only_those_behind_the_first(client: FlaskClient):
    """Anna wins all three games; Ben and Cleo none, and Ben was second more often."""
    for ben, cleo in (("2", "3"), ("2", "3"), ("3", "2")):
        game = PlainGame.started(client, "points-only", "Anna Ben Cleo")
        assert game.close(1, Anna="1", Ben=ben, Cleo=cleo).status_code == 303
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    evening, picture, season, cards = (
        text(client.get(one))
        for one in (
            f"/evenings/{game.key}",
            f"/evenings/{game.key}/evening.svg",
            f"/seasons/{datetime.now(UTC).astimezone().year}/season.svg",
            "/evenings",
        )
    )
    assert "Most wins<" in evening
    assert re.search(r"Points</summary>.*Ben<.*<td>8</td>.*Cleo<.*<td>7</td>", evening, re.DOTALL)
    for drawn in (picture, season):
        assert re.search(r"Ben.*8 points.*Cleo.*7 points", drawn, re.DOTALL)
    assert "points for places" not in cards


@ON_SQLITE
def test_the_last_evening_is_on_home_until_a_day_and_a_half_after_its_end(client, app: Flask):
    """Not one of a single game, which tells itself, and not while a game of it goes on."""

    def shown() -> bool:
        return "The last evening" in text(client.get("/"))

    def later(hours: int) -> None:
        with app.app_context(), meaning_to_write():
            for column in (StoredGame.started_at, StoredGame.finished_at):
                for game in db.session.scalars(select(StoredGame)):
                    at = getattr(game, column.key)
                    setattr(game, column.key, at and at - timedelta(hours=hours))
            db.session.commit()

    def played() -> str:
        game = PlainGame.started(client, "points-only", "Anna Ben")
        assert game.close(1, Anna="1", Ben="2").status_code == 303
        assert not shown()
        client.post(f"/games/{game.key}/stop", data={"result": "yes"})
        return game.key

    first = played()
    assert not shown()
    keys = {first, played(), played()}
    home = text(client.get("/")).split("The last evening")[1]
    assert "Anna" in home.split("game-card-name")[1].split("<")[0]
    evening = text(client.get(re.search(r'href="(/evenings/\w+)"', home)[1]))
    assert keys <= set(re.findall(r"/games/(\w+)", evening))
    later(hours=35)
    assert shown()
    later(hours=2)
    assert not shown()


@ON_SQLITE
def test_games_make_an_evening_by_the_pause_between_them_whatever_the_day(client, app: Flask):
    """Over midnight by any clock one evening goes on; on one day there may be two."""
    hours = (22, 24 + 2, 24 + 7, 24 + 14, 24 + 19)
    keys = []
    for hour in hours:
        game = PlainGame.started(client, "points-only", "Anna Ben", **{"rule-max_deals": "1"})
        assert game.close(1, Anna="1", Ben="2").status_code == 303
        keys.append(game.key)
        at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
        with app.app_context(), meaning_to_write():
            ours = select(StoredGame).where(StoredGame.key == game.key)
            kept = db.session.scalars(ours).one()
            kept.started_at, kept.finished_at = at, at + timedelta(hours=1)
            refresh_facts(db.session(), [kept.id])
            db.session.commit()
    for evening in (keys[:3], keys[3:]):
        page = text(client.get(f"/evenings/{evening[-1]}"))
        assert re.findall(r'game-card" href="/games/(\w+)', page) == evening


def held(client: FlaskClient) -> dict[str, str]:
    """The value of each record, by its name."""
    return {one["record"]: one["value"] for one in rows(client, "/tables/records.csv")}


def take(app: Flask, key: str, *minutes: int, until_end: int = 0) -> None:
    """Let the rounds of a finished game have taken so many minutes, and more until its end."""
    with app.app_context(), meaning_to_write():
        game = db.session.scalars(select(StoredGame).where(StoredGame.key == key)).one()
        rounds = select(StoredRound).where(StoredRound.game_id == game.id)
        at = game.started_at
        for played, lasted in zip(
            db.session.scalars(rounds.order_by(StoredRound.number)), minutes, strict=False
        ):
            at += timedelta(minutes=lasted)
            played.closed_at = at
        game.finished_at = at + timedelta(minutes=until_end)
        refresh_facts(db.session(), [game.id])
        db.session.commit()


def test_a_game_that_was_stopped_holds_records_for_the_most_alone(client: FlaskClient, app: Flask):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-keep_score": "yes"})
    for number in (1, 2, 3):
        assert game.close(number, out="Anna", met="Ben", Ben="80").status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    take(app, game.key, 5, 30, 5, until_end=48 * 60)
    assert held(client) == {"Longest game": "2400", "Longest round": "1800", "Most rounds": "3"}
    page = text(client.get("/history/records"))
    assert "40 minutes" in page
    assert "A game that was stopped early can be the longest" in page
    assert "Closest finish" not in text(client.get(f"/evenings/{game.key}"))


def test_a_game_put_away_for_the_night_is_no_record_of_length(client: FlaskClient, app: Flask):
    for minutes in (60, 8 * 60):
        rules = {"rule-max_deals": "2"}
        game = PlainGame.started(client, "points-only", "Anna Ben", **rules)
        for number in (1, 2):
            assert game.close(number, Anna="1", Ben="2").status_code == 303
        take(app, game.key, 60, minutes)
    assert held(client)["Longest game"] == "7200"
    assert held(client)["Longest round"] == "3600"


def test_a_tie_is_the_closest_finish_of_all(client: FlaskClient):
    for points in ("9", "7"):
        game = PlainGame.started(client, "points-only", "Anna Ben Cleo", **{"rule-max_deals": "1"})
        assert game.close(1, Anna="7", Ben=points, Cleo=points).status_code == 303
        expected = "tie" if points == "7" else "2 points"
        for address in ("/history/records", f"/evenings/{game.key}"):
            page = text(client.get(address)).split("Closest finish")[1]
            assert expected in page[:300], address
    assert held(client)["Closest finish"] == "0"


def test_who_is_level_on_contracts_is_told_by_how_many_points_it_was_won(client: FlaskClient):
    rules = {"rule-win": "lowest_finisher", "rule-last_contract": "1", "rule-keep_score": "yes"}
    game = PlainGame.started(client, "frustration", "Anna Ben", **rules)
    assert game.close(1, out="Anna", met="Ben", Ben="80").status_code == 303
    for address in ("/history/records", f"/evenings/{game.key}"):
        assert "level on contracts, 80 points apart" in text(client.get(address))


@pytest.mark.parametrize("both", [True, False])
def test_as_long_as_a_game_goes_on_nobody_has_won_the_evening(client: FlaskClient, *, both: bool):
    rules = {"rule-last_contract": "1"}
    for out in ("Anna", "Ben") if both else ("Anna",):
        game = PlainGame.started(client, "frustration", "Anna Ben", **rules)
        assert game.close(1, out=out).status_code == 303
    game = PlainGame.started(client, "frustration", "Anna Ben")
    assert game.close(1, out="Anna").status_code == 303
    pages = ("/evenings", f"/evenings/{game.key}", f"/evenings/{game.key}/evening.svg")
    ahead, won = (
        ("Anna and Ben", "Anna and Ben tie for the win!") if both else ("Anna", "Anna wins!")
    )
    for address in (*pages, "/evenings.ics"):
        page = text(client.get(address)).replace("\\,", ",").split('id="games"')[0]
        assert f"Ahead now: {ahead}" in page
        assert "win!" not in page
        assert "wins!" not in page
    finished = "2 finished games" if both else "1 finished game"
    for address in pages:
        assert f"{finished} · 1 game in progress" in text(client.get(address))
    for words in ("Who was there", f"/games/{game.key}"):
        assert words not in text(client.get(pages[1])).split('id="games"')[0]
    assert [one["winners"] for one in rows(client, "/tables/evenings.csv")] == [""]
    client.post(f"/games/{game.key}/stop", data={"result": "no"})
    for address in pages:
        assert won in text(client.get(address))


def test_an_evening_whose_only_game_just_started_has_its_hour_in_the_calendar(client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ben")
    assert "DTSTART:" in text(client.get("/evenings.ics"))
    assert '<span class="game-card-what">1 game in progress' in text(client.get("/evenings"))
