"""A document read strictly: types, bounds, names that exist. Every fault is told with its place.

What is well formed but could never have been played is `judging.py`'s.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.exchange.fields import Faulty, Fields
from app.exchange.limits import (
    LONGEST_DECISION,
    LONGEST_GROUP_NAME,
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_QUESTION,
    LONGEST_RULE_SET_ID,
    LONGEST_TITLE,
    LONGEST_TYPED,
    LONGEST_VERDICT,
    MOST_ENTRIES,
    MOST_GAMES,
    MOST_OWN_RULE_SETS,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_RULE_SETS,
    MOST_RULINGS,
    MOST_SEATS,
    MOST_USUAL_RULES,
    MOST_VERSIONS,
)
from app.exchange.logs import OfGame, checked_entry, read_count, read_said
from app.exchange.records import (
    FORMAT,
    VERSION,
    GameRecord,
    GroupRecord,
    LogRecord,
    OwnRuleSetRecord,
    PaperRecord,
    PlayerRecord,
    RoundRecord,
    RowRecord,
    RuleChangeRecord,
    RulingRecord,
    SeatRecord,
    UsualRulesRecord,
)
from app.exchange.writing import typed_by_default
from app.rules.house_rules import SWITCHABLE
from app.rules.loading import FaultyRules, from_plain, read_value
from app.rules.variant import Variant
from app.rules.wording import say
from app.scorebook.sums import MOST_POINTS

RESERVED_IDS = frozenset({"custom"})
"""Words that stand in an address where others have the id of a rule set."""
_RULE_SET_ID = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*")
_OWN_KEY = re.compile(r"own-[0-9a-z]{1,16}")


def read_group(plain: object) -> GroupRecord:
    """A document's group; its games are read and checked one by one as they are taken.

    Raises `Faulty`: for a game when it is taken.
    """
    fields = Fields(plain)
    _check_format(fields)
    group = Fields(fields.mapping("group"))
    name = group.text("name", LONGEST_GROUP_NAME)
    group.done()
    players = fields.items("players", _read_player, MOST_PLAYERS)
    names = _names_of(players)
    plain_rules = fields.large_mapping("rule_sets", MOST_RULE_SETS)
    rules = _rule_sets(plain_rules)
    own = fields.items("own_rule_sets", _read_own_rule_set, MOST_OWN_RULE_SETS)
    _check_different("own_rule_sets", [one.key for one in own])
    usual = fields.items("usual_rules", _read_usual_rules, MOST_USUAL_RULES)
    _check_different("usual_rules", [one.rule_set for one in usual])
    games = fields.each("games", lambda one: _read_game(one, names, rules), MOST_GAMES)
    fields.done()
    return GroupRecord(name, players, plain_rules, _with_different_keys(games), own, usual)


def rule_sets_of(group: GroupRecord) -> Mapping[str, Variant]:
    """The rule sets of a document, as the scorebook reckons with them."""
    return _rule_sets(group.rule_sets)


def _check_format(fields: Fields) -> None:
    if fields.anything("format") != FORMAT:
        message = say("This isn’t a Meldkeeper file: “{format}” is missing.", format=FORMAT)
        raise Faulty("format", message)
    version = fields.anything("version")
    if isinstance(version, int) and version > VERSION:
        message = say(
            "This file has version {version}, and this app reads version {known}. Update the app.",
            version=version,
            known=VERSION,
        )
        raise Faulty("version", message)
    if version != VERSION:
        raise Faulty("version", say("This must be {known}.", known=VERSION))


def _read_player(plain: object) -> PlayerRecord:
    fields = Fields(plain)
    player = PlayerRecord(
        name=_name(fields, "name"),
        since=fields.moment("since"),
        archived_at=fields.moment_or_none("archived_at"),
        merged_into=fields.text("merged_into", LONGEST_NAME, "") or None,
    )
    fields.done()
    return player


def _name(fields: Fields, field: str) -> str:
    """A player's name as the app itself would have kept it."""
    name = fields.text(field, LONGEST_NAME)
    if not name or not name.isprintable() or name != " ".join(name.split()):
        raise Faulty(field, say("This isn’t a name."))
    return name


def _names_of(players: Sequence[PlayerRecord]) -> Mapping[str, bool]:
    """The players' names, and which of them stand for themselves."""
    names: dict[str, bool] = {}
    folded: set[str] = set()
    for place, one in enumerate(players):
        if one.name.casefold() in folded:
            raise Faulty(f"players[{place}].name", say("{name} is listed twice.", name=one.name))
        folded.add(one.name.casefold())
        names[one.name] = one.merged_into is None
    for place, one in enumerate(players):
        if one.merged_into is not None and not names.get(one.merged_into):
            message = say("There is no player {name} to merge with.", name=one.merged_into)
            raise Faulty(f"players[{place}].merged_into", message)
    return names


def _rule_sets(plain: Mapping[str, Any]) -> Mapping[str, Variant]:
    rules = {}
    for name, one in plain.items():
        try:
            rules[name] = _checked_rules(one)
        except Faulty as fault:
            raise fault.within(f"rule_sets.{name[:20]}") from None
    return rules


def _checked_rules(plain: object) -> Variant:
    """A rule set whose id an address can hold."""
    try:
        variant = from_plain(plain)  # type: ignore[arg-type]  # it checks that itself
    except FaultyRules as fault:
        reason = say("{field}: {reason}", field=fault.field, reason=fault.phrase)
        raise Faulty("", reason) from None
    if not _is_id(variant.id):
        raise Faulty("id", say("This isn’t the ID of a rule set."))
    return variant


def _is_id(text: str) -> bool:
    fits = len(text) <= LONGEST_RULE_SET_ID and _RULE_SET_ID.fullmatch(text)
    return bool(fits) and text not in RESERVED_IDS


def _read_own_rule_set(plain: object) -> OwnRuleSetRecord:
    fields = Fields(plain)
    key = fields.text("key", LONGEST_RULE_SET_ID)
    if not _OWN_KEY.fullmatch(key):
        raise Faulty("key", say("This isn’t the key of a custom rule set."))
    document = fields.large_mapping("rules", 200)
    own = OwnRuleSetRecord(
        key=key,
        rules=document,
        version=fields.number("version", 1, MOST_VERSIONS),
        created_at=fields.moment("created_at"),
        changed_at=fields.moment("changed_at"),
        removed_at=fields.moment_or_none("removed_at"),
    )
    fields.done()
    try:
        variant = _checked_rules(document)
    except Faulty as fault:
        raise fault.within("rules") from None
    if variant.id != key:
        raise Faulty("rules.id", say("This must be {key}.", key=key))
    return own


def _read_usual_rules(plain: object) -> UsualRulesRecord:
    fields = Fields(plain)
    usual = UsualRulesRecord(
        rule_set=fields.text("rule_set", LONGEST_RULE_SET_ID),
        rules=fields.large_mapping("rules", 200),
        changed_at=fields.moment("changed_at"),
    )
    fields.done()
    if not _is_id(usual.rule_set):
        raise Faulty("rule_set", say("This isn’t the ID of a rule set."))
    for name, value in usual.rules.items():
        try:
            read_value(name, value)
        except FaultyRules as fault:
            raise Faulty(f"rules.{name[:40]}", fault.phrase) from None
    return usual


def _check_different(name: str, keys: Sequence[str]) -> None:
    seen: set[str] = set()
    for place, key in enumerate(keys):
        if key in seen:
            raise Faulty(f"{name}[{place}]", say("{key} is listed twice.", key=key))
        seen.add(key)


def _read_game(
    plain: object, names: Mapping[str, bool], rules: Mapping[str, Variant]
) -> GameRecord:
    fields = Fields(plain)
    chosen = fields.text("rules", 40)
    if chosen not in rules:
        raise Faulty("rules", say("This file has no rule set with that name."))
    variant = rules[chosen]
    classes = len(variant.penalties.classes)
    seats = fields.items("seats", lambda one: _read_seat(one, names), MOST_SEATS, least=2)
    count = len(seats)
    game = GameRecord(
        key=_key(fields),
        rules=chosen,
        version=fields.number("version", 0, MOST_VERSIONS),
        started_at=fields.moment("started_at"),
        finished_at=fields.moment_or_none("finished_at"),
        reopened=fields.flag("reopened"),
        title=fields.text("title", LONGEST_TITLE, ""),
        note=fields.text("note", LONGEST_NOTE, ""),
        archived_at=fields.moment_or_none("archived_at"),
        deleted_at=fields.moment_or_none("deleted_at"),
        seats=_checked_seats(seats),
        rounds=fields.items("rounds", lambda one: _read_round(one, count, classes), MOST_ROUNDS),
        rulings=fields.items("rulings", lambda one: _read_ruling(one, count), MOST_RULINGS),
        rule_changes=fields.items("rule_changes", _read_rule_change, MOST_RULINGS),
        log=fields.items("log", lambda one: _read_log(one, OfGame(count, variant)), MOST_ENTRIES),
        paper=fields.items("paper", lambda one: _read_paper(one, count), MOST_SEATS),
    )
    fields.done()
    return _checked_game(game)


def _key(fields: Fields) -> str:
    key = fields.text("key", 40)
    if not key or not key.isascii() or not key.replace("-", "").isalnum():
        raise Faulty("key", say("This isn’t the key of a game."))
    return key


def _read_seat(plain: object, names: Mapping[str, bool]) -> SeatRecord:
    fields = Fields(plain)
    seat = SeatRecord(
        player=fields.text("player", LONGEST_NAME),
        joined_in=fields.number_or_none("joined_in", 1, MOST_ROUNDS) or 1,
        left_after=fields.number_or_none("left_after", 0, MOST_ROUNDS),
        starting_score=fields.number_or_none("starting_score", -MOST_POINTS, MOST_POINTS) or 0,
        deals_first=fields.flag("deals_first"),
        played_as=fields.text("played_as", LONGEST_NAME, "") or None,
    )
    fields.done()
    for field, name in (("player", seat.player), ("played_as", seat.played_as)):
        if name is not None and name not in names:
            raise Faulty(field, say("This file has no player {name}.", name=name))
    if not names[seat.player]:
        raise Faulty("player", say("{name} was merged with another player.", name=seat.player))
    return seat


def _checked_seats(seats: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
    players = [one.player for one in seats]
    for place, name in enumerate(players):
        if name in players[:place]:
            raise Faulty(f"seats[{place}].player", say("{name} is listed twice.", name=name))
    if sum(one.deals_first for one in seats) != 1:
        raise Faulty("seats", say("Exactly one player must deal first."))
    return seats


def _read_round(plain: object, seats: int, classes: int) -> RoundRecord:
    fields = Fields(plain)
    played = RoundRecord(
        number=fields.number("number", 1, MOST_ROUNDS),
        closed_at=fields.moment_or_none("closed_at"),
        first_down=fields.number_or_none("first_down", 1, seats),
        nobody_out=fields.flag("nobody_out"),
        rows=fields.items("rows", lambda one: _read_row(one, seats, classes), MOST_SEATS),
    )
    fields.done()
    taken = [one.seat for one in played.rows]
    if len(set(taken)) < len(taken):
        raise Faulty("rows", say("A player is listed more than once."))
    return played


def _read_row(plain: object, seats: int, classes: int) -> RowRecord:
    fields = Fields(plain)
    penalty = fields.number_or_none("penalty", -MOST_POINTS, MOST_POINTS)
    row = RowRecord(
        seat=fields.number("seat", 1, seats),
        met=fields.flag("met"),
        went_out=fields.flag("went_out"),
        penalty=penalty,
        typed=fields.text("typed", LONGEST_TYPED, typed_by_default(penalty)),
        counted=fields.items("counted", read_count, classes),
        exact_deal=fields.flag("exact_deal"),
        not_counted=fields.flag("not_counted"),
    )
    fields.done()
    if row.not_counted and (row.went_out or row.penalty is not None):
        raise Faulty("not_counted", say("Only missing points can be marked “not counted”."))
    if len(row.counted) not in (0, classes):
        raise Faulty("counted", say("This must be {count} numbers.", count=classes))
    return row


def _read_ruling(plain: object, seats: int) -> RulingRecord:
    fields = Fields(plain)
    ruling = RulingRecord(
        round_number=fields.number("round", 1, MOST_ROUNDS),
        at=fields.moment("at"),
        question=fields.text("question", LONGEST_QUESTION),
        verdict=fields.text("verdict", LONGEST_VERDICT),
        said=read_said(fields),
        asked_by=fields.number_or_none("asked_by", 1, seats),
        decided=fields.text("decided", LONGEST_DECISION, ""),
        reason=fields.text("reason", LONGEST_DECISION, ""),
    )
    fields.done()
    return ruling


def _read_rule_change(plain: object) -> RuleChangeRecord:
    fields = Fields(plain)
    number = fields.number("from_round", 1, MOST_ROUNDS)
    change = RuleChangeRecord(number, fields.text("field", 40), fields.anything("value"))
    fields.done()
    if change.field not in SWITCHABLE:
        raise Faulty("field", say("That rule can’t change during a game."))
    try:
        read_value(change.field, change.value)
    except FaultyRules as fault:
        raise Faulty("value", fault.phrase) from None
    return change


def _read_log(plain: object, game: OfGame) -> LogRecord:
    fields = Fields(plain)
    entry = LogRecord(
        version=fields.number("version", 1, MOST_VERSIONS),
        at=fields.moment("at"),
        by=fields.text("by", LONGEST_NAME, ""),
        kind=fields.text("kind", 24),
        round_number=fields.number_or_none("round", 0, MOST_ROUNDS + 1),
        seat=fields.number_or_none("seat", 1, game.seats),
        before=fields.mapping("before"),
        after=fields.mapping("after"),
        reason=fields.text("reason", LONGEST_DECISION, ""),
    )
    fields.done()
    before, after = checked_entry(entry, game)
    return replace(entry, before=before, after=after)


def _read_paper(plain: object, seats: int) -> PaperRecord:
    fields = Fields(plain)
    paper = PaperRecord(
        fields.number("seat", 1, seats),
        fields.number("place", 1, MOST_SEATS),
        fields.number_or_none("score", -MOST_POINTS, MOST_POINTS),
    )
    fields.done()
    return paper


def _checked_game(game: GameRecord) -> GameRecord:
    """What holds between the parts of a game."""
    closed = True
    for place, played in enumerate(game.rounds):
        if played.number != place + 1:
            message = say("Round {number} is missing here.", number=place + 1)
            raise Faulty(f"rounds[{place}].number", message)
        if played.closed_at is not None and not closed:
            message = say("The round before it is still open, so this one can’t have ended.")
            raise Faulty(f"rounds[{place}].closed_at", message)
        closed = played.closed_at is not None
    if game.paper:
        seats = sorted(one.seat for one in game.paper)
        if game.rounds or seats != list(range(1, len(game.seats) + 1)):
            raise Faulty(
                "paper", say("A game with results only lists each player once and has no rounds.")
            )
        if game.finished_at is None:
            raise Faulty("finished_at", say("A game with results only must be finished."))
    versions = [one.version for one in game.log]
    if versions != sorted(set(versions)) or (versions and versions[-1] > game.version):
        raise Faulty(
            "log", say("The versions of the activity list don’t end at the game’s version.")
        )
    _check_different(
        "rule_changes", [f"{one.field} ({one.from_round})" for one in game.rule_changes]
    )
    return game


def _with_different_keys(games: Iterable[GameRecord]) -> Iterator[GameRecord]:
    keys: set[str] = set()
    for place, game in enumerate(games):
        if game.key in keys:
            raise Faulty(f"games[{place}].key", say("{key} is listed twice.", key=game.key))
        keys.add(game.key)
        yield game
