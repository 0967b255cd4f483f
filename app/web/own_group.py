"""The group that something new is kept in: this device's own, made quietly where there is none."""

from dataclasses import replace

from flask import abort, current_app, g

from app.actions.by import By
from app.actions.groups import Role, let_in_first_device, secret_hash
from app.extensions import db
from app.web.access import asker, asking, may
from app.web.idempotency import keyed_request


def group_to_keep_in() -> tuple[int, By, str]:
    """The group in which this device may score, who asks, and a new device's secret ("" if known).

    Refused with 403 where a group would have to be made and the host closed the making of them.
    """
    group, by = g.group, asking()
    if group is not None and may(Role.SCORE):
        return group, by, ""
    if not current_app.config["NEW_GROUPS"]:
        abort(403)
    joined = let_in_first_device(db.session(), asker(), by.at)
    sender = secret_hash(joined.secret) if joined.secret else g.sender
    by = replace(
        by,
        device=joined.device,
        request=keyed_request(sender, joined.group),
        device_name=asker().name,
    )
    return joined.group, by, joined.secret
