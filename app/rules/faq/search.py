"""Finding questions of the Q&A by the words that somebody types in a dispute.

What is typed is a question as people type it on a phone: whole sentences, words of their own,
slips. Each word counts by how few questions have it, so that the words that every question has
decide little, and an answer by how much of what was typed it has; a word is found as it is, by its
start, in another form, by a word that means the same or, where nothing has it at all, by the word
that it was meant to be.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import log
from pathlib import Path

from app.rules.faq.topics import FaqEntry
from app.rules.phrases import Phrase, Translate, in_english

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SMALL_WORDS, _SYNONYMS = Phrase(_WORDS["small_words"]), Phrase(_WORDS["synonyms"])

_WORD = re.compile(r"\w+")
_ELIDED = re.compile(r"\b(\w{1,2}|quelqu|lorsqu|puisqu|jusqu|presqu)['’](?=\w)")
"""What French writes together: “l’as” is two words, while “can’t” is one."""

_WORTH = (9, 5, 1)
"""What a hit counts for in the question or a phrase typed for it, in further words, in the rest."""
_NUMBER = 3
"""What a number counts for, wherever it stands: in a question it is mostly an example's."""

_SAME, _START, _FORM, _SYNONYM, _SLIP = 1.0, 0.9, 0.8, 0.35, 0.6
"""How much a hit counts by how a word was found."""

_LEAST_START = 3
_LEAST_SLIP = 4
_LONG = 8
"""From so many letters on two slips are forgiven."""

_SHOWN = 0.3
"""Entries worth less than this part of the best are not shown."""


def search_entries(
    entries: Sequence[FaqEntry], typed: str, translate: Translate = in_english
) -> tuple[FaqEntry, ...]:
    """The entries for what was typed, the most fitting first; all where no word was."""
    small = frozenset(_words(_SMALL_WORDS.render(translate)))
    wanted = _content(typed, small)
    if not wanted:
        return tuple(entries)
    texts = [entry.search_texts(translate) for entry in entries]
    vocabulary = frozenset(word for entry in texts for text in entry for word in _words(text))
    synonyms = _synonyms(_SYNONYMS.render(translate))
    hits = {word: _matches(word, vocabulary, synonyms) for word in wanted}
    near = {one for found in hits.values() for one, value in found.items() if value >= _FORM}
    read = [_fields(entry, near, small) for entry in texts]
    worth, hit = [0.0] * len(texts), [0.0] * len(texts)
    for word in wanted:
        found = [_best_hit(hits[word], entry) for entry in read]
        rarity = log(1 + len(texts) / (sum(one > 0 for one in found) or 1))
        for place, one in enumerate(found):
            worth[place] += one * rarity
            hit[place] += rarity if one else 0.0
    # What has all that was typed comes before what has half of it in a better place.
    values = [one * part for one, part in zip(worth, hit, strict=True)]
    best = max(values, default=0.0)
    # Of equals that comes first which has just what was typed as a phrase.
    others = [_words(typed) not in map(_words, further.split(",")) for _, further, _ in texts]
    ranked = sorted(zip(values, others, entries, strict=True), key=lambda one: (-one[0], one[1]))
    return tuple(entry for value, _, entry in ranked if value > 0 and value >= best * _SHOWN)


def _content(text: str, small: frozenset[str]) -> list[str]:
    """The words of a text that say something; all where none does."""
    words = list(dict.fromkeys(_words(text)))
    return [word for word in words if word not in small] or words


def _fields(
    texts: Sequence[str], near: Set[str], small: frozenset[str]
) -> tuple[frozenset[str], ...]:
    """The words of what is searched, those of a further phrase that was typed with the question's.

    `near` holds the words that were typed, as they stand in the texts.
    """
    question, further, rest = (frozenset(_words(text)) for text in texts)
    for phrase in texts[1].split(","):
        words = frozenset(_content(phrase, small))
        if " " in phrase.strip() and words <= near:
            question |= words
    return question, further, rest


def _best_hit(hits: Mapping[str, float], entry: Sequence[frozenset[str]]) -> float:
    """What a word is worth for an entry, by the best of its matches there."""
    return max(
        (
            (_NUMBER if word.isdecimal() else value) * hits[word]
            for value, text in zip(_WORTH, entry, strict=True)
            for word in text & hits.keys()
        ),
        default=0.0,
    )


def _matches(
    word: str, vocabulary: frozenset[str], synonyms: Mapping[str, frozenset[str]]
) -> dict[str, float]:
    """The words that a typed word finds, with how much each counts."""
    found = {one: value for one in vocabulary if (value := _alike(word, one))}
    if not found and word not in synonyms:
        word, found = _unslipped(word, vocabulary | synonyms.keys())
    for other in synonyms.get(word, frozenset()):
        for one in vocabulary:
            value = _alike(other, one) * _SYNONYM
            if value > found.get(one, 0.0):
                found[one] = value
    return found


def _alike(typed: str, word: str) -> float:
    if typed == word:
        return _SAME
    if len(typed) < _LEAST_START or len(word) < _LEAST_START:
        return 0.0
    if word.startswith(typed):
        return _START
    # "jokers" for "joker", "melded" for "meld", "posées" for "pose"
    stem = typed[: max(_LEAST_START, len(typed) - 2)]
    return _FORM if typed.startswith(word) and word.startswith(stem) else 0.0


def _unslipped(word: str, known: Iterable[str]) -> tuple[str, dict[str, float]]:
    """The known word that a mistyped one was meant to be, and the hits of all that are as near."""
    if len(word) < _LEAST_SLIP:
        return word, {}
    most = 2 if len(word) >= _LONG else 1
    near = {
        one: slips
        for one in known
        if abs(len(one) - len(word)) <= most
        and len(set(one) ^ set(word)) <= 2 * most  # cheap, and rules out nearly all
        and (slips := _slips(word, one)) <= most
    }
    least = min(near.values(), default=0)
    meant = sorted(one for one, slips in near.items() if slips == least)
    return (meant[0] if meant else word), dict.fromkeys(meant, _SLIP)


def _slips(typed: str, word: str) -> int:
    """How many letters are wrong, missing, too many or changed about with the next."""
    two_back: list[int] = []
    back = list(range(len(word) + 1))
    for at, letter in enumerate(typed):
        row = [at + 1]
        for place, other in enumerate(word):
            slips = min(back[place + 1] + 1, row[place] + 1, back[place] + (letter != other))
            if at and place and letter == word[place - 1] and typed[at - 1] == other:
                slips = min(slips, two_back[place - 1] + 1)
            row.append(slips)
        two_back, back = back, row
    return back[-1]


@lru_cache(maxsize=8)
def _synonyms(groups: str) -> Mapping[str, frozenset[str]]:
    """Each word with those that are typed for it."""
    found: dict[str, frozenset[str]] = {}
    for group in groups.split("/"):
        words = frozenset(_words(group))
        for word in words:
            found[word] = found.get(word, frozenset()) | words
    return found


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without accents and without apostrophes."""
    apart = _ELIDED.sub(r"\1 ", text.casefold())
    plain = unicodedata.normalize("NFKD", apart.replace("'", "").replace("’", ""))
    return _WORD.findall("".join(one for one in plain if not unicodedata.combining(one)))
