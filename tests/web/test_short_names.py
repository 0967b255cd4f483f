"""What people are called where there is little room: one short name each."""

import pytest

from app.web.game_parts.words import short_names


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Rosalind", "Rosalind"),
        ("Bartholomew", "Bartholomew"),
        ("Marie-Antoinette", "Marie-A."),
        ("Maximilian-Alexander", "Maximilian…"),
        ("Aunt Josephine-Elisabeth", "Josephine…"),
        ("Grandpa Jean-Christophe", "Jean-C."),
        ("Dr. Anna Smithson", "Anna"),
        ("Grand-Père", "Grand-Père"),
        ("Papi", "Papi"),
    ],
)
def test_a_long_name_is_cut_to_what_one_is_called_by_without_a_title(name: str, short: str) -> None:
    assert short_names([name, "Zoé"])[name] == short


def test_nobody_is_called_by_what_is_short_for_two() -> None:
    named = short_names(["Grand-Père Jean-Christophe", "Jean-Christophe", "Tante Anne", "Anne"])
    assert list(named.values()) == ["Grand-Père…", "Jean-C.", "Tante Anne", "Anne"]


def test_a_person_has_one_short_name_whoever_else_is_named() -> None:
    few, many = ["Anne-Sophie", "Bo"], ["Anne-Sophie", "Maximilian-Alexander", "Grand-Mère"]
    assert short_names(few)["Anne-Sophie"] == short_names(many)["Anne-Sophie"] == "Anne-S."
