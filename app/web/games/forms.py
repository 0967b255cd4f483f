"""What is typed for a game: a new one, and who joins it, leaves it or plays a seat on."""

from dataclasses import replace

from wtforms import FormField

from app.rules.rule_sets import LONGEST_RULE_SET_NAME
from app.scorebook.limits import MOST_SEATS
from app.store.games import StoredGame
from app.web.game_parts.look_alikes import NamedPlayerForm
from app.web.game_parts.seating import NamesField, Seating
from app.web.infrastructure.forms import (
    LineField,
    ListField,
    NumberField,
    PageForm,
    WordChoiceField,
    whole_number,
)
from app.web.rulesets.editor import HouseRulesForm


class SeatedQuery(PageForm):
    """Who is seated already, as an address or a form says it."""

    player = ListField()
    dealer = NumberField(default=0)

    @property
    def seating(self) -> Seating:
        names, dealer = self.player.data[: MOST_SEATS + 1], self.dealer.data or 0
        return Seating(names, dealer if dealer < len(names) else 0)


class NewGameForm(SeatedQuery):
    """A new game: its rule set, who plays, and the house rules."""

    variant = LineField(80)
    called = LineField(LONGEST_RULE_SET_NAME)
    """What people call a game that is played by points alone."""
    title = LineField(StoredGame.title)
    """The title of the game itself, which a trial has from its start."""
    typed = NamesField()
    arrange = LineField(80)
    """The button that was pressed, if it arranges the table or chooses all house rules at once."""
    tapped = ListField()
    """The offered names that were tapped one after the other: they stay where they are."""
    accepted = ListField()
    rule = FormField(HouseRulesForm)

    @property
    def last_contract(self) -> int | None:
        chosen: str = self.rule.data["last_contract"]
        return whole_number(chosen)

    @property
    def seating(self) -> Seating:
        """The seats as they were sent, and what is half typed."""
        return replace(super().seating, typed=self.typed.data)


OTHER = "other"
"""The choice of a number that is none of the usual ones."""


class JoinForm(NamedPlayerForm):
    """Somebody who joins a running game, or comes back to it.

    A contract and a score are sent as a usual one's name, a number, or `other` and the number.
    """

    after = NumberField()
    contract = LineField(20)
    other_contract = LineField(20)
    score = LineField(20)
    other_score = LineField(20)

    def chosen_start(self, field: str) -> int | str | None:
        """What was chosen to begin with; None where nothing was."""
        text: str = self[field].data
        if text == OTHER:
            text = self[f"other_{field}"].data or OTHER
        number = text.replace("−", "-").removeprefix("-")
        if number.isascii() and number.isdigit():
            return int(number) if text[0] == number[0] else -int(number)
        return text or None


class LeaveForm(PageForm):
    """A player who leaves, before a round or in the middle of it."""

    cards = WordChoiceField(("", "counted", "not_counted"), default="")


class StandInForm(NamedPlayerForm):
    """Who plays a seat on."""
