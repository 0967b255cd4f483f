"""What a browser sends reaches the app through forms alone, and each of their texts has a bound."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from wtforms import FormField, StringField

from app.rules.phrases import say
from app.scorebook.refusals import refusal
from app.store.groups import Player
from app.web.infrastructure.forms import FitsLength, LineField, PageForm
from tests.web_table import PlainGame

WEB = Path(__file__).parents[2] / "app/web"
SENT = {"form", "args", "values", "files", "json", "get_json", "data", "get_data", "stream"}


def every_form(kind: type[PageForm] = PageForm) -> Iterator[type[PageForm]]:
    for one in kind.__subclasses__():
        yield one
        yield from every_form(one)


def test_no_view_reads_what_was_sent_but_by_a_form():
    views = {file for file in WEB.rglob("*.py") if "infrastructure" not in file.parts}
    found = {
        file
        for file in views
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "request"
        and node.attr in SENT
    }
    assert not found


def test_every_text_of_every_form_has_a_bound(app):
    assert len(list(every_form())) > 20
    with app.test_request_context():
        for form in every_form():
            for field in form():
                if isinstance(field, StringField) and not isinstance(field, FormField):
                    assert any(isinstance(one, FitsLength) for one in field.validators), (
                        form,
                        field,
                    )


class NameForm(PageForm):
    name = LineField(Player.name)


@pytest.mark.parametrize(("typed", "kept"), [("  Anna  Lea ", "Anna Lea"), ("x" * 40, "x" * 40)])
def test_a_line_is_what_was_typed_without_blanks_that_nobody_sees(app, typed, kept):
    with app.test_request_context(method="POST", data={"name": typed}):
        form = NameForm.from_body()
        assert form.submit(lambda: None)
        assert form.name.data == kept


def test_a_text_that_its_column_cannot_hold_is_refused_beside_its_field_and_kept(app):
    with app.test_request_context(method="POST", data={"name": "x" * 41}):
        form, acted = NameForm.from_body(), []
        assert not form.submit(lambda: acted.append("done"))
        assert acted == []
        assert [str(one) for one in form.name.errors] == ["Use 40 characters or fewer."]
        drawn = form.name()
        assert "x" * 41 in drawn
        assert 'maxlength="40"' in drawn
        assert 'aria-describedby="name-fault"' in drawn


def test_what_an_action_refuses_stands_beside_its_field_or_else_above_the_form(app):
    def refused(field: str):
        raise refusal(field, say("Enter a name for the player."))

    with app.test_request_context(method="POST", data={"name": "Anna"}):
        beside, above = NameForm.from_body(), NameForm.from_body()
        assert not beside.submit(lambda: refused("name"))
        assert not above.submit(lambda: refused("game"))
    assert (bool(beside.name.errors), beside.fault) == (True, None)
    assert (bool(above.name.errors), above.fault) == (False, say("Enter a name for the player."))


def test_a_form_with_an_error_comes_back_with_what_was_typed(client):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    for address, sent in (
        ("/group/name", {"name": "x" * 81}),
        ("/group/me", {"device": "x" * 41}),
        ("/players/1/name", {"name": "x" * 41}),
        ("/group/tokens", {"name": "x" * 41, "role": "watch"}),
        ("/join", {"code": "x" * 13}),
        (f"/games/{game.key}/about", {"title": "x" * 81}),
        (f"/games/{game.key}/players", {"name": "x" * 41}),
        ("/games", {"variant": "frustration", "player": ["Anna", "Ben"], "typed": "x" * 401}),
    ):
        answer = client.post(address, data=sent)
        assert answer.status_code == 422, address
        page = answer.get_data(as_text=True)
        assert max(map(str, sent.values()), key=len) in page, address
        assert "characters or fewer" in page or "wrong or expired" in page, address
