"""Contracts as people type them, in every language that the app speaks.

"2 sets of 3 and a run of 4", "3x3 + R4", "s3 s3 r4", "2 jeux de 3 et une suite de 4": all are read,
whatever the language of the page. A language's words are those of its catalogue. What a contract
may ask at all is checked in `consistency.py`; the text form of files is in `contracts.py`.
"""

import re
import unicodedata
from collections.abc import Iterable

from app.rules.contracts import MOST_PARTS, Contract, Kind, Part, UnreadableContract
from app.rules.phrases import Phrase, Translate, in_english, say
from app.rules.text import LONGEST_SHOWN, abbreviate, collapse_blanks

LONGEST_TEXT = 200
_SIZES = range(2, 41)

# Words that people type, separated by commas: a translation has as many as its language needs,
# of the numbers one for each.
_SET = say("set, sets, group, groups, book, books")
_RUN = say("run, runs, sequence, sequences, straight, straights")
_PAIR, _TRIO, _QUAD = say("pair, pairs"), say("trio, trios, triple, triples"), say("quad, quads")
_ONE_TO_FOURTEEN = say(
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen"
)
_ONE = say("a, an")
_CARD, _OF, _TIMES = say("card, cards"), say("of"), say("times")
_ALIKE, _AND = say("of a kind"), say("and, plus")
_SUITED = say("of the same suit, of one suit, in the same suit, in one suit, same suit, suited")
_LETTERS: dict[str, Kind] = {"s": "set", "r": "run"}


class ContractParser:
    """Reads contracts that are typed in English, or in one of some other languages."""

    def __init__(self, languages: Iterable[Translate] = ()) -> None:
        spoken = (in_english, *languages)
        several = {
            word: number
            for translate in spoken
            for number, word in enumerate(_listed(_ONE_TO_FOURTEEN, translate), start=1)
        }

        def words(phrase: Phrase) -> list[str]:
            return [word for translate in spoken for word in _listed(phrase, translate)]

        def alternatives(listed: Iterable[str]) -> str:
            return "|".join(map(re.escape, sorted(listed, key=lambda word: (-len(word), word))))

        self._numbers = several | dict.fromkeys(words(_ONE), 1)
        self._kinds: dict[str, Kind] = {
            **dict.fromkeys(words(_SET), "set"),
            **dict.fromkeys(words(_RUN), "run"),
        }
        self._known_sets = {
            word: size
            for size, named in enumerate((_PAIR, _TRIO, _QUAD), 2)
            for word in words(named)
        }
        kinds, cards = alternatives(self._kinds), alternatives(words(_CARD))
        number = rf"(?:[0-9]{{1,3}}|(?:{alternatives(self._numbers)})\b)"
        large = alternatives(word for word, value in several.items() if value > 1)
        size = rf"(?P<size>[0-9]{{1,3}}|(?:{large})\b)"
        count = rf"(?:(?P<count>{number})\s*(?:(?:x|(?:{alternatives(words(_TIMES))})\b)\s*)?)?"
        suited = rf"\s*(?:{alternatives(words(_SUITED))})\b"
        of_cards = rf"(?:\s*(?:{cards})\b)?(?P<suited>{suited})?"
        self._melds = tuple(
            re.compile(pattern)
            for pattern in (
                rf"{count}(?P<kind>{kinds})\s*(?:(?:{alternatives(words(_OF))})\b)?\s*{size}{of_cards}",
                rf"{count}(?P<kind>[sr])\s*(?P<size>[0-9]{{1,3}}){of_cards}",
                rf"{count}{size}[\s-]*(?:{cards})[\s-]+(?P<kind>{kinds})\b",
                rf"{count}(?P<known>{alternatives(self._known_sets)})\b(?P<suited>{suited})?",
                rf"(?:(?P<count>{number})\s*x\s*)?{size}\s*(?:{alternatives(words(_ALIKE))})\b",
                rf"(?P<count>{number})\s*x\s*{size}(?![0-9a-z])",
            )
        )
        self._suited = re.compile(suited)
        self._without_size = re.compile(rf"{count}(?P<kind>{kinds})\b")
        self._between = re.compile(rf"(?:[\s,;+&/.]|(?:{alternatives(words(_AND))})\b)*")

    def read(self, number: int, text: str) -> Contract:
        """The contract of that number which a text describes. Raises `UnreadableContract`.

        >>> str(ContractParser().read(1, "2 sets of 3 and a run of 4"))
        's3 s3 r4'
        """
        if len(text) > LONGEST_TEXT:
            raise UnreadableContract(
                say("Use {most} characters or fewer for a contract.", most=LONGEST_TEXT)
            )
        plain = _plain(text)
        parts: list[Part] = []
        place = self._after_separators(plain, 0)
        while place < len(plain):
            match = self._meld_at(plain, place, text)
            parts += self._parts_of(match)
            if len(parts) > MOST_PARTS:
                raise _wrong_number_of_melds()
            place = self._after_separators(plain, match.end())
        if not parts:
            raise UnreadableContract(say("A contract needs at least one meld."))
        return Contract(number, tuple(parts))

    def names_suit(self, text: str) -> bool:
        """Is a run said to be of one suit? What the contract is read as has no word of it."""
        return self._suited.search(_plain(text)) is not None

    def _after_separators(self, text: str, place: int) -> int:
        match = self._between.match(text, place)
        return match.end() if match else place

    def _meld_at(self, plain: str, place: int, typed: str) -> re.Match[str]:
        found = [match for meld in self._melds if (match := meld.match(plain, place))]
        if found:
            return max(found, key=lambda match: match.end())
        without_size = self._without_size.match(plain, place)
        if without_size is None:
            rest = _from_place(typed, place)
            raise UnreadableContract(
                say(
                    "“{text}” isn’t a set or run. Try “2 sets of 3 and a run of 4”.",
                    text=abbreviate(rest, LONGEST_SHOWN),
                )
            )
        if self._kinds[without_size["kind"]] == "set":
            raise UnreadableContract(say("Say how many cards the set has, for example “set of 3”."))
        raise UnreadableContract(say("Say how many cards the run has, for example “run of 4”."))

    def _parts_of(self, match: re.Match[str]) -> list[Part]:
        named = match.groupdict()
        count = self._number(named.get("count") or "1")
        kind = {**self._kinds, **_LETTERS}[named["kind"]] if named.get("kind") else "set"
        if named.get("suited") and kind == "set":
            raise UnreadableContract(say("A set is of one rank: only runs can be of one suit."))
        known = named.get("known")
        size = self._known_sets[known] if known else self._number(named["size"])
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
            raise _wrong_number_of_melds()
        return [Part(kind, size)] * count

    def _number(self, word: str) -> int:
        return int(word) if word.isdigit() else self._numbers[word]


def _listed(phrase: Phrase, translate: Translate) -> list[str]:
    """The words of a list in one language, as `_plain` writes them."""
    return [_plain(word.strip()) for word in phrase.render(translate).split(",")]


def _plain(text: str) -> str:
    """The text in small letters and without accents; × and ’ as a keyboard has them."""
    spread = unicodedata.normalize("NFKD", text.replace("×", "x").replace("’", "'")).casefold()
    return "".join(sign for sign in spread if not unicodedata.combining(sign))


def _from_place(typed: str, place: int) -> str:
    """What was typed from a place of its plain text on, as it was typed."""
    at = next(at for at in range(len(typed) + 1) if len(_plain(typed[:at])) >= place)
    return collapse_blanks(typed[at:])


def _wrong_number_of_melds() -> UnreadableContract:
    return UnreadableContract(say("A contract can have up to {most} melds.", most=MOST_PARTS))
