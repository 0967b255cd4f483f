"""A step for each address to which a page sends a form."""

import io
import json
import re
from dataclasses import asdict
from typing import Any

from werkzeug.test import TestResponse

from app.rules.rule_sets import rule_set_by_id, to_dict
from app.scorebook.dealing import players_in
from app.scorebook.seasons import MEASURES
from app.store.games import StoredGame
from app.store.groups import Player, StoredRuleSet, StoredSeason
from tests.walk.world import REASONS, RULE_SETS, TEXTS, TYPED, World, step
from tests.web.test_own_rule_sets import form_of


def rule_set(world: World) -> str:
    """The id of a rule set that a game can be started with."""
    own = world.find(StoredRuleSet.key, where=(StoredRuleSet.removed_at.is_(None),))
    return str(world.one_of([*RULE_SETS, *own]))


@step("games.start")
def start(world: World) -> TestResponse:
    names = [world.name() for _ in range(world.chance.randint(2, 4))]
    variant = rule_set(world)
    rules = {"rule-last_contract": world.chance.choice("123")}
    if variant == "points-only":
        rules = {"rule-max_deals": world.chance.choice("123"), "rule-below_zero": "true"}
        rules["rule-dealer_rotation"] = world.chance.choice(("left", "right", "none"))
    elif world.maybe(0.2):
        rules["rule-exact_deal_bonus"] = "50"
    if variant != "points-only" and world.maybe(0.2):
        buying = {"rule-buying": "one_more_card", "rule-most_buys": "2", "rule-buy_points": "10"}
        rules |= buying
    return world.post(
        "/games",
        variant=variant,
        player=names,
        dealer=str(world.chance.randrange(len(names))),
        **rules,
    )


@step("games.keep_rules")
def keep_rules(world: World) -> TestResponse:
    chosen = {"rule-last_contract": world.chance.choice("123")} if world.maybe(0.8) else {}
    return world.post(f"/games/new/{rule_set(world)}/rules", **chosen)


@step("games.claim_player")
def mine(world: World) -> TestResponse | None:
    key = world.game()
    return key and world.post(f"/games/{key}/mine", player=str(world.player() or ""))


@step("games.play_on")
def play_on(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    return key and world.post(f"/games/{key}/reopen")


@step("games.stop")
def stop(world: World) -> TestResponse | None:
    key = world.running_game() if world.maybe(0.3) else None
    return key and world.post(f"/games/{key}/stop", result=world.one_of(("yes", "no")))


@step("corrections.correct_score")
def correct(world: World) -> TestResponse | None:
    key = world.game()
    return key and correct_in(world, key)


def correct_in(world: World, key: str) -> TestResponse:
    game = world.table(key).game
    return world.post(
        f"/games/{key}/corrections",
        seat=str(world.one_of(game.names)),
        number=str(world.chance.randint(1, game.open_number)),
        points=world.chance.choice(("25", "10000", "0", "")),
        direction=world.one_of(("add", "take_off")),
        reason=world.chance.choice(REASONS),
    )


@step("corrections.remove_correction")
def remove_correction(world: World) -> TestResponse | None:
    key = world.game()
    if key and not world.table(key).game.decisions.corrections:
        correct_in(world, key)
    made = key and world.one_of(world.table(key).game.decisions.corrections)
    return made and world.post(f"/games/{key}/corrections/remove", **asdict(made))


@step("corrections.keep_points")
def keep_points(world: World) -> TestResponse | None:
    key = world.running_game()
    number = key and world.table(key).game.open_number
    keep = world.one_of(("yes", "no"))
    return key and world.post(f"/games/{key}/corrections/keep/{number}", keep=keep)


@step("rounds.note_round")
def write_note(world: World) -> TestResponse | None:
    key = world.game()
    number = key and world.one_of(range(1, world.table(key).game.open_number))
    note = world.chance.choice(REASONS)
    return number and world.post(f"/games/{key}/rounds/{number}/note", note=note)


@step("dealing.void_deal")
def void(world: World) -> TestResponse | None:
    passed_on, reason = world.one_of(("yes", "no")), world.chance.choice(REASONS)
    return decide(world, "void", passed_on=passed_on, reason=reason)


@step("dealing.choose_dealer")
def dealer(world: World) -> TestResponse | None:
    key = world.running_game()
    seat = key and world.one_of(world.table(key).game.names)
    return decide(world, "dealer", key, seat=str(seat), once=world.one_of(("yes", "no")))


@step("dealing.change_seats")
def seats(world: World) -> TestResponse | None:
    key = world.running_game()
    game = key and world.table(key).game
    names = [game.names[seat.id] for seat in players_in(game, game.open_number)] if game else []
    return decide(world, "seats", key, player=world.chance.sample(names, len(names)))


def decide(world: World, what: str, key: str | None = None, **sent: Any) -> TestResponse | None:
    """Decide something about dealing the open round of a game."""
    key = key or world.running_game()
    number = key and world.table(key).game.open_number
    return key and world.post(f"/games/{key}/dealing/{number}/{what}", **sent)


@step("games.rematch")
def rematch(world: World) -> TestResponse | None:
    key = world.game()
    return key and world.post(f"/games/{key}/rematch")


@step("games.undo_start")
def undo_start(world: World) -> TestResponse | None:
    key = world.running_game()
    return key and world.post(f"/games/{key}/start/undo")


@step("games.join")
def join(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    after = world.one_of([*world.table(key).game.names, ""])
    sent = {"name": world.name(), "after": str(after)}
    sent["score"] = world.chance.choice(("", "zero", "average", "highest", "other"))
    sent["other_score"] = world.chance.choice(("", "40", "-5", "−5"))
    sent["contract"] = world.chance.choice(("", "first", "lowest", "2"))
    return world.post(f"/games/{key}/players", **sent)


@step("games.stand_in")
def stand_in(world: World) -> TestResponse | None:
    key = world.running_game()
    seat = key and world.one_of(world.table(key).game.names)
    return key and world.post(f"/games/{key}/players/{seat}/stand-in", name=world.name())


@step("corrections.correct_holder")
def correct_holder(world: World) -> TestResponse | None:
    key = world.game()
    seat = key and world.one_of(world.table(key).game.seats)
    return seat and world.post(f"/games/{key}/corrections/seat/{seat.id}", name=world.name())


@step("games.leave")
def leave(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    seat = world.one_of(world.table(key).game.names)
    cards = world.chance.choice(("", "counted", "not_counted"))
    return world.post(f"/games/{key}/players/{seat}/leave", cards=cards)


@step("rounds.take_tap")
def take_tap(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    seat = world.one_of(one.id for one in table.game.seats)
    classes = range(len(table.variant.penalties.classes))
    taps: tuple[dict[str, str], ...] = (
        {"changed": "out", "out": str(seat)},
        {"changed": "out", "out": world.chance.choice(("nobody", ""))},
        {"changed": "first_down", "first_down": str(seat)},
        {"changed": f"{seat}-met", f"{seat}-met": world.chance.choice(("on", ""))},
        {"changed": f"{seat}-exact_deal", f"{seat}-exact_deal": "on"},
        {"changed": f"{seat}-buys", f"{seat}-buys": world.chance.choice("0123")},
        {"changed": f"{seat}-typed", f"{seat}-typed": world.chance.choice(TYPED)},
        {"changed": f"{seat}-not_counted", f"{seat}-not_counted": "on"},
        {"changed": f"{seat}-counted"}
        | {f"{seat}-counted-{place}": str(world.chance.randrange(3)) for place in classes},
    )
    return world.post(f"/games/{key}/rounds/{table.game.open_number}/row", **world.one_of(taps))


@step("rounds.save")
def save(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    number = table.game.open_number
    return world.post(f"/games/{key}/rounds/{number}/save", **world.round(table, number))


@step("rounds.end_round")
def close(world: World) -> TestResponse | None:
    key = world.running_game()
    if key is None:
        return None
    table = world.table(key)
    number = table.game.open_number
    sent = world.round(table, number) | {"seen": str(table.version)}
    return world.post(f"/games/{key}/rounds/{number}/close", **sent)


@step("rounds.reopen_round")
def undo(world: World) -> TestResponse | None:
    key = world.game()
    if key is None:
        return None
    return world.post(f"/games/{key}/rounds/{world.table(key).game.open_number - 1}/undo")


@step("rounds.edit_round")
def edit(world: World) -> TestResponse | None:
    key = world.game()
    if key is None:
        return None
    table = world.table(key)
    number = world.one_of(range(1, table.game.open_number))
    return number and world.post(f"/games/{key}/rounds/{number}", **world.round(table, number))


@step("activity.undo")
def undo_change(world: World) -> TestResponse | None:
    key = world.game()
    if key is None:
        return None
    newest = world.table(key).version
    older = world.chance.randrange(6 if world.maybe(0.6) else 60)
    return world.post(f"/games/{key}/activity/{max(1, newest - older)}/undo")


@step("history.describe")
def describe(world: World) -> TestResponse | None:
    key = world.game()
    title, note = world.chance.choice(TEXTS), world.chance.choice(TEXTS)
    return key and world.post(f"/games/{key}/about", title=title, note=note)


@step("history.archive")
def archive(world: World) -> TestResponse | None:
    key = world.game()
    return key and world.post(f"/games/{key}/archive", archived=world.one_of(("yes", "no")))


@step("history.delete")
def delete(world: World) -> TestResponse | None:
    key = world.game()
    return key and world.post(f"/games/{key}/bin")


@step("history.restore")
def take_back(world: World) -> TestResponse | None:
    key = world.game(binned=True)
    return key and world.post(f"/history/deleted/{key}")


@step("history.share")
def share(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    return key and world.post(f"/games/{key}/share", shared=world.one_of(("yes", "yes", "no")))


@step("players.add")
def add_player(world: World) -> TestResponse:
    return world.post("/players", name=world.name())


@step("players.rename")
def rename(world: World) -> TestResponse | None:
    player = world.player()
    return player and world.post(f"/players/{player}/name", name=world.name())


@step("players.change_mark")
def change_mark(world: World) -> TestResponse | None:
    player = world.player()
    color, shape = (world.one_of(("1", "5", "8", "9")) for _ in range(2))
    sign = world.one_of(("", "AB", "🦊", "ABC"))
    return player and world.post(f"/players/{player}/mark", color=color, shape=shape, sign=sign)


@step("players.archive")
def archive_player(world: World) -> TestResponse | None:
    player = world.player()
    archived = world.one_of(("yes", "no"))
    return player and world.post(f"/players/{player}/archive", archived=archived)


@step("players.merge")
def merge(world: World) -> TestResponse | None:
    player, into = world.players_to_merge()
    return player and world.post(f"/players/{player}/merge", into=str(into))


@step("players.separate")
def separate(world: World) -> TestResponse | None:
    player = world.player(Player.merged_into_id.is_not(None))
    return player and world.post(f"/players/{player}/separate")


@step("rulesets.make")
def make_rules(world: World) -> TestResponse:
    base = world.chance.choice(RULE_SETS)
    contracts = world.one_of((["set of 3", "run of 4"], ["2 sets of 3", "r5", "s4 r3"]))
    name = world.chance.choice(("Ours", "Zoés e\u0301", "x" * 60))
    changes: dict[str, Any] = {"contract": contracts, "name": name, "rule__last_contract": "2"}
    return world.post("/rules/custom/new", **form_of(base, **changes))


@step("rulesets.save")
def change_rules(world: World) -> TestResponse | None:
    own = world.one_of(
        world.find(
            StoredRuleSet.key, StoredRuleSet.version, where=(StoredRuleSet.removed_at.is_(None),)
        )
    )
    if own is None:
        return None
    form = form_of("frustration", name="Changed", contract=["set of 3"], rule__last_contract="1")
    return world.post(f"/rules/custom/{own.key}/change", **form, seen=str(own.version))


@step("rulesets.remove")
def remove_rules(world: World) -> TestResponse | None:
    key = world.one_of(world.find(StoredRuleSet.key))
    return key and world.post(f"/rules/custom/{key}/remove")


@step("rulesets.restore")
def bring_rules_back(world: World) -> TestResponse | None:
    key = world.one_of(world.find(StoredRuleSet.key))
    return key and world.post(f"/rules/custom/{key}/bring-back")


@step("rulesets.save_import")
def keep_rule_set(world: World) -> TestResponse:
    plain = to_dict(rule_set_by_id(world.chance.choice(RULE_SETS)))
    return world.post("/rules/custom/keep", document=json.dumps(plain))


@step("groups.rename")
def rename_group(world: World) -> TestResponse:
    return world.post("/group/name", name=world.chance.choice(("Our club", "Zoés e\u0301")))


@step("groups.edit_device")
def this_is_me(world: World) -> TestResponse:
    device = world.chance.choice(("", "Ben's phone", "e\u0301"))
    return world.post("/group/me", device=device, player=str(world.player() or ""))


@step("data.preview")
def preview(world: World) -> TestResponse:
    """Past results from a CSV, some of them by a player whose name has decomposed letters."""
    day = f"2024-12-{world.chance.randint(10, 31)}"
    first, second = world.chance.sample(("Anna", "Ben", "Zoe\u0301", "Zoé", "Finn"), 2)
    lines = [f"{day},Frustration,{first},1,", f"{day},Frustration,{second},2,"]
    table = "\n".join(["date,rule set,player,place,score", *lines])
    return world.phone.post("/data/import", data={"file": (io.BytesIO(table.encode()), "past.csv")})


@step("data.import_file")
def bring_in(world: World) -> TestResponse | None:
    found = re.search(r'action="(/data/import/[^"]+)"', preview(world).get_data(as_text=True))
    return found and world.post(found[1])


@step("past_games.add")
def add_past_game(world: World) -> TestResponse:
    day = f"2024-11-{world.chance.randint(10, 30)}"
    seats = {"p0-player": world.name(), "p0-place": "1", "p1-player": world.name(), "p1-place": "2"}
    return world.post("/data/past-game", date=day, rules="Frustration", **seats)


@step("past_games.save")
def edit_past_game(world: World) -> TestResponse | None:
    key = world.game(StoredGame.results_only)
    if key is None:
        return None
    day = f"2024-11-{world.chance.randint(10, 30)}"
    seats = {"p0-player": world.name(), "p0-place": "1", "p1-player": world.name(), "p1-place": "2"}
    return world.post(f"/data/past-game/{key}", date=day, rules="Frustration", **seats)


@step("groups.switch_milestones")
def switch_milestones(world: World) -> TestResponse:
    return world.post("/group/milestones", told=world.one_of(("yes", "no")))


@step("evenings.mark")
def mark_evening(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    return key and world.post(f"/games/{key}/evening", mark=world.one_of(("begins", "joins")))


@step("evenings.leave_out")
def leave_out_games(world: World) -> TestResponse | None:
    key = world.game(StoredGame.finished_at.is_not(None))
    ticked = world.one_of(([], [key]))
    return key and world.post(f"/evenings/{key}/seasons", left_out=ticked)


def season_form(world: World) -> dict[str, Any]:
    ends = world.one_of(({"until": "2026-12-31"}, {"evenings": "2"}, {}))
    return {
        "name": world.chance.choice(TEXTS),
        "since": world.one_of(("2026-01-01", "2025-06-30")),
        "measure": world.one_of(MEASURES),
        "place_points": world.one_of(("5, 3, 2, 1", "1", "x")),
        "best_of": world.one_of(("", "2")),
        "least_games": world.one_of(("", "1", "0")),
        **ends,
    }


def season(world: World) -> str | None:
    """The key of a season, of which a year in which a game ended is one."""
    ended = world.find(StoredGame.finished_at, where=(StoredGame.finished_at.is_not(None),))
    return world.one_of([*world.find(StoredSeason.key), *(str(at.year) for at in ended[-1:])])


@step("seasons.make")
def make_season(world: World) -> TestResponse:
    return world.post("/seasons/new", **season_form(world))


@step("seasons.change")
def change_season(world: World) -> TestResponse | None:
    key = season(world)
    return key and world.post(f"/seasons/{key}/edit", **season_form(world))


@step("seasons.leave_out")
def leave_out_evening(world: World) -> TestResponse | None:
    key, evening = season(world), world.game(StoredGame.finished_at.is_not(None))
    said = {"evening": evening, "counts": world.one_of(("yes", "no"))}
    return key and evening and world.post(f"/seasons/{key}/leave-out", **said)


@step("seasons.settle")
def settle_season(world: World) -> TestResponse | None:
    key = season(world)
    return key and world.post(f"/seasons/{key}/settle", anew=world.one_of(("yes", "no")))


@step("seasons.remove")
def remove_season(world: World) -> TestResponse | None:
    key = season(world) if world.maybe(0.3) else None
    return key and world.post(f"/seasons/{key}/remove")
