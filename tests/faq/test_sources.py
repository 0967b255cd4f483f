"""Every deciding sentence of the sources is carried; no citation leans on what is not there.

`sentences/` lists the sentences that decide something, by place and a few words, with the fields
and questions that carry each, and often with words that their answer must have. Rule sets are held
against that table; that the table is true and complete is held against the texts themselves where
they lie beside the checkout.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.rules.faq import faq_entries
from app.rules.grounds import cited_places
from app.rules.judge_questions import answer_question
from app.rules.rule_sets import FIELDS, family_rule_sets
from app.rules.variant import Variant

TEXTS = Path(__file__).parent.parent.parent.parent / "shared/rule-sources"
TABLES = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parent / "sentences").glob("*.toml"))
}
SOURCES = {
    "Cats at Cards, 2015": "cats-at-cards-2015",
    "The Rules of the Card Game Frustration, version 1.1, 2006": "frustration-nineteen-goals-2006",
    "A family’s letter": "aggravation-rummy-family",
    "Frustration Rummy board, 2010": "frustration-rummy-board-2010",
    "Frustration Rummy board, later edition in English and French": "frustration-rummy-bilingual",
}
each_source = pytest.mark.parametrize("source", TABLES)
with_the_texts = pytest.mark.skipif(
    not TEXTS.is_dir(), reason="the rule sources do not lie beside the checkout"
)


def rows(source: str) -> Iterator[tuple[str, str, set[str]]]:
    """The sentences of a source: place, identifying words, and what carries each."""
    for place, sentences in TABLES[source]["sentences"].items():
        for words, carriers, *_says in sentences:
            yield place, words, set(carriers.split())


def citations(variant: Variant) -> Iterator[tuple[str, str]]:
    """What a rule set cites, and for what: (field or question, place)."""
    told: Any
    for name, told in (*variant.field_sources, *variant.faq):
        for _document, place in cited_places(told.source):
            yield name, place


def of_source(source: str) -> list[Variant]:
    return [one for one in family_rule_sets().values() if SOURCES[one.source] == source]


@each_source
def test_every_deciding_sentence_is_carried_by_a_field_or_a_question_that_cites_its_place(
    source,
) -> None:
    cited = {found for variant in of_source(source) for found in citations(variant)}
    for place, words, carriers in rows(source):
        assert carriers, words
        for carrier in carriers:
            assert (carrier, place) in cited, f"{words!r} is not carried by {carrier}"


@each_source
def test_what_a_sentence_decides_is_said_by_the_answer_that_carries_it(source) -> None:
    """Where a row has them, its third words stand in what a rule set that cites it tells."""
    for place, sentences in TABLES[source]["sentences"].items():
        for words, carriers, *says in sentences:
            told = " ".join(
                answer
                for variant in of_source(source)
                for answer in answers_from(variant, place, set(carriers.split()))
            )
            for wanted in says:
                assert wanted in told, words


def answers_from(variant: Variant, place: str, carriers: set[str]) -> Iterator[str]:
    """What a rule set tells with the citations of a place that these carry."""
    cited = {name.replace("_", "-") for name, at in citations(variant) if at == place}
    for entry in faq_entries(variant):
        fields = {field.replace("_", "-") for field in entry.topic.fields[:1]}
        if cited & {one.replace("_", "-") for one in carriers} & {entry.id, *fields}:
            yield f"{entry.answer} {entry.reason or ''} {entry.grounds.why or ''}"


@pytest.mark.parametrize("variant", family_rule_sets().values(), ids=lambda one: one.id)
def test_every_citation_leans_on_a_sentence_of_its_place(variant) -> None:
    table = list(rows(SOURCES[variant.source]))
    for name, place in citations(variant):
        assert any(place == at and name in carriers for at, _words, carriers in table), (
            name,
            place,
        )


@each_source
def test_a_carrier_is_a_field_or_a_question(source) -> None:
    questions = {name for variant in of_source(source) for name, _own in variant.faq}
    assert {one for _p, _w, carriers in rows(source) for one in carriers} <= questions | set(FIELDS)


@each_source
def test_the_table_quotes_no_more_than_it_needs(source) -> None:
    assert all(len(words.split()) <= 14 for _place, words, _carriers in rows(source))


# Against the texts


def plain(text: str) -> str:
    straight = text.translate({ord("’"): "'", ord("“"): '"', ord("”"): '"', 0xA0: " ", 9: " "})
    return " ".join(straight.casefold().split())


def text_of(source: str) -> list[str]:
    return (TEXTS / TABLES[source]["file"]).read_text(encoding="utf-8").splitlines()


@with_the_texts
@each_source
def test_the_words_of_a_sentence_stand_in_its_place(source) -> None:
    lines = text_of(source)
    for place, words, _carriers in rows(source):
        spans = TABLES[source]["places"][place]
        there = [plain(" ".join(lines[first - 1 : last])) for first, last in spans]
        assert any(plain(words) in one for one in there), (place, words)


def sentences_of(source: str) -> list[str]:
    """The text's own sentences, its headings and lists aside; in leaflets a line is one, too."""
    lists = TABLES[source]["lists"]
    lines = [
        line
        for number, line in enumerate(text_of(source), start=1)
        if not line.startswith("#") and not any(first <= number <= last for first, last in lists)
    ]
    parts = lines if TABLES[source]["by_line"] else [" ".join(lines)]
    ends = re.compile(r"(?<=[.!?])(?:\*\*)?\s+")
    found = (plain(one) for part in parts for one in ends.split(part))
    # Fewer words are a heading, a contract of the list or a line of the points' table.
    return [one for one in found if len(one.split()) >= 4]


@with_the_texts
@each_source
def test_every_sentence_of_a_text_is_in_the_table_or_decides_nothing(source) -> None:
    known = [plain(words) for _place, words, _carriers in rows(source)]
    known += map(plain, TABLES[source]["decides"]["nothing"])
    missing = [one for one in sentences_of(source) if not any(words in one for words in known)]
    assert missing == []


@with_the_texts
@each_source
def test_what_decides_nothing_names_its_sentences_and_hides_no_others(source) -> None:
    sentences = sentences_of(source)
    for words in TABLES[source]["decides"]["nothing"]:
        assert 1 <= sum(plain(words) in one for one in sentences) <= 4, words


@pytest.mark.parametrize("rules", family_rule_sets().values(), ids=lambda one: one.id)
@pytest.mark.parametrize(
    ("question", "code", "cited"),
    [
        (
            {"ask": "meld", "kind": "run", "cards": "5H 6H 9H 10H", "size": 4},
            "not_consecutive",
            "run",
        ),
        (
            {"ask": "layoff", "kind": "run", "meld": "5H 6H 7H 8H", "add": "QH"},
            "cannot_join",
            "run",
        ),
        ({"ask": "layoff", "kind": "set", "meld": "5H 5D 5C", "add": "QH"}, "cannot_join", "set"),
    ],
)
def test_what_a_run_and_a_set_are_is_cited_from_the_text_and_never_as_usual(
    rules: Variant, question: dict[str, Any], code: str, cited: str
) -> None:
    reason = answer_question({"variant": rules.id, **question})["reasons"][0]
    source = dict(rules.faq)[cited].source
    assert reason["code"] == code
    assert reason["label"] in ("text", "inferred")
    for _document, place in cited_places(source):
        assert place in reason["source"]
    assert "usually played" not in reason["source"]
