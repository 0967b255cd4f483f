"""The search field of the Q&A."""

from app.web.infrastructure.forms import LineField, PageForm


class SearchQuery(PageForm):
    """The words that are searched for."""

    words = LineField(80)
