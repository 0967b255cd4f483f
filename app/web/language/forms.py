"""The form of the languages at the foot of a page."""

from app.web.infrastructure.forms import PageForm, TextField


class LanguageForm(PageForm):
    """The language that was chosen, and the page to go back to."""

    language = TextField(20)
    back = TextField(2000)
