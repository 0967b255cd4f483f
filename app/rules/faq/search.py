"""Finding questions of the Q&A by the words that somebody types in a dispute.

What is typed is a question as people type it on a phone: whole sentences, words of their own,
slips. Each word counts by how few questions have it, so that the words that every question has
decide little, and an answer by how much of what was typed it has; a word is found as it is, by its
start, in another form, by a word that means the same or, where nothing has it at all, by the word
that it was meant to be. How many play is told with all kinds of questions, and decides little.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import log
from pathlib import Path

from app.rules.faq.topics import FaqEntry
from app.rules.phrases import Phrase, Translate, in_english

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SMALL_WORDS = Phrase(_WORDS["small_words"])
_PLAYER_COUNTS = Phrase(_WORDS["player_counts"])
_OTHER_WORDS = (Phrase(_WORDS["forms"]), Phrase(_WORDS["synonyms"]))

LONGEST_SEARCH = 160
"""How many characters may be typed: a question and what led to it."""

_WORD = re.compile(r"\w+")
_ELIDED = re.compile(r"\b(\w{1,2}|quelqu|lorsqu|puisqu|jusqu|presqu)['’](?=\w)")
"""What French writes together: “l’as” is two words, while “can’t” is one."""

_CLAUSE_END = r"(?=\s*(?:[.,;:?!]|$))"

_WORTH = (6, 1)
"""What a hit counts for in the question or in what is typed for it, and in the rest."""
_TOGETHER = 2.7
"""What hits count for besides that stand together, in the question or in a phrase typed for it."""
_NUMBER = 2
"""What a number counts for, wherever it stands: in a question it is mostly an example's."""

_SAME, _START, _FORM, _SYNONYM, _SLIP = 1.0, 0.9, 0.8, 0.35, 0.6
"""How much a hit counts by how a word was found."""

_PLAYERS = 0.3
"""How much of its rarity is left to a number of players."""

_LEAST_START = 3
_LEAST_SLIP = 4
_LONG = 8
"""From so many letters on two slips are forgiven."""

_SHOWN = 0.3
"""Entries worth less than this part of the best are not shown."""

_KNOWN = 0.5
"""An answer has so much of what was typed, by how rare each word is."""


@dataclass(frozen=True, slots=True)
class Found:
    """The entries for what was typed, the most fitting first."""

    entries: tuple[FaqEntry, ...]
    is_answer: bool
    """Has the first of them enough of what was typed to be an answer to it?"""


def search_entries(
    entries: Sequence[FaqEntry], typed: str, translate: Translate = in_english
) -> Found:
    """The entries for what was typed; all where no word was."""
    small = frozenset(_words(_SMALL_WORDS.render(translate)))
    others = tuple(_groups(words.render(translate)) for words in _OTHER_WORDS)
    asked, players = _player_count_apart(typed, _PLAYER_COUNTS.render(translate), others[0])
    wanted = _content(asked, small)
    if not wanted:
        return Found(tuple(entries), is_answer=True)
    texts = [_read(entry, translate, small) for entry in entries]
    vocabulary = frozenset(word for entry in texts for text in entry.fields for word in text)
    hits = {word: _matches(word, vocabulary, *others) for word in wanted}
    worth, hit = [0.0] * len(texts), [0.0] * len(texts)
    rarity: dict[str, float] = {}
    for word in wanted:
        found = [_best_hit(hits[word], entry.fields) for entry in texts]
        rarity[word] = log(1 + len(texts) / (sum(one > 0 for one in found) or 1))
        rarity[word] *= _PLAYERS if word == players else 1
        for place, one in enumerate(found):
            worth[place] += one * rarity[word]
            hit[place] += rarity[word] if one else 0.0
    # What has all that was typed comes before what has half of it in a better place.
    values = [
        (one + _best_phrase(hits, rarity, entry.phrases)) * part
        for one, part, entry in zip(worth, hit, texts, strict=True)
    ]
    best = max(values, default=0.0)
    # Of equals that comes first which has just what was typed as a phrase.
    unlike = [_words(typed) not in entry.further for entry in texts]
    order = sorted(range(len(texts)), key=lambda place: (-values[place], unlike[place]))
    shown = [place for place in order if values[place] > 0 and values[place] >= best * _SHOWN]
    known = hit[shown[0]] / sum(rarity.values()) if shown else 0.0
    return Found(tuple(entries[place] for place in shown), known >= _KNOWN)


@dataclass(frozen=True, slots=True)
class _Read:
    """The words of an entry as they are searched."""

    fields: tuple[frozenset[str], frozenset[str]]
    """Those of its question and of what is typed for it; those of everything else."""
    phrases: tuple[frozenset[str], ...]
    """What says something in its question, and in each phrase that is typed for it."""
    further: tuple[tuple[str, ...], ...]


def _read(entry: FaqEntry, translate: Translate, small: Set[str]) -> _Read:
    question, further, rest = entry.search_texts(translate)
    typed = further.split(",")
    phrases = [question, *(one for one in typed if " " in one.strip())]
    return _Read(
        (frozenset(_words(f"{question} {further}")), frozenset(_words(rest))),
        tuple(frozenset(_content(one, small)) for one in phrases),
        tuple(map(_words, typed)),
    )


def _best_phrase(
    hits: Mapping[str, Mapping[str, float]],
    rarity: Mapping[str, float],
    phrases: Sequence[frozenset[str]],
) -> float:
    """What it is worth that words which were typed stand together, by the phrase that has most.

    A phrase counts as far as it was typed, by other words with the same meaning not at all.
    """
    best = 0.0
    for phrase in phrases:
        near = {
            typed: max((found[one], one) for one in words)
            for typed, found in hits.items()
            if (words := [one for one in phrase & found.keys() if found[one] > _SYNONYM])
        }
        met = {word for _value, word in near.values()}
        if len(met) > 1 or met == phrase:
            value = sum(rarity[typed] * value for typed, (value, _word) in near.items())
            best = max(best, value * len(met) / len(phrase))
    return best * _TOGETHER


def _player_count_apart(
    typed: str, ways: str, forms: Mapping[str, frozenset[str]]
) -> tuple[str, str]:
    """What was typed, with the word for players in place of how many play; that word, if so."""
    numbers = "|".join(word for word in forms if any(one.isdecimal() for one in forms[word]))
    said = _plain(ways).replace("*", rf"(?:[0-9]+|{numbers})").replace(" .", _CLAUSE_END)
    any_way = "|".join(map(str.strip, said.split("/")))
    players = _words(ways)[0]
    rest, found = re.subn(rf"\b(?:{any_way})\b", players, _plain(typed))
    return (rest, players) if found else (typed, "")


def _content(text: str, small: Set[str]) -> list[str]:
    """The words of a text that say something; all where none does."""
    words = list(dict.fromkeys(_words(text)))
    return [word for word in words if word not in small] or words


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
    word: str,
    vocabulary: frozenset[str],
    forms: Mapping[str, frozenset[str]],
    synonyms: Mapping[str, frozenset[str]],
) -> dict[str, float]:
    """The words that a typed word finds, with how much each counts."""
    found = {one: value for one in vocabulary if (value := _alike(word, one))}
    if not found and word not in forms.keys() | synonyms.keys():
        word, found = _unslipped(word, vocabulary | forms.keys() | synonyms.keys())
    for others, worth in ((forms, _FORM), (synonyms, _SYNONYM)):
        for other in others.get(word, frozenset()):
            for one in vocabulary:
                value = _alike(other, one) * worth
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
def _groups(groups: str) -> Mapping[str, frozenset[str]]:
    """Each word with the others of its groups."""
    found: dict[str, frozenset[str]] = {}
    for group in groups.split("/"):
        words = frozenset(_words(group))
        for word in words:
            found[word] = found.get(word, frozenset()) | words
    return found


@lru_cache(maxsize=2000)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text. Each search asks for those of all entries."""
    return tuple(_WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    """A text in lower case, without accents and without apostrophes."""
    apart = _ELIDED.sub(r"\1 ", text.casefold())
    plain = unicodedata.normalize("NFKD", apart.replace("'", "").replace("’", ""))
    return "".join(one for one in plain if not unicodedata.combining(one))
