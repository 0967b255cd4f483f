"""Who was put out is out: nothing that a device made lets anybody in once it may not do that.

A random history of one group is played by phones, with codes, links and tokens of all kinds; a
model of one rule says who is in and what still lets in. `MELDKEEPER_HISTORIES` says how many.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import IPv4Network

from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from app.actions.groups import Role, secret_hash
from app.actions.memberships import make_link
from app.actions.requests import Actor
from app.extensions import db, limiter
from app.store.engine import meaning_to_write
from app.store.groups import Device
from tests.web_table import PlainGame

HISTORIES = int(os.environ.get("MELDKEEPER_HISTORIES", "8"))
STEPS = 15
_ADDRESSES = IPv4Network("10.0.0.0/8").hosts()


@dataclass(eq=False)
class Way:
    """A code, link or token, as the model knows it."""

    kind: str
    secret: str
    role: Role
    maker: "Phone | None"
    """None: the shell."""
    stint: int
    """Which of its times as manager the maker made it in."""
    ended: bool = False

    @property
    def good(self) -> bool:
        return not self.ended and (self.maker is None or self.maker.stint == self.stint)


@dataclass(eq=False)
class Phone:
    """A browser, as the model knows it."""

    client: FlaskClient
    role: Role | None = None
    stint: int | None = None
    came_by: Way | None = None
    let_in_by: "Phone | None" = None


@dataclass(eq=False)
class Phones:
    """The phones of one history, and what they made."""

    app: Flask
    phones: list[Phone] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    stints: int = 0

    def new(self) -> Phone:
        self.phones.append(Phone(self.app.test_client()))
        return self.phones[-1]

    def ask(self, client: FlaskClient, method: str, address: str, data=None, **headers: str):
        """Each request comes from another address, so that no limit on guesses is met."""
        where = {"REMOTE_ADDR": str(next(_ADDRESSES))}
        return client.open(
            address, method=method, data=data, environ_overrides=where, headers=headers
        )

    def number_of(self, phone: Phone) -> int:
        secret = phone.client.get_cookie("meldkeeper").value
        with self.app.app_context():
            asked = select(Device.id).where(Device.secret_hash == secret_hash(secret))
            return db.session.scalars(asked).one()

    def becomes(self, phone: Phone, role: Role | None) -> None:
        if role != Role.MANAGE:
            phone.stint = None
        elif phone.role != Role.MANAGE:
            self.stints += 1
            phone.stint = self.stints
        phone.role = role

    def goes_out(self, phones: set[Phone]) -> None:
        for phone in phones:
            self.becomes(phone, None)
            phone.came_by = phone.let_in_by = None

    def devices_invited_by(self, phones: set[Phone], but: Phone | None) -> set[Phone]:
        found: set[Phone] = set()
        while (
            fresh := {
                one
                for one in self.phones
                if one.let_in_by in (phones | found) - {but} and one.role and one is not but
            }
            - found
        ):
            found |= fresh
        return found

    @property
    def managing(self) -> list[Phone]:
        return [phone for phone in self.phones if phone.role == Role.MANAGE]


class Histories(RuleBasedStateMachine):
    """What people do to let each other in and put each other out."""

    app: Flask

    @initialize()
    def begin(self) -> None:
        limiter.reset()  # each history begins with a group from the same address
        self.all = Phones(self.app)
        founder = self.all.new()
        game = PlainGame(founder.client, "")
        form = {"variant": "frustration", "player": ["Anna", "Ben"]}
        assert self.all.ask(game.client, "POST", "/games", form).status_code == 303
        self.all.becomes(founder, Role.MANAGE)

    def manager(self, data: st.DataObject) -> Phone:
        return data.draw(st.sampled_from(self.all.managing))

    @rule(data=st.data(), role=st.sampled_from(Role))
    def a_manager_shows_a_code(self, data: st.DataObject, role: Role) -> None:
        phone = self.manager(data)
        page = self.all.ask(phone.client, "POST", "/group/invite", {"role": role.slug})
        code = re.search(r'class="code"[^>]*>([^<]+)<', page.get_data(as_text=True))[1]
        for way in self.all.ways:
            way.ended |= way.kind == "code" and way.maker is phone
        self._made("code", code.replace(" ", ""), role, phone)

    @rule(data=st.data(), role=st.sampled_from(Role))
    def a_manager_makes_a_token(self, data: st.DataObject, role: Role) -> None:
        phone, form = self.manager(data), {"name": "board", "role": role.slug}
        page = self.all.ask(phone.client, "POST", "/group/tokens", form).get_data(as_text=True)
        secret = re.search(r'value="([\w-]{43})"', page)
        if secret:  # there are at most 20
            self._made("token", secret[1], role, phone)

    @rule(data=st.data(), role=st.sampled_from(Role), keep=st.booleans())
    def a_manager_makes_or_replaces_a_link(
        self, data: st.DataObject, role: Role, keep: bool
    ) -> None:
        phone = self.manager(data)
        form = {"keep": "yes"} if keep else {}
        self.all.ask(phone.client, "POST", f"/group/links/{role.slug}", form)
        old = [way for way in self.all.ways if way.kind == "link" and way.role == role]
        came = {
            one
            for one in self.all.phones
            if one.role and one.came_by in old and not one.came_by.ended
        }
        if not keep:
            came -= {phone}
            self.all.goes_out(came | self.all.devices_invited_by(came, phone))
        self._replace(role, self._shown_link(phone, role), phone)

    @rule(data=st.data(), role=st.sampled_from(Role))
    def the_shell_replaces_a_link(self, data: st.DataObject, role: Role) -> None:
        manager = self.all.number_of(self.manager(data))
        with self.app.app_context(), meaning_to_write():
            group = db.session.get_one(Device, manager).group_id
            assert group is not None
            actor = Actor(None, datetime.now(UTC))
            secret = make_link(db.session(), actor, group, role, keep=True)
        self._replace(role, secret, None)

    @precondition(lambda self: self.all.ways)
    @rule(data=st.data(), known=st.booleans())
    def somebody_tries_a_way_in(self, data: st.DataObject, known: bool) -> None:
        way = data.draw(st.sampled_from(self.all.ways))
        if way.kind == "token":
            return
        phone = data.draw(st.sampled_from(self.all.phones)) if known else self.all.new()
        if way.kind == "code":
            answer = self.all.ask(phone.client, "POST", "/join", {"code": way.secret})
        else:
            answer = self.all.ask(phone.client, "POST", f"/join/{way.secret}")
        assert (answer.status_code == 303) == way.good
        if way.good and (phone.role or 0) < way.role:
            self.all.becomes(phone, way.role)
            phone.came_by = way if way.kind == "link" else None
            phone.let_in_by = way.maker

    @rule(data=st.data())
    def a_manager_puts_somebody_out(self, data: st.DataObject) -> None:
        phone = self.manager(data)
        other = data.draw(st.sampled_from(self.all.phones))
        if other is phone or other.role is None:
            return
        number = self.all.number_of(other)
        address = f"/group/devices/{number}/put-out"
        assert self.all.ask(phone.client, "POST", address).status_code == 303
        let_in = self.all.devices_invited_by({other}, phone)
        self.all.goes_out({other})
        if data.draw(st.booleans(), label="and whom it let in"):
            self.all.ask(phone.client, "POST", f"/group/devices/{number}/put-out-let-in")
            self.all.goes_out(let_in)
        if data.draw(st.booleans(), label="and replaces the links"):
            address = f"/group/devices/{number}/replace-links"
            assert self.all.ask(phone.client, "POST", address).status_code == 303
            good = [way for way in self.all.ways if way.kind == "link" and way.good]
            for way in good:
                self._replace(way.role, self._shown_link(phone, way.role), phone)

    @precondition(lambda self: len(self.all.managing) > 1)
    @rule(data=st.data())
    def a_manager_leaves(self, data: st.DataObject) -> None:
        phone = self.manager(data)
        assert self.all.ask(phone.client, "POST", "/group/leave").status_code == 303
        self.all.goes_out({phone})

    @rule(data=st.data(), role=st.sampled_from(Role))
    def a_manager_changes_a_role(self, data: st.DataObject, role: Role) -> None:
        phone = self.manager(data)
        other = data.draw(st.sampled_from(self.all.phones))
        if other.role is None:
            return
        address = f"/group/devices/{self.all.number_of(other)}/role"
        answer = self.all.ask(phone.client, "POST", address, {"role": role.slug})
        if self.all.managing == [other] and role < Role.MANAGE:
            assert answer.status_code == 422
            return
        assert answer.status_code == 303
        if role > other.role:
            other.let_in_by = phone
        if role != other.role:
            other.came_by = None
        self.all.becomes(other, role)

    def teardown(self) -> None:
        """At the end of each history: who is in, and what still lets in."""
        statuses = {None: 404, Role.WATCH: 403, Role.SCORE: 403, Role.MANAGE: 200}
        for phone in self.all.phones:
            answer = self.all.ask(phone.client, "GET", "/group/tokens")
            assert answer.status_code == statuses[phone.role]
        stranger = self.app.test_client()
        for way in self.all.ways:
            if way.kind == "token":
                shown = f"Bearer {way.secret}"
                answer = self.all.ask(stranger, "GET", "/api/v1/games", Authorization=shown)
                assert answer.status_code == (200 if way.good else 401)
            else:
                answer = self.all.ask(stranger, "GET", f"/join/{way.secret}")
                assert answer.status_code == (200 if way.good else 410)

    def _made(self, kind: str, secret: str, role: Role, maker: Phone | None) -> Way:
        way = Way(kind, secret, role, maker, (maker.stint if maker else None) or 0)
        self.all.ways.append(way)
        return way

    def _replace(self, role: Role, secret: str, maker: Phone | None) -> None:
        old = [way for way in self.all.ways if way.kind == "link" and way.role == role and way.good]
        made = self._made("link", secret, role, maker)
        for way in old:
            way.ended = True
            for phone in self.all.phones:
                if phone.came_by is way:
                    phone.came_by = made

    def _shown_link(self, phone: Phone, role: Role) -> str:
        page = self.all.ask(phone.client, "GET", f"/group/links/{role.slug}")
        return re.search(r"/join/([\w-]+)", page.get_data(as_text=True))[1]


def test_nothing_that_a_device_made_lets_in_once_it_may_not_let_in_itself(app: Flask):
    machine: Callable[[], Histories] = type("Bound", (Histories,), {"app": app})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=HISTORIES, stateful_step_count=STEPS, deadline=None)
    )
