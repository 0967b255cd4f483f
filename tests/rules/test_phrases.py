"""Sentences are filled in English, or in the words of a translation."""

import pytest

from app.rules.phrases import MalformedPhrase, from_dict, in_english, join_phrases, say, say_plural

GERMAN = {
    "{name} deals": "{name} gibt",
    "{count} cards": "{count} Karten",
    "nobody": "niemand",
    "{first} and {second}": "{first} und {second}",
}


def in_german(text: str, plural: str | None, count: int | None) -> str:
    """A small translation; what it lacks stays English."""
    english = in_english(text, plural, count)
    return GERMAN.get(english, english)


def test_a_sentence_is_filled_with_its_values() -> None:
    assert str(say("{name} deals", name="Anna")) == "Anna deals"
    assert str(say("{count} of {all}", count=3, all=7)) == "3 of 7"


@pytest.mark.parametrize(("count", "words"), [(0, "0 cards"), (1, "a card"), (2, "2 cards")])
def test_a_sentence_depends_on_its_number(count: int, words: str) -> None:
    assert str(say_plural("a card", "{count} cards", count)) == words


def test_a_sentence_may_hold_another() -> None:
    assert str(say("{name} deals", name=say("nobody"))) == "nobody deals"


def test_a_name_with_braces_is_only_a_name() -> None:
    assert str(say("{name} deals", name="{count}")) == "{count} deals"
    assert str(say("{name} deals", name=say("{who}", who="{0}"))) == "{0} deals"


def test_a_sentence_is_translated_before_it_is_filled() -> None:
    assert say("{name} deals", name="nobody").render(in_german) == "nobody gibt"


def test_a_sentence_within_a_sentence_is_translated_too() -> None:
    assert say("{name} deals", name=say("nobody")).render(in_german) == "niemand gibt"
    cards = say_plural("a card", "{count} cards", 4)
    assert join_phrases([say("nobody"), cards]).render(in_german) == "niemand und 4 Karten"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("this", "this"),
        ("this that", "this and that"),
        ("this that those", "this, that and those"),
        ("a b c d", "a, b, c and d"),
    ],
)
def test_several_phrases_make_one(words: str, sentence: str) -> None:
    assert str(join_phrases([say(word) for word in words.split()])) == sentence


def test_equal_sentences_are_the_same_sentence() -> None:
    assert say("{name} deals", name="Anna") == say("{name} deals", name="Anna")
    assert len({say("nobody"), say("nobody")}) == 1


@pytest.mark.parametrize("place", ["", "0", "a.b", "a[0]", "a!r", "a:>9"])
def test_a_place_is_a_name_alone(place: str) -> None:
    with pytest.raises(MalformedPhrase):
        from_dict({"text": f"{{{place}}}", "values": {place: "Anna", "a": "Anna"}})


@pytest.mark.parametrize("number", [10**16, -(10**16), 10**40, 1.5, True, None])
def test_a_number_that_no_page_could_write_out_is_no_value(number):
    for plain in ({"text": "{a}", "values": {"a": number}}, a_plural_of(number)):
        with pytest.raises(MalformedPhrase):
            from_dict(plain)


def a_plural_of(count: object) -> dict[str, object]:
    return {"text": "a card", "plural": "{count} cards", "count": count, "values": {"count": 2}}


def test_a_phrase_that_somebody_else_wrote_is_no_longer_than_anybody_reads():
    plain: object = "ha"
    for _ in range(4):
        plain = {"text": "{a}" * 6, "values": {"a": plain}}
    assert str(from_dict(plain)) == "ha" * 6**4
    for text, plural in (("{a}" * 100, None), ("{a}", "{a}" * 100)):
        one = {"text": text, "values": {"a": plain}}
        with pytest.raises(MalformedPhrase, match="longer"):
            from_dict(one if plural is None else {**one, "plural": plural, "count": 2})
    with pytest.raises(MalformedPhrase, match="longer"):
        from_dict({"text": "ha" * 2_001})
