"""A question as an address asks it, and back: which rules, which contract, which cards.

Cards and numbers are kept as texts, so that what cannot be read is shown again; only the letters of
a language and what people type for a joker become ours. `plain_question` makes numbers, which are
checked where every question is (`app.rules.judge_questions`). The judge reads the cards; here they
are read to show the question on its page, to find what the group decided of it, and for what it
leaves out: the kind of a meld, and which wild card is meant.
"""

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl

from werkzeug.datastructures import MultiDict

from app.rules.alike import in_plain_cards, what_is_alike
from app.rules.cards import Card, UnreadableCard, cards_as_entered, read_cards, to_english_letters
from app.rules.contracts import Contract, Kind, Part
from app.rules.house_rules import (
    HOUSE_RULES,
    changed_rules,
    fault_words,
    printed_rules,
    read_house_rule,
)
from app.rules.judge import Question, UnreadableQuestion
from app.rules.judge_questions import CARD_FIELDS, OTHER_FIELDS, read_question
from app.rules.phrases import Phrase, Translate, in_english, say
from app.rules.rule_sets import FaultyRules, family_rule_sets, with_house_rules
from app.rules.shapes import kind_by_look
from app.rules.text import collapse_blanks
from app.rules.variant import Variant
from app.store.queries.games import LoadedGame
from app.web.game_parts.words import RULE
from app.web.rulesets.lookup import Finder

_DEFAULTS = {"ask": "contract", "contract": "1"}
_NAMES = (
    *("ask", "variant", "players", "game", "seat"),
    *("contract", "kind", "size", "position", "owner"),
)
_NOT_OF_ALL_ASKS = frozenset(itertools.chain(*OTHER_FIELDS.values())) - {"contract"}
"""Fields that an address has for some kinds of question alone. The contract is kept for all: it is
there when the next question needs it."""
_KEPT_FOR_OTHER_ASKS = ("table", "table-kind", "position", "owner", "kind", "size")
"""What stays in the address while a kind is asked that has no such field."""
_OF_ONE_MELD = ("meld", "layoff", "swap")
"""The kinds of question that are about one meld, perhaps one of a contract."""
_CARDS_ARE = {
    "contract": "laid",
    **dict.fromkeys(_OF_ONE_MELD, "meld"),
    **{one: one for one in ("hand", "score")},
}
"""What the cards of a kind of question are. Kinds that share a value here share their cards."""
_ADDED = "{}-added"
_KEPT_IN = {
    cards: f"kept-{cards}"
    for cards in (*_CARDS_ARE.values(), *map(_ADDED.format, ("layoff", "swap")))
}
"""For each thing that cards can be, the field of an address that keeps those that were entered."""
ANY_SIZE = "any"
"""The size, in an address, of a meld of which is asked whether it is a set or a run at all."""
_EXTRA = "extra"
"""Kept in place of a size, so that turning back asks about an extra meld again."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """The question `in_plain_cards` that is judged, and whether it is about a meld of any size."""

    is_any_meld: bool
    question: Question
    alike: object = field(compare=False)
    """Equal for all questions that are alike (`what_is_alike`)."""

    @property
    def ranks(self) -> tuple[object, ...]:
        """The kind of question, and the ranks of its cards, meld by meld."""
        cards = map(read_cards, (*self.question.melds, self.question.added))
        ranks = [sorted(one.rank for one in meld) for meld in cards]
        return self.question.ask, *(sorted(ranks) if self.question.ask == "contract" else ranks)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is asked, as texts, under which rules; `faults` say what is wrong with the rules."""

    variant: Variant
    texts: Mapping[str, str] = field(default_factory=dict)
    """What was asked for by name; what was left out is empty or not there."""
    house_rules: Mapping[str, str] = field(default_factory=dict)
    """House rules as the address names them, by field."""
    melds: tuple[str, ...] = ()
    """One text for each meld; for a hand or cards to count one with all of them; for a lay-off or
    swap the table's meld."""
    added: str = ""
    """The cards added, or the card offered for a wild card."""
    table: tuple[tuple[str, str], ...] = ()
    """Kind and cards of the melds on the table that a hand may lay off onto."""
    aside: tuple[str, ...] = ()
    """All melds of a contract as they were entered, where this kind is asked about one of them."""
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Cards entered for other kinds of question, by what they are there (a key of `_KEPT_IN`)."""
    at: int = 0
    """Which meld is asked about, or was being entered; the first is 0."""
    faults: Mapping[str, Phrase] = field(default_factory=dict)

    @classmethod
    def from_args(
        cls,
        args: MultiDict[str, str],
        default: Variant,
        find: Finder,
        translate: Translate = in_english,
    ) -> "AskedQuestion":
        """The question of an address; what it leaves out has a usual value.

        `find` finds the rule set that the address names. Cards may be typed with the letters of the
        language into which `translate` translates; the question keeps ours.
        """
        texts = {name: collapse_blanks(args[name]) for name in _NAMES if args.get(name)}
        base = find(texts["variant"]) if "variant" in texts else default
        rules = {
            name.removeprefix(RULE): text
            for name, text in args.items()
            if name.startswith(RULE) and text.strip()
        }
        variant, faults = _with_rules(base or default, rules)
        if base is None:
            unknown = say("These rules aren’t known here. Other rules answer differently.")
            faults = {"variant": unknown, **faults}
        cards = {
            name: [to_english_letters(text, translate) for text in args.getlist(name)]
            for name in ("m", "add", "table", "aside", *_KEPT_IN.values())
        }
        contract = contract_of(variant, texts.get("contract", _DEFAULTS["contract"]))
        if contract and texts.get("ask", _DEFAULTS["ask"]) == "contract":
            cards["m"] = list(contract.with_open_places(cards["m"]))
        on_table = itertools.zip_longest(args.getlist("table-kind"), cards["table"], fillvalue="")
        return cls(
            variant,
            texts,
            rules,
            tuple(cards["m"]),
            " ".join(cards["add"]),
            tuple((kind, text) for kind, text in on_table if text),
            tuple(cards["aside"]),
            {one: tuple(cards[name]) for one, name in _KEPT_IN.items()},
            at if isinstance(at := _number(args.get("at", "")), int) else 0,
            faults,
        )

    def text(self, name: str) -> str:
        """What was asked for by that name, or its usual value: a `kind` as the cards look.

        A `position` is that of the first wild card, unless another was asked for; where there is
        only one, always its.
        """
        if name == "kind" and "kind" not in self.texts:
            return kind_of_cards(self.variant, " ".join(self.melds))
        if name == "position" and ("position" not in self.texts or len(self.wild_places) == 1):
            return str(next(iter(self.wild_places), 1))
        if name == "owner" and "owner" not in self.texts:
            return "self" if self.variant.wild_swap == "own" else "other"
        return self.texts.get(name) or _DEFAULTS.get(name, "")

    @property
    def ask(self) -> str:
        """The kind of question that the address names, perhaps none that we know."""
        return self.text("ask")

    def has(self, name: str) -> bool:
        """Has the address of this kind of question such a field? The contract is in all."""
        return _has(self.ask, name)

    @property
    def is_any_meld(self) -> bool:
        """Is asked whether cards are a set or a run at all, be it in a contract or beside it?"""
        return self.ask == "meld" and self.text("size") == ANY_SIZE

    @property
    def depends_on_contract(self) -> bool:
        """Does the answer depend on the number of a contract?"""
        is_extra = self.ask == "meld" and not self.text("size")
        matches_contract = is_extra and self.variant.extra_melds == "contract_parts"
        return matches_contract or self.ask in ("contract", "hand")

    @property
    def part(self) -> Part | None:
        """The part of a contract as which a meld is asked about, if there is such a part."""
        kind, size = self.text("kind"), _number(self.text("size"))
        parts = (part for contract in self.variant.contracts for part in contract.parts)
        return next((one for one in parts if (one.kind, one.size) == (kind, size)), None)

    @property
    def game(self) -> str:
        """The key of the game in which it is asked, if any."""
        return self.texts.get("game", "")

    @property
    def entered_cards(self) -> Mapping[Card, Card]:
        """Each card as it is read, and as it was entered: perhaps without a suit."""
        entered = dict[Card, Card]()
        for word in " ".join((*self.melds, self.added)).split():
            with suppress(UnreadableCard):
                (card,), (said,) = read_cards(word), cards_as_entered(word)
                entered[card] = max(entered.get(card, said), said)
        return entered

    def is_by(self, rules: Variant) -> bool:
        """Is it asked by just these rules?"""
        return rules.id == self.variant.id and not changed_rules(rules, self.variant)

    @property
    def wild_places(self) -> Sequence[int]:
        """Where in a meld its wild cards lie, from 1."""
        try:
            cards = read_cards(" ".join(self.melds))
        except UnreadableCard:
            return ()
        return [place for place, card in enumerate(cards, 1) if self.variant.is_wild(card)]

    @property
    def is_blank(self) -> bool:
        """Is nothing there to judge yet? A table alone is nothing; a swap takes meld and card."""
        melds = any(text.strip() for text in self.melds)
        added = self.has("add") and bool(self.added.strip())
        return not (melds and added if self.ask == "swap" else melds or added)

    @property
    def all_melds(self) -> Sequence[str]:
        """All melds that were entered, as they are now."""
        if self.ask == "contract" or not self.aside:
            return self.melds
        cards = " ".join(self.melds)
        return [cards if place == self.at else meld for place, meld in enumerate(self.aside)]

    def turned_to(self, ask: str, place: int | None = None) -> "AskedQuestion":
        """Another kind of question, or another meld, and no card that was entered is lost.

        Each begins with the cards that were entered for it before. Where there are none, one meld
        is the contract’s of the `place`, else the one that was asked about or being entered, else
        the first with cards; all of the contract are kept aside then, and changed with it.
        """
        of_one = ask in _OF_ONE_MELD
        cards = _CARDS_ARE.get(self.ask, "")
        cards = "laid" if self.aside and cards == "meld" else cards
        kept = {**self.kept, cards: tuple(self.all_melds)}
        melds = kept.pop(_CARDS_ARE[ask], ())
        aside = kept.pop("laid", ()) if of_one and not any(melds) else ()
        melds = aside or melds
        if self.has("add"):
            kept[_ADDED.format(self.ask)] = (self.added,)
        added = " ".join(kept.pop(_ADDED.format(ask), ()))
        filled = [number for number, meld in enumerate(melds) if meld.strip()]
        usual = 0 if of_one or ask == "contract" else self.at
        at = next((one for one in (place, self.at, *filled) if one in filled), usual)
        asked = melds[at : at + 1] if of_one else melds
        texts = self._texts_turned_to(ask, place, " ".join(asked), begins=bool(filled and aside))
        return replace(self, texts=texts, melds=asked, added=added, aside=aside, kept=kept, at=at)

    def _texts_turned_to(
        self, ask: str, place: int | None, cards: str, *, begins: bool
    ) -> dict[str, str]:
        """What was said stays, but for what another meld shows anew.

        Cards that come from a contract show their kind, once two of them are natural.
        """
        texts = {**self.texts, "ask": ask}
        if self.ask == "meld":
            texts.setdefault("size", _EXTRA)
        if place not in (None, self.at):
            for name in ("position", "kind", "size"):
                texts.pop(name, None)
        elif self.ask == "contract" and begins:
            texts.pop("size", None)
            if len(cards.split()) - len(replace(self, melds=(cards,)).wild_places) > 1:
                texts.pop("kind", None)
        if ask == "meld" and texts.setdefault("size", ANY_SIZE) == _EXTRA:
            del texts["size"]
        return texts

    @property
    def plain_question(self) -> dict[str, Any]:
        """The question in the fields of the judge's file interface, nothing of it checked yet.

        It holds what the answer depends on, but for the house rules, which are in `self.variant`,
        and nothing else that the address says. A meld of any size has the size 1, since a number is
        needed: `is_any_meld` tells it from a meld of one card.
        """
        names = {"ask", "variant", "players", *OTHER_FIELDS.get(self.ask, ())}
        names -= set() if self.depends_on_contract else {"contract"}
        plain: dict[str, Any] = {
            name: _number(text) if name in ("contract", "size", "position", "players") else text
            for name in _NAMES
            if name in names and (text := self.text(name))
        }
        if self.is_any_meld:
            plain["size"] = 1  # any number can be read, and `answer_any_meld` tries each size
        on_table = [{"kind": kind, "meld": text} for kind, text in self.table]
        melds = list(self.melds) if self.ask == "contract" else " ".join(self.melds)
        plain |= {"table": on_table} if "table" in names else {}
        cards = CARD_FIELDS.get(self.ask, ())
        return plain | dict(zip(cards, (melds, self.added), strict=False))

    @property
    def judged(self) -> "JudgedQuestion | None":
        """What the judge reads of it, however its cards were written; None where it cannot."""
        try:
            read = read_question(self.variant, self.plain_question)
            return JudgedQuestion(self.is_any_meld, in_plain_cards(read), what_is_alike(read))
        except (UnreadableQuestion, UnreadableCard):
            return None

    def judged_in(self, query: str) -> "JudgedQuestion | None":
        """What is read of a recorded question by these rules, whichever house rules it names.

        It is kept as the query of an address. None where it was asked by another rule set, or
        cannot be read by these.
        """
        asked = MultiDict(parse_qsl(query, keep_blank_values=True))
        if asked.get("variant") != self.variant.id:
            return None
        for name in [name for name in asked if name.startswith(RULE)]:
            del asked[name]
        return AskedQuestion.from_args(asked, self.variant, lambda _name: self.variant).judged

    @property
    def rules_address_args(self) -> dict[str, Any]:
        """The parts of the address of these rules' Q&A or rule sheet, house rules and all."""
        rules = {f"{RULE}{name}": text for name, text in self.house_rules.items()}
        game = {"game": self.game} if self.game else {}
        return {"variant_id": self.variant.id, **game, **rules}

    def with_example(self, plain: Mapping[str, Any]) -> "AskedQuestion":
        """The question that an example asks, under the same rules."""
        first, *added = (plain[name] for name in CARD_FIELDS[plain["ask"]])
        texts = {name: str(plain[name]) for name in _NAMES if name in plain}
        return replace(
            self,
            texts={**texts, "game": self.game},
            melds=tuple(first) if isinstance(first, list) else (first,),
            added=" ".join(added),
            table=tuple((one["kind"], one["meld"]) for one in plain.get("table", ())),
        )

    def address_args(self, **changes: Any) -> dict[str, Any]:
        """The parts of the address that asks this question, with some changed.

        They hold what is kept for other kinds of question, too.
        """
        asked = {name: text for name, text in self.texts.items() if text}
        parts: dict[str, Any] = {"ask": self.ask, "variant": self.variant.id, **asked}
        parts |= {f"{RULE}{name}": text for name, text in self.house_rules.items()}
        parts |= {"m": list(self.melds)} if any(self.melds) else {}
        parts |= {"add": self.added} if self.added else {}
        parts |= {"table-kind": [one for one, _ in self.table]} if self.table else {}
        parts |= {"table": [one for _, one in self.table]} if self.table else {}
        parts |= {"aside": list(self.aside)} if any(self.aside) else {}
        parts |= {"at": self.at} if self.at or any(self.aside) else {}
        parts |= {
            name: list(self.kept[one])
            for one, name in _KEPT_IN.items()
            if any(self.kept.get(one, ()))
        }
        parts |= changes
        return {
            name: one
            for name, one in parts.items()
            if name in _KEPT_FOR_OTHER_ASKS or self.has(name)
        }

    @property
    def judged_args(self) -> dict[str, Any]:
        """The parts of the address on which the answer depends, whoever asks and wherever."""
        not_judged = {"game", "seat", "aside", "at", *_KEPT_IN.values()}
        not_judged |= set() if self.depends_on_contract else {"contract"}
        parts = self.address_args().items()
        return {name: one for name, one in parts if self.has(name) and name not in not_judged}

    @property
    def args_without_cards(self) -> dict[str, Any]:
        """The parts of the address that asks the same, with no card entered."""
        cards = ("m", "add", "table", "table-kind", "aside", "at")
        return self.address_args(**dict.fromkeys((*cards, *_KEPT_IN.values())))

    @property
    def kept_args(self) -> list[tuple[str, Any]]:
        """The parts of the address that are kept for other kinds of question and other melds."""
        return [
            (name, text)
            for name, one in self.address_args().items()
            if name in ("aside", *_KEPT_IN.values())
            or (name == "at" and self.ask != "contract")
            or (name in _KEPT_FOR_OTHER_ASKS and not self.has(name))
            for text in (one if isinstance(one, list) else [one])
        ]


def _has(ask: str, name: str) -> bool:
    if name == "add":
        return len(CARD_FIELDS.get(ask, ())) > 1
    name = name.removesuffix("-kind")
    return name not in _NOT_OF_ALL_ASKS or name in OTHER_FIELDS.get(ask, ())


def contract_of(variant: Variant, number: str) -> Contract | None:
    """The contract of the number that an address writes, if there is one."""
    return next((one for one in variant.contracts if str(one.number) == number), None)


def field_of_fault(name: str) -> str:
    """The field of the page for one of the judge's: `m` for the first cards, `add` for others."""
    if name in ("cards", "hand", "meld", "melds"):
        return "m"
    return "add" if name == "card" else name


def kind_of_cards(variant: Variant, text: str) -> Kind:
    """What cards look like: a set or a run; a set where they cannot be read."""
    try:
        return kind_by_look(variant, read_cards(text))
    except UnreadableCard:
        return "set"


def house_rule_args(loaded: LoadedGame) -> dict[str, Any]:
    """The house rules that a game is played by now, as an address names them.

    They differ from the game's frozen rules or from the shipped rule set, so that the address asks
    the same outside the game, too, unless contracts or card values differ: no address names those.
    """
    frozen, played = loaded.variant, loaded.game.lasting_rules
    base = printed_rules(played, frozen)
    changed = {*changed_rules(base, played), *changed_rules(frozen, played)}
    fields = [field for field in HOUSE_RULES if field in changed]
    return {f"{RULE}{field}": str(getattr(played, field)).lower() for field in fields}


def default_rule_set() -> Variant:
    """The rule set that is meant where nothing says which."""
    return next(iter(family_rule_sets().values()))


def _with_rules(base: Variant, chosen: Mapping[str, str]) -> tuple[Variant, dict[str, Phrase]]:
    try:
        changes = {name: read_house_rule(name, text) for name, text in chosen.items()}
        return with_house_rules(base, changes), {}
    except FaultyRules as fault:
        return base, {"rules": fault_words(fault)}


def _number(text: str) -> int | str:
    """The number that a text writes; the text itself where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
