"""A step for each address by which another program changes something."""

from collections.abc import Callable
from typing import Any

from werkzeug.test import TestResponse

from app.rules.rule_sets import rule_set_by_id, to_dict
from app.scorebook.dealing import players_in
from app.scorebook.seasons import MEASURES
from app.store.games import StoredGame
from app.store.groups import StoredRuleSet
from tests.walk.by_form import correct_in, rule_set, season
from tests.walk.by_form_of_rulings import ruling
from tests.walk.world import REASONS, RULE_SETS, TEXTS, TYPED, World, step


@step("api_games.start")
def start(world: World) -> TestResponse:
    names = [world.name() for _ in range(world.chance.randint(2, 4))]
    return world.ask(
        "POST",
        "/games",
        rule_set=rule_set(world),
        players=names,
        first_dealer=world.chance.randrange(len(names)),
        house_rules={"last_contract": world.chance.randint(1, 3)},
    )


@step("api_games.set_row")
def set_row(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    seat = world.one_of(table.game.names)
    address = f"/games/{key}/rounds/{table.game.open_number}/rows/{seat}"
    return world.ask("PUT", address, **row(world))


def row(world: World) -> dict[str, Any]:
    """What a program says of a seat."""
    out = world.maybe(0.2)
    points = "" if out else world.chance.choice(TYPED)
    return {"went_out": out, "met": out or world.maybe(), "points": points}


def rows(world: World, seats: list[int]) -> list[dict[str, Any]]:
    """A row for each of these seats, one of which goes out."""
    out = world.one_of(seats)
    return [
        {
            "seat": seat,
            "went_out": seat == out,
            "met": seat == out or world.maybe(),
            "points": "" if seat == out else world.chance.choice(("5", "10+5", "25")),
        }
        for seat in seats
    ]


@step("api_games.end_round")
def close(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    number = table.game.open_number
    seats = [one.id for one in table.game.seats if one.plays_in(number)]
    sent = {"rows": rows(world, seats), "first_down": world.one_of([*seats, None])}
    return world.ask("POST", f"/games/{key}/rounds/{number}/close", **sent)


@step("api_games.edit_round")
def edit(world: World) -> TestResponse | None:
    """A round edited, now and then with a row of who did not play in it."""
    key = world.game()
    if key is None:
        return None
    table = world.table(key)
    number = world.one_of(range(1, table.game.open_number))
    if number is None:
        return None
    seats = [one.id for one in table.game.seats if one.plays_in(number) or world.maybe(0.1)]
    sent = {"rows": rows(world, seats), "reason": world.chance.choice(REASONS)}
    return world.ask("PUT", f"/games/{key}/rounds/{number}", **sent)


@step("api_games.reopen_round")
def undo(world: World) -> TestResponse | None:
    key = world.game()
    if key is None:
        return None
    number = world.table(key).game.open_number - 1
    return world.ask("POST", f"/games/{key}/rounds/{max(number, 1)}/undo")


@step("api_games.reopen")
def reopen(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    return key and world.ask("POST", f"/games/{key}/reopen")


@step("api_games.stop")
def stop(world: World) -> TestResponse | None:
    key = world.running_game() if world.maybe(0.3) else None
    return key and world.ask("POST", f"/games/{key}/stop", result=world.maybe())


@step("api_games.correct_score")
def correct(world: World) -> TestResponse | None:
    key = world.game()
    return key and correct_in(world, key)


@step("api_games.remove_correction")
def remove_correction(world: World) -> TestResponse | None:
    key = world.running_game()
    if key and not world.table(key).game.decisions.corrections:
        correct_in(world, key)
    made = key and world.one_of(world.table(key).game.decisions.corrections)
    if not made:
        return None
    said = {"round": made.number, "seat": made.seat, "points": made.points}
    return world.ask("DELETE", f"/games/{key}/corrections", **said, reason=made.reason)


@step("api_games.keep_points")
def keep_points(world: World) -> TestResponse | None:
    sent = {"keep": world.maybe()}
    return decide(world, "PUT", "points", lambda _seats: sent)


@step("api_games.note_round")
def write_note(world: World) -> TestResponse | None:
    key = world.game()
    number = key and world.chance.randint(1, world.table(key).game.open_number)
    note = world.chance.choice(REASONS)
    return key and world.ask("PUT", f"/games/{key}/rounds/{number}/note", note=note)


@step("api_games.void_round")
def void(world: World) -> TestResponse | None:
    sent = {"passed_on": world.maybe(), "reason": world.chance.choice(REASONS)}
    return decide(world, "POST", "void", lambda _seats: sent)


@step("api_games.choose_dealer")
def dealer(world: World) -> TestResponse | None:
    return decide(
        world,
        "PUT",
        "dealer",
        lambda seats: {"seat": world.one_of(seats), "once": world.maybe()},
    )


@step("api_games.change_seats")
def seats(world: World) -> TestResponse | None:
    return decide(
        world, "PUT", "seats", lambda seats: {"order": world.chance.sample(seats, len(seats))}
    )


def decide(
    world: World, method: str, what: str, said: Callable[[list[int]], dict[str, Any]]
) -> TestResponse | None:
    """Decide something about dealing the open round of a game, by the seats that play in it."""
    key = world.running_game()
    if key is None:
        return None
    game = world.table(key).game
    playing = [seat.id for seat in players_in(game, game.open_number)]
    return world.ask(method, f"/games/{key}/rounds/{game.open_number}/{what}", **said(playing))


@step("api_games.join")
def join(world: World) -> TestResponse | None:
    key = world.running_game()
    after = key and world.one_of([*world.table(key).game.names, None])
    sent: dict[str, Any] = {"name": world.name(), "after": after}
    sent |= world.one_of(
        ({}, {"score": 40}, {"usual_score": "average", "usual_contract": "lowest"}, {"contract": 2})
    )
    return key and world.ask("POST", f"/games/{key}/players", **sent)


@step("api_games.stand_in")
def stand_in(world: World) -> TestResponse | None:
    key = world.running_game()
    seat = key and world.one_of(world.table(key).game.names)
    return key and world.ask("PUT", f"/games/{key}/players/{seat}", name=world.name())


@step("api_games.correct_holder_of")
def correct_holder(world: World) -> TestResponse | None:
    key = world.game()
    seat = key and world.one_of(world.table(key).game.seats)
    holder = seat and world.one_of(["", *(one.name for one in seat.stints)])
    sent = {"name": world.name(), "instead_of": holder}
    return seat and world.ask("PUT", f"/games/{key}/players/{seat.id}/holder", **sent)


@step("api_games.leave")
def leave(world: World) -> TestResponse | None:
    key = world.running_game()
    seat = key and world.one_of(world.table(key).game.names)
    cards = world.one_of(("", "?cards=counted", "?cards=not_counted"))
    return key and world.ask("DELETE", f"/games/{key}/players/{seat}{cards}")


@step("api_rule_sets.keep_rule_set")
def keep_rule_set(world: World) -> TestResponse:
    plain = to_dict(rule_set_by_id(world.chance.choice(RULE_SETS)))
    return world.ask("POST", "/rule-sets", document=plain)


@step("api_rule_sets.change_rule_set")
def change_rule_set(world: World) -> TestResponse | None:
    own = world.one_of(world.find(StoredRuleSet.key, StoredRuleSet.version))
    plain = to_dict(rule_set_by_id(world.chance.choice(RULE_SETS)))
    return own and world.ask("PUT", f"/rule-sets/{own.key}", document=plain, seen=own.version)


@step("api_rule_sets.remove_rule_set")
def remove_rule_set(world: World) -> TestResponse | None:
    key = world.one_of(world.find(StoredRuleSet.key))
    return key and world.ask("DELETE", f"/rule-sets/{key}")


@step("api_statistics.mark")
def mark_evening(world: World) -> TestResponse | None:
    key = world.game()
    return key and world.ask("PUT", f"/games/{key}/evening", mark=world.one_of(("begins", "joins")))


@step("api_statistics.leave_out")
def leave_out_games(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    left_out = world.one_of(([], [key]))
    return key and world.ask("PUT", f"/evenings/{key}/seasons", left_out=left_out)


@step("api_rulings.edit_ruling")
def edit_ruling(world: World) -> TestResponse | None:
    found = ruling(world)
    said = {one: world.chance.choice(TEXTS) for one in ("decided", "reason")}
    return found and world.ask("PUT", found[0], **said)


@step("api_rulings.remove_ruling")
def remove_ruling(world: World) -> TestResponse | None:
    found = ruling(world)
    return found and world.ask("DELETE", found[0])


def season_body(world: World) -> dict[str, Any]:
    rules = {"measure": world.one_of(MEASURES), "best_of": world.one_of((None, 2))}
    ends = world.one_of(({"last_day": "2026-12-31"}, {"evenings": 2}, {}))
    counted = world.one_of(([], [rule_set(world)]))
    name, since = world.chance.choice(TEXTS), world.one_of(("2026-01-01", None))
    return {"name": name, "since": since, "rule_sets": counted, "rules": rules, **ends}


@step("api_statistics.make_season")
def make_season(world: World) -> TestResponse:
    return world.ask("POST", "/seasons", **season_body(world))


@step("api_statistics.change_season")
def change_season(world: World) -> TestResponse | None:
    key = season(world)
    return key and world.ask("PUT", f"/seasons/{key}", **season_body(world))


@step("api_statistics.settle_season")
def settle_season(world: World) -> TestResponse | None:
    key = season(world)
    return key and world.ask("POST", f"/seasons/{key}/settle", decide_anew=world.maybe())


@step("api_statistics.remove_season")
def remove_season(world: World) -> TestResponse | None:
    key = season(world) if world.maybe(0.3) else None
    return key and world.ask("DELETE", f"/seasons/{key}")
