"""What the table decides about dealing, as a browser sends it."""

from app.store.games import LogEntry
from app.web.games.forms import Seating
from app.web.infrastructure.forms import LineField, ListField, NumberField, PageForm, YesField


class VoidForm(PageForm):
    """A round that is dealt again, by the next player if it is `passed_on`."""

    passed_on = YesField()
    reason = LineField(LogEntry.reason)


class DealerForm(PageForm):
    """Another dealer, for this round only or from now on."""

    seat = NumberField()
    once = YesField()


class SeatsForm(PageForm):
    """The players' names in the order in which they sit."""

    player = ListField()
    arrange = LineField(80)
    """The button that was pressed, if it only arranges the seats."""

    @property
    def seating(self) -> Seating:
        """The seats as they were sent."""
        return Seating(self.player.data)
