"""Finding questions of the Q&A by the words that somebody types in a dispute."""

import re
import unicodedata
from collections.abc import Sequence

from app.rules.faq.topics import FaqEntry
from app.rules.phrases import Translate, in_english, say

_SMALL_WORDS = say(
    "a an and any are be can do does for from have i if in is it may me my of on one or the to we "
    "when with"
)
"""Words that say nothing of what is looked for; each language has its own."""

_WORD = re.compile(r"\w+")
_WHOLE_WORD = 2
"""So short a word must be there as it is; a longer one may be the start of a word."""

_WORTH = (9, 3, 1)
"""What a hit counts for in the question, in its further words, and in the rest."""


def search_entries(
    entries: Sequence[FaqEntry], typed: str, translate: Translate = in_english
) -> tuple[FaqEntry, ...]:
    """The entries for what was typed, the most fitting first; all where nothing was.

    Each word that counts must be found, as the start of a word, in the language of `translate`.
    Where no entry has them all, those come that have most of them.
    """
    wanted = _search_words(typed, translate)
    if not wanted:
        return tuple(entries)
    found = [(_score(entry, wanted, translate), entry) for entry in entries]
    most = max((hits for (hits, _worth), _entry in found), default=0)
    best = [(worth, entry) for (hits, worth), entry in found if hits == most > 0]
    return tuple(entry for _worth, entry in sorted(best, key=lambda one: -one[0]))


def _search_words(typed: str, translate: Translate) -> list[str]:
    words = _words(typed)
    small = set(_words(_SMALL_WORDS.render(translate)))
    return [word for word in words if word not in small] or words


def _score(entry: FaqEntry, wanted: Sequence[str], translate: Translate) -> tuple[int, int]:
    """How many of the words an entry has, and what its hits are worth."""
    texts = [_words(text) for text in entry.search_texts(translate)]
    worth = [
        max(
            value
            for value, text in zip((*_WORTH, 0), (*texts, [word]), strict=True)
            if _contains(text, word)
        )
        for word in wanted
    ]
    return sum(value > 0 for value in worth), sum(worth)


def _contains(text: Sequence[str], word: str) -> bool:
    if len(word) <= _WHOLE_WORD:
        return word in text
    return any(one.startswith(word) for one in text)


def _words(text: str) -> list[str]:
    """The words of a text in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(one for one in plain if not unicodedata.combining(one)))
