"""The language that a device chose, and the address that keeps it."""

from flask import Blueprint, Response, make_response, redirect, url_for

from app.web.infrastructure.access import open_to_all
from app.web.infrastructure.forms import PageForm, TextField
from app.web.infrastructure.headers import keep_cookie
from app.web.infrastructure.localization import COOKIE, languages


class LanguageForm(PageForm):
    """The language that was chosen, and the page to go back to."""

    language = TextField(20)
    back = TextField(2000)


language = Blueprint("language", __name__)


@language.post("/language")
@open_to_all
def choose() -> Response:
    """Show this device its pages in another language from now on."""
    form = LanguageForm.from_body()
    back, chosen = (form.back.data, form.language.data) if form.validate() else ("", "")
    response = make_response(redirect(_page_to_show(back), 303))
    if chosen in languages():
        keep_cookie(response, COOKIE, chosen)
    return response


def _page_to_show(address: str) -> str:
    """The page that the form stood on; the first page for any address that is not our own."""
    ours = (
        address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    )
    return address.removesuffix("?") if ours else url_for("home.index")
