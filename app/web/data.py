"""Exports of a group (a document, or its rounds as CSV), and imports of files.

A file that is posted to /data/import is looked at; a yes, to /data/import/<upload_key>, imports it.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from app.actions.groups import Role
from app.actions.importing import (
    ImportPlan,
    NotImported,
    PlausibleDocument,
    import_into_group,
    names_of_one,
    plan_import,
    read_file,
)
from app.actions.requests import earlier_request_result
from app.actions.uploads import drop_upload, keep_upload, upload_of
from app.exchange.documents import GroupDocument, json_schema
from app.exchange.files import serialize
from app.exchange.past_results import PastResults
from app.exchange.round_csv import heading_line, write_round_csv
from app.exchange.schema import DocumentError
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant
from app.store.engine import read_only
from app.store.queries.export import count_games
from app.store.queries.players import names_by_key
from app.web.game_parts.look_alikes import look_alikes
from app.web.infrastructure.access import (
    current_actor,
    in_group,
    needs,
    open_to_all,
    own_or_new_group,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.downloads import as_download, asked_separator, export_response
from app.web.infrastructure.forms import ListField, PageForm, asked_file, asked_number, sent_yes
from app.web.infrastructure.htmx import go_to
from app.web.infrastructure.input_validation import takes_files
from app.web.infrastructure.localization import all_translators, own_translator, today
from app.web.infrastructure.rate_limits import limits_documents
from app.web.rulesets.lookup import rule_sets_to_choose


class NewNamesForm(PageForm):
    """Of each new name that was asked about, which player it means; empty for nobody."""

    new, known = ListField(), ListField()

    @property
    def meant_by_name(self) -> Mapping[str, str]:
        """Those names that mean somebody."""
        return {name: one for name, one in zip(self.new.data, self.known.data, strict=False) if one}


@dataclass(frozen=True, slots=True)
class NewName:
    """A name of a file that the group lacks, and who of its players that may be."""

    name: str
    alike: str
    """Whom it looks like; empty for nobody."""
    meant: str
    """Who it is taken for; empty for a new player."""
    players: Sequence[str]
    """Who can be chosen."""
    fault: Phrase | None


data = Blueprint("data", __name__, url_prefix="/data")

LARGEST_FILE = 16 * 1024 * 1024
_MOST_LINES_SHOWN = 200
_MOST_ASKED = 400
"""So many new names of a file are asked about at most: each is 2 of a form's `MOST_FIELDS`."""
_MOST_CHOICES = 4000
"""So many players are offered for all these together.

Beyond, only a name that looks like somebody's is asked about, with that player alone.
"""
_SAMPLE_COLUMNS = ("date", "rule set", "player", "place", "score")
_SAMPLE_LINES = """2025-12-31,Frustration Rummy,Anna,1,120
2025-12-31,Frustration Rummy,Ben,2,185"""


@data.get("")
@needs(Role.MANAGE)
def index() -> str:
    """What can be exported, and a form for a file to import."""
    return render_template(
        "data/data.html",
        games=count_games(db.session(), asker.group),
        largest=LARGEST_FILE // 1024 // 1024,
        sample=heading_line(_SAMPLE_COLUMNS, ",", own_translator()) + _SAMPLE_LINES,
        imported=asked_number("imported"),
    )


@data.post("")
@open_to_all
def begin() -> Response:
    """Begin a group, for who is in none and has a past game to add or a file to import."""
    own_or_new_group()
    db.session().commit()
    return go_to(url_for("past_games.new" if sent_yes("past") else "data.index"))


@data.get("/schema.json")
@open_to_all
def schema() -> Response:
    """The description of the JSON document, for other programs."""
    return Response(json.dumps(json_schema(), indent=1), mimetype="application/schema+json")


@data.get("/export.json")
@limits_documents
@needs(Role.MANAGE)
def export_json() -> Response:
    """The group's players, games, seasons and rules as one document."""
    response = export_response(serialize, "application/json")
    return as_download(response, f"meldkeeper-{today()}.json")


@data.get("/rounds.csv")
@limits_documents
@needs(Role.MANAGE)
def export_csv() -> Response:
    """One line for each player and round, or past result."""
    separator, translate = asked_separator(), own_translator()
    response = export_response(
        lambda document: write_round_csv(document, separator, translate), "text/csv; charset=utf-8"
    )
    return as_download(response, f"meldkeeper-{today()}.csv")


@data.post("/import")
@takes_files(LARGEST_FILE)
@limits_documents
@needs(Role.MANAGE)
def preview() -> Response:
    """What importing a file would do.

    One that would add something, or asks whom a name means, is kept for a while.
    """
    sent = asked_file("file") or abort(400)
    name = sent.filename or ""
    with closing(sent):
        content = sent.read()
    group, actor = asker.group, current_actor()
    try:
        with read_only():  # nobody waits while the file is judged
            document, past_results = _read_file(content, rule_sets_to_choose())
            plan, new_names = _plan_and_new_names(document)
            db.session.rollback()
    except NotImported as refused:
        return _refusal_page(name, refused)
    key = keep_upload(db.session(), actor, group, name, content) if plan.adds or new_names else ""
    return _preview_page(name, 200, plan, new_names, upload_key=key, past_results=past_results)


@data.post("/import/<upload_key>")
@limits_documents
@needs(Role.MANAGE)
def import_file(upload_key: str) -> Response:
    actor = current_actor()
    with read_only():  # takes no turn to write, so nobody waits while the file is judged below
        # Asked here too: a repeat no longer finds the file, which is dropped once imported.
        earlier = earlier_request_result(db.session(), actor)
        if earlier is not None:
            return go_to(url_for("data.index", imported=earlier))
        waiting, rule_sets = upload_of(db.session(), asker.group, upload_key), rule_sets_to_choose()
        db.session.rollback()
    if waiting is None:
        return _preview_page("", 409)
    name, content = waiting
    meant = NewNamesForm.from_body().meant_by_name
    try:
        document, past_results = _read_file(content, rule_sets)
        with read_only():
            plan, new_names = _plan_and_new_names(document, meant)
            db.session.rollback()
        if any(one.fault for one in new_names):
            return _preview_page(
                name, 422, plan, new_names, upload_key=upload_key, past_results=past_results
            )
        imported = in_group(import_into_group, replace(document, meant=meant))
    except NotImported as refused:
        db.session.rollback()
        return _refusal_page(name, refused)
    drop_upload(db.session(), upload_key)
    return go_to(url_for("data.index", imported=imported))


def _read_file(
    content: bytes, rule_sets: Mapping[str, Variant]
) -> tuple[PlausibleDocument, PastResults | None]:
    return read_file(content, rule_sets, all_translators(), datetime.now(UTC))


def _plan_and_new_names(
    document: PlausibleDocument, chosen: Mapping[str, str] | None = None
) -> tuple[ImportPlan, Sequence[NewName]]:
    """What importing a document would do, and the new names that people are asked about.

    `chosen` says whom of the group's players some of them mean; without it those whom they look
    like, unless they clash (`_clashes`). In a group without players nothing is asked. Raises
    `NotImported`.
    """
    session, group = db.session(), asker.group
    plan, here = plan_import(session, group, document), names_by_key(session, group)
    if not here:
        return plan, ()
    new = plan.new_players
    alike = look_alikes(*new)
    asked = [*alike, *(one for one in new if one not in alike)][:_MOST_ASKED]
    alike = {name: alike[name] for name in asked if name in alike}
    meant = alike if chosen is None else {name: chosen[name] for name in new if name in chosen}
    clashes = _clashes(document, meant, here)
    if chosen is None:
        meant = {name: player for name, player in meant.items() if name not in clashes}
        clashes = {}
    if meant and not clashes:
        plan = plan_import(session, group, replace(document, meant=meant))
    players = sorted({*here.values()}, key=str.casefold)
    offered = _MOST_CHOICES // len(players)
    return plan, [
        NewName(
            name,
            alike.get(name, ""),
            meant.get(name, ""),
            players if place < offered else [alike[name]],
            clashes.get(name),
        )
        for place, name in enumerate(asked)
        if place < offered or name in alike
    ]


def _clashes(
    document: GroupDocument, meant: Mapping[str, str], here: Mapping[str, str]
) -> dict[str, Phrase]:
    """Names taken for a player who sits in the same game under another name, and what to say."""
    found = {}
    for game in document.games:
        for name, other in names_of_one(
            game, lambda name: meant.get(name) or here.get(name.casefold(), name)
        ):
            if {name, other} & meant.keys():
                message = say(
                    "{name} and {other} play in the same game, so they are two players.",
                    name=name,
                    other=other,
                )
                found[name if name in meant else other] = message
    return found


def _refusal_page(name: str, refused: NotImported) -> Response:
    return _preview_page(name, faults=refused.faults, past_results=refused.past_results)


def _preview_page(
    name: str,
    status: int = 422,
    plan: ImportPlan | None = None,
    new_names: Sequence[NewName] = (),
    *,
    faults: tuple[DocumentError, ...] = (),
    upload_key: str = "",
    past_results: PastResults | None = None,
) -> Response:
    """The preview of a file, or what is wrong with it, or that there is none any more.

    The faulty lines of a CSV, and the first ones of its faulty games, come first.
    """
    lines = past_results.lines if past_results else ()
    faulty = {number for number, _fault in past_results.faults} if past_results else set()
    asked = {one.name for one in new_names}
    page = render_template(
        "data/preview.html",
        name=name,
        plan=plan,
        new_names=new_names,
        other_names=[one for one in plan.new_players if one not in asked] if plan else (),
        faults=faults,
        line_faults=past_results.faults[: len(faults)] if past_results else (),
        upload_key=upload_key,
        past_results=past_results,
        lines=sorted(lines, key=lambda one: one.number not in faulty)[:_MOST_LINES_SHOWN],
        faulty=faulty,
        hidden_lines=max(0, len(lines) - _MOST_LINES_SHOWN),
    )
    return make_response(page, status)
