"""A game as a browser without scripts plays it: plain pages, plain form posts."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from werkzeug.test import TestResponse

from tests.builders import who_laid_down

if TYPE_CHECKING:
    from tests.servers import Answer


class _Forms(HTMLParser):
    """What inputs and choices of a page's forms would send; of a choice the last value counts."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[tuple[str, str]] = []
        self._choice = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._choice = of.get("name", "")
        if tag == "option" and self._choice:
            known = self._choice in dict(self.fields)
            if "selected" in of or not known:
                self.fields.append((self._choice, of.get("value", "")))
        if tag != "input" or "name" not in of:
            return
        if of.get("type") in ("checkbox", "radio") and "checked" not in of:
            return
        self.fields.append((of["name"], of.get("value", "on")))


def fields_of(page: str, form: str) -> dict[str, str]:
    """What a browser would send of the form with that id, but for text areas."""
    reader = _Forms()
    reader.feed(page.split(f'id="{form}"')[1].split("</form>", maxsplit=1)[0])
    return dict(reader.fields)


def shown_fields(page: str) -> list[tuple[str, str]]:
    """All that the forms of a page would send, each name with its value; of a choice the last."""
    reader = _Forms()
    reader.feed(page)
    texts = re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\s*([^<]*)</textarea>', page)
    return [*reader.fields, *((name, unescape(text.rstrip())) for name, text in texts)]


@dataclass
class PlainGame:
    """A game in a browser without scripts; seats are named by their players."""

    client: Any
    """A `FlaskClient`, or an `Http`."""
    key: str
    seats: dict[str, int] = field(default_factory=dict)

    @classmethod
    def started(cls, client: Any, variant_id: str, names: str, **fields: Any) -> "PlainGame":
        answer = client.post(
            "/games", data={"variant": variant_id, "player": names.split(), **fields}
        )
        assert answer.status_code == 303, answer.get_data(as_text=True)
        return cls.known(client, answer.location.rsplit("/", 1)[1])

    @classmethod
    def known(cls, client: Any, key: str) -> "PlainGame":
        """A game that goes on."""
        game = cls(client, key)
        pairs = re.findall(r'id="row-(\d+)".*?row-name">([^<]+)<', game.page, re.DOTALL)
        game.seats = {name: int(seat) for seat, name in pairs}
        return game

    @property
    def page(self) -> str:
        return self.client.get(f"/games/{self.key}").get_data(as_text=True)

    def sent(self, out: str = "", met: str = "", **typed: str) -> dict[str, str]:
        """What the form of the open round sends after these taps and typings.

        Who has few points left laid down, where there are contracts.
        """
        page = self.page
        sent = fields_of(page, "round")
        if out:
            sent["out"] = str(self.seats[out])
        for name in who_laid_down(out, met, typed).split():
            if (met_field := f"{self.seats[name]}-met") in page:
                sent[met_field] = "on"
        for name, text in typed.items():
            sent[f"{self.seats[name]}-typed"] = text
        return sent

    def keep(self, number: int, **taps: str) -> None:
        """Save what is entered in the open round, as a browser without scripts does."""
        answer = self.client.post(f"/games/{self.key}/rounds/{number}/save", data=self.sent(**taps))
        assert answer.status_code == 303, answer.get_data(as_text=True)

    def close(
        self, number: int, sent: dict[str, Any] | None = None, /, **taps: str
    ) -> "TestResponse | Answer":
        data = self.sent(**taps) if sent is None else sent
        return self.client.post(f"/games/{self.key}/rounds/{number}/close", data=data)

    def close_anyway(self, number: int, **taps: str) -> "TestResponse | Answer":
        """End a round, whatever warnings are to be confirmed."""
        answer = self.close(number, **taps)
        if answer.status_code == 303:
            return answer
        page = answer.get_data(as_text=True)
        marks = [unescape(one) for one in re.findall(r'name="accepted" value="([^"]+)"', page)]
        return self.close(number, {**fields_of(page, "round"), "accepted": marks})
