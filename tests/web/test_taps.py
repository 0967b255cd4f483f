"""A tap is answered with what it changed, where the phone shows all the rest already."""

import html
import random
import re
from html.parser import HTMLParser

import pytest

from tests.web.test_interface import Program, token_for
from tests.web_table import PlainGame, fields_of

HTMX = {"HX-Request": "true"}
VOID = {"input", "br", "hr", "img", "meta", "link"}
DRAWN = re.compile(
    r'(name="(?:csrf_token|request_key)" value=")[^"]*'
    r'|<div id="told-change".*?</div>',
    re.DOTALL,
)


class Elements(HTMLParser):
    """Where each element with an id stands in a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._lines = [0, *(place.end() for place in re.finditer("\n", text))]
        self._open: list[tuple[str, str | None, int]] = []
        self.found: dict[str, tuple[int, int]] = {}
        self.feed(text)

    @property
    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs) -> None:
        if tag not in VOID:
            self._open.append((tag, dict(attrs).get("id"), self._place))

    def handle_endtag(self, tag: str) -> None:
        opened, name, start = self._open.pop()
        assert opened == tag
        if name:
            self.found[name] = (start, self._place + len(f"</{tag}>"))


def put_in(page: str, parts: str) -> str:
    """The page with each part of an answer in the place of the element with its id."""
    places = Elements(parts).found
    whole = places.pop("game")
    outermost = [
        name
        for name, (start, end) in places.items()
        if not any(a < start and end < b for a, b in places.values())
    ]
    assert whole
    for name in outermost:
        (start, end), (from_, to) = Elements(page).found[name], places[name]
        page = page[:start] + parts[from_:to] + page[end:]
    version = re.search(r'data-version="\d+"', parts)
    assert version
    return re.sub(r'data-version="\d+"', version[0], page, count=1)


class Phone:
    """A phone that shows a game, taps, and puts the answers in as its script does."""

    def __init__(self, game: PlainGame) -> None:
        self.game, self.parts, self.answer = game, 0, ""
        self.shows = self.asked_anew()

    def asked_anew(self, order: str = "") -> str:
        address = f"/games/{self.game.key}?order={order}"
        return self.game.client.get(address, headers=HTMX).get_data(as_text=True)

    def tap(self, changed: str, **fields: str) -> None:
        version = re.search(r'data-version="(\d+)"', self.shows)
        assert version
        sent = {"changed": changed, "seen": version[1], **fields}
        if "data-no-messages" in self.shows:
            sent["shows"] = version[1]
        address = f"/games/{self.game.key}/rounds/2/row"
        self.answer = self.game.client.post(address, data=sent, headers=HTMX).get_data(as_text=True)
        if "data-from" in self.answer:
            self.shows, self.parts = put_in(self.shows, self.answer), self.parts + 1
        else:
            self.shows = self.answer


def drawn(page: str) -> str:
    """A page without what is drawn anew for each answer, or seen to by scripts alone."""
    return DRAWN.sub(r"\1", page)


def some_tap(chance: random.Random, seats: list[int]) -> tuple[str, dict[str, str]]:
    seat = chance.choice(seats)
    kind = chance.choice(["met", "typed", "typed", "out", "nobody", "counted", "first_down"])
    if kind == "met":
        return f"{seat}-met", {f"{seat}-met": chance.choice(["", "on"])}
    if kind == "typed":
        typed = chance.choice(["", "5", "12", "10+15", "no number", "130"])
        return f"{seat}-typed", {f"{seat}-typed": typed}
    if kind == "counted":
        numbers = {f"{seat}-counted-{place}": str(chance.randint(0, 2)) for place in range(4)}
        return f"{seat}-counted", numbers
    if kind == "first_down":
        return "first_down", {"first_down": str(seat)}
    return "out", {"out": chance.choice(["nobody", ""]) if kind == "nobody" else str(seat)}


@pytest.mark.parametrize("seed", range(3))
def test_a_page_with_what_a_tap_changed_put_in_is_the_page_as_it_stands(a_running_game, seed):
    phone, chance = Phone(a_running_game), random.Random(seed)
    seats = list(a_running_game.seats.values())
    for _ in range(40):
        changed, fields = some_tap(chance, seats)
        phone.tap(changed, **fields)
        if "data-no-messages" in phone.shows:
            assert drawn(phone.shows) == drawn(phone.asked_anew())
    assert phone.parts > 20


def test_a_tap_that_concerns_one_row_is_answered_with_that_row(a_running_game):
    phone, ben = Phone(a_running_game), a_running_game.seats["Ben"]
    phone.tap(f"{ben}-met", **{f"{ben}-met": "on"})
    assert re.findall(r'id="row-(\d+)"', phone.answer) == [str(ben)]
    assert len(phone.answer) < len(phone.shows) / 2


def test_the_tapped_row_is_shown_as_it_is_kept_though_the_tap_said_nothing_new(a_running_game):
    phone, ben = Phone(a_running_game), a_running_game.seats["Ben"]
    phone.tap(f"{ben}-typed", **{f"{ben}-typed": "  "})
    assert re.findall(r'id="row-(\d+)"', phone.answer) == [str(ben)]
    assert f'name="{ben}-typed" value=""' in phone.answer


def test_who_has_not_seen_what_another_phone_changed_is_answered_with_the_whole_game(
    a_running_game,
):
    phone, other = Phone(a_running_game), Phone(a_running_game)
    ben, cleo = a_running_game.seats["Ben"], a_running_game.seats["Cleo"]
    other.tap(f"{cleo}-typed", **{f"{cleo}-typed": "25"})
    phone.tap(f"{ben}-met", **{f"{ben}-met": "on"})
    assert phone.parts == 0
    assert drawn(phone.shows) == drawn(phone.asked_anew())


def test_the_rows_keep_their_order_when_a_tap_is_answered_with_the_whole_game(a_running_game):
    phone, ben = Phone(a_running_game), a_running_game.seats["Ben"]
    phone.shows = phone.shows.replace("data-no-messages", "")
    phone.tap(f"{ben}-met", order="standing", **{f"{ben}-met": "on"})
    assert drawn(phone.answer) == drawn(phone.asked_anew("standing"))
    assert 'name="order" value="standing"' in phone.answer


MEANWHILE = (
    ("close", "Round 3"), ("stop", None), ("reopen", "Round 3"),
    ("rounds/2/undo", "Round 2"), ("stop", None),
    ("rounds/1/undo", "Round 1"), ("stop", None), ("reopen", "Round 1"),
    ("close", "Round 2"), ("players/{ben}/leave", "Round 2"),
)  # fmt: skip
"""What others do after a tap on round 2, and the round that is open then, if any is."""


@pytest.mark.parametrize(
    "tap", ["{ben}-typed 15", "{ben}-met on", "out {ben}", "out nobody", "first_down {ben}"]
)
def test_a_repeated_tap_leaves_the_page_as_it_stands_whatever_became_of_its_round(
    a_running_game, tap
):
    """The first answer was lost; each time, the phone has been loaded anew."""
    game, phone, ben = a_running_game, Phone(a_running_game), a_running_game.seats["Ben"]
    changed, value = tap.format(ben=ben).split()
    sent = {changed: value, "seen": game.sent()["seen"], "request_key": "lost on the way"}
    phone.tap(changed, **sent)
    for address, open_round in MEANWHILE:
        if address == "close":
            number = int(re.findall(r"/rounds/(\d+)/close", game.page)[0])
            assert game.close_anyway(number, out="Anna", Ben="15", Cleo="30").status_code == 303
        else:
            game.client.post(f"/games/{game.key}/{address.format(ben=ben)}")
        phone.shows = phone.asked_anew()
        assert "data-no-messages" in phone.shows
        assert re.findall(r"<h2[^>]*>(Round \d+)<", phone.shows) == [open_round] * bool(open_round)
        phone.tap(changed, **sent)
        assert drawn(phone.shows) == drawn(phone.asked_anew())


@pytest.mark.parametrize("kind", ["typed", "out", "nobody", "first_down"])
@pytest.mark.parametrize("number", [0, 3])
def test_a_tap_for_a_round_that_was_never_open_or_not_yet_again_is_never_called_kept(
    a_running_game, number, kind
):
    """Another phone took it back, perhaps: this one says what it lost."""
    game, ben = a_running_game, a_running_game.seats["Ben"]
    taps = {
        "typed": {"changed": f"{ben}-typed", f"{ben}-typed": "35"},
        "out": {"changed": "out", "out": str(ben)},
        "nobody": {"changed": "out", "out": "nobody"},
        "first_down": {"changed": "first_down", "first_down": str(ben)},
    }
    before = game.sent()["seen"]
    for headers, refused in ((HTMX, 410), ({}, 409)):
        address = f"/games/{game.key}/rounds/{number}/row"
        assert game.client.post(address, data=taps[kind], headers=headers).status_code == refused
    assert game.sent()["seen"] == before


@pytest.mark.parametrize("chosen", ["Ben", "nobody"])
def test_who_went_out_is_taken_back_and_that_can_be_undone(a_running_game, chosen):
    game, phone = a_running_game, Phone(a_running_game)
    value = str(game.seats.get(chosen, chosen))
    phone.tap("out", out=value)
    assert fields_of(game.page, "round")["out"] == value
    phone.tap("out", out="")
    assert "out" not in fields_of(phone.shows, "round")
    assert "out" not in fields_of(game.page, "round")
    activity = game.client.get(f"/games/{game.key}/activity").get_data(as_text=True)
    assert ("Ben didn’t go out" if chosen == "Ben" else "Undone: no one went out") in activity
    undo = re.findall(rf"/games/{game.key}/activity/\d+/undo", activity)[0]
    assert game.client.post(undo).status_code == 303
    assert fields_of(game.page, "round")["out"] == value


def test_who_went_out_is_not_taken_back_late_over_what_another_device_said(app, a_running_game):
    game, phone = a_running_game, Phone(a_running_game)
    cleo = game.seats["Cleo"]
    phone.tap("out", out=str(game.seats["Ben"]))
    program = Program(app.test_client(), token_for(game.client, "score"))
    program.ask("PUT", f"/games/{game.key}/rounds/2/rows/{cleo}", went_out=True)
    phone.tap("out", out="")
    assert fields_of(game.page, "round")["out"] == str(cleo)
    assert re.findall("<dd>(.*?)</dd>", phone.answer) == ["Cleo went out", "Nothing entered"]


def test_who_laid_down_first_is_taken_back_and_then_nobody_has_said_who(app, a_running_game):
    game, phone = a_running_game, Phone(a_running_game)
    phone.tap("first_down", first_down=str(game.seats["Ben"]))
    activity = f"/games/{game.key}/activity"
    undo = re.findall(rf"{activity}/\d+/undo", game.client.get(activity).get_data(as_text=True))[0]
    assert game.client.post(undo).status_code == 303
    shown = html.unescape(game.client.get(activity).get_data(as_text=True))
    assert "Undone: Round 2, Ben laid down the last contract first" in shown
    program = Program(app.test_client(), token_for(game.client, "score"))
    program.ask("POST", f"/games/{game.key}/rounds/2/void")
    phone.tap("first_down", first_down=str(game.seats["Anna"]))
    told = ["Nothing entered", "Anna laid down the last contract first"]
    assert re.findall("<dd>(.*?)</dd>", phone.answer) == told


@pytest.mark.parametrize("instead", ["", "nobody", "Cleo"])
def test_points_that_gave_way_to_who_went_out_come_back_when_that_is_put_right(
    a_running_game, instead
):
    game, phone = a_running_game, Phone(a_running_game)
    ben = game.seats["Ben"]
    phone.tap(f"{ben}-typed", **{f"{ben}-typed": "10+15"})
    phone.tap("out", out=str(ben))
    assert fields_of(game.page, "round")[f"{ben}-typed"] == ""
    phone.tap("out", out=str(game.seats.get(instead, instead)))
    for page in (phone.shows, game.page):
        assert fields_of(page, "round")[f"{ben}-typed"] == "10+15"
    phone.tap(f"{ben}-typed", **{f"{ben}-typed": "5"})
    phone.tap("out", out=str(game.seats["Anna"]))
    assert fields_of(game.page, "round")[f"{ben}-typed"] == "5"


def test_cards_that_were_counted_come_back_with_their_points(a_running_game):
    game, phone = a_running_game, Phone(a_running_game)
    ben = game.seats["Ben"]
    shown = fields_of(game.page, "round")
    counted = {name: "0" for name in shown if name.startswith(f"{ben}-counted-")}
    phone.tap(f"{ben}-counted", **counted | {f"{ben}-counted-0": "2"})
    points = fields_of(game.page, "round")[f"{ben}-typed"]
    assert points
    phone.tap("out", out=str(ben))
    phone.tap("out", out=str(game.seats["Cleo"]))
    entered = fields_of(game.page, "round")
    assert (entered[f"{ben}-typed"], entered[f"{ben}-counted-0"]) == (points, "2")


def test_that_points_are_unknown_comes_back_with_them(a_running_game):
    game, phone = a_running_game, Phone(a_running_game)
    unknown = f"{game.seats['Ben']}-not_counted"
    phone.tap(unknown, **{unknown: "yes"})
    assert unknown in fields_of(game.page, "round")
    phone.tap("out", out=str(game.seats["Ben"]))
    assert unknown not in fields_of(game.page, "round")
    phone.tap("out", out=str(game.seats["Cleo"]))
    assert unknown in fields_of(game.page, "round")


@pytest.mark.parametrize("typed", ["ab", "-1", "1."])
@pytest.mark.parametrize("field", ["buys", "counted-0"])
def test_a_count_that_is_no_number_is_refused_and_nothing_is_kept(
    a_running_game: PlainGame, field: str, typed: str
) -> None:
    game, ben = a_running_game, a_running_game.seats["Ben"]
    before, row = fields_of(game.page, "round")["seen"], f"/games/{game.key}/rounds/2/row"
    tap = {"changed": f"{ben}-{field.partition('-')[0]}", f"{ben}-{field}": typed}
    for headers in (HTMX, {}):
        answer = game.client.post(row, data=tap, headers=headers)
        assert answer.status_code == 422
        assert "Enter a number in digits." in html.unescape(answer.get_data(as_text=True))
    sent = game.sent(out="Anna", Ben="5", Cleo="5") | {f"{ben}-{field}": typed}
    closed = game.close(2, sent)
    assert closed.status_code == 422
    assert "Enter a number in digits." in html.unescape(closed.get_data(as_text=True))
    assert fields_of(game.page, "round")["seen"] == before
