"""A CSV of past results: which rule sets it may name, and one that is none, told at once.

What the app exports of past results it reads as they were.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exchange.days import latest_day, noon
from app.exchange.documents import (
    GameDocument,
    GroupDocument,
    PastResultDocument,
    PlayerDocument,
    SeatDocument,
)
from app.exchange.files import name_of_rules
from app.exchange.past_results import (
    MOST_LINES,
    implied_places,
    past_results_document,
    read_past_results,
)
from app.exchange.round_csv import write_round_csv
from app.exchange.schema import DocumentError
from app.rules.rule_sets import shipped_rule_sets, to_dict
from app.rules.text import collapse_blanks, is_fully_visible, normalize_text
from app.rules.variant import Variant
from app.scorebook.limits import MOST_POINTS, MOST_SEATS
from tests.any_rules import EVERY
from tests.simulation import simulate_group

HEADING = b"date,rule set,player,place\n"


@pytest.mark.parametrize(
    "content",
    [b",", b",\n" + b"," * 20_000, HEADING + b"\n" * 2 * MOST_LINES, HEADING + b'"' * 20_000],
    ids=["no columns", "a long line", "many lines", "quotes"],
)
def test_what_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentError):
        read_past_results(content, shipped_rule_sets())


@pytest.mark.parametrize(
    ("content", "why"), [(b"," * 20_000, "neither"), (b"\n" * 3 * MOST_LINES, "more than 50")]
)
def test_a_table_of_more_cells_than_results_have_is_not_read(content: bytes, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read_past_results(content, shipped_rule_sets())


@pytest.mark.parametrize("variant", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_a_result_by_any_rule_set_of_the_app_is_understood(variant: Variant) -> None:
    for said in (variant.name, variant.id):
        lines = f'place,player,rule set,date\n1,Ann,"{said}",2025-12-31\n'.encode()
        (line,) = read_past_results(lines, shipped_rule_sets()).lines
        assert (line.variant, line.fault) == (variant, None)


def test_a_name_is_first_a_rule_set_of_the_groups_own_and_an_id_the_one_that_has_it() -> None:
    shipped = shipped_rule_sets()
    own = replace(shipped["garbage-rummy"], id="own-k2m9x7q4w8zb", decks=3)
    for said, meant in (("Garbage Rummy", own), ("garbage-rummy", shipped["garbage-rummy"])):
        lines = f'place,player,rule set,date\n1,Ann,"{said}",2025-12-31\n'.encode()
        (line,) = read_past_results(lines, {own.id: own, **shipped}).lines
        assert line.variant == meant


@given(st.sampled_from(EVERY), st.lists(st.integers(-50, 500), min_size=2, max_size=12))
def test_places_that_nobody_entered_are_the_order_of_the_points(
    rules: Variant, scores: list[int]
) -> None:
    best_first = sorted(scores, reverse=rules.win == "highest_score")
    assert implied_places(rules, scores) == [1 + best_first.index(one) for one in scores]


def _is_name(text: str) -> bool:
    plain = collapse_blanks(normalize_text(text))
    return text == plain and is_fully_visible(text) and bool(text)


ONES = st.text(st.sampled_from("aZé'=+-;,\"\t 1＝"), min_size=1, max_size=6)
NAMES = (ONES | st.text(min_size=1, max_size=20)).filter(_is_name)
KEYS = st.from_regex(r"[23a-z]{12}|p[0-9a-f]{15}|[0-9A-Za-z-]{1,40}", fullmatch=True)


@st.composite
def past_games(draw: st.DrawFn) -> GroupDocument:
    """A group with past results alone."""
    names = draw(st.lists(NAMES, min_size=2, max_size=MOST_SEATS, unique_by=str.casefold))
    rules = draw(st.lists(st.sampled_from([*shipped_rule_sets().values()]), min_size=1))
    tables = {name_of_rules(to_dict(one)): to_dict(one) for one in rules}
    points = st.none() | st.integers(-MOST_POINTS, MOST_POINTS)
    places = st.integers(1, MOST_SEATS)
    games = []
    for key in draw(st.lists(KEYS, unique=True, max_size=4)):
        players = draw(st.lists(st.sampled_from(names), min_size=2, unique=True))
        moment = noon(draw(st.dates(date(1900, 1, 1), date(2200, 12, 31))))
        came = [(1 if not n else draw(places), draw(points)) for n in range(len(players))]
        games.append(
            GameDocument(
                key=key,
                rules=draw(st.sampled_from([*tables])),
                version=0,
                started_at=moment,
                finished_at=moment,
                title=normalize_text(draw(st.text(max_size=20))),
                seats=tuple(
                    SeatDocument(player=one, deals_first=not n) for n, one in enumerate(players)
                ),
                past_result=tuple(PastResultDocument(n, *one) for n, one in enumerate(came, 1)),
            )
        )
    people = [PlayerDocument(one, noon(date(2000, 1, 1))) for one in names]
    return GroupDocument("Ours", people, tables, games)


def _came_to(document: GroupDocument) -> Sequence[GameDocument]:
    """Its games, of their rules the id, without what no table of results holds."""
    rules = document.rule_sets
    return [replace(one, rules=rules[one.rules]["id"], title="") for one in document.games]


@given(past_games(), st.sampled_from(",;"))
def test_past_results_come_back_from_the_table_of_rounds_as_they_were(
    group: GroupDocument, separator: str
) -> None:
    table = "".join(write_round_csv(group, separator)).encode()
    if not group.games:
        with pytest.raises(DocumentError, match="no lines"):
            read_past_results(table, shipped_rule_sets())
        return
    past = read_past_results(table, shipped_rule_sets())
    assert past.faults == ()
    assert _came_to(past_results_document(past)) == _came_to(group)


def table(*lines: str) -> bytes:
    return "\n".join(["date;rules;player;place;score", *lines]).encode()


LINES = [
    f"{day};Frustration;{name};{place};{10 * place}"
    for day, names in (("2025-01-01", "ABC"), ("2025-01-01", "AB"), ("2025-01-02", "CAB"))
    for place, name in enumerate(names, 1)
]
SPOILED = ["2025-13-01", "No such game", "", "0", "12,5"]
"""For each column a text that is none of it."""


@given(st.sampled_from(range(len(LINES))), st.sampled_from(range(5)), st.booleans())
def test_of_a_game_with_a_faulty_line_nothing_else_is_said(
    at: int, column: int, has_places: bool
) -> None:
    """Nor of one that the line may belong to; and no place is worked out without it."""
    lines = [one.split(";") for one in LINES]
    lines[at][column] = SPOILED[column]
    written = [one if has_places or one is lines[at] else [*one[:3], "", one[4]] for one in lines]
    past = read_past_results(table(*map(";".join, written)), shipped_rule_sets())
    assert [number for number, _fault in past.faults] == [at + 2]
    assert not any(one.left_early for one in past.lines)
    for one, whole in zip(past.lines, LINES, strict=True):
        if one.number != at + 2:
            assert one.place is None or one.place == int(whole.split(";")[3])


def test_a_game_of_which_a_faulty_line_is_plainly_none_is_told_of() -> None:
    lines = (
        "2025-01-01;Frustration;A;x",
        "2025-01-01;Frustration;B;2",
        "2025-01-02;Frustration;A;1",
    )
    past = read_past_results(table(*lines), shipped_rule_sets())
    assert [number for number, _fault in past.faults] == [2, 4]


@pytest.mark.parametrize(
    ("written", "day", "is_past"),
    [
        ("2026-12-01", "2026-12-01", True),
        ("2026-12-02", "2026-12-02", False),
        ("2027-01-01", "2027-01-01", False),
        ("1.12.26", "2026-12-01", True),
        ("31.12.26", "2026-12-31", False),
        ("31.12.27", "1927-12-31", True),
        ("1/2/99", "1999-02-01", True),
        ("1/2/00", "2000-02-01", True),
    ],
)
def test_a_past_result_does_not_lie_in_the_future(written: str, day: str, is_past: bool) -> None:
    """Where only two digits of a year are written, the century is the last that can be."""
    lines = f"{written};Frustration;A;1", "30.11.2026;Frustration;B;1"
    latest = date(2026, 12, 1)
    line = read_past_results(table(*lines), shipped_rule_sets(), latest=latest).lines[0]
    assert line.day == date.fromisoformat(day)
    said = ("", None) if is_past else ("date", f"“{written}” is in the future.")
    assert (line.faulty_column, line.fault and str(line.fault)) == said


def test_a_day_is_past_once_it_has_begun_anywhere() -> None:
    for hour, day in ((9, 30), (10, 1), (23, 1)):
        assert latest_day(datetime(2026, 11, 30, hour, 30, tzinfo=UTC)).day == day


@pytest.mark.parametrize("heading", ["round", "Runde"])
def test_a_table_of_rounds_makes_no_games(heading: str) -> None:
    group = simulate_group("Ours", 2, 3, 4, Random(1))
    ours = "".join(write_round_csv(group)).replace("round", heading, 1).encode()
    by_hand = f"date,rules,{heading},player,place,points\n2025-12-31,Frustration,1,Ann,1,5\n"
    for table in (ours, by_hand.replace("place,", "").encode(), by_hand.encode()):
        with pytest.raises(DocumentError, match="rounds"):
            read_past_results(table, shipped_rule_sets())


def test_the_lines_of_one_game_are_one_wherever_its_key_stands_again() -> None:
    """Nothing is lost, and no two games of a document have one key."""
    lines = [f"2025-12-31,{key},Frustration,{name},1" for key in "ab" for name in ("Ann", "Ben")]
    lines = [one.replace(",a,", f",{'a' * 12},") for one in (*lines, *lines)]
    table = "\n".join(["date,game,rules,player,place", *lines, *lines]).encode()
    games = [*past_results_document(read_past_results(table, shipped_rule_sets())).games]
    assert len(games) == len({one.key for one in games}) == 8
    assert games[0].key == "a" * 12
