"""What the templates of the checker are given: fields for cards, and the answer in cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, get_args

from app.rules.cards import cards_in_one_line, read_cards
from app.rules.contracts import Kind, Part
from app.rules.faq import explaining_topic_id
from app.rules.grounds import Grounds, followed_games_words
from app.rules.house_rules import HOUSE_RULES, SWITCHABLE, HouseRule
from app.rules.judge import Answer
from app.rules.judge_questions import LONGEST_CARDS
from app.rules.layoffs import read_table_meld, what_to_enter
from app.rules.phrases import Phrase, concatenate, say, say_plural
from app.rules.shapes import place_cards
from app.rules.verdicts import Fact
from app.store.queries.games import LoadedGame
from app.web.checker.card_views import (
    CardView,
    MeldView,
    meld_of_hand,
    near_label,
    placed_card,
    rank_name,
)
from app.web.checker.cited import CitedRuling
from app.web.checker.meld_inputs import MeldInput, kind_words, meld_inputs, size_of_hand
from app.web.checker.question import AskedQuestion, house_rule_args
from app.web.checker.whose import ContractHolder
from app.web.game_parts.words import RULE, house_rules_of_game, typed_cards
from app.web.infrastructure.forms import whole_number
from app.web.rulesets.lookup import RuleSetSection

_SIGNS = {"legal": "✓", "illegal": "✗", "pending": "…", "points": "="}

OFFERED_RULES = tuple(
    rule
    for rule in HOUSE_RULES.values()
    if rule.group in ("contract", "melds", "after")
    or rule.field in ("decks", "jokers", "must_discard_to_go_out", "keep_score")
)
"""The house rules that can be chosen on the page.

What a larger table adds in decks and jokers also decides which cards exist, but is left out.
"""


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The checker with its question and, once cards are there, the answer.

    `faults` say beside which field what is wrong with the question.
    """

    longest_cards: ClassVar = LONGEST_CARDS
    """So many characters of cards are read of one field."""
    offered_house_rules: ClassVar = OFFERED_RULES

    question: AskedQuestion
    rule_sets: tuple[RuleSetSection, ...]
    game: LoadedGame | None = None
    """The game in which it is asked, if any."""
    holders: tuple[ContractHolder, ...] = ()
    """The players of that game whose contract may be meant."""
    answer: Answer | None = None
    faults: Mapping[str, Phrase] = field(default_factory=dict)
    busy: bool = False
    """Another hand is being searched: this one is to be asked about again."""
    recorded: bool = False
    """Was a ruling on the question recorded just now?"""
    cited: CitedRuling | None = None
    """What the group decided last where the same or something alike was asked."""
    about: str = ""
    """The field of the house rule that is to be changed, where a link says so."""
    changing_rules: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """The house rules that would change the verdict, with the values that do, as far as sought."""
    rank_name = staticmethod(rank_name)

    @property
    def state(self) -> str:
        """The answer's, or empty without one; `pending` if it is legal once one has laid down."""
        if self._depends_on_laying_down:
            return "pending"
        return self.answer.state if self.answer else ""

    @property
    def _depends_on_laying_down(self) -> bool:
        """Is it legal once the contract is down, which nobody said yet?"""
        is_down = self.whose is not None and self.whose.has_laid_down
        return self.answer is not None and self.answer.follows_contract and not is_down

    @property
    def headline(self) -> Phrase:
        """The verdict in a few words, and whose contract must be down for it."""
        if self.answer is None or not self._depends_on_laying_down:
            return self.answer.headline if self.answer else Phrase("")
        if self.whose is None:
            return say("Legal, once you have laid down")
        return say("Legal once {name} has laid down", name=self.whose.name)

    @property
    def sign(self) -> str:
        """The verdict as a sign, for those who do not go by color."""
        return _SIGNS[self.state]

    @property
    def strip(self) -> Phrase:
        """The verdict in a few lines, with why it is legal, or the first fault.

        Four lines at most, or more where much is missing of a contract of many melds.
        Something legal comes with its note if it has one, else with what is said of the house rule
        that decides it, else with two facts; the headline alone where it says all that the note
        would. Of a hand what to lay down or what is missing; before a contract is complete what is
        legal already.
        """
        if self.answer is None:
            return Phrase("")
        sentences = [one.message for one in self.answer.explanation[:1]]
        if self.legal_already:
            return concatenate([*(one.message for one in self.legal_already), *sentences])
        if self.answer.verdict.legal:
            facts = [one.message for one in self._facts_in_short]
            sentences = [*self.answer.notes] or (sentences if self.answer.decided_by else facts)
        rules = self.question.variant
        at_once = rules.extras_same_turn and rules.layoff_on_others and self.question.ask != "swap"
        if self._depends_on_laying_down and at_once:
            return self.headline  # which says all that is noted
        turn, coaching = self.answer.turn, self.answer.coaching
        if turn and turn.can_lay_down:
            sentences = [concatenate([cards_in_one_line(one.cards) for one in turn.laydown], ", ")]
        elif coaching and coaching.way:
            sentences = [near_label(one) for one in coaching.way.melds if one.lacks] or sentences
        if not sentences:
            return self.headline
        reason = concatenate(sentences)
        return say("{verdict}. {reason}", verdict=self.headline, reason=reason)

    @property
    def _facts_in_short(self) -> Sequence[Fact]:
        """Two facts of what is legal.

        Of one meld with wild cards, where the rules limit them, the second is how many it has.
        """
        facts = self.answer.verdict.facts if self.answer else ()
        counted = [one for one in facts if one.rule == "wild_limit"]
        if counted and self.question.ask == "meld":
            facts = (facts[0], *counted)
        return facts[:2]

    @property
    def strip_leads_to(self) -> str:
        """Where to go on: the choice of a player, the verdict or the meld that lacks cards."""
        if self.asks_whose:
            return "whose"
        waits = self.answer is None or self.answer.state == "pending"
        waits = waits and not self.faults and not self.busy
        return f"tray-{self.next_place}" if waits else "verdict"

    @property
    def prompt(self) -> Phrase:
        """What is to be done before there is a verdict."""
        if self.asks_whose:
            return say("Choose the player whose contract you want to check.")
        if self.busy:
            return say("Another hand is being checked. One moment.")
        meld, added = any(self.question.melds), bool(self.question.added)
        match self.question.ask:
            case "swap" if meld:
                return say("Enter your card.")
            case "swap" if not added:
                return say("Enter the meld on the table and your card.")
            case "swap" | "layoff":
                return what_to_enter(meld=meld, add=added)
            case _:
                return say("Enter the cards to see the verdict.")

    @property
    def wild_choices(self) -> list[tuple[int, CardView]]:
        """The wild cards of a meld by place, each as what it stands for, if that is plain.

        Empty where there are fewer than two.
        """
        question, places = self.question, self.question.wild_places
        if len(places) < 2:
            return []
        cards = read_cards(" ".join(question.melds))
        kinds = [kind for kind in get_args(Kind) if kind == question.text("kind")]
        layouts = [
            one for kind in kinds for one in read_table_meld(question.variant, kind, cards)[0]
        ]
        readings = [place_cards(question.variant, one) for one in layouts]
        found = []
        for place in places:
            meant = {reading[place - 1].stands_for for reading in readings}
            stands_for = meant.pop() if len(meant) == 1 else None
            wild = CardView(cards[place - 1], is_wild=True, stands_for=stands_for)
            found.append((place, wild.as_entered(question.entered_cards)))
        return found

    @property
    def kind(self) -> str:
        """The kind of the meld, chosen or as the cards look; empty with neither choice nor card.

        A question about a part of a contract or an extra meld begins as one about a set.
        """
        question = self.question
        begins = question.ask == "meld" and not question.is_any_meld
        known = "kind" in question.texts or begins or any(question.melds)
        return question.text("kind") if known else ""

    @property
    def shows_whose(self) -> bool:
        """Can a player of this game be chosen here? Only where the contract's number decides.

        Where it does not, a link may still name a player: their contract may be down.
        """
        return bool(self.holders) and self.question.depends_on_contract

    @property
    def asks_whose(self) -> bool:
        """Is nothing judged before it is said whose contract it is?"""
        return self.shows_whose and "contract" not in self.question.texts

    @property
    def whose(self) -> ContractHolder | None:
        """Whose contract it is, of those who play the game; None for any other."""
        asked = (self.question.text("seat"), self.question.text("contract"))
        return next(
            (one for one in self.holders if (str(one.seat), str(one.contract.number)) == asked),
            None,
        )

    @property
    def melds_to_choose(self) -> list[tuple[int, Phrase]]:
        """The places of the melds of which one is asked about, and their cards."""
        melds = self.question.all_melds if self.question.aside else ()
        return [(place, typed_cards(meld)) for place, meld in enumerate(melds) if meld.strip()]

    @property
    def fields(self) -> list[str]:
        """The fields that a fault may stand beside."""
        names = ("ask", "variant", "contract", "kind", "size", "m", "add", "position", "owner")
        return [one for one in (*names, "table", "players", "rules") if self.question.has(one)]

    @property
    def legal_already(self) -> Sequence[Fact]:
        """What is legal already of a contract that is not complete yet."""
        return self.answer.verdict.facts if self.answer and self.answer.state == "pending" else ()

    @property
    def explanation(self) -> list[tuple[Fact, str]]:
        """Why something is legal or not, each with the id of what the Q&A says on it, if any."""
        facts = self.answer.explanation if self.answer else ()
        return [(one, explaining_topic_id(self.question.variant, one.rule)) for one in facts]

    @property
    def note_topic(self) -> str:
        """The question of the Q&A on what something legal takes besides; empty where none is."""
        field = {"layoff": "layoff_on_others", "swap": "wild_swap", "meld": "extra_melds"}
        return explaining_topic_id(self.question.variant, field.get(self.question.ask, ""))

    @property
    def explanation_by_source(self) -> list[tuple[Grounds, str, list[Phrase]]]:
        """The explanation as (source, id of its Q&A entry, sentences).

        Without what the cited ruling, or the same house rule in other words, has said.
        """
        found: list[tuple[Grounds, str, list[Phrase]]] = []
        said = set(map(str, self.cited.ruling.changed_sentences)) if self.cited else set[str]()
        decided_by = self.answer.decided_by if self.answer else ()
        for fact, topic_id in self.explanation:
            same = next((one for one in found if one[:2] == (fact.grounds, topic_id)), None)
            if same is None:
                found.append(same := (fact.grounds, topic_id, []))
            rule = HOUSE_RULES.get(fact.rule) if fact in decided_by else None
            held = getattr(self.question.variant, fact.rule) if rule else None
            words = str(rule.sentence(held) if rule else fact.message)
            if words not in said:
                same[2].append(fact.message)
            said.add(words)
        return found

    @property
    def by_whose_rules(self) -> Phrase:
        """Whose verdict it is that stands beside what the group decided."""
        if self.answer and self.answer.decided_by:
            return say("By your house rules:")
        return say("The rules said:")

    @property
    def followed(self) -> Phrase | None:
        """Why a reason stands in the rules of another game, if one does."""
        return followed_games_words(
            self.question.variant, (one.grounds for one, _topic in self.explanation)
        )

    @property
    def count_note(self) -> Phrase | None:
        """That a hand has fewer or more cards than it can have; it is judged all the same."""
        rules, held = self.question.variant, size_of_hand(self.question.variant)
        if self.answer is None or self.question.ask != "hand":
            return None
        count = len(" ".join(self.question.melds).split())
        if held <= count <= rules.max_hand_size:
            return None
        return say_plural(
            "{count} card entered. With the card you drew, you hold {held}.",
            "{count} cards entered. With the card you drew, you hold {held}.",
            count,
            held=held,
        )

    @property
    def other_reading_count(self) -> int:
        """How many other legal readings the verdict has."""
        return max(0, len(self.answer.verdict.readings) - 1) if self.answer else 0

    @property
    def house_rule(self) -> HouseRule | None:
        """The house rule that is to be changed, or that the first explanation is about.

        None where there is none, or a game cannot change it.
        """
        # The question on a rule that a game can change and a verdict rests on is named after its
        # field, with hyphens.
        name = self.about or (self.explanation[0][1].replace("-", "_") if self.explanation else "")
        return HOUSE_RULES[name] if name in SWITCHABLE else None

    @property
    def can_change_rules(self) -> bool:
        """Is it asked in a game that goes on, whose house rules can change?"""
        return self.game is not None and not self.game.status.over

    @property
    def house_rule_choices(self) -> list[tuple[Phrase, Phrase, list[tuple[str, Phrase]]]]:
        """The house rules that a ruling can change, each with today's answer and other ones.

        Of the rule that the first explanation is about, all its other answers; of other rules those
        that would change the verdict. Where a link names one that a game can change, of that alone.
        Empty outside a game, and in one that is over.
        """
        if not self.can_change_rules:
            return []
        rules = self.game.game.lasting_rules if self.game else self.question.variant
        rule = self.house_rule
        fields = list(dict.fromkeys([*([rule.field] if rule else []), *self.changing_rules]))
        offered = []
        for one in map(HOUSE_RULES.__getitem__, fields[:1] if rule and self.about else fields):
            changing = self.changing_rules.get(one.field, ())
            now = getattr(rules, one.field)
            choices = [x for x in one.choices if one == rule or x.value in changing]
            values = [
                (f"{one.field}={x.value}".lower(), x.label) for x in choices if x.value != now
            ]
            offered += [(one.question, one.value_in_words(now), values)] if values else []
        return offered

    @property
    def rules_in_game(self) -> Phrase:
        """By which rules it is judged, where it is asked in a game."""
        name = Phrase(self.question.variant.name)
        if not self.address_by_game_rules:
            count = len(house_rules_of_game(self.game.game)) if self.game else 0
            if not count:
                return say("By this game’s rules: {rules}", rules=name)
            return say_plural(
                "By this game’s rules: {rules}, {count} house rule",
                "By this game’s rules: {rules}, {count} house rules",
                count,
                rules=name,
            )
        game = self.game.game.by_lasting_rules if self.game else None
        for number in sorted({one.from_round for one in game.rule_changes} if game else ()):
            if game and self.question.is_by(game.rules_in(number - 1)):
                return say("{rules}, before round {number}", rules=name, number=number)
        return say("{rules}, not this game’s rules", rules=name)

    @property
    def address_by_game_rules(self) -> Mapping[str, Any]:
        """The parts of the address that asks the same by the game's rules of now.

        Empty where it is asked by them already, or in no game.
        """
        game = self.game
        if game is None or self.question.is_by(game.game.lasting_rules):
            return {}
        asked = self.question.address_args(variant=game.variant.id).items()
        here = {name: text for name, text in asked if not name.startswith(RULE)}
        return here | house_rule_args(game)

    @property
    def asks_size(self) -> bool:
        """Does the page ask as what a meld is laid?

        Of any set or run only where extra melds have to match the contract, so that it decides.
        """
        question = self.question
        matters = question.variant.extra_melds == "contract_parts"
        return question.has("size") and (matters or not question.is_any_meld)

    @property
    def other_house_rules(self) -> list[tuple[str, str]]:
        """The house rules of the address that cannot be chosen here."""
        shown = {rule.field for rule in OFFERED_RULES}
        return [one for one in self.question.house_rules.items() if one[0] not in shown]

    @property
    def decks(self) -> int:
        players = whole_number(self.question.text("players"))
        return self.question.variant.decks_for(players or 0)

    @property
    def parts(self) -> list[Part]:
        """The parts of contracts as which a meld of the kind that is asked about can be laid."""
        contracts, kind = self.question.variant.contracts_played, self.question.text("kind")
        return sorted({part for one in contracts for part in one.parts if part.kind == kind})

    @property
    def melds(self) -> list[MeldView]:
        """The melds as they count, or as the best turn of a hand lays them.

        Of a hand that cannot lay down, those of the nearest way, with the cards that are missing.
        """
        entered = self.question.entered_cards
        return [
            replace(one, cards=tuple(card.as_entered(entered) for card in one.cards))
            for one in self._melds
        ]

    @property
    def _melds(self) -> list[MeldView]:
        if self.answer is None:
            return []
        if self.answer.turn is not None:
            way = self.answer.coaching.way if self.answer.coaching else None
            near = way.melds if way else ()
            of_hand = partial(meld_of_hand, self.question.variant)
            return [*map(of_hand, near), *map(of_hand, self.answer.turn.laydown)]
        readings = self.answer.verdict.readings
        return [
            MeldView(self._label(place), tuple(map(placed_card, meld)))
            for place, meld in enumerate(readings[0] if readings else (), 1)
        ]

    def _label(self, place: int) -> Phrase:
        match self.question.ask:
            case "layoff":
                return say("The meld with your cards")
            case "swap":
                return say("The meld after the swap")
            case "meld":
                return kind_words(self.answer.question.kind if self.answer else "")
            case _:
                return say("Meld {number}", number=place)

    @property
    def meld_inputs(self) -> list[MeldInput]:
        return list(meld_inputs(self.question, self.kind))

    @property
    def next_place(self) -> int:
        """Which of the places for cards is to be filled next, from 1.

        The first that lacks cards; where none does, that of what is added, else the first.
        """
        places = list(enumerate(self.meld_inputs, 1))
        after_all = places[-1:] if self.question.has("add") else places[:1]
        return next((place for place, one in places if one.lacks_cards), after_all[0][0])
