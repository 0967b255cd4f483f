"""Contracts as people type them, in English or French.

"2 sets of 3 and a run of 4", "3x3 + R4", "s3 s3 r4", "2 jeux de 3 et une suite de 4": all are read,
whatever the language of the page. The French terms are those of the bilingual rule set. What a
contract may ask at all is checked in `fitting.py`; the text form of files is in `contracts.py`.
"""

import re
import unicodedata

from app.rules.contracts import Contract, Kind, Part, UnreadableContract
from app.rules.wording import say

MOST_PARTS = 8
LONGEST_TEXT = 200
_SIZES = range(2, 41)

_NUMBERS = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze",
        "une",
        "a",
        "an",
    )
    for number, word in enumerate(words.split(), start=1)
}
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("set", "sets", "group", "groups", "book", "books"), "set"),
    **dict.fromkeys(("jeu", "jeux", "groupe", "groupes", "serie", "series"), "set"),
    **dict.fromkeys(
        ("run", "runs", "sequence", "sequences", "straight", "straights", "suite", "suites"), "run"
    ),
}
_LETTERS: dict[str, Kind] = {"s": "set", "r": "run"}
_KNOWN_SETS = {
    **dict.fromkeys(("pair", "pairs", "paire", "paires"), 2),
    **dict.fromkeys(("trio", "trios", "triple", "triples", "brelan", "brelans"), 3),
    **dict.fromkeys(("carre", "carres", "quad", "quads"), 4),
}


def _one_of(words: dict[str, int] | dict[str, Kind]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_NUMBER = rf"(?:[0-9]{{1,3}}|(?:{_one_of(_NUMBERS)})\b)"
_SEVERAL = {word: number for word, number in _NUMBERS.items() if number > 1}
_SIZE = rf"(?P<size>[0-9]{{1,3}}|(?:{_one_of(_SEVERAL)})\b)"
_COUNT = rf"(?:(?P<count>{_NUMBER})\s*(?:(?:x|times\b|fois\b)\s*)?)?"
_CARDS = r"(?:\s*(?:cards?|cartes?)\b)?"
_MELDS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_COUNT}(?P<kind>{_one_of(_KINDS)})\s*(?:of\b|de\b|d'|a\b)?\s*{_SIZE}{_CARDS}",
        rf"{_COUNT}(?P<kind>[sr])\s*(?P<size>[0-9]{{1,3}}){_CARDS}",
        rf"{_COUNT}{_SIZE}[\s-]*(?:cards?|cartes?)[\s-]+(?P<kind>{_one_of(_KINDS)})\b",
        rf"{_COUNT}(?P<known>{_one_of(_KNOWN_SETS)})\b",
        rf"(?:(?P<count>{_NUMBER})\s*x\s*)?{_SIZE}\s*(?:of a kind|identiques)\b",
        rf"(?P<count>{_NUMBER})\s*x\s*{_SIZE}(?![0-9a-z])",
    )
)
_WITHOUT_SIZE = re.compile(rf"{_COUNT}(?P<kind>{_one_of(_KINDS)})\b")
_BETWEEN = re.compile(r"(?:[\s,;+&/.]|(?:and|et|plus)\b)*")


def read_contract_words(number: int, text: str) -> Contract:
    """The contract of that number which a text describes. Raises `UnreadableContract`.

    >>> str(read_contract_words(1, "2 sets of 3 and a run of 4"))
    's3 s3 r4'
    >>> str(read_contract_words(1, "2 jeux de trois, suite de 5"))
    's3 s3 r5'
    """
    if len(text) > LONGEST_TEXT:
        raise UnreadableContract(
            say("Use {most} characters or fewer for a contract.", most=LONGEST_TEXT)
        )
    plain = _plain(text)
    parts: list[Part] = []
    place = _after_separators(plain, 0)
    while place < len(plain):
        match = _meld_at(plain, place)
        parts += _parts_of(match)
        if len(parts) > MOST_PARTS:
            raise UnreadableContract(
                say("A contract can have up to {most} melds.", most=MOST_PARTS)
            )
        place = _after_separators(plain, match.end())
    if not parts:
        raise UnreadableContract(say("A contract needs at least one meld."))
    return Contract(number, tuple(parts))


def _plain(text: str) -> str:
    """The text in small letters, without accents and with the signs of a keyboard."""
    spread = unicodedata.normalize("NFKD", text.replace("×", "x").replace("’", "'")).casefold()
    return "".join(sign for sign in spread if not unicodedata.combining(sign))


def _after_separators(text: str, place: int) -> int:
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


def _meld_at(text: str, place: int) -> re.Match[str]:
    found = [match for meld in _MELDS if (match := meld.match(text, place))]
    if found:
        return max(found, key=lambda match: match.end())
    without_size = _WITHOUT_SIZE.match(text, place)
    if without_size is None:
        raise UnreadableContract(
            say(
                "“{text}” isn’t a set or run. Try “2 sets of 3 and a run of 4”.",
                text=text[place : place + 20].strip(),
            )
        )
    if _KINDS[without_size["kind"]] == "set":
        raise UnreadableContract(say("Say how many cards the set has, for example “set of 3”."))
    raise UnreadableContract(say("Say how many cards the run has, for example “run of 4”."))


def _parts_of(match: re.Match[str]) -> list[Part]:
    named = match.groupdict()
    count = _number(named.get("count") or "1")
    kind = {**_KINDS, **_LETTERS}[named["kind"]] if named.get("kind") else "set"
    known = named.get("known")
    size = _KNOWN_SETS[known] if known else _number(named["size"])
    if size not in _SIZES:
        raise UnreadableContract(
            say(
                "A meld has {least} to {most} cards, not {size}.",
                least=_SIZES.start,
                most=_SIZES.stop - 1,
                size=size,
            )
        )
    if not 1 <= count <= MOST_PARTS:
        raise UnreadableContract(say("A contract can have up to {most} melds.", most=MOST_PARTS))
    return [Part(kind, size)] * count


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]
