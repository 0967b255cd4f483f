"""The addresses of a group's own rule sets: list, create, edit, remove, share, import."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from werkzeug.datastructures import FileStorage

from app.actions import rulesets as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.contracts import Contract
from app.rules.phrases import Phrase, say
from app.rules.rule_set_drafts import RuleSetDraft, parse_draft
from app.rules.rule_set_transfer import from_code, from_file, to_code, to_json, to_toml
from app.rules.rule_sets import FaultyRules, rule_sets_in_family
from app.rules.text import file_slug
from app.rules.variant import Variant
from app.scorebook.refusals import Refused, StaleVersion
from app.store.queries.rulesets import OwnRuleSet, own_rule_set, own_rule_sets
from app.web.infrastructure.access import (
    changes_nothing,
    in_group,
    may,
    needs,
    open_to_all,
    own_or_new_group,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line
from app.web.infrastructure.htmx import go_to, render_page_or_fragment
from app.web.infrastructure.localization import all_translators, render_phrase
from app.web.rulesets.editor import (
    PARTS,
    ApprovedRuleSetForm,
    ImportForm,
    RuleSetForm,
    contract_fields,
)
from app.web.rulesets.house_rules import RulesComparison, compare_rules, rule_groups, standard_texts
from app.web.rulesets.lookup import find_rule_set, rule_set_or_404, rule_set_sections

rulesets = Blueprint("rulesets", __name__, url_prefix="/rules/custom")

_FILES: dict[str, tuple[Callable[[Variant], str], str]] = {
    "toml": (to_toml, "application/toml"),
    "json": (to_json, "application/json"),
}


@rulesets.get("")
@open_to_all
def show_all() -> str:
    """The group's own rule sets, and what can be copied."""
    session = db.session()
    manages = may(Role.MANAGE)
    return render_template(
        "rulesets/index.html",
        rule_sets=own_rule_sets(session, asker.group_if_any) if asker.group_if_any else (),
        removed=own_rule_sets(session, asker.group, removed=True) if manages else (),
        to_copy=rule_set_sections(),
        for_points=rule_sets_in_family("other").values(),
        may_change=asker.group_if_any is None or may(Role.SCORE),
    )


@rulesets.get("/new")
@open_to_all
def new() -> Response:
    """A copy of a rule set, to be changed."""
    base = rule_set_or_404(asked_line("base"))
    draft = RuleSetDraft.from_variant(base)
    name = render_phrase(say("{name} (custom)", name=Phrase(base.name)))
    return _editor(base, RuleSetDraft(name, "", draft.contracts, draft.rules, draft.points))


@rulesets.post("/new")
@open_to_all
def make() -> Response:
    """Keep a new rule set; on a fresh browser this makes its group, quietly."""
    form = RuleSetForm.from_body()
    base = rule_set_or_404(form.base.data)
    read = parse_draft(form.draft, base, all_translators())
    if read.variant is None:
        return _editor(base, form.draft, status=422)
    return _save_new(read.variant)


@rulesets.post("/draft")
@open_to_all
@changes_nothing
def redraw_editor() -> Response:
    """What was typed, read anew and nothing kept: after each change, and for the form's buttons."""
    form = RuleSetForm.from_body()
    own, arrange = form.own.data, form.arrange.data
    base = rule_set_or_404(own or form.base.data)
    draft, seen = form.draft.after_button(arrange), form.seen.data or 0
    fragment = "rulesets/_form.html" if arrange else "rulesets/_said.html"
    return _editor(base, draft, own=own, seen=seen, arranged=arrange, fragment=fragment)


@rulesets.get("/<own>")
@needs(Role.WATCH)
def show(own: str) -> str:
    """The card of a rule set, and how to pass it on."""
    _kept, variant = _own_rule_set_or_404(own)
    return render_template(
        "rulesets/rule_set.html",
        key=own,
        variant=variant,
        comparison=compare_rules(variant, variant),
        link=url_for("rulesets.start_import", r=to_code(variant), _external=True),
        may_change=may(Role.SCORE),
        may_remove=may(Role.MANAGE),
    )


@rulesets.get("/<own>/change")
@needs(Role.SCORE)
def edit(own: str) -> Response:
    kept, variant = _own_rule_set_or_404(own)
    return _editor(variant, RuleSetDraft.from_variant(variant), own=own, seen=kept.version)


@rulesets.post("/<own>/change")
@needs(Role.SCORE)
def save(own: str) -> Response:
    """Keep the changes to a rule set; games that run are played on by the rules they have."""
    kept, base = _own_rule_set_or_404(own)
    form = RuleSetForm.from_body()
    draft, seen = form.draft, form.seen.data or 0
    read = parse_draft(draft, base, all_translators())
    if read.variant is None:
        return _editor(base, draft, own=own, seen=seen, status=422)
    try:
        in_group(act.change_rule_set, own, read.variant, seen=seen)
    except StaleVersion:
        db.session.rollback()
        return _editor(base, draft, own=own, seen=kept.version, stale=True, status=409)
    return go_to(url_for("rulesets.show", own=own))


@rulesets.post("/<own>/remove")
@needs(Role.MANAGE)
def remove(own: str) -> Response:
    """Take a rule set off the list."""
    return _act_and_list(lambda: in_group(act.remove_rule_set, own))


@rulesets.post("/<own>/bring-back")
@needs(Role.MANAGE)
def restore(own: str) -> Response:
    """Put a removed rule set on the list again."""
    return _act_and_list(lambda: in_group(act.restore_rule_set, own))


@rulesets.get("/<own>/file.<kind>")
@needs(Role.WATCH)
def download(own: str, kind: str) -> Response:
    """A rule set as a file, with where each fact comes from."""
    if kind not in _FILES:
        abort(404)
    _kept_set, variant = _own_rule_set_or_404(own)
    written, mime = _FILES[kind]
    response = make_response(written(variant))
    response.mimetype = mime
    name = file_slug(variant.name) or "rules"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


@rulesets.get("/bring")
@open_to_all
def start_import() -> Response:
    """Import a rule set: a form, or for a link the preview of what it holds."""
    code = asked_line("r", 6000)
    return _preview(lambda: from_code(code)) if code else _import_page()


@rulesets.post("/bring")
@open_to_all
@changes_nothing
def preview_import() -> Response:
    """What a file or a pasted link holds; nothing is kept yet."""
    form = ImportForm.from_body()
    pasted, upload = form.link.data, form.file.data
    if isinstance(upload, FileStorage) and upload.filename:
        content = upload.read()
        return _preview(lambda: from_file(content))
    if not pasted:
        return _import_page(fault=say("Choose a file or paste a link."))
    # What was pasted may be the code itself.
    return _preview(
        lambda: from_code(parse_qs(urlsplit(pasted).query).get("r", [pasted])[0]), pasted
    )


@rulesets.post("/keep")
@open_to_all
def save_import() -> Response:
    """Keep what was looked at as a rule set of the group."""
    try:
        variant = from_file(ApprovedRuleSetForm.from_body().document.data.encode())
    except FaultyRules as fault:
        return _import_page(fault=fault.with_field)
    return _save_new(variant)


def _preview(read: Callable[[], Variant], pasted: str = "") -> Response:
    try:
        variant = read()
    except (FaultyRules, ValueError) as fault:
        words = fault.with_field if isinstance(fault, FaultyRules) else say("That isn’t a link.")
        return _import_page(fault=words, pasted=pasted)
    near = find_rule_set(variant.id) or variant
    return render_page_or_fragment(
        "rulesets/import.html",
        variant=variant,
        comparison=compare_rules(near, variant),
        document=to_json(variant),
    )


def _import_page(fault: Phrase | None = None, pasted: str = "") -> Response:
    """The form in which a file or a link is given, and what was wrong with the last one."""
    return render_page_or_fragment(
        "rulesets/import.html",
        status=422 if fault else 200,
        variant=None,
        refusal=fault,
        pasted=pasted,
    )


def _save_new(variant: Variant) -> Response:
    """Keep a rule set as the group's own, in a new group where there is none yet, and show it."""
    try:
        group, actor = own_or_new_group()
        key = act.keep_rule_set(db.session(), actor, group, variant)
    except Refused as refused:
        db.session.rollback()
        return _import_page(fault=refused.faults[0].message)
    return go_to(url_for("rulesets.show", own=key))


def _act_and_list(act_on: Callable[[], None]) -> Response:
    try:
        act_on()
    except Refused:
        db.session.rollback()
        abort(404)
    return go_to(url_for("rulesets.show_all"))


def _own_rule_set_or_404(key: str) -> tuple[OwnRuleSet, Variant]:
    kept = own_rule_set(db.session(), asker.group, key)
    if kept is None or kept.variant is None:
        abort(404)
    return kept, kept.variant


def _editor(
    base: Variant,
    draft: RuleSetDraft,
    *,
    own: str = "",
    seen: int = 0,
    stale: bool = False,
    status: int = 200,
    arranged: str = "",
    fragment: str = "rulesets/_form.html",
) -> Response:
    """The form for changes to a base, with all that was typed; `own` is empty for a new one.

    The contract to which a meld was added by a button (`arranged`) stays open for more.
    """
    read = parse_draft(draft, base, all_translators())
    comparison = RulesComparison(say("Fix the marked fields to save."))
    if read.variant is not None:
        comparison = compare_rules(base, read.variant)
    return render_page_or_fragment(
        "rulesets/form.html",
        fragment,
        status=status,
        rule_set_key=own,
        base=base,
        seen_version=seen,
        draft=draft,
        arranged=arranged,
        contracts=contract_fields(draft, read),
        part_buttons=[(tap, Contract.read(1, tap).words) for tap in PARTS],
        rule_groups=rule_groups(base),
        standard_texts=standard_texts(base),
        faults=read.faults,
        comparison=comparison,
        stale=stale,
    )
