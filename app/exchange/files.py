"""A document of a group as a file: read strictly, and written game by game.

Its parts are read by their schemas (`documents`); here stands what holds between them. The first
fault is told, with its place where it has one. What is well formed but could never have been played
is `plausibility.py`'s.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from app.exchange.documents import (
    FORMAT,
    VERSION,
    GameDocument,
    GroupDocument,
    GroupFile,
    OwnRuleSetDocument,
    PlayerDocument,
    RoundDocument,
    SeasonDocument,
    SeatDocument,
    StandInDocument,
    UsualRulesDocument,
)
from app.exchange.schema import UNKNOWN, DocumentError, Misread, path_of, schema_of
from app.rules.field_types import NO_OBJECT, Misfit
from app.rules.house_rules import SWITCHABLE
from app.rules.phrases import Phrase, ask_for_number, say
from app.rules.rule_sets import FaultyRules, read_value
from app.rules.rule_types import read_rule_set
from app.rules.text import LONGEST_SHOWN, abbreviate, is_storable
from app.rules.variant import Variant
from app.scorebook.events.event import SEAT_FIELDS

_UNSTORABLE_ESCAPE = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)
_UNKNOWN_HERE = say("This field is unknown. If the file is from a newer version, update the app.")


def read_document(plain: object) -> GroupDocument:
    """The document of a group. Raises `DocumentError` with the first fault in it."""
    _check_format(plain)
    try:
        document: GroupDocument = schema_of(GroupFile).read(plain)
    except Misread as misread:
        place, message = misread.faults[0]
        message = _UNKNOWN_HERE if message == UNKNOWN else message
        raise DocumentError(path_of(place), message) from None
    _check_document(document)
    return document


def read_rule_sets(document: GroupDocument) -> Mapping[str, Variant]:
    """The rule sets of a document, as the scorebook reckons with them. Raises `DocumentError`."""
    found: dict[str, Variant] = {}
    for name, one in document.rule_sets.items():
        try:
            found[name] = read_rule_set(one)
        except Misfit as misfit:
            raise DocumentError(
                path_of(("rule_sets", name, *misfit.place)), misfit.phrase
            ) from None
    return found


def _check_format(plain: object) -> None:
    if not isinstance(plain, dict):
        raise DocumentError("", NO_OBJECT)
    if plain.get("format") != FORMAT:
        message = say("This isn’t a Meldkeeper file: “{format}” is missing.", format=FORMAT)
        raise DocumentError("format", message)
    version = plain.get("version")
    if isinstance(version, int) and version > VERSION:
        message = say(
            "This file has version {version}, and this app reads version {known}. Update the app.",
            version=abbreviate(str(version)),
            known=VERSION,
        )
        raise DocumentError("version", message)
    if version != VERSION or version is True:
        raise DocumentError("version", say("This must be {known}.", known=VERSION))


def _check_document(document: GroupDocument) -> None:
    names = _names_of(document.players)
    rule_sets = read_rule_sets(document)
    _check_unique("own_rule_sets", [one.key for one in document.own_rule_sets])
    for number, own in enumerate(document.own_rule_sets):
        if own.rules["id"] != own.key:
            message = say("This must be {key}.", key=own.key)
            raise DocumentError(f"own_rule_sets[{number}].rules.id", message)
    _check_unique("usual_rules", [one.rule_set for one in document.usual_rules])
    _check_seasons(document, names)
    for number, game in enumerate(document.games):
        try:
            _check_game(game, names, rule_sets)
        except DocumentError as fault:
            raise fault.within(f"games[{number}]") from None
    _check_unique("games", [game.key for game in document.games], ".key")


def _check_seasons(document: GroupDocument, names: Mapping[str, bool]) -> None:
    _check_unique("seasons", [one.key for one in document.seasons], ".key")
    for number, season in enumerate(document.seasons):
        if (season.until is None) and (season.evenings is None):
            message = say("Enter the last day or the number of evenings.")
            raise DocumentError(f"seasons[{number}].until", message)
        for line, one in enumerate(season.decided or ()):
            if one.player not in names:
                message = say("This file has no player {name}.", name=one.player)
                raise DocumentError(f"seasons[{number}].decided[{line}].player", message)


def _names_of(players: Sequence[PlayerDocument]) -> Mapping[str, bool]:
    """The players' names, and which of them stand for themselves.

    Raises `DocumentError` for a name that is listed twice and for a merger with nobody, or with a
    player who was merged, too.
    """
    names = {one.name: not one.merged_into for one in players}
    _check_unique("players", [one.name for one in players], ".name", same=str.casefold)
    for number, one in enumerate(players):
        if one.merged_into and not names.get(one.merged_into):
            merged = say("{name} was merged with another player.", name=one.merged_into)
            message = merged if one.merged_into in names else no_player_to_merge(one.merged_into)
            raise DocumentError(f"players[{number}].merged_into", message)
    return names


def no_player_to_merge(name: str) -> Phrase:
    """What is said where the player to merge with is not there."""
    return say("There is no player {name} to merge with.", name=name)


def _check_unique(
    path: str, keys: Sequence[str], field: str = "", *, same: Callable[[str], str] = str
) -> None:
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if same(key) in seen:
            raise DocumentError(f"{path}[{number}]{field}", say("{key} is listed twice.", key=key))
        seen.add(same(key))


def _check_game(
    game: GameDocument, names: Mapping[str, bool], rule_sets: Mapping[str, Variant]
) -> None:
    """What holds between the parts of a game."""
    if game.rules not in rule_sets:
        raise DocumentError("rules", say("This file has no rule set with that name."))
    classes = len(rule_sets[game.rules].penalties.classes)
    _check_seats(game, names, max(1, rule_sets[game.rules].last_contract))
    _check_rounds(game.rounds, len(game.seats), classes)
    for number, ruling in enumerate(game.rulings):
        _check_seat(f"rulings[{number}].asked_by", ruling.asked_by, len(game.seats))
    for number, change in enumerate(game.rule_changes):
        if change.field not in SWITCHABLE:
            message = say("That rule can’t change during a game.")
            raise DocumentError(f"rule_changes[{number}].field", message)
        try:
            read_value(change.field, change.value)
        except FaultyRules as fault:
            raise DocumentError(f"rule_changes[{number}].value", fault.phrase) from None
    _check_unique("rule_changes", [f"{one.field} ({one.from_round})" for one in game.rule_changes])
    _check_course(game)
    _check_log(game, classes)
    _check_past_result(game)


def _check_seats(game: GameDocument, names: Mapping[str, bool], last_contract: int) -> None:
    for number, seat in enumerate(game.seats):
        _check_player(f"seats[{number}]", seat, names)
        for line, one in enumerate(seat.stand_ins):
            _check_player(f"seats[{number}].stand_ins[{line}]", one, names)
        if seat.starting_contract > last_contract:
            path = f"seats[{number}].starting_contract"
            raise DocumentError(path, ask_for_number(1, last_contract))
        bounds = [number for one in seat.missed for number in (one.first, one.last + 1)]
        if bounds != sorted(set(bounds)):
            message = say("Missed rounds must be in order, with rounds played in between.")
            raise DocumentError(f"seats[{number}].missed", message)
    _check_unique("seats", [one.player for one in game.seats], ".player")
    if sum(one.deals_first for one in game.seats) != 1:
        raise DocumentError("seats", say("Exactly one player must deal first."))


def _check_player(
    path: str, document: SeatDocument | StandInDocument, names: Mapping[str, bool]
) -> None:
    for field, name in (("player", document.player), ("played_as", document.played_as)):
        if name and name not in names:
            message = say("This file has no player {name}.", name=name)
            raise DocumentError(f"{path}.{field}", message)
    if not names[document.player]:
        message = say("{name} was merged with another player.", name=document.player)
        raise DocumentError(f"{path}.player", message)


def _check_seat(path: str, seat: int | None, seats: int) -> None:
    if seat is not None and seat > seats:
        raise DocumentError(path, ask_for_number(1, seats))


def _check_order(path: str, order: Sequence[int], seats: int) -> None:
    for line, seat in enumerate(order):
        _check_seat(f"{path}[{line}]", seat, seats)
    if len(set(order)) < len(order):
        raise DocumentError(path, say("A player is listed more than once."))


def _check_counted(path: str, counted: Sequence[int], classes: int) -> None:
    if len(counted) not in (0, classes):
        raise DocumentError(path, say("This must be {count} numbers.", count=classes))


def _check_rounds(rounds: Sequence[RoundDocument], seats: int, classes: int) -> None:
    closed = True
    for number, played in enumerate(rounds):
        path = f"rounds[{number}]"
        if played.number != number + 1:
            message = say("Round {number} is missing here.", number=number + 1)
            raise DocumentError(f"{path}.number", message)
        if played.closed_at is not None and not closed:
            message = say("The round before it is still open, so this one can’t have ended.")
            raise DocumentError(f"{path}.closed_at", message)
        closed = played.closed_at is not None
        _check_seat(f"{path}.first_down", played.first_down, seats)
        for line, row in enumerate(played.rows):
            _check_seat(f"{path}.rows[{line}].seat", row.seat, seats)
            _check_counted(f"{path}.rows[{line}].counted", row.counted, classes)
            if row.not_counted and (row.went_out or row.penalty is not None):
                message = say("Only points that are missing can be marked as unknown.")
                raise DocumentError(f"{path}.rows[{line}].not_counted", message)
        if len({one.seat for one in played.rows}) < len(played.rows):
            raise DocumentError(f"{path}.rows", say("A player is listed more than once."))


def _check_course(game: GameDocument) -> None:
    seats = len(game.seats)
    for number, void in enumerate(game.course.voids):
        _check_seat(f"course.voids[{number}].dealer", void.dealer, seats)
    for number, dealer in enumerate(game.course.dealers):
        _check_seat(f"course.dealers[{number}].seat", dealer.seat, seats)
    for number, correction in enumerate(game.course.corrections):
        _check_seat(f"course.corrections[{number}].seat", correction.seat, seats)
    _check_unique("course.notes", [str(one.number) for one in game.course.notes], ".number")
    for number, change in enumerate(game.course.seat_changes):
        _check_order(f"course.seat_changes[{number}].before", change.before, seats)


def _check_log(game: GameDocument, classes: int) -> None:
    for number, event in enumerate(game.log):
        _check_seat(f"log[{number}].seat", event.seat, len(game.seats))
        for part, values in (("before", event.before), ("after", event.after)):
            path = f"log[{number}].{part}"
            for name in SEAT_FIELDS:
                _check_seat(f"{path}.{name}", values.get(name), len(game.seats))
            _check_order(f"{path}.order", values.get("order", ()), len(game.seats))
            _check_counted(f"{path}.counted", values.get("counted", ()), classes)
    versions = [one.version for one in game.log]
    if versions != sorted(set(versions)) or (versions and versions[-1] > game.version):
        message = say("The versions of the changes must rise, and not beyond the game’s version.")
        raise DocumentError("log", message)


def _check_past_result(game: GameDocument) -> None:
    if not game.past_result:
        return
    for number, result in enumerate(game.past_result):
        _check_seat(f"paper[{number}].seat", result.seat, len(game.seats))
    seats = sorted(one.seat for one in game.past_result)
    if game.rounds or seats != list(range(1, len(game.seats) + 1)):
        message = say("A game with results only lists each player once and has no rounds.")
        raise DocumentError("paper", message)
    if game.finished_at is None:
        raise DocumentError("finished_at", say("A game with results only must be finished."))


def is_json(content: bytes) -> bool:
    """Is a file to be read as JSON, as what it begins with says?"""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def parse_json(content: bytes) -> object:
    """The JSON of a file that `is_json`. Raises `DocumentError`."""
    try:
        plain = json.loads(content.decode("utf-8-sig"), parse_constant=_reject_constant)
    except UnicodeDecodeError:
        raise DocumentError("", say("This file isn’t UTF-8 text.")) from None
    except json.JSONDecodeError as broken:
        message = say(
            "This isn’t valid JSON, or part of it is missing: it breaks off at line {line}.",
            line=broken.lineno,
        )
        raise DocumentError("", message) from None
    except RecursionError:
        raise DocumentError("", say("This is nested too deeply.")) from None
    except ValueError:
        raise DocumentError("", say("It contains a number that isn’t valid.")) from None
    if _UNSTORABLE_ESCAPE.search(content):  # there is no other way to such a character in UTF-8
        _reject_unstorable_text(plain)
    return plain


def _reject_unstorable_text(value: object, path: str = "") -> None:
    """Refuse a NUL or half a surrogate pair in any text, names of fields included."""
    if isinstance(value, str):
        if not is_storable(value):
            raise DocumentError(path, say("This contains a character that can’t be stored."))
    elif isinstance(value, dict):
        for name, one in value.items():  # in JSON, names are texts
            _reject_unstorable_text(name, path)
            _reject_unstorable_text(one, f"{path}.{name[:LONGEST_SHOWN]}".lstrip("."))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            _reject_unstorable_text(one, f"{path}[{number}]")


def _reject_constant(text: str) -> float:
    raise ValueError(text)


_PARTS: Mapping[str, Any] = {
    "players": PlayerDocument,
    "own_rule_sets": OwnRuleSetDocument,
    "usual_rules": UsualRulesDocument,
    "seasons": SeasonDocument,
    "games": GameDocument,
}


def serialize(document: GroupDocument) -> Iterator[str]:
    """The document in pieces, so that ten thousand games need not stand in memory."""
    yield f'{{\n"format": {_json(FORMAT)},\n"version": {VERSION},\n'
    yield f'"group": {_json({"name": document.name})},\n'
    yield f'"rule_sets": {_json(dict(sorted(document.rule_sets.items())))}'
    for part, kind in _PARTS.items():
        if part in ("players", "games") or getattr(document, part):
            yield f',\n"{part}": ['
            before, write = "\n", schema_of(kind).write
            for one in getattr(document, part):
                yield before + write(one)
                before = ",\n"
            yield "\n]"
    yield "\n}\n" if document.milestones else ',\n"milestones": false\n}\n'


def name_of_rules(rules: Mapping[str, Any]) -> str:
    """A name for a rule set within a document; equal rules have equal names."""
    text = json.dumps(rules, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
