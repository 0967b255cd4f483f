"""The document itself: its description fits it, and whoever changes it is noticed."""

import csv
import io
import json
import os
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from string import printable

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exchange.documents import GroupFile, json_schema
from app.exchange.files import parse_json, read_document, read_rule_sets, serialize
from app.exchange.plausibility import find_implausibilities
from app.exchange.round_csv import BYTE_ORDER_MARK, write_round_csv
from app.exchange.schema import DocumentError, Misread, path_of, schema_of
from app.rules.rule_sets import LONGEST_RULE_SET_NAME
from app.rules.rule_types import LONGEST_RULE_SET_ID
from app.rules.verdicts import LONGEST_VERDICT
from app.scorebook import limits
from app.scorebook.events.event import EVENTS, Event
from app.scorebook.game import PastResult
from app.store.games import LogEntry, RecordedRuling, StoredEntry, StoredGame
from app.store.groups import Group, Player, StoredRuleSet, UsualRules
from tests.simulation import simulate_group
from tests.upgrade.installation import unpacked

EXAMPLES = int(os.environ.get("MELDKEEPER_DOCUMENTS", "120"))
DOCUMENT = json.loads("".join(serialize(simulate_group("Test", 3, 3, 4, Random(5)))))


def read(document: object) -> list:
    group = read_document(document)
    return list(group.games)


def test_a_written_document_is_as_its_description_says() -> None:
    jsonschema_rs.meta.validate(json_schema())
    jsonschema_rs.validate(json_schema(), DOCUMENT)


def test_a_document_that_was_read_is_written_the_same() -> None:
    assert json.loads("".join(serialize(read_document(DOCUMENT)))) == DOCUMENT


def test_simulated_games_could_have_been_played_and_are_over() -> None:
    group = read_document(DOCUMENT)
    rules = read_rule_sets(group)
    for game in group.games:
        assert list(find_implausibilities(game, rules[game.rules])) == []
        assert game.finished_at is not None


def test_the_same_seed_makes_the_same_games() -> None:
    again = json.loads("".join(serialize(simulate_group("Test", 3, 3, 4, Random(5)))))
    other = json.loads("".join(serialize(simulate_group("Test", 3, 3, 4, Random(6)))))
    assert again == DOCUMENT
    assert other["games"] != DOCUMENT["games"]


def places(value: object, path: tuple = ()) -> list[tuple]:
    """Every place of a document but those within rule sets."""
    found = [path] if path else []
    if isinstance(value, dict):
        inner = [(key, one) for key, one in value.items() if key != "rule_sets"]
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for key, one in inner:
        found += places(one, (*path, key))
    return found


def rich_document() -> dict:
    """A game of 1.0.0 with an event of every kind from all of them."""
    whole = json.loads(unpacked("export.json"))
    events_by_kind = {event["kind"]: event for game in whole["games"] for event in game["log"]}
    game = max(whole["games"], key=lambda one: (len(one.get("rulings", [])), len(one)))
    short = {**game, "rounds": game["rounds"][:2], "log": [*events_by_kind.values()]}
    short["course"] = {
        "voids": [{"number": 1, "dealer": 2, "passed_on": True, "reason": "misdeal"}],
        "dealers": [{"number": 2, "seat": 1, "once": True, "deal": 2}],
        "seat_changes": [{"number": 2, "before": [2, 1], "deal": 2}],
        "notes": [{"number": 1, "note": "The famous misdeal"}],
    }
    left = {**events_by_kind["left"], "round": 2}
    short["log"] += [
        {**left, "after": {"player": "Dora", "cards": "counted"}},
        {**left, "kind": "returned", "after": {"player": "Dora", "left_after": 1}},
        {**left, "kind": "handed_over", "after": {"player": "Dora", "earlier": "Anna"}},
    ]
    short["seats"] = json.loads(json.dumps(game["seats"]))
    short["seats"][0] |= {
        "starting_contract": 2,
        "missed": [{"first": 1, "last": 1}],
        "stand_ins": [{"from_round": 2, "player": "Dora", "played_as": "Dora"}],
    }
    return {**whole, "games": [short], "rule_sets": dict([*whole["rule_sets"].items()][:1])}


RICH = rich_document()
PLACES = defaultdict(list)
for one in places(RICH):
    PLACES[tuple("*" if isinstance(name, int) else name for name in one)].append(one)
"""Places of the same kind together, so that each kind is drawn as often as any other."""


@cache
def validator() -> jsonschema_rs.Validator:
    """Made where it is asked: each process of the tests reads this file."""
    return jsonschema_rs.validator_for(json_schema(), validate_formats=False)


VALUES = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 1, 2, 13, 501, 10**9, 2.0, 2.5, "", "x" * 61]),
    st.integers(-5, 10**9),
    st.text(printable[:95], max_size=50),
    st.sampled_from(
        [[], {}, {"seat": 1}, [1, 2], "row", "left", {"met": True}, {"first_down": None}]
    ),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(kind=st.sampled_from(sorted(PLACES)), chosen=st.randoms(use_true_random=False), value=VALUES)
def test_the_schema_allows_what_the_reader_reads(
    kind: tuple, chosen: Random, value: object
) -> None:
    place = chosen.choice(PLACES[kind])
    document = document_with(place, value)
    allowed = validator().is_valid(document)
    try:
        schema_of(GroupFile).read(document)
    except Misread as misread:
        told = str(misread.faults[0].message)
        assert told
        assert not allowed or any(word in told for word in BEYOND_THE_SCHEMA), told
    else:
        assert allowed


BEYOND_THE_SCHEMA = (
    "date and time",  # the schema leaves formats to who validates
    "isn’t a name",  # of blanks
    "doesn’t fit",  # before and after must hold the same fields
    "recorded verdict",
)
"""What the reader says of values that no JSON schema can tell."""


def document_with(place: tuple, value: object) -> dict:
    """The rich document with that value at a place."""
    document = json.loads(json.dumps(RICH))
    target = document
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = value
    return document


def value_at(place: tuple) -> object:
    found: object = RICH
    for key in place:
        found = found[key]
    return found


HUGE_NUMBERS = ("1" + "0" * 400, "-1" + "0" * 400, "1e308", "1e400", "-1e400")


@pytest.mark.parametrize(
    "place", [one for (one, *_) in PLACES.values() if type(value_at(one)) in (int, float)], ids=str
)
def test_a_huge_number_is_refused_where_it_stands(place: tuple) -> None:
    text = json.dumps(document_with(place, "@"))
    for number in HUGE_NUMBERS:
        with pytest.raises(DocumentError) as caught:
            read_document(parse_json(text.replace('"@"', number).encode()))
        assert caught.value.path.endswith(str(path_of(place[-1:]))), number
        assert len(str(caught.value.message)) < 150, number


@pytest.mark.parametrize("place", [one for (one, *_) in PLACES.values()], ids=str)
def test_what_is_nested_deeply_is_refused_wherever_it_stands(place: tuple) -> None:
    text = json.dumps(document_with(place, "@"))
    for depth in (45, 400, 600, 800, 5000):
        with pytest.raises(DocumentError):
            read_document(parse_json(text.replace('"@"', "[" * depth + "]" * depth).encode()))


def test_whom_a_player_is_merged_with_is_in_the_document_and_stands_for_themselves() -> None:
    since = "2026-11-20T10:00:00Z"
    players = [
        {"name": name, "since": since, "merged_into": into}
        for name, into in (("A", "B"), ("B", "C"), ("C", "D"))
    ]
    for kept, told in ((3, "B was merged with another player."), (1, "There is no player B to")):
        with pytest.raises(DocumentError, match=told) as caught:
            read({**DOCUMENT, "games": [], "players": players[:kept]})
        assert caught.value.path == "players[0].merged_into"


def test_a_million_rounds_are_refused_with_the_place() -> None:
    document = json.loads(json.dumps(DOCUMENT))
    document["games"][1]["rounds"] = [{"number": 1, "rows": []}] * 1_000_000
    with pytest.raises(DocumentError) as caught:
        read(document)
    assert caught.value.path == "games[1].rounds"


MANY = 6_000
LIST, OBJECT = [None] * MANY, {f"x{number}": 0 for number in range(MANY)}


def test_of_very_many_faults_at_a_place_few_are_collected() -> None:
    for kind, value in product(PLACES, (LIST, OBJECT)):
        document = document_with(PLACES[kind][0], value)
        with pytest.raises(Misread) as misread:
            schema_of(GroupFile).read(document)
        assert len(misread.value.faults) < 10, kind


@pytest.mark.parametrize("text", ["", "x", "2026-11-20", "2026-11-20T10:00:00", "99999-01-01"])
def test_a_moment_needs_its_zone(text: str) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    document["games"][0]["started_at"] = text
    with pytest.raises(DocumentError) as caught:
        read(document)
    assert caught.value.path == "games[0].started_at"


def test_what_is_said_of_a_fault_is_what_is_wrong() -> None:
    season = {"key": "x", "name": "", "since": "2026-11-20T10:00:00Z", "evenings": 3}
    with pytest.raises(DocumentError) as caught:
        read({**DOCUMENT, "seasons": [season]})
    assert str(caught.value.message) == "This isn’t a name."
    document = json.loads(json.dumps(DOCUMENT))
    stretches = [{"first": 1, "last": 2}, {"first": 3, "last": 4}]
    document["games"][0]["seats"][0]["missed"] = stretches
    with pytest.raises(DocumentError) as caught:
        read(document)
    assert "with rounds played in between" in str(caught.value.message)
    with pytest.raises(Misread) as misread:
        schema_of(PastResult).read({"day": "20.11.2026", "players": []})
    assert str(misread.value.faults[0].message) == "This must be a day such as 2026-11-20."


def test_every_kind_of_event_has_words() -> None:
    silent = {
        one.__name__ for one in EVENTS.values() if one.words is Event.words and not one.happened
    }
    assert silent == {"ScoreCorrected", "RulingRecorded"}  # said by the page (`words_of`)


def test_a_text_may_be_as_long_as_the_column_that_keeps_it() -> None:
    longest = {
        Group.name: limits.LONGEST_GROUP_NAME,
        Player.name: limits.LONGEST_NAME,
        LogEntry.actor_name: limits.LONGEST_NAME,
        StoredGame.variant_id: LONGEST_RULE_SET_ID,
        UsualRules.variant_id: LONGEST_RULE_SET_ID,
        StoredRuleSet.name: LONGEST_RULE_SET_NAME,
        StoredGame.title: limits.LONGEST_TITLE,
        StoredGame.note: limits.LONGEST_NOTE,
        StoredEntry.typed: limits.LONGEST_TYPED,
        RecordedRuling.question: limits.LONGEST_QUESTION,
        RecordedRuling.verdict: LONGEST_VERDICT,
        RecordedRuling.decision: limits.LONGEST_DECISION,
        RecordedRuling.reason: limits.LONGEST_DECISION,
        LogEntry.reason: limits.LONGEST_DECISION,
    }
    assert {str(one): one.type.length for one in longest} == {
        str(one): most for one, most in longest.items()
    }
    letters = [chr(one) for one in range(0x110000) if not 0xD800 <= one <= 0xDFFF]
    assert limits.LONGEST_NAME * max(len(one.casefold()) for one in letters) == (
        Player.name_key.type.length
    )


@pytest.mark.parametrize("moment", ["1900-01-01T00:00:00+14:00", "2200-12-31T23:59:00-10:00"])
def test_a_moment_that_is_in_another_year_in_utc_is_judged_by_that(moment: str) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    document["games"][0]["started_at"] = moment
    with pytest.raises(DocumentError) as caught:
        read(document)
    assert caught.value.path == "games[0].started_at"


@pytest.mark.parametrize("text", [r'"\ud800"', r'"a\u0000"', r'"\uDFFF\uD800"'])
@pytest.mark.parametrize("where", ['{{"x": [1, {0}]}}', "{{{0}: 1}}", "[{0}]"])
def test_a_character_that_no_database_keeps_is_refused_wherever_it_stands(
    text: str, where: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_json(where.format(text).encode())
    assert "can’t be stored" in str(caught.value.message)
    assert parse_json(rb'["\ud83c\udca1", "\\ud800"]') == ["🂡", r"\ud800"]


@settings(max_examples=60, deadline=None)
@given(
    title=st.text("=+-@;,\t\n\r '\"＝A1", max_size=8),
    written=st.sampled_from(",;"),
    opened=st.sampled_from(",;\t"),
)
def test_no_cell_of_a_spreadsheet_is_a_formula_however_it_is_cut(
    title: str, written: str, opened: str
) -> None:
    group = read_document(DOCUMENT)
    group = replace(group, games=(replace(group.games[0], title=title), *group.games[1:]))
    table = "".join(write_round_csv(group, written)).removeprefix(BYTE_ORDER_MARK)
    for line in csv.reader(io.StringIO(table, newline=""), delimiter=opened):
        for cell in line:
            assert not re.match(r'[\s"]*[=+\-@＝]', cell) or cell.lstrip("-").isdigit()
