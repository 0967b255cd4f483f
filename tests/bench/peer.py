"""The peer of `peers.py`: ihatemoney, served as ours is, and a browser that keeps its accounts.

It is the nearest Flask app that people know: a table of people, what each of them entered, a
history, no accounts. It has an environment of its own (`make` makes it), since it wants older
libraries than we do.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.generator import Request
from tests.servers import Answer, Http, ServerStopped, free_port
from tests.waiting import wait_until

PYTHON = Path(sys.prefix) / "peer/bin/python"
PEOPLE = ("Anna", "Ben", "Cleo", "Dora", "Emil")
BILLS = 30


@contextmanager
def serving_peer(workers: int, threads: int) -> Iterator[int]:
    """The port on which ihatemoney is served, by as many processes and threads as ours."""
    if not PYTHON.exists():
        raise ServerStopped(f"{PYTHON} is missing: `make bench` installs the peer")
    port = free_port()
    command = (
        f"-m gunicorn --workers {workers} --threads {threads} --worker-class gthread "
        f"--bind 127.0.0.1:{port} --keep-alive 75 "
        "--no-control-socket --log-level error ihatemoney.wsgi:application"
    )
    with tempfile.TemporaryDirectory(prefix="mk-peer-") as folder:
        settings = Path(folder) / "ihatemoney.cfg"
        database = f"sqlite:///{folder}/ihatemoney.sqlite"
        settings.write_text(
            f"SQLALCHEMY_DATABASE_URI = {database!r}\nSECRET_KEY = 'only for this measurement'\n"
            "ACTIVATE_DEMO_PROJECT = False\nMAIL_SUPPRESS_SEND = True\n"
        )
        environment = {**os.environ, "IHATEMONEY_SETTINGS_FILE_PATH": str(settings)}
        # It migrates as it is loaded: loaded once, before the processes part.
        process = subprocess.Popen(
            [PYTHON, *command.split(), "--preload"],
            cwd=folder,
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: _answers(port), f"ihatemoney on port {port}")
            yield port
        finally:
            process.terminate()
            process.wait(30)


def _answers(port: int) -> bool:
    try:
        return Http(port).get("/healthcheck").status_code == 200
    except OSError:
        return False


@dataclass
class Project:
    """A project of five people with thirty bills, in a browser that is logged in to it."""

    http: Http
    name: str
    people: list[str] = field(default_factory=list)
    bills: int = 0

    @classmethod
    def of(cls, port: int, name: str) -> "Project":
        """Created, filled and entered as its pages do it."""
        http = Http(port)
        http.token = "its forms carry a token of their own"
        made = cls(http, name)
        form = {"name": name, "password": name, "contact_email": "a@example.com"}
        made._post("/create", "/create", {**form, "default_currency": "XXX"})
        for one in PEOPLE:
            adding = f"/{name}/members/add"
            made._post(adding, adding, {"name": one, "weight": "1"})
        page = http.get(f"/{name}/add").get_data(as_text=True)
        payers = page.split('name="payer"', 1)[1].split("</select>", 1)[0]
        made.people = re.findall(r'value="(\d+)"', payers)
        assert len(made.people) == len(PEOPLE), page
        for _ in range(BILLS):
            made._post(f"/{name}/add", f"/{name}/add", made.bill())
        return made

    def bill(self) -> dict[str, str | list[str]]:
        """The fields of the form for a bill, each time with another sum by another person."""
        self.bills += 1
        return {
            "date": "2026-11-22",
            "what": f"Bill {self.bills}",
            "payer": self.people[self.bills % len(self.people)],
            "amount": str(5 * (1 + self.bills % 30)),
            "original_currency": "XXX",
            "external_link": "",
            "payed_for": self.people,
            "bill_type": "Expense",
            "submit": "Submit",
        }

    def page(self) -> Request:
        """The project's page, again and again."""
        asked = f"GET /{self.name}/ HTTP/1.1\r\n{self._lines}\r\n\r\n".encode()
        return lambda: asked

    def saving(self) -> Request:
        """New bills by the form, one after another."""
        token = self._token(f"/{self.name}/add")
        head = (
            f"POST /{self.name}/add HTTP/1.1\r\n{self._lines}\r\n"
            "Content-Type: application/x-www-form-urlencoded"
        )

        def save() -> bytes:
            body = urlencode({**self.bill(), "csrf_token": token}, doseq=True)
            return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

        return save

    @property
    def _lines(self) -> str:
        return f"Host: localhost\r\nCookie: {self.http.cookies}"

    def _post(self, form: str, address: str, fields: dict[str, str | list[str]]) -> Answer:
        answer = self.http.post(address, {**fields, "csrf_token": self._token(form)})
        assert answer.status_code == 302, answer.body
        return answer

    def _token(self, form: str) -> str:
        page = self.http.get(form)
        found = re.search(rb'name="csrf_token"[^>]*value="([^"]+)"', page.body)
        assert found, page.body
        return found[1].decode()


def bills_of_projects(port: int, projects: int) -> list[Request]:
    """New bills in so many projects, each by a browser of its own."""
    return [Project.of(port, f"table-{number}").saving() for number in range(projects)]
