"""A question as an address asks it, and back: which rules, which contract, which cards.

Cards stay texts here, as they were typed, so that what cannot be read is shown again unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from app.actions.texts import too_long
from app.rules.cards import to_english_letters
from app.rules.contracts import Contract, Kind
from app.rules.house_rules import HOUSE_RULES, changed_rules, fault_words, read_house_rule
from app.rules.phrases import Phrase, Translate, in_english, say
from app.rules.rule_sets import FaultyRules, family_rule_sets, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant
from app.store.queries.games import LoadedGame
from app.web.checker.forms import QuestionForm, QuestionKind
from app.web.rulesets.lookup import Finder

_LONGEST_TEXT = 400
_MOST_MELDS = 8
_MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, under which rules; `fault` says what is wrong with the address itself."""

    question_kind: QuestionKind
    variant: Variant
    house_rules: Mapping[str, str] = field(default_factory=dict)
    """House rules as the address names them, by field."""
    players: int = 0
    contract: int = 1
    meld_kind: Kind = "set"
    melds: tuple[str, ...] = ()
    """One text for each meld; of a hand the hand itself; of a lay-off or swap the table's meld."""
    added_cards: str = ""
    """The cards added, or the card offered for a wild card."""
    wild_card_position: int = 1
    """Of the wild card that is offered for, among the cards of its meld, from 1."""
    meld_owner: Literal["self", "other"] = "self"
    table: tuple[tuple[Kind, str], ...] = ()
    """Melds on the table that a hand may lay off onto."""
    game: str = ""
    """The key of the game in which it is asked, if any."""
    fault: Phrase | None = None

    @classmethod
    def from_form(
        cls, form: QuestionForm, default: Variant, find: Finder, translate: Translate = in_english
    ) -> "Question":
        """The question that a form asks; what it leaves out or spoils has a sensible value.

        `find` finds the rule set that the form names. Cards may be typed with the letters of the
        language into which `translate` translates; the question keeps ours.
        """
        base = find(form.variant.data) if form.variant.data else default
        chosen = {name: text for name, text in form.rule.data.items() if text}
        variant, fault = _with_rules(base or default, chosen)
        if base is None:
            fault = say("These rules aren’t known here. Other rules answer differently.")
        kinds = [_kind(text) for text in form.table_kind.data]
        melds, on_table, add = form.m.data, form.table.data, form.add.data
        return cls(
            question_kind=form.ask.data,
            variant=variant,
            house_rules=chosen if not fault else {},
            players=min(form.players.data or 0, _MOST_PLAYERS),
            contract=min(form.contract.data or 1, len(variant.contracts)),
            meld_kind=form.kind.data,
            melds=tuple(to_english_letters(text, translate) for text in melds),
            added_cards=to_english_letters(add, translate),
            wild_card_position=form.position.data or 1,
            meld_owner=form.owner.data,
            table=tuple(zip(kinds, on_table, strict=False)),
            game=form.game.data,
            fault=fault or _size_fault([*melds, *on_table, add], max(len(melds), len(on_table))),
        )

    @property
    def decks(self) -> int:
        """How many decks are in play."""
        return self.variant.decks_for(self.players)

    @property
    def asked_contract(self) -> Contract:
        """The contract that the question is about."""
        return self.variant.contract(self.contract)

    @property
    def meld_texts(self) -> tuple[str, ...]:
        """The melds' texts, one for each meld that there is room for."""
        room = len(self.asked_contract.parts) if self.question_kind == "contract" else 1
        return (*self.melds, *[""] * room)[: max(room, 1)]

    @property
    def is_blank(self) -> bool:
        """Has no card been entered yet?"""
        return not any(text.strip() for text in (*self.melds, self.added_cards))

    @property
    def rules_address_args(self) -> dict[str, Any]:
        """The parts of the address of this rule set's rulings, house rules and all."""
        rules = {f"rule-{name}": text for name, text in self.house_rules.items()}
        game = {"game": self.game} if self.game else {}
        return {"variant_id": self.variant.id, **game, **rules}

    def address_args(self, **changes: Any) -> dict[str, Any]:
        """The parts of the address that asks this question, with some changed."""
        asked = replace(self, **changes)
        parts: dict[str, Any] = {"ask": asked.question_kind, "variant": asked.variant.id}
        parts |= {f"rule-{name}": text for name, text in asked.house_rules.items()}
        parts |= {"players": asked.players} if asked.players else {}
        parts |= {"game": asked.game} if asked.game else {}
        parts["contract"] = asked.contract
        if asked.question_kind in ("meld", "layoff", "swap"):
            parts["kind"] = asked.meld_kind
        if asked.question_kind == "swap":
            parts |= {"position": asked.wild_card_position, "owner": asked.meld_owner}
        parts |= {"m": list(asked.melds)} if any(asked.melds) else {}
        parts |= {"add": asked.added_cards} if asked.added_cards else {}
        if asked.table and asked.question_kind == "hand":
            parts["table-kind"] = [kind for kind, _text in asked.table]
            parts["table"] = [text for _kind, text in asked.table]
        return parts


def house_rule_args(game: LoadedGame) -> dict[str, Any]:
    """The house rules that a game is played by now, as an address names them.

    They differ from the game's frozen rules or from the shipped rule set, so that the address
    asks the same inside the game and outside it.
    """
    frozen, played = game.variant, game.game.rules_in(game.game.open_number)
    base = shipped_rule_sets().get(played.id, frozen)
    changed = {*changed_rules(base, played), *changed_rules(frozen, played)}
    fields = [rule.field for rule in HOUSE_RULES if rule.field in changed]
    return {f"rule-{field}": str(getattr(played, field)).lower() for field in fields}


def default_rule_set() -> Variant:
    """The rule set that is meant where nothing says which."""
    return next(iter(family_rule_sets().values()))


def _with_rules(base: Variant, chosen: Mapping[str, str]) -> tuple[Variant, Phrase | None]:
    try:
        changes = {name: read_house_rule(name, text) for name, text in chosen.items()}
        return with_house_rules(base, changes), None
    except FaultyRules as fault:
        return base, fault_words(fault)


def _size_fault(texts: Sequence[str], melds: int) -> Phrase | None:
    if melds > _MOST_MELDS:
        return say("Use {most} melds or fewer.", most=_MOST_MELDS)
    if any(len(text) > _LONGEST_TEXT for text in texts):
        return too_long(_LONGEST_TEXT)
    return None


def _kind(text: str) -> Kind:
    return "run" if text == "run" else "set"
