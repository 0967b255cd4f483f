"""The group: this device in it, the other devices, and the ways in for more."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.actions import groups as act
from app.actions import memberships
from app.actions.groups import Role, role_of, secret_hash
from app.actions.players import read_name, set_up_group
from app.actions.requests import earlier_request_result
from app.extensions import db
from app.rules.phrases import say
from app.scorebook.refusals import Notice, Refused
from app.store.queries.access import (
    DeviceInGroup,
    depends_on_one_device,
    device_in_group,
    devices_invited_by,
    devices_joined_by_link,
    devices_of,
    group_name,
    groups_of,
    links_of,
    players_of,
    removed_device,
    tells_milestones,
    tokens_of,
)
from app.web.game_parts.viewer import stop_asking_player
from app.web.groups.forms import (
    DeviceForm,
    GroupNameForm,
    NewGroupForm,
    NewInviteCodeForm,
    RoleForm,
)
from app.web.groups.view_models import ROLE_WORDS, RoleWords, note_removals_read
from app.web.infrastructure.access import (
    NoNewGroups,
    changes_nothing,
    current_actor,
    in_group,
    may_begin,
    needs,
    open_to_all,
    own_or_new_group,
)
from app.web.infrastructure.actors import device_names
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line, asked_number, sent_yes
from app.web.infrastructure.fragment_cache import outside_fragments
from app.web.infrastructure.headers import keep_cookie
from app.web.infrastructure.htmx import go_to, render_page_or_fragment
from app.web.infrastructure.localization import render_phrase
from app.web.infrastructure.network import address_for_others, is_of_one_device

groups = Blueprint("groups", __name__, url_prefix="/group")

_ABOUT_GROUP = {"groups", "rulings", "tokens"}

_TEN_YEARS = 10 * 365 * 24 * 3600


@groups.app_url_defaults
@outside_fragments
def _keep_game(endpoint: str, values: dict[str, Any]) -> None:
    """Let each page about the group lead back to the game from which people came.

    A game's own pages give the link to the rulings their game, too.
    """
    if {endpoint.partition(".")[0], request.blueprint} <= _ABOUT_GROUP:
        values.setdefault("game", asked_game())
    elif endpoint == "rulings.index":
        here = (request.view_args or {}).get("key") if request.method == "GET" else None
        values.setdefault("game", asked_game() or here)


@groups.get("")
@needs(Role.WATCH)
def show() -> Response:
    """The group, this device in it, and for who manages it the other devices."""
    return _page()


@groups.get("/new")
@open_to_all
def new() -> Response:
    """A form for a group that is made before its first game, for who is in none."""
    return _new_group_page(NewGroupForm())


@groups.post("/new")
@open_to_all
def set_up() -> Response:
    """Make a group with a name and players; who is in one stays there."""
    form = NewGroupForm.from_body()

    def make() -> None:
        group, actor = own_or_new_group()
        set_up_group(db.session(), actor, group, form.name.data, form.names)

    if asker.group_if_any is None and not form.submit(make):
        return _new_group_page(form, 422)
    return go_to(url_for("groups.show", saved="group"))


@groups.post("/new/players")
@open_to_all
@changes_nothing
def list_players() -> Response:
    """Who would be in the new group, after a name was added or taken out again."""
    form = NewGroupForm.from_body()
    if asker.group_if_any is None and form.submit(lambda: [read_name(one) for one in form.names]):
        seating = form.seating.after_button(form.arrange.data, Random(0))
        form.player.data, form.players.data = seating.names, seating.typed
    return _new_group_page(form, 422 if form.errors else 200)


def _new_group_page(form: NewGroupForm, status: int = 200) -> Response:
    if asker.group_if_any is not None:
        return go_to(url_for("groups.show"))
    if not may_begin():
        raise NoNewGroups
    return render_page_or_fragment("groups/new.html", status=status, form=form)


@groups.post("/name")
@needs(Role.MANAGE)
def rename() -> Response:
    form = GroupNameForm.from_body()
    rename = partial(in_group, act.rename_group, form.name.data)
    if not form.submit(rename):
        return _page(naming=form)
    return go_to(url_for("groups.show", saved="name"))


@groups.post("/milestones")
@needs(Role.MANAGE)
def switch_milestones() -> Response:
    """Tell milestones, or no more."""
    in_group(act.switch_milestones, on=sent_yes("told"))
    return go_to(url_for("groups.show", saved="milestones"))


@groups.post("/me")
@needs(Role.WATCH)
def edit_device() -> Response:
    """What this device is called, and whose it is."""
    form = _with_players(DeviceForm.from_body(), with_merged=True)
    name, player = form.device.data, form.player.data
    if not form.submit(
        lambda: act.describe_device(db.session(), asker.device, asker.group, name, player)
    ):
        return _page(device=form)
    stop_asking_player()
    game = asked_game()
    if game:
        return go_to(url_for("games.show", key=game))
    return go_to(url_for("groups.show", saved="phone"))


@groups.post("/way-back/dismiss")
@needs(Role.MANAGE)
def dismiss_way_back() -> Response:
    """Say no more on Home that the group is lost with this device."""
    act.dismiss_way_back(db.session(), asker.device, asker.group)
    return go_to(url_for("home.index"))


@groups.post("/removal/dismiss")
@open_to_all
def dismiss_removals() -> Response:
    """Say no more on Home from which groups this device was removed."""
    note_removals_read()
    return go_to(url_for("home.index"))


@groups.post("/look")
@open_to_all
def switch_group() -> Response:
    """Look at another group that this device is in."""
    group, device = asked_number("group"), asker.device_if_any
    if device is None or group is None or not act.switch_group(db.session(), device, group):
        abort(404)
    return go_to(url_for("home.index"))


@groups.post("/leave")
@needs(Role.WATCH)
def leave() -> Response:
    try:
        in_group(memberships.remove_device, asker.device)
    except Refused as refused:
        return _page(fault=refused.faults[0])
    return go_to(url_for("home.index"))


@groups.post("/devices/<int:device>/role")
@needs(Role.MANAGE)
def change_role(device: int) -> Response:
    """Let another device do more or less."""
    form = RoleForm.from_body()
    if not (form.validate() and _was_in(device)):
        abort(404)
    try:
        ended = in_group(memberships.change_role, device, form.role.data)
    except Refused as refused:
        return _page(fault=refused.faults[0])
    shown = url_for("groups.show", changed=device, ended="yes" if ended else None, _anchor="phones")
    return go_to(shown)


@groups.post("/devices/<int:device>/put-out")
@needs(Role.MANAGE)
def remove_device(device: int) -> Response:
    if not _was_in(device):
        abort(404)
    try:
        in_group(memberships.remove_device, device)
    except Refused as refused:
        return _page(fault=refused.faults[0])
    return go_to(url_for("groups.show_removed_device", device=device))


@groups.get("/devices/<int:device>/out")
@needs(Role.MANAGE)
def show_removed_device(device: int) -> ResponseReturnValue:
    """What a device that was removed leaves: whom it let in, and the group's links and tokens."""
    if _is_in(device):  # again, or still
        return go_to(url_for("groups.show"))
    let_in = devices_invited_by(db.session(), asker.group, [device], but=asker.device)
    removed, names = removed_device(db.session(), device, asker.group), device_names()
    return render_template(
        "groups/remove.html",
        device=device,
        removed=removed,
        device_name=names[device].words if removed else None,
        links_replaced=bool(asked_line("replaced")),
        invited_devices=[names[one.device].words for one in _devices() if one.device in let_in],
        links=[ROLE_WORDS[role_of(one.role)] for one in links_of(db.session(), asker.group)],
        tokens=len(tokens_of(db.session(), asker.group)),
    )


@groups.post("/devices/<int:device>/restore")
@needs(Role.MANAGE)
def undo_removal(device: int) -> Response:
    """Give a device that was removed its access back."""
    in_group(memberships.restore_device, device)
    return go_to(url_for("groups.show", restored=device))


@groups.post("/devices/<int:device>/put-out-let-in")
@needs(Role.MANAGE)
def remove_invitees(device: int) -> Response:
    """Remove the devices that a device let in, those that they let in, and so on."""
    in_group(memberships.remove_invited_by, device)
    return go_to(url_for("groups.show_removed_device", device=device))


@groups.post("/devices/<int:device>/replace-links")
@needs(Role.MANAGE)
def replace_group_links(device: int) -> Response:
    """Replace every link that the group has, since a device that was removed may know them."""
    made = in_group(memberships.replace_links)
    response = go_to(url_for("groups.show_removed_device", device=device, replaced="yes"))
    for role, secret in (made or {}).items():
        _remember_link(response, role.slug, secret)
    return response


@groups.get("/links/<role>")
@needs(Role.MANAGE)
def link(role: str) -> str:
    """The lasting way in for a role."""
    chosen = _role(role)
    made = next((one for one in links_of(db.session(), asker.group) if one.role == role), None)
    secret = request.cookies.get(_link_cookie(), "")
    shown = made is not None and secret_hash(secret) == made.secret_hash
    came = devices_joined_by_link(db.session(), asker.group, role, but=asker.device)
    return render_template(
        "groups/link.html",
        role=chosen,
        made_at=made.created_at if made else None,
        address=address_for_others("invites.open_link", secret=secret) if shown else None,
        joined_count=len(came),
    )


@groups.post("/links/<role>")
@needs(Role.MANAGE)
def replace_link(role: str) -> Response:
    """Make the link of a role, in place of the one before."""
    secret = in_group(memberships.make_link, _role(role).role, keep=sent_yes("keep"))
    return _remember_link(go_to(url_for("groups.link", role=role)), role, secret)


@groups.get("/invite")
@needs(Role.MANAGE)
def choose_invite_role() -> str:
    """As what somebody at the table is to come in."""
    return render_template(
        "groups/invite.html", roles=ROLE_WORDS.values(), chosen=None, game=asked_game()
    )


@groups.post("/invite")
@needs(Role.MANAGE)
def show_code() -> str:
    """Make a join code, and show it with its QR code."""
    form = NewInviteCodeForm.from_body()
    if not form.validate():
        abort(404)
    chosen = ROLE_WORDS[form.role.data]
    made = in_group(memberships.make_join_code, chosen.role, asker.device, form.game.data)
    return render_template(
        "groups/invite.html",
        roles=ROLE_WORDS.values(),
        chosen=chosen,
        invitation=made.id,
        code=made.code,
        address=address_for_others("invites.open_link", secret=made.code),
        typed_address=(typed_address := address_for_others("invites.show_code_form")),
        leads_nowhere=is_of_one_device(typed_address),
        newest_membership=max(one.membership for one in _devices()),
        is_for_installed_app=form.own.data,
        game=asked_game(),
    )


@groups.get("/invite/live")
@needs(Role.MANAGE)
def joined_devices() -> Response:
    """Who came in since the code was made; nothing where the device shows that already."""
    before = asked_number("since") or 0
    came, names = [one for one in _devices() if one.membership > before], device_names()
    # Goes up, too, when one of them says whose device it is.
    version = max((one.membership for one in came), default=before)
    version += sum(one.player is not None for one in came)
    if version == asked_number("v"):
        return make_response("", 204)
    body = render_template(
        "groups/_arrivals.html",
        arrived_devices=[names[one.device].in_short for one in came],
        version=version,
        since=before,
    )
    return make_response(body)


@groups.post("/invite/<int:invitation>/end")
@needs(Role.MANAGE)
def end_code(invitation: int) -> Response:
    """The page that shows the code was left: the code is over."""
    memberships.end_invitation(db.session(), invitation, asker.device)
    return make_response("", 204)


def _page(
    *,
    naming: GroupNameForm | None = None,
    device: DeviceForm | None = None,
    fault: Notice | None = None,
) -> Response:
    session = db.session()
    session.rollback()
    mine = device_in_group(session, asker.device, asker.group) or abort(404)
    name, called = group_name(session, asker.group), device_names()
    page = render_template(
        "groups/group.html",
        name=name,
        role=ROLE_WORDS[role_of(mine.role)],
        roles=ROLE_WORDS.values(),
        depends_on_this_device=depends_on_one_device(session, asker.group),
        name_form=naming or GroupNameForm(name=render_phrase(name)),
        device_form=_with_players(device or DeviceForm(device=mine.name, player=mine.player)),
        groups=groups_of(session, asker.device),
        devices=[(one, called[one.device], ROLE_WORDS[role_of(one.role)]) for one in _devices()],
        changed_device=asked_number("changed"),
        ways_ended=bool(asked_line("ended")),
        restored_device=asked_number("restored"),
        refusal=fault.message if fault else naming.fault if naming else None,
        refused_device=fault.seat if fault else None,
        game=asked_game(),
        tells_milestones=tells_milestones(session, asker.group),
        saved_part=asked_line("saved"),
    )
    return make_response(page, 422 if naming or device or fault else 200)


def _with_players(form: DeviceForm, *, with_merged: bool = False) -> DeviceForm:
    """The form with whom one can choose; a page may be older than the merge of a player."""
    players = players_of(db.session(), asker.group, with_merged=with_merged)
    form.player.offer(players, none=render_phrase(say("No one")))
    return form


def asked_game() -> str | None:
    """The key of the game from which a page about the group was opened."""
    key = asked_line("game")
    return key if key.isalnum() else None


def _is_in(device: int) -> bool:
    return device_in_group(db.session(), device, asker.group) is not None


def _was_in(device: int) -> bool:
    """Is the device in the group, or was it when this request was sent first?"""
    return _is_in(device) or earlier_request_result(db.session(), current_actor()) is not None


def _devices() -> Sequence[DeviceInGroup]:
    return devices_of(db.session(), asker.group)


def _role(word: str) -> RoleWords:
    return ROLE_WORDS.get(role_of(word)) or abort(404)


def _link_cookie() -> str:
    return f"meldkeeper_link_{asker.group}"


def _remember_link(response: Response, role: str, secret: str | None) -> Response:
    """Let this device, and it alone, show a link again: only its hash is kept here.

    For a repeated request there is no secret.
    """
    if secret is None:
        return response
    path = url_for("groups.link", role=role, game=None)
    keep_cookie(response, _link_cookie(), secret, _TEN_YEARS, path)
    return response
