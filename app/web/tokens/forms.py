"""The form of a new token."""

from app.store.groups import Token
from app.web.infrastructure.forms import LineField, PageForm, RoleField


class TokenForm(PageForm):
    """What a token is for, and what it may do."""

    name = LineField(Token.name)
    role = RoleField()
