"""The Q&A: true to the judge and to the fields, labeled, in its own words, for every rule set."""

import inspect
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import JOKER, RANKS
from app.rules.faq import ASKED_MOST, examples, explaining_topic_id, faq_entries
from app.rules.faq.facts import FACTS
from app.rules.faq.topics import FILE, GROUP_NAMES, TOPICS, FaqEntry
from app.rules.grounds import Basis, cited_places
from app.rules.house_rules import HOUSE_RULES
from app.rules.judge_questions import answer_question, matches_expectation
from app.rules.phrases import say
from app.rules.rule_sets import (
    FIELDS,
    FaultyRules,
    family_rule_sets,
    from_dict,
    shipped_rule_sets,
    to_dict,
    with_house_rules,
)
from app.rules.variant import Variant
from app.rules.verdicts import Code, Reason
from app.web.infrastructure.localization import CATALOGUES, catalogue

FRENCH = catalogue(CATALOGUES / "fr.po")
NINE = list(family_rule_sets().values())
EVERY = list(shipped_rule_sets().values())
DOCUMENTS = {
    one.id: {
        one.source,
        *(
            document
            for _name, fact in (*one.field_sources, *one.faq)
            for document, _place in cited_places(fact.source)
            if document
        ),
    }
    for one in EVERY
}
"""The texts that a rule set cites, its own and others."""
EXAMPLES = [
    pytest.param(variant, entry, id=f"{variant.id}-{entry.id}")
    for variant in EVERY
    for entry in faq_entries(variant)
    if entry.example
]
FORM_WORDS = (
    "This matters only",
    "0 means",
    "another question",
    "Counts only",
    "The app",
    "Silent",
)


def named(which: str, entry: str, **house_rules: object) -> FaqEntry:
    printed = family_rule_sets()[which]
    found = faq_entries(with_house_rules(printed, house_rules), printed)
    return next(one for one in found if one.id == entry)


def facts_named(plain: object) -> Iterator[str]:
    """The facts that conditions and texts of the Q&A's file name."""
    if isinstance(plain, str):
        yield from re.findall(r"{(\w+)", plain)
    elif isinstance(plain, list):
        for one in plain:
            yield from facts_named(one)
    elif isinstance(plain, dict):
        for name, value in plain.items():
            if name in ("where", "legal") and not isinstance(value, bool):
                yield from (
                    key for one in ([value] if isinstance(value, dict) else value) for key in one
                )
            yield from [value] if name == "count" else facts_named(value)


def test_each_fact_that_the_questions_name_is_there_and_each_that_is_there_is_named() -> None:
    named = set(facts_named(tomllib.loads(FILE.read_text("utf-8")))) - {"count"}
    rules = family_rule_sets()["frustration"]
    assert all(hasattr(rules, name) for name in named - FACTS.keys())
    assert FACTS.keys() <= named


def test_each_example_belongs_to_a_question() -> None:
    shown = {
        name.removesuffix("_example").replace("_", "-")
        for name, one in vars(examples).items()
        if inspect.isfunction(one) and name.endswith("_example")
    }
    assert shown <= {topic.id for topic in TOPICS}


def each_rule_set(rule_sets: list[Variant]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("variant", rule_sets, ids=lambda one: one.id)


@pytest.mark.parametrize(("variant", "entry"), EXAMPLES)
def test_the_example_of_an_answer_is_judged_as_the_answer_says(variant, entry) -> None:
    answer = answer_question({"variant": variant.id, **entry.example.question})
    assert matches_expectation(answer, entry.example.expect), answer


SHOWS_WHAT_IS_ASKED_TURNED_ROUND = (
    "twos",  # three 2s are no set where 2s are wild
    "two-natural-in-own-slot",
    "all-at-once",
    "any-order",
    "layoff-check",
)


@pytest.mark.parametrize(("variant", "entry"), EXAMPLES)
def test_an_answer_of_yes_or_no_has_an_example_that_says_the_same(variant, entry) -> None:
    said = re.match(r"Yes|No\b", str(entry.answer))
    if said:
        turned = entry.id in SHOWS_WHAT_IS_ASKED_TURNED_ROUND
        assert [*entry.example.expect.values()] == [(said[0] == "Yes") is not turned], variant.id


@given(st.data())
def test_the_examples_agree_with_the_judge_under_any_house_rules(data) -> None:
    variant = data.draw(st.sampled_from(NINE))
    rules = [rule for rule in HOUSE_RULES.values() if rule.choices]
    chosen = data.draw(
        st.lists(st.sampled_from(rules), max_size=4, unique_by=lambda one: one.field)
    )
    house_rules = {rule.field: data.draw(st.sampled_from(rule.choices)).value for rule in chosen}
    try:
        played = with_house_rules(variant, house_rules)
    except FaultyRules:
        return
    for entry in faq_entries(played, variant):
        if entry.example:
            question = {"variant": variant.id, "house_rules": house_rules}
            answer = answer_question(question | dict(entry.example.question))
            assert matches_expectation(answer, entry.example.expect), (
                entry.id,
                house_rules,
                answer,
            )


@each_rule_set(NINE)
def test_one_changed_house_rule_leaves_the_examples_of_its_own_answer_right(variant) -> None:
    for rule in HOUSE_RULES.values():
        for choice in rule.choices:
            house_rules = {rule.field: choice.value}
            with suppress(FaultyRules):
                played = with_house_rules(variant, house_rules)
                for entry in faq_entries(played, variant):
                    if entry.example and rule.field in entry.topic.fields:
                        question = {"variant": variant.id, "house_rules": house_rules}
                        answer = answer_question(question | dict(entry.example.question))
                        expect = entry.example.expect
                        assert matches_expectation(answer, expect), (entry.id, house_rules, answer)


@each_rule_set(NINE)
def test_each_rule_set_answers_many_questions_once_in_groups_and_with_examples(variant) -> None:
    found = faq_entries(variant)
    assert len(found) >= 45
    assert len({entry.id for entry in found}) == len(found)
    assert sum(1 for entry in found if entry.example) >= 20
    groups = [entry.topic.group for entry in found]
    assert list(dict.fromkeys(groups)) == list(GROUP_NAMES)
    assert groups == sorted(groups, key=list(GROUP_NAMES).index)


@each_rule_set(EVERY)
def test_a_question_ends_as_one_and_its_answer_is_a_sentence_of_its_own(variant) -> None:
    for entry in faq_entries(variant):
        assert str(entry.question).endswith("?"), entry.id
        told = [str(one) for one in (entry.answer, entry.reason) if one is not None]
        for sentence in told:
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert not any(word in sentence for word in FORM_WORDS), sentence
        if str(entry.question).startswith(("Can", "Do I", "Does", "Are", "Is the 2")):
            assert told[0].startswith(("Yes", "No", "Only", "At ", "Either", "High")), entry.id


def in_french(text: str, plural: str | None, count: int | None) -> str:
    return FRENCH.gettext(text) if plural is None else FRENCH.ngettext(text, plural, count or 0)


@each_rule_set(EVERY)
def test_no_word_is_said_twice_in_a_row_in_either_language(variant) -> None:
    for entry in faq_entries(variant):
        told = entry.grounds
        said = (entry.question, entry.answer, entry.reason, told.place, told.why)
        sentences = [text for one in said if one for text in (str(one), one.render(in_french))]
        assert not [one for one in sentences if re.search(r"(?<![\w’])(\w{2,}) \1\b", one)]


def test_the_words_of_the_settings_are_not_those_of_the_answers() -> None:
    labels = {str(choice.label).lower() for rule in HOUSE_RULES.values() for choice in rule.choices}
    answers = {str(one.answer).lower().rstrip(".") for each in EVERY for one in faq_entries(each)}
    # The name of a seat cannot be said in two ways.
    alike = {"the player to the dealer’s left", "the player to the dealer’s right"}
    assert labels & answers == alike


@each_rule_set(NINE)
def test_the_ten_asked_most_are_answered_in_every_rule_set(variant) -> None:
    assert len(ASKED_MOST) == 10
    assert set(ASKED_MOST) <= {entry.id for entry in faq_entries(variant)}


@each_rule_set(NINE)
def test_an_own_sentence_says_the_same_as_the_fields(variant) -> None:
    """It may say more, but never Yes where the value says No."""
    plain = {one.id: one for one in faq_entries(from_dict(without_own_words(variant)))}
    for entry in faq_entries(variant):
        own, usual = str(entry.answer).split()[0], str(plain[entry.id].answer).split()[0]
        if {own.strip(",.:;"), usual.strip(",.:;")} == {"Yes", "No"}:
            assert (variant.id, entry.id) == ("aggravation-rummy-family", "finisher-pays")


def without_own_words(variant: Variant) -> dict[str, object]:
    """Its document without sentences of its own; a question that needs one to be shown keeps it."""
    faq = {}
    for name, own in variant.faq:
        told = {"source": own.source, "decision": own.decision}
        if name in ("max-deals", "shuffle-and-cut", "other-rules", "texts-differ"):
            told["answer"] = own.answer
        if any(told.values()):
            faq[name] = told
    return {**to_dict(variant), "id": "own", "faq": faq}


@each_rule_set(NINE)
def test_a_rule_sets_own_sentences_are_for_questions_that_there_are(variant) -> None:
    assert {name for name, _own in variant.faq} <= {topic.id for topic in TOPICS}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda one: one.id)
def test_a_question_hangs_on_fields_that_there_are(topic) -> None:
    assert set(topic.fields) <= set(FIELDS)


# A changed house rule


@each_rule_set(NINE)
def test_each_changed_house_rule_that_an_answer_hangs_on_changes_it_and_says_so(variant) -> None:
    for rule in HOUSE_RULES.values():
        for choice in rule.choices:
            try:
                played = with_house_rules(variant, {rule.field: choice.value})
            except FaultyRules:
                continue
            for entry in faq_entries(played, variant):
                is_of_house = entry.grounds.basis is Basis.HOUSE
                assert is_of_house is (entry.standard_answer is not None), entry.id
                if is_of_house:
                    assert str(entry.standard_answer) != str(entry.answer)
                    topic = next(one for one in TOPICS if one.id == entry.id)
                    assert rule.field in topic.fields


def test_a_changed_rule_sets_the_rule_sets_own_sentence_aside() -> None:
    assert str(named("twelve-step-rummy", "wild-swap").reason).startswith("Whose meld")
    played = named("twelve-step-rummy", "wild-swap", wild_swap="none")
    assert (str(played.answer), played.reason) == ("No, the wild card stays.", None)
    assert str(played.standard_answer) == "Yes, but only a joker that another player laid."


def test_an_answer_that_a_house_rule_brings_in_is_shown_though_it_had_no_effect_before() -> None:
    assert "knock" not in {one.id for one in faq_entries(family_rule_sets()["garbage-rummy"])}
    assert str(named("garbage-rummy", "knock", knock=True).answer).startswith("Yes")


# Text, Inferred, Ours


@each_rule_set(EVERY)
def test_the_label_agrees_with_source_and_decision(variant) -> None:
    for entry in faq_entries(variant):
        grounds = entry.grounds
        match grounds.basis:
            case Basis.TEXT:
                assert grounds.place, entry.id
                assert grounds.why is None, entry.id
            case Basis.INFERRED:
                assert grounds.place, entry.id
                assert grounds.why, entry.id
            case Basis.OURS:
                assert grounds.place is None, entry.id
                assert len(str(grounds.why).split()) >= 4, entry.id
            case Basis.HOUSE:
                raise AssertionError(entry.id)


@each_rule_set(EVERY)
def test_a_place_is_cited_by_the_document_that_it_stands_in(variant) -> None:
    for entry in faq_entries(variant):
        field = entry.topic.fields[0] if entry.topic.fields else entry.id
        fact = variant.file_answer(entry.id)
        if not (fact.source or fact.decision):
            fact = dict(variant.field_sources).get(field, fact)
        documents = {document or variant.source for document, _place in cited_places(fact.source)}
        told = str(entry.grounds.place or "")
        assert {one for one in DOCUMENTS[variant.id] if f"{one}: " in told} == documents, entry.id


@each_rule_set(NINE)
def test_what_is_ours_names_the_house_rule_that_plays_it_otherwise_where_there_is_one(
    variant,
) -> None:
    for topic in TOPICS:
        for entry in faq_entries(variant):
            if entry.id == topic.id and entry.grounds.basis is Basis.OURS and topic.fields:
                has_rule = topic.fields[0] in HOUSE_RULES
                assert (entry.grounds.alternative is not None) is has_rule, entry.id


def test_the_labels_that_the_list_of_rulings_names() -> None:
    assert named("frustration", "contract-size").grounds.basis is Basis.INFERRED
    assert named("frustration", "pair-with-wild").grounds.basis is Basis.INFERRED
    assert named("frustration", "layoff-check").grounds.basis is Basis.OURS
    assert named("frustration", "wild-swap").grounds.basis is Basis.OURS
    assert named("aggravation-rummy", "finisher-pays").grounds.basis is Basis.OURS
    assert named("aggravation-rummy-family", "touching-runs").grounds.basis is Basis.TEXT
    assert named("twelve-step-rummy", "wilds-adjacent").grounds.basis is Basis.TEXT
    assert named("frustration-nineteen", "buying").grounds.basis is Basis.TEXT


# From a verdict


@each_rule_set(NINE)
def test_every_fault_of_the_judge_leads_to_a_question_that_explains_it(variant) -> None:
    abouts = (
        "set", "run", "run_suit", "run_order", "around-the-corner", "wild_limit", "all-at-once",
        "only-wild-cards", "contracts", "contract_size", "wild_swap", "decks", "extra_melds",
    )  # fmt: skip
    fields = {entry.id: entry.topic.fields for entry in faq_entries(variant)}
    for about in (*abouts, *HOUSE_RULES):
        found = explaining_topic_id(variant, about)
        assert about == found or about in fields.get(found, ()) or about not in abouts, about
        assert not found or found in fields, about
    for about in abouts:
        reason = Reason(variant, say("x"), about, Code.WRONG_MELDS)
        assert reason.grounds.place or reason.grounds.why, about


def test_a_broken_house_rule_is_called_one() -> None:
    played = with_house_rules(family_rule_sets()["frustration"], {"run_suit": "same"})
    reason = Reason(played, say("x"), "run_suit", Code.MIXED_SUITS)
    assert reason.grounds.basis == Basis.HOUSE
    assert explaining_topic_id(played, reason.rule) == "run-suit"


def test_a_game_frozen_by_an_earlier_version_has_todays_sentences_and_labels() -> None:
    plain = to_dict(family_rule_sets()["frustration"])
    del plain["faq"]
    plain["buying"] = {"value": "none", "decision": "Silent: nobody takes a card out of turn."}
    frozen = from_dict(plain)
    shown = {one.id: one for one in faq_entries(frozen)}
    assert shown["buying"].grounds == named("frustration", "buying").grounds
    assert shown["jokers"].answer == named("frustration", "jokers").answer


# The three readings that were decided anew


def test_both_readings_of_the_familys_last_round_are_told() -> None:
    entry = named("aggravation-rummy-family", "finisher-pays")
    assert "when another player goes out" in str(entry.answer)
    assert "before anyone goes out" in str(entry.reason)


@pytest.mark.parametrize("which", ["frustration-rummy-board", "frustration-rummy-bilingual"])
def test_both_readings_of_who_deals_next_are_told(which: str) -> None:
    entry = named(which, "dealer-rotation")
    assert str(entry.answer) == "The player who started this round."
    assert "unless someone sits down between" in str(entry.reason)


def test_both_readings_of_the_third_decks_jokers_are_told() -> None:
    entry = named("frustration", "jokers-per-extra-deck")
    assert str(entry.answer) == "Only if you play with jokers: 2 more."
    assert "The other reading" in str(entry.reason)


@each_rule_set(EVERY)
def test_the_points_of_every_card_are_told(variant) -> None:
    entries = {one.id: str(one.answer) for one in faq_entries(variant)}
    told: dict[str, int] = {}
    for line in entries.get("penalties", "").splitlines():
        ranks, cost = line.split(": ")
        first, to, last = ranks.partition(" to ")
        named = [*RANKS, "joker"]
        span = named[named.index(first) : named.index(last) + 1] if to else []
        for rank in span or re.split(", | and ", ranks):
            points = int(rank) if cost == "their number" else int(cost.split()[0])
            assert told.setdefault(rank.replace("joker", JOKER), points) == points
    there = {
        rank: cost for rank, cost in variant.penalties.by_rank if rank != JOKER or variant.jokers
    }
    assert told == (there if "penalties" in entries else {})


@pytest.mark.parametrize("jokers", [0, 4])
def test_what_cards_cost_names_jokers_only_where_they_are_played_with(jokers: int) -> None:
    entry = named("frustration", "penalties", jokers=jokers, keep_score="yes")
    assert ("2 and joker" in str(entry.answer)) == (jokers > 0)
    assert ("without jokers; 2s are the wild" in str(entry.reason)) == (jokers == 0)


# Examples


@each_rule_set(NINE)
def test_an_example_of_going_out_starts_from_a_hand_that_is_dealt(variant) -> None:
    for entry in faq_entries(variant):
        if entry.example and entry.example.question["ask"] == "hand":
            hand = str(entry.example.question["hand"]).split()
            assert len(hand) == variant.deal + 1, entry.id


@each_rule_set(NINE)
def test_a_bonus_of_nothing_and_what_has_no_effect_are_hidden(variant) -> None:
    ids = {entry.id for entry in faq_entries(variant)}
    for bonus in ("go-out-bonus", "completion-bonus", "exact-deal-bonus"):
        assert (bonus in ids) is (getattr(variant, bonus.replace("-", "_")) < 0)
    assert ("swap-in-sets" in ids) is (variant.wild_swap != "none")
