"""Exports of a group (a document, or its rounds as CSV), and imports of files.

A file that is posted to /data/import is looked at; a yes, to /data/import/<upload_key>, imports it.
"""

import json
from contextlib import closing

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from app.actions.groups import Role
from app.actions.importing import (
    ImportPlan,
    NotImported,
    drop_upload,
    import_into_group,
    keep_upload,
    plan_import,
    read_file,
    upload_of,
)
from app.actions.requests import earlier_request_result
from app.exchange.documents import json_schema
from app.exchange.files import serialize
from app.exchange.past_results import PastResults
from app.exchange.round_csv import write_round_csv
from app.exchange.schema import DocumentError
from app.extensions import db
from app.rules.phrases import say
from app.store.engine import read_only
from app.store.queries.export import count_games
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
from app.web.infrastructure.forms import asked_file, asked_number, sent_yes
from app.web.infrastructure.htmx import go_to
from app.web.infrastructure.input_validation import takes_files
from app.web.infrastructure.localization import today
from app.web.infrastructure.rate_limits import limits_documents
from app.web.rulesets.lookup import rule_sets_to_choose

data = Blueprint("data", __name__, url_prefix="/data")

LARGEST_FILE = 16 * 1024 * 1024
_MOST_LINES_SHOWN = 200
_SAMPLE = """date,rule set,player,place,score
2025-12-31,Frustration Rummy,Anna,1,120
2025-12-31,Frustration Rummy,Ben,2,185"""

_PREVIEW_GONE = DocumentError(
    "", say("This preview is gone: previews are kept for a day, and newer ones replace older ones.")
)


@data.get("")
@needs(Role.MANAGE)
def index() -> str:
    """What can be exported, and a form for a file to import."""
    return render_template(
        "data/data.html",
        games=count_games(db.session(), asker.group),
        largest=LARGEST_FILE // 1024 // 1024,
        sample=_SAMPLE,
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
    separator = asked_separator()
    response = export_response(
        lambda document: write_round_csv(document, separator), "text/csv; charset=utf-8"
    )
    return as_download(response, f"meldkeeper-{today()}.csv")


@data.post("/import")
@takes_files(LARGEST_FILE)
@limits_documents
@needs(Role.MANAGE)
def preview() -> Response:
    """What importing a file would do; one that would add something is kept for a while for that."""
    sent = asked_file("file") or abort(400)
    name = sent.filename or ""
    with closing(sent):
        content = sent.read()
    group, actor = asker.group, current_actor()
    try:
        with read_only():  # nobody waits while the file is judged
            document, past_results = read_file(content, rule_sets_to_choose())
            plan = plan_import(db.session(), group, document)
            db.session.rollback()
    except NotImported as refused:
        return _refusal_page(name, refused)
    upload_key = keep_upload(db.session(), actor, group, name, content) if plan.adds else ""
    return _preview_page(name, plan=plan, upload_key=upload_key, past_results=past_results)


@data.post("/import/<upload_key>")
@limits_documents
@needs(Role.MANAGE)
def import_file(upload_key: str) -> Response:
    """Import a file after its preview."""
    actor = current_actor()
    with read_only():  # takes no turn to write, so nobody waits while the file is judged below
        # Asked here too: a repeat no longer finds the file, which is dropped once imported.
        earlier = earlier_request_result(db.session(), actor)
        if earlier is not None:
            return go_to(url_for("data.index", imported=earlier))
        waiting, rule_sets = upload_of(db.session(), asker.group, upload_key), rule_sets_to_choose()
        db.session.rollback()
    if waiting is None:
        return _preview_page("", faults=(_PREVIEW_GONE,), status=410)
    name, content = waiting
    try:
        document, _past_results = read_file(content, rule_sets)
        imported = in_group(import_into_group, document)
    except NotImported as refused:
        db.session.rollback()
        return _refusal_page(name, refused)
    drop_upload(db.session(), upload_key)
    return go_to(url_for("data.index", imported=imported))


def _refusal_page(name: str, refused: NotImported) -> Response:
    """Why a file can’t be imported."""
    return _preview_page(name, faults=refused.faults, past_results=refused.past_results)


def _preview_page(
    name: str,
    *,
    plan: ImportPlan | None = None,
    faults: tuple[DocumentError, ...] = (),
    upload_key: str = "",
    past_results: PastResults | None = None,
    status: int = 422,
) -> Response:
    """The preview of a file, or what is wrong with it; `status` is that of what is wrong.

    The faulty lines of a CSV come first.
    """
    lines = past_results.lines if past_results else ()
    page = render_template(
        "data/preview.html",
        name=name,
        plan=plan,
        alike=look_alikes(*plan.new_players) if plan else {},
        faults=faults,
        line_faults=past_results.faults[: len(faults)] if past_results else (),
        upload_key=upload_key,
        past_results=past_results,
        lines=sorted(lines, key=lambda one: one.fault is None)[:_MOST_LINES_SHOWN],
        hidden_lines=max(0, len(lines) - _MOST_LINES_SHOWN),
    )
    return make_response(page, status if plan is None else 200)
