"""Past results from a CSV, a line for each player and game; one that is typed is made a CSV first.

Its columns have known names (`_COLUMNS`), in any language of the app, and any order; between them
stands one of four separators. Lines that follow each other with the same day and rule set are one
game, until a player comes again; a `game` column tells games of one day apart, and where its text
can be a key of this app, the game is known by that; in a table of rounds that the app wrote, by any
key. Points of all its players are enough for a game; where others have a place, who has none left
early and is last. The preview shows them as they were understood: of a long file only some, faulty
ones first.
"""

import csv
import hashlib
import io
import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from app.exchange import documents
from app.exchange.days import LAST_DAY, is_day_first, noon, read_day
from app.exchange.files import name_of_rules
from app.exchange.keys import ANY_KEY, OUR_KEY
from app.exchange.round_csv import COLUMNS, plain_text
from app.exchange.schema import DocumentError
from app.exchange.table_words import TABLE_WORDS
from app.rules.phrases import Phrase, Translate, ask_for_number, in_english, join_phrases, say
from app.rules.rule_sets import to_dict
from app.rules.text import collapse_blanks, is_fully_visible, loose_key, normalize_text
from app.rules.variant import Variant
from app.scorebook.faults import fault_of_places
from app.scorebook.game import PastLine
from app.scorebook.limits import LONGEST_NAME, MOST_POINTS, MOST_SEATS

MOST_LINES = 50_000
_LONGEST_LINE = 10_000

_COLUMNS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "date": (("date",), ("day", "jour", "datum", "played")),
    "rules": (("rule set",), ("rules", "variant", "règles", "règle", "jeu")),
    "player": (("player",), ("name", "joueuse", "nom", "prénom", "spieler")),
    "place": (("place", "place in the end"), ("rank", "position", "classement", "platz")),
    "score": (("score",), ("total", "points", "punkte")),
    "game": (("game",), ("no", "number", "numéro", "spiel")),
    "round": (("round",), ("runde",)),
}
"""Column, its headings in what the app exports, which are read in every language, and those that
people write besides; of several in a file the first named here."""
_NEEDED = {name: TABLE_WORDS[_COLUMNS[name][0][0]] for name in ("date", "rules", "player", "place")}
"""Columns that a table must have. Points do where there are no places."""
_TOO_MANY_LINES = say("The file has more than {most} lines.", most=MOST_LINES)
_NO_TABLE = say("This file is neither a CSV table nor a Meldkeeper backup.")
_OF_ROUNDS = say(
    "This is a table of rounds. To import games with their rounds, use a full backup (JSON)."
)


@dataclass(frozen=True, slots=True)
class PastResultLine:
    """A line as it was understood; `fault` says what is wrong with it, `faulty_column` where."""

    number: int
    """The line of the file in which it ends; blank lines and the heading count, too."""
    day: date | None
    variant: Variant | None
    player: str
    place: int | None
    score: int | None
    game: str
    key: str
    """What stands under `game`, if it looks like a key of this app's or, in a table that this app
    exported, like any key; else empty."""
    faulty_column: str
    fault: Phrase | None
    left_early: bool = False
    """The player has no place while others have one: they left early and are last."""


@dataclass(frozen=True, slots=True)
class PastResults:
    """A file as it was understood: how it is written, its lines, and the games they make."""

    encoding: str
    separator: str
    day_first: bool | None
    """How days like 3/4/2025 were read; None where none was written so."""
    lines: tuple[PastResultLine, ...]
    games: tuple[tuple[PastResultLine, ...], ...]
    faults: tuple[tuple[int, Phrase], ...]
    """In the order of the lines: what is wrong with one, or with the game that begins there.

    Of a game that has a faulty line, or may have one, nothing else is said.
    """


def read_past_results(
    content: bytes,
    rule_sets: Mapping[str, Variant],
    languages: Iterable[Translate] = (),
    latest: date = LAST_DAY,
) -> PastResults:
    """The past results of a CSV, by these rule sets, given by their ids.

    Headings and the names of rule sets are read in English and in each of the languages. No result
    is later than the `latest` day. A year of two digits is from 2000 on, or from 1900 on where
    that would be later than that day's year.

    Raises `DocumentError` where it is no table, has a line of a round, lacks a column, or has no or
    too many lines.
    """
    encoding, text = _decode(content)
    separator = _guess_separator(text)
    rows = _rows(text, separator)
    heading, body = (rows[0], rows[1:]) if rows else (("", []), [])
    spoken = (in_english, *languages)
    columns = _columns(heading[1], spoken)
    if len(body) > MOST_LINES:
        raise DocumentError("", _TOO_MANY_LINES)
    fields = [(n, _fields(row, columns)) for n, row in body if any(cell.strip() for cell in row)]
    if any(one["round"] for _number, one in fields):
        raise DocumentError("", _OF_ROUNDS)
    known = {*columns} | ({"place"} if "score" in columns else set())
    missing = [heading for name, heading in _NEEDED.items() if name not in known]
    if missing:
        message = say(
            "A column is missing: {columns}. The first line must name the columns.",
            columns=join_phrases(missing),
        )
        raise DocumentError("", message)
    day_first = is_day_first([one["date"] for _number, one in fields])
    by_name = _by_name([*rule_sets.values()], spoken)
    first_spellings: dict[str, str] = {}
    # In a table of somebody's own, any number of games may be called 1.
    key_form = ANY_KEY if _is_table_of_rounds(heading[1], spoken) else OUR_KEY
    lines = tuple(
        _line(
            number,
            one,
            day_first,
            key_form,
            first_spellings,
            _variant(one["rules"], rule_sets, by_name),
            latest,
        )
        for number, one in fields
    )
    if not lines:
        raise DocumentError("", say("The file has no lines below its heading."))
    doubtful = _doubtful_lines(lines)
    games = tuple(
        game if game[0].number in doubtful else _with_places(game) for game in _games(lines)
    )
    placed = {one.number: one for game in games for one in game}
    lines = tuple(placed.get(one.number, one) for one in lines)
    of_lines = [(one.number, one.fault) for one in lines if one.fault]
    of_games = _game_faults([game for game in games if game[0].number not in doubtful])
    faults = sorted([*of_games, *of_lines], key=operator.itemgetter(0))
    return PastResults(encoding, separator, day_first, lines, games, tuple(faults))


def implied_places(variant: Variant, scores: Sequence[int]) -> list[int]:
    """The places that points imply, in the sense that points have in these rules."""
    ranks = [variant.score_rank(one) for one in scores]
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def place_of_who_left(known: Sequence[int]) -> int:
    """The place of who left early: the one after these, `MOST_SEATS` at most."""
    return min(max([*known, len(known)]) + 1, MOST_SEATS)


def typed_lines(variant: Variant, lines: Sequence[PastLine]) -> list[dict[str, str]]:
    """The lines of a past result as they are typed; without places, where points imply them."""
    texts = [
        {name: "" if value is None else str(value) for name, value in one.items()} for one in lines
    ]
    scores = [one["score"] for one in lines if one["score"] is not None]
    if [one["place"] for one in lines] == implied_places(variant, scores):
        return [one | {"place": ""} for one in texts]
    return texts


def doubt_of_places(game: Sequence[PastResultLine]) -> Phrase | None:
    """Who has a place that the points of a game don’t give; None for nobody.

    Asked only where points alone say who wins, and of those whose points are known. That a table
    parted who was level is no contradiction.
    """
    variant = game[0].variant
    if variant is None or not variant.places_by_score:
        return None
    known = sorted(
        (
            (one.place or 0, variant.score_rank(one.score), one)
            for one in game
            if one.score is not None
        ),
        key=lambda one: one[:2],
    )
    for place, rank, one in known:
        for other_place, other_rank, other in known:
            if place <= other_place and rank > other_rank:
                who = {"name": one.player, "place": str(place), "other": other.player}
                if variant.win == "highest_score":
                    return say("{name} has place {place}, but fewer points than {other}.", **who)
                return say("{name} has place {place}, but more points than {other}.", **who)
    return None


def past_results_document(past: PastResults) -> documents.GroupDocument:
    """The results as a document, to be imported like any other."""
    players = sorted({line.player for game in past.games for line in game}, key=str.casefold)
    first = min((line.day for line in past.lines if line.day), default=date(2000, 1, 1))
    used = {line.variant.id: line.variant for line in past.lines if line.variant}
    names = {id_: name_of_rules(to_dict(one)) for id_, one in used.items()}
    keyed = zip(past.games, _keys_of(past.games), strict=True)
    return documents.GroupDocument(
        "",
        tuple(documents.PlayerDocument(name, noon(first)) for name in players),
        {names[id_]: to_dict(one) for id_, one in used.items()},
        tuple(_game(game, names, key) for game, key in keyed),
    )


def _decode(content: bytes) -> tuple[str, str]:
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252", "latin-1"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" in text:
            break
        return encoding.removesuffix("-sig").upper(), text
    raise DocumentError("", _NO_TABLE)


def _guess_separator(text: str) -> str:
    heading = next((line for line in text.splitlines() if line.strip()), "")
    return max(";\t|,", key=lambda one: (heading.count(one), one == ","))


def _rows(text: str, separator: str) -> list[tuple[int, list[str]]]:
    lines = io.StringIO(text, newline=None).readlines()
    reader = csv.reader(lines, delimiter=separator, strict=False)
    if len(lines) > 2 * MOST_LINES:  # making cells of it would take long
        raise DocumentError("", _TOO_MANY_LINES)
    try:
        if any(len(line) > _LONGEST_LINE for line in lines):
            raise csv.Error  # one too long is no table either
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error:
        raise DocumentError("", _NO_TABLE) from None
    return [(number, row) for number, row in rows if row]


def _columns(heading: Sequence[str], spoken: Sequence[Translate]) -> dict[str, int]:
    names = [loose_key(cell) for cell in heading]
    found: dict[str, int] = {}
    for column, (ours, besides) in _COLUMNS.items():
        exported = [TABLE_WORDS[name].render(translate) for name in ours for translate in spoken]
        understood = map(loose_key, (*exported, *besides))
        place = next((names.index(one) for one in understood if one in names), None)
        if place is not None:
            found[column] = place
    return found


def _is_table_of_rounds(heading: Sequence[str], spoken: Iterable[Translate]) -> bool:
    """Has it all columns of the table of rounds, in one of these languages?"""
    return any(
        {TABLE_WORDS[name].render(translate) for name in COLUMNS} <= {*heading}
        for translate in spoken
    )


def _by_name(rule_sets: Sequence[Variant], spoken: Iterable[Translate]) -> dict[str, Variant]:
    """The first rule set of each name, by the names as written and then in these languages."""
    found: dict[str, Variant] = {}
    for translate in spoken:
        for one in rule_sets:
            found.setdefault(Phrase(one.name).render(translate).casefold(), one)
    return found


def _fields(row: Sequence[str], columns: Mapping[str, int]) -> dict[str, str]:
    found = dict.fromkeys(_COLUMNS, "")
    for name, place in columns.items():
        if place < len(row):
            found[name] = plain_text(normalize_text(row[place]).strip())
    return found


def _line(
    number: int,
    fields: Mapping[str, str],
    day_first: bool | None,
    key_form: re.Pattern[str],
    first_spellings: dict[str, str],
    variant: Variant | None,
    latest: date,
) -> PastResultLine:
    day = read_day(fields["date"], day_first, latest)
    player = collapse_blanks(fields["player"])
    player = first_spellings.setdefault(player.casefold(), player)
    place, score = _read_integer(fields["place"]), _read_integer(fields["score"])
    game, faulty_column, fault = fields["game"][:80], "", None
    key = game if key_form.fullmatch(game) else ""
    if day is None:
        text = fields["date"][:40]
        message = say("“{text}” isn’t a date. Use a form like 2025-12-31.", text=text)
        faulty_column, fault = "date", message
    elif day > latest:
        faulty_column, fault = "date", say("“{text}” is in the future.", text=fields["date"])
    elif variant is None:
        message = say("No rule set is called “{text}”.", text=fields["rules"][:40])
        faulty_column, fault = "rules", message
    elif not player:
        faulty_column, fault = "player", say("Enter a name for the player.")
    elif not is_fully_visible(player) or len(player) > LONGEST_NAME:
        faulty_column, fault = "player", say("“{text}” isn’t a player’s name.", text=player[:40])
    elif (fields["score"] and score is None) or abs(score or 0) > MOST_POINTS:
        faulty_column, fault = "score", say("“{text}” isn’t a score.", text=fields["score"][:40])
    elif fields["place"] and (place is None or not 1 <= place <= MOST_SEATS):
        faulty_column, fault = "place", ask_for_number(1, MOST_SEATS)
    known = (number, day, variant, player[:80], place, score, game, key)
    return PastResultLine(*known, faulty_column, fault)


def _variant(
    text: str, rule_sets: Mapping[str, Variant], by_name: Mapping[str, Variant]
) -> Variant | None:
    """The rule set of that id, else the first of that name, else of the id with those words."""
    name = collapse_blanks(text.casefold())
    return rule_sets.get(name) or by_name.get(name) or rule_sets.get(name.replace(" ", "-"))


def _read_integer(text: str) -> int | None:
    plain = text.rstrip(".").replace("−", "-")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None


def _game_key(line: PastResultLine) -> tuple[date | None, Variant | None, str] | None:
    """What the lines of a game have in common; None where it is not known."""
    if line.faulty_column in ("date", "rules"):
        return None
    return line.day, line.variant, line.game


def _games(lines: Iterable[PastResultLine]) -> Iterator[tuple[PastResultLine, ...]]:
    """Lines that belong together; a player who comes again begins another game."""
    for key, together in groupby(lines, key=_game_key):
        game, players = list[PastResultLine](), set[str]()
        for line in together if key else ():
            if line.player in players:
                yield tuple(game)
                game, players = [], set()
            game.append(line)
            players |= {line.player} if line.player else set()
        if game:
            yield tuple(game)


def _doubtful_lines(lines: Iterable[PastResultLine]) -> set[int]:
    """The numbers of those lines to whose game a faulty one belongs, or may belong."""
    stretches = [(key, [*together]) for key, together in groupby(lines, key=_game_key)]
    found = set[int]()
    for place, (_key, together) in enumerate(stretches):
        beside = [key for key, _together in stretches[max(0, place - 1) : place + 2]]
        if None in beside or any(one.fault for one in together):
            found |= {one.number for one in together}
    return found


def _with_places(game: tuple[PastResultLine, ...]) -> tuple[PastResultLine, ...]:
    """The lines of a game with the places that were not written; faulty where none can be known."""
    known = [one.place for one in game if one.place]
    if known:
        last = place_of_who_left(known)
        return tuple(
            replace(one, place=one.place or last, left_early=not one.place) for one in game
        )
    variant, scores = game[0].variant, [one.score for one in game if one.score is not None]
    if variant and len(scores) == len(game):
        places = implied_places(variant, scores)
        return tuple(replace(one, place=place) for one, place in zip(game, places, strict=True))
    message = say("Write a place for each player of this game, or points for each.")
    return tuple(replace(one, faulty_column="place", fault=message) for one in game)


def _game_faults(games: Sequence[tuple[PastResultLine, ...]]) -> Iterator[tuple[int, Phrase]]:
    for game in games:
        number = game[0].number
        if game[0].fault:
            continue
        if len(game) < 2:
            yield number, say("A game needs at least 2 players.")
        elif len(game) > MOST_SEATS:
            yield number, say("A game can have up to {count} players.", count=MOST_SEATS)
        elif (fault := fault_of_places(one.place for one in game)) is not None:
            yield number, fault


def _keys_of(games: Iterable[Sequence[PastResultLine]]) -> Iterator[str]:
    """The keys of the games of a file, all different.

    A game without a key, or with one that an earlier game has, gets one that says what it came to,
    so that it is known where the same is imported again.
    """
    used, copies = set[str](), Counter[str]()
    for game in games:
        key, variant = game[0].key, game[0].variant
        came = sorted(f"{one.player.casefold()}:{one.place}:{one.score}" for one in game)
        came_to = "|".join([str(game[0].day), variant.id if variant else "", *came])
        while not key or key in used:
            copies[came_to] += 1
            text = f"{came_to}|{copies[came_to]}"
            key = "p" + hashlib.sha256(text.encode()).hexdigest()[:15]
        used.add(key)
        yield key


def _game(
    game: Sequence[PastResultLine], rule_set_names: Mapping[str, str], key: str
) -> documents.GameDocument:
    first = game[0]
    if first.day is None or first.variant is None:
        raise ValueError("a game is made of sound lines alone")
    moment = noon(first.day)
    return documents.GameDocument(
        key=key,
        rules=rule_set_names[first.variant.id],
        version=0,
        started_at=moment,
        finished_at=moment,
        seats=tuple(
            documents.SeatDocument(player=one.player, deals_first=not place)
            for place, one in enumerate(game)
        ),
        past_result=tuple(
            documents.PastResultDocument(number, one.place or 1, one.score)
            for number, one in enumerate(game, start=1)
        ),
    )
