"""The group that something new is kept in: this device's own, made quietly where there is none."""

from dataclasses import replace

from flask import abort, current_app

from app.actions.actor import Actor
from app.actions.groups import AdmittedDevice, Role, let_in_first_device, secret_hash
from app.extensions import db
from app.web.infrastructure.access import asking_browser, current_actor, may
from app.web.infrastructure.asker import asker
from app.web.infrastructure.idempotency import keyed_request
from app.web.infrastructure.rate_limits import new_groups_of_all, new_groups_of_one


def own_or_new_group() -> tuple[int, Actor]:
    """The group in which this device may score, and who asks.

    Refused with 403 where a group would have to be made and the host closed the making of them.
    """
    group, actor = asker.group_if_any, current_actor()
    if group is not None and may(Role.SCORE):
        return group, actor
    if not current_app.config["NEW_GROUPS"]:
        abort(403)
    joined = _new_group(actor)
    actor = replace(
        actor,
        device=joined.device,
        request=keyed_request(secret_hash(joined.secret), joined.group),
        device_name=asking_browser().name,
    )
    return joined.group, actor


@new_groups_of_all
@new_groups_of_one  # asked first: who is refused by it takes nothing away from the others
def _new_group(actor: Actor) -> AdmittedDevice:
    return let_in_first_device(db.session(), asking_browser(), actor.at)
