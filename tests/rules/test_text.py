"""What people type, as it is kept: whatever they type, it is kept in one way and at once."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from app.rules.text import normalize_text

LETTERS = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("e\u0301\u0323\x01\n")))


@given(LETTERS)
def test_a_text_that_is_plain_is_composed_and_stays_as_it_is(text: str):
    plain = normalize_text(text)
    assert unicodedata.is_normalized("NFC", plain)
    assert normalize_text(plain) == plain
    assert not [one for one in plain if unicodedata.category(one) == "Cc" and one not in "\n\r\t"]


def test_a_letter_keeps_its_marks_and_no_heap_of_them():
    assert normalize_text("Zoe\x01\u0308") == "Zoë"
    assert normalize_text("ệ") == "ệ"
    assert normalize_text("Zo\uffffe\ufffe") == "Zoe"
    for heap in ("a" + "\u0300\u0323" * 200_000, "\u0323\x01\u0300" * 200_000):
        assert len(normalize_text(heap)) <= 31
