"""The form in which an invite code is typed."""

from app.web.infrastructure.forms import LineField, PageForm


class CodeForm(PageForm):
    """The code that another device shows; people type blanks and dashes with it."""

    code = LineField(12)
