"""Who joins a game, leaves it or plays on for another, as a browser sends it."""

from app.scorebook.events.attendance import HandTreatment
from app.store.groups import Player
from app.web.infrastructure.forms import LineField, NumberField, PageForm, WordChoiceField

OTHER = "other"
"""The choice of a number that is none of the usual ones."""


class JoinForm(PageForm):
    """Somebody who joins a running game, or comes back to it.

    A contract and a score are sent as a usual one's name, a number, or `other` and the number.
    """

    name = LineField(Player.name)
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

    @property
    def hand_treatment(self) -> HandTreatment:
        """What becomes of the cards in hand."""
        cards: HandTreatment = self.cards.data
        return cards


class StandInForm(PageForm):
    """Who plays a seat on."""

    name = LineField(Player.name)
