"""Rule sets are read from files; what is faulty is refused with the field and the reason."""

import json
from datetime import date
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.rule_sets import (
    BOUNDS,
    FIELDS,
    VARIANTS,
    FaultyRules,
    from_dict,
    load,
    rule_set_by_id,
    shipped_rule_sets,
    to_dict,
    with_house_rules,
)
from app.rules.variant import Variant

FRUSTRATION = (VARIANTS / "frustration.toml").read_text(encoding="utf-8")
HUGE = 16**5000
DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]
ODD_VALUES: dict[str, Any] = {
    "nothing": None,
    "half": 1.5,
    "empty text": "",
    "empty list": [],
    "empty table": {},
    "huge": HUGE,
    "hugely negative": -HUGE,
    "not a number": float("nan"),
    "endless": float("inf"),
    "bytes": b"x",
    "day": date(2015, 1, 1),
    "deep": DEEP,
}


def file_with(directory: Path, old: str, new: str) -> Path:
    """Frustration's file with one change."""
    assert FRUSTRATION.count(old) == 1
    path = directory / "frustration.toml"
    path.write_text(FRUSTRATION.replace(old, new), encoding="utf-8")
    return path


def fault_of(path: Path) -> tuple[str, str]:
    """The field and the reason for which a file is refused."""
    with pytest.raises(FaultyRules) as caught:
        load(path)
    assert caught.value.file == path.name
    assert str(caught.value) == f"{path.name}: {caught.value.field}: {caught.value.phrase}"
    return caught.value.field, str(caught.value.phrase)


def plain_frustration(**changes: Any) -> dict[str, Any]:
    """Frustration as plain tables, the value of some fields replaced."""
    plain = to_dict(rule_set_by_id("frustration"))
    for field, value in changes.items():
        plain[field] = {"value": value, "decision": "a test"}
    return plain


def refused(house_rules: Any, which: str = "frustration") -> tuple[str, str]:
    """The field and the reason for which house rules are refused."""
    with pytest.raises(FaultyRules) as caught:
        with_house_rules(rule_set_by_id(which), house_rules)
    assert caught.value.file == ""
    return caught.value.field, str(caught.value.phrase)


# Files


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    field, reason = fault_of(file_with(tmp_path, 'id = "frustration"', "id = frustration"))
    assert field == "file"
    assert "isn’t TOML" in reason


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "frustration.toml"
    path.write_bytes(FRUSTRATION.replace("Ten contracts", "Zehn Verträge").encode("cp1252"))
    assert fault_of(path)[0] == "file"


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000])
def test_a_file_that_overtaxes_the_reader_is_refused(tmp_path: Path, value: str) -> None:
    path = file_with(tmp_path, "max_deals = { value = 0,", f"max_deals = {{ value = {value},")
    assert fault_of(path)[0] == "file"


def test_a_file_must_have_the_name_of_its_id(tmp_path: Path) -> None:
    path = file_with(tmp_path, 'id = "frustration"', 'id = "vexation"')
    assert fault_of(path) == ("id", "“vexation” differs from the file’s name")


@pytest.mark.parametrize(
    ("old", "new", "field", "reason"),
    [
        ("\nknock =", "\nknocks =", "knocks", "there is no such field"),
        ("\nknock =", "\n# knock =", "knock", "is missing"),
        ('name = "Frustration"', "name = 7", "name", "a short text is needed"),
        ('name = "Frustration"', 'name = " "', "name", "a short text is needed"),
        ('name = "Frustration"', f'name = "{"F" * 501}"', "name", "a short text is needed"),
        ('name = "Frustration"\n', "", "name", "a short text is needed"),
        (
            "deal = { value = 11,",
            "deal = { value = 31,",
            "deal",
            "31 isn’t between 3 and 30",
        ),
        (
            "deal = { value = 11,",
            "deal = { value = 11.0,",
            "deal",
            "11.0 isn’t a whole number",
        ),
        (
            "deal = { value = 11,",
            "deal = { value = nan,",
            "deal",
            "nan isn’t a whole number",
        ),
        (
            "deal = { value = 11,",
            f"deal = {{ value = 0x{'f' * 5000},",
            "deal",
            "a huge number isn’t between 3 and 30",
        ),
        (
            "deal = { value = 11,",
            "deal = { value = [11],",
            "deal",
            "a list isn’t a whole number",
        ),
        (
            'run_suit = { value = "any",',
            'run_suit = { value = "red",',
            "run_suit",
            "red isn’t one of same, any",
        ),
        (
            "knock = { value = true,",
            'knock = { value = "yes",',
            "knock",
            "yes is neither true nor false",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            "knock = { value = true }",
            "knock",
            "says neither its source nor what was decided",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            'knock = { value = true, source = "  " }',
            "knock",
            "says neither its source nor what was decided",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            "knock = { value = true, source = 3 }",
            "knock",
            "source and decision are texts",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            f'knock = {{ value = true, source = "{"k" * 1001}" }}',
            "knock",
            "a text has more than 1000 characters",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            'knock = { value = true, because = "we like it" }',
            "knock",
            "“because” isn’t value, source or decision",
        ),
        (
            'knock = { value = true, source = "Frustration: knock" }',
            "knock = true",
            "knock",
            "a table with a value is needed",
        ),
        (
            '"r7",',
            '"q7",',
            "contracts",
            "contract 3: “q7” isn’t s3, r4 or the like",
        ),
        ("JK = 50 }", "JK = 501 }", "penalties", "JK: 501 isn’t 0 to 500 points"),
    ],
)
def test_a_faulty_file_is_refused_with_the_field_and_the_reason(
    tmp_path: Path, old: str, new: str, field: str, reason: str
) -> None:
    assert fault_of(file_with(tmp_path, old, new)) == (field, reason)


# Values


@pytest.mark.parametrize("odd", sorted(ODD_VALUES))
def test_an_odd_value_is_refused_in_every_field(odd) -> None:
    fields = set(FIELDS) - {"contracts", "penalties"}
    assert {field: refused({field: ODD_VALUES[odd]})[0] for field in fields} == {
        field: field for field in fields
    }


@pytest.mark.parametrize("field", sorted(BOUNDS))
@pytest.mark.parametrize("truth", [True, False])
def test_a_truth_is_no_number(field, truth: bool) -> None:
    assert refused({field: truth}) == (field, f"{truth} isn’t a whole number")


@pytest.mark.parametrize("field", sorted(BOUNDS))
def test_a_number_stays_within_its_bounds(field) -> None:
    low, high = BOUNDS[field]
    for outside in (low - 1, high + 1):
        assert refused({field: outside}) == (field, f"{outside} isn’t between {low} and {high}")


def test_every_whole_number_has_bounds() -> None:
    types = get_type_hints(Variant)
    assert {field for field in FIELDS if types[field] is int} == set(BOUNDS)


@pytest.mark.parametrize("number", [0, 1])
def test_a_number_is_no_truth(number: int) -> None:
    assert refused({"knock": number}) == ("knock", f"{number} is neither true nor false")


def test_a_faulty_value_is_shown_shortened() -> None:
    reason = refused({"run_suit": "x" * 1000})[1]
    assert reason == f"{'x' * 40}… isn’t one of same, any"


@pytest.mark.parametrize(
    ("contracts", "reason"),
    [
        ("s3 s3", "a list of 1 to 40 contracts is needed"),
        ([], "a list of 1 to 40 contracts is needed"),
        (["s3"] * 41, "a list of 1 to 40 contracts is needed"),
        (["s3", 4], "contract 2 isn’t a text"),
        (["s3", DEEP], "contract 2 isn’t a text"),
        (["s3", ""], "contract 2: A contract needs at least one meld."),
        (["s3", "r0"], "contract 2: “r0” isn’t s3, r4 or the like"),
        (["s3 " * 9], "contract 1 has more than 8 melds"),
        (["s1"], "contract 1: s1 is too short"),
        (["r13"], "contract 1: no run has more than 12 cards"),
        (["s25"], "contract 1: no set has more than 24 cards"),
    ],
)
def test_contracts_that_nobody_could_read_or_lay_are_refused(contracts, reason: str) -> None:
    assert refused({"contracts": contracts}) == ("contracts", reason)


def test_with_a_lower_ace_a_longer_run_is_a_contract() -> None:
    longer = with_house_rules(
        rule_set_by_id("frustration"), {"contracts": ["r13"], "run_order": "ace_before_three"}
    )
    assert str(longer.contract(1)) == "r13"


def penalties_with(**changes: object) -> dict[str, object]:
    return {**dict(rule_set_by_id("frustration").penalties.by_rank), **changes}


@pytest.mark.parametrize(
    ("penalties", "reason"),
    [
        (25, "a table of ranks to points is needed"),
        (penalties_with(B=5), "“B” isn’t a rank"),
        (penalties_with(A=-5), "A: -5 isn’t 0 to 500 points"),
        (penalties_with(A=True), "A: True isn’t 0 to 500 points"),
        (penalties_with(A="15"), "A: 15 isn’t 0 to 500 points"),
        (penalties_with(A=HUGE), "A: a huge number isn’t 0 to 500 points"),
        (penalties_with(A=DEEP), "A: a list isn’t 0 to 500 points"),
        ({"A": 15}, "2 is missing"),
        (dict[Any, Any](penalties_with()) | {3: 5}, "“3” isn’t a rank"),
    ],
)
def test_penalties_name_every_rank_and_its_points(penalties, reason: str) -> None:
    assert refused({"penalties": penalties}) == ("penalties", reason)


# Fields that do not fit together


@pytest.mark.parametrize(
    ("house_rules", "field"),
    [
        ({"players_min": 9}, "players_max"),
        ({"players_max": 1}, "players_max"),
        ({"third_deck_from": 2}, "third_deck_from"),
        ({"last_contract": 11}, "last_contract"),
        ({"contracts": ["s3 s3"], "last_contract": 2}, "last_contract"),
        ({"win": "lowest_score"}, "win"),
        ({"win": "lowest_score", "keep_score": "optional"}, "win"),
        ({"progress": "common"}, "progress"),
        ({"decks": 1, "deal": 26}, "deal"),
    ],
)
def test_fields_that_do_not_fit_together_are_refused(
    house_rules: dict[str, Any], field: str
) -> None:
    assert refused(house_rules)[0] == field
    with pytest.raises(FaultyRules) as caught:
        from_dict(plain_frustration(**house_rules))
    assert caught.value.field == field


def test_the_lowest_score_wins_once_a_score_is_kept() -> None:
    scored = with_house_rules(
        rule_set_by_id("frustration"),
        {"win": "lowest_score", "keep_score": "yes", "progress": "common"},
    )
    assert scored.keeps_score
    assert (scored.win, scored.progress) == ("lowest_score", "common")


def test_the_decks_may_hold_just_more_than_the_deal() -> None:
    assert with_house_rules(rule_set_by_id("frustration"), {"decks": 1, "deal": 25}).deal == 25


# Plain tables


@pytest.mark.parametrize("odd", [None, [], "frustration", 7])
def test_plain_tables_are_tables(odd: Any) -> None:
    with pytest.raises(FaultyRules, match="a table of fields is needed"):
        from_dict(odd)
    assert refused(odd) == ("house rules", "a table of fields is needed")


@pytest.mark.parametrize("odd", ["huge", "nothing", "day", "half"])
def test_a_field_without_a_name_is_refused(odd: str) -> None:
    with pytest.raises(FaultyRules, match="there is no such field"):
        from_dict({**plain_frustration(), ODD_VALUES[odd]: {}, "zzz": {}})
    assert refused({ODD_VALUES[odd]: True})[1] == "there is no such house rule"


def test_several_odd_names_beside_a_value_are_refused() -> None:
    plain = plain_frustration()
    plain["knock"] = {"value": True, "source": "here", 7: "", "because": ""}
    with pytest.raises(FaultyRules, match="“7” isn’t value, source or decision"):
        from_dict(plain)


def test_without_a_last_contract_all_are_played() -> None:
    plain = plain_frustration(contracts=["s3 s3", "r7"])
    del plain["last_contract"]
    loaded = from_dict(plain)
    assert loaded.last_contract == 2
    assert loaded.field_source("last_contract").decision


def test_rules_written_before_a_field_was_asked_for_mean_what_they_meant() -> None:
    plain = plain_frustration()
    del plain["buying"], plain["most_buys"]
    loaded = from_dict(plain)
    assert (loaded.buying, loaded.most_buys, loaded.max_hand_size) == ("none", 0, 12)
    assert loaded.field_source("buying").decision


@pytest.mark.parametrize("family", ["", "cousin", None, 1, []])
def test_a_family_that_is_not_known_is_refused(family: int | list[Any] | str | None) -> None:
    with pytest.raises(FaultyRules, match=r"^family: .* isn’t one of core, relative, other$"):
        from_dict({**plain_frustration(), "family": family})


def test_an_edition_is_of_a_shipped_game_and_says_so_in_no_copy() -> None:
    shipped = shipped_rule_sets()
    editions = [one for one in shipped.values() if one.edition_of]
    assert len(editions) == 3
    for one in editions:
        assert not shipped[one.edition_of].edition_of
        assert from_dict(to_dict(one)) == one
        assert "edition_of" not in to_dict(one)


def test_reading_changes_nothing_that_it_was_given() -> None:
    plain = plain_frustration()
    before = json.dumps(plain)
    from_dict(plain)
    assert json.dumps(plain) == before


# Laws


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(field=st.sampled_from(FIELDS), value=ANYTHING)
def test_anything_at_all_is_either_read_or_refused(field, value) -> None:
    for table in (value, {"value": value, "source": "here"}):
        plain = {**plain_frustration(), field: table}
        try:
            read = from_dict(plain)
        except FaultyRules:
            continue
        assert to_dict(read)[field]["value"] == value


# What a file says itself on a question of the Q&A


def own_answers(tables: object) -> Variant:
    return from_dict({**to_dict(rule_set_by_id("frustration")), "faq": tables})


def test_a_file_may_hold_its_own_sentences_and_keeps_them() -> None:
    told = {"jokers": {"answer": "No, never."}, "set": {"source": "here", "decision": "and why"}}
    loaded = own_answers(told)
    assert loaded.file_answer("jokers").answer == "No, never."
    assert loaded.file_answer("nothing such").answer == ""
    assert to_dict(loaded)["faq"] == told


@pytest.mark.parametrize(
    "tables",
    [
        "no",
        ["no"],
        {"jokers": "no"},
        {"jokers": {}},
        {"jokers": {"answer": 3}},
        {"jokers": {"answer": "a\nb"}},
        {"jokers": {"answer": "a" * 1001}},
        {"jokers": {"because": "so"}},
        {str(number): {"answer": "a"} for number in range(101)},
    ],
)
def test_own_sentences_that_cannot_be_shown_are_refused(tables: object) -> None:
    with pytest.raises(FaultyRules, match="faq"):
        own_answers(tables)
