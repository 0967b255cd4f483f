"""What the address of a game's activity asks for."""

from app.web.infrastructure.forms import NumberField, PageForm


class ActivityQuery(PageForm):
    """The version from which on older changes are shown."""

    until = NumberField()
