"""What a group decided in its games, in one list, and the form that edits a ruling.

And the house rules that a game can change on its way, each with the form that does it.
"""

from functools import partial

from flask import Blueprint, Response, make_response, redirect, render_template, url_for

from app.actions import rulings as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.house_rules import HOUSE_RULES, SWITCHABLE, house_rules_played, value_in_words
from app.scorebook.events.games import events_to_change_rule
from app.scorebook.events.rulings import RulingEdited
from app.store.games import RecordedRuling
from app.store.queries.log import change_with
from app.store.queries.rulings import group_rulings
from app.web.groups.views import asked_game
from app.web.history.view_models import RulingView
from app.web.infrastructure.access import (
    current_game,
    find_game_id,
    in_game,
    needs,
    submit_decision,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    NumberField,
    PageForm,
    TextField,
    asked_line,
    asked_number,
)
from app.web.infrastructure.htmx import go_to
from app.web.rulesets.house_rules import rule_groups


class EditRulingForm(PageForm):
    """What was decided and why, and what of both was shown to who edits it."""

    decided = LineField(RecordedRuling.decision)
    reason = LineField(RecordedRuling.reason)
    decided_seen = LineField(RecordedRuling.decision)
    reason_seen = LineField(RecordedRuling.reason)


class HouseRuleForm(PageForm):
    """A house rule, what it is from a round on, and that round."""

    field = TextField(40)
    switch = TextField(80)
    number = NumberField()


rulings = Blueprint("rulings", __name__)

_MOST = 100


@rulings.get("/group/rulings")
@needs(Role.WATCH)
def index() -> str:
    """The group's rulings, the last one first; with an Undo of what was done just now."""
    return _page()


@rulings.post("/games/<key>/rulings/<int:ruling_id>")
@needs(Role.SCORE)
def edit(key: str, ruling_id: int) -> Response:
    form = EditRulingForm.from_body()
    seen = form.decided_seen.data, form.reason_seen.data
    said = form.decided.data, form.reason.data
    if not form.submit(lambda: in_game(act.edit_ruling, ruling_id, *said, seen)):
        return make_response(_page(ruling_id, form), 422)
    return go_to(url_for("rulings.index", of=key, version=form.result.version))


@rulings.post("/games/<key>/rulings/<int:ruling_id>/remove")
@needs(Role.SCORE)
def remove(key: str, ruling_id: int) -> Response:
    version = in_game(act.remove_ruling, ruling_id).version
    return go_to(url_for("rulings.index", of=key, version=version))


@rulings.get("/games/<key>/house-rules")
@needs(Role.SCORE)
def house_rules(key: str) -> Response:
    """The rules that a running game can change, opened at the one that a link is about."""
    if current_game().status.over:
        return make_response(redirect(url_for("faq.show_for_game", key=key), 303))
    return _house_rules_page(HouseRuleForm(field=asked_line("about")))


@rulings.post("/games/<key>/house-rules")
@needs(Role.SCORE)
def change_house_rule(key: str) -> Response:
    """Play a rule otherwise, from the open round on."""
    form = HouseRuleForm.from_body()
    field, value = form.field.data, form.switch.data
    change = partial(events_to_change_rule, field=field, text=value)
    status = submit_decision(form, form.number.data or 0, change)
    if status is None:
        return go_to(url_for("rulings.house_rules", key=key, about=field, _anchor=f"ask-{field}"))
    return _house_rules_page(form, status)


def _house_rules_page(form: HouseRuleForm, status: int = 200) -> Response:
    loaded = current_game()
    rules = loaded.game.rules_in(loaded.game.open_number)
    switchable = [
        (heading, [(one, value_in_words(rules, one.field)) for one in found if one.is_switchable])
        for heading, found in rule_groups(rules)
    ]
    lasting = [
        (HOUSE_RULES[one].question, value_in_words(rules, one))
        for one in house_rules_played(rules, loaded.variant)
        if one not in SWITCHABLE
    ]
    page = render_template(
        "rulings/house_rules.html",
        loaded=loaded,
        groups=[(heading, found) for heading, found in switchable if found],
        lasting=lasting,
        form=form,
    )
    return make_response(page, status)


def _page(edited: int | None = None, form: EditRulingForm | None = None) -> str:
    found = group_rulings(db.session(), asker.group, _MOST + 1, before=asked_number("before"))
    forms = {one.id: EditRulingForm(decided=one.decision, reason=one.reason) for one in found}
    if edited and form:
        forms[edited] = form
    return render_template(
        "rulings/rulings.html",
        rulings=[(RulingView(one), forms[one.id]) for one in found[:_MOST]],
        older=found[_MOST - 1].id if len(found) > _MOST else None,
        undo=_undo_address(),
        edited=edited,
        game=asked_game(),
    )


def _undo_address() -> str | None:
    """The address that undoes the edit or removal after which the page is shown.

    None after anything else.
    """
    key, version = asked_line("of"), asked_number("version")
    game = find_game_id(key, Role.SCORE) if version else None
    if game is None or version is None:
        return None
    events = [one.event for one in change_with(db.session(), game, version)]
    if not events or not all(isinstance(one, RulingEdited) for one in events):
        return None
    return url_for("activity.undo", key=key, version=version)
