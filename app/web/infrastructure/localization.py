"""The language of a page: which one is asked for, and sentences, numbers and dates in it.

A language is one file in `app/translations/`, its catalogue, named by its code (`fr.po`). It holds
sentences, the letters of cards, and the words that are read where contracts and searches are typed.
Catalogues are read as they are, so that nothing has to be compiled and nothing can be out of date.
English needs none: it stands in the code. `make words` brings the catalogues up to date with the
code. What is said stands in templates and in the phrases of the other packages.
"""

import io
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, localcontext
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError, numbers
from babel.dates import format_date, format_datetime, format_time, get_date_format
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, Response, request
from jinja2 import pass_context
from jinja2.runtime import Context

from app.config import TOP
from app.exchange.days import day_of, is_day_alone
from app.rules.cards import to_typed_letters
from app.rules.phrases import Phrase, Translate
from app.web.infrastructure.asker import asker

CATALOGUES = TOP / "app/translations"
ENGLISH = "en"
COOKIE = "language"


def register(app: Flask) -> None:
    """Let every page be in the language that its reader asks for."""
    environment = app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # the extension brings it
        gettext=lambda text: translate(text, None, None), ngettext=translate, newstyle=True
    )
    of_language: dict[str, Callable[..., str]] = {
        "words": in_words,
        "typed": as_typed,
        "number": format_number,
        "decimal": format_decimal,
        "signed": format_signed,
        "day": format_day,
        "moment": format_moment,
        "short_moment": format_short_moment,
    }
    environment.filters.update(
        {name: _for_each_reader(how) for name, how in of_language.items()}, capital=with_capital
    )
    environment.tests["day_alone"] = is_day_alone
    environment.globals.update(
        current_language=current_language, current_locale=current_locale, languages=languages
    )

    @app.after_request
    def add_language_header(response: Response) -> Response:
        if response.mimetype in {"text/html", "text/csv"}:
            response.vary.update(("Accept-Language", "Cookie"))
            response.headers.setdefault("Content-Language", current_language().replace("_", "-"))
        return response


def _for_each_reader(how: Callable[..., str]) -> Callable[..., str]:
    """A filter that each page asks anew.

    Without a context Jinja would apply it to constants once, in one reader's language.
    """

    @pass_context
    def shown(_context: Context, *args: Any, **named: Any) -> str:
        return how(*args, **named)

    return shown


def languages() -> Mapping[str, str]:
    """The languages that the app speaks: their codes, and what each calls itself."""
    return _languages_in(CATALOGUES)


def current_language() -> str:
    """The code of the language of this request: chosen on this device, or the browser's wish."""
    known = asker.language
    if not known:
        chosen = request.cookies.get(COOKIE, "")
        known = asker.language = chosen if chosen in languages() else _preferred_language()
    return known


def current_locale() -> str:
    """The language of this request and, where the browser wishes it so, its region: en_GB.

    Days and times are written as there; nothing else differs.
    """
    known = asker.locale
    if not known:
        language = current_language()
        wished = _wished_languages()
        regional = (one for one in wished if one.lower().startswith(f"{language}_".lower()))
        known = asker.locale = next(filter(_locale_of, regional), language)
    return known


def render_phrase(phrase: Phrase | str) -> str:
    """A phrase, or a text of a rule set, in the page's language."""
    if isinstance(phrase, str):
        phrase = Phrase(phrase)
    return phrase.render(translate, format_number, lambda day: _format_date(date(*day)))


_FORMULA = re.compile(r"\d+(?: [–×=+] \d+)+|\b(?:[AJQKVDR]|\d+)(?:-(?:[AJQKVDR]|\d+)\b)+")
_LINE_OF_A_SMALL_PHONE = 30


def in_words(phrase: Phrase | str) -> str:
    """A phrase as a page shows it: what is one formula, such as 3 × 5 = 15 or Q-K-A-2, on one line.

    One that is longer than a line breaks between its parts.
    """
    return _FORMULA.sub(_on_one_line, render_phrase(phrase))


def _on_one_line(formula: re.Match[str]) -> str:
    if len(formula[0]) > _LINE_OF_A_SMALL_PHONE:
        return formula[0]
    return formula[0].replace(" ", "\u00a0").replace("-", "-\u2060")


def as_typed(cards: str) -> str:
    """A text of cards in our letters, as it is typed in the page's language."""
    return to_typed_letters(cards, translate)


def translate(text: str, plural: str | None, count: int | None) -> str:
    """A text in the page's language, or its plural for that count, its places not yet filled."""
    known = asker.catalogue
    if known is None:
        known = asker.catalogue = _catalogue_of(current_language())
    return _look_up(known, text, plural, count)


def own_translator() -> Translate:
    """What translates into the page's language, after its request, too."""
    return partial(_look_up, _catalogue_of(current_language()))


def all_translators() -> tuple[Translate, ...]:
    """What translates into each language, for what is read in whatever language it is typed."""
    return tuple(partial(_look_up, _catalogue_of(code)) for code in languages())


def _look_up(known: NullTranslations, text: str, plural: str | None, count: int | None) -> str:
    if plural is None or count is None:
        # An empty text is the catalogue's own header.
        return known.gettext(text) if text else text
    return known.ngettext(text, plural, abs(count))


def format_number(value: int) -> str:
    """A whole number as the language writes it: 1,250 or 1 250; below zero with a minus sign."""
    return _written(value, "#,##0", current_language())


def format_decimal(value: float | None) -> str:
    """A number with one digit after the point, or after the comma; a dash for none.

    Halves are rounded away from 0, as people do: 2.25 is 2.3.
    """
    if value is None:
        return "–"
    with localcontext(rounding=ROUND_HALF_UP):
        return numbers.format_decimal(value, format="#,##0.0", locale=current_language())


def format_signed(value: int) -> str:
    """A whole number with its sign: +15, −25, +0."""
    return _written(value, "+#,##0;-#,##0", current_language())


@lru_cache(maxsize=5000)
def _written(value: int, pattern: str, language: str) -> str:
    return numbers.format_decimal(value, format=pattern, locale=language).replace("-", "−")


def today() -> date:
    """The day that it is where the server stands."""
    return datetime.now(UTC).astimezone().date()


def format_day(at: datetime) -> str:
    """A day in words: Nov 21, 2026, 21 Nov 2026 or 21 nov. 2026; by `day_of`."""
    return _format_date(day_of(at))


def format_written_day(text: str) -> str:
    """A day that documents write, 2026-11-21, as `format_day` does; any other text as it is."""
    try:
        return _format_date(date.fromisoformat(text))
    except ValueError:
        return text


_FIRSTS = {"fr": "er"}
"""What stands behind the number of the first of a month, where a language has that alone."""


def _format_date(day: date) -> str:
    locale = current_locale()
    pattern = get_date_format("medium", locale).pattern
    if day.day == 1 and (first := _FIRSTS.get(current_language())):
        pattern = re.sub(r"\bd\b", f"d'{first}'", pattern)
    return format_date(day, pattern, locale=locale)


def format_month(year: int, month: int) -> str:
    """A month in short: Nov 26, or nov. 26."""
    return format_date(date(year, month, 1), "MMM yy", locale=current_language())


def format_moment(at: datetime) -> str:
    """A day and the time of day as browsers write them, by the clock of the server."""
    at = at.astimezone()
    time = format_time(at, "short", tzinfo=at.tzinfo, locale=current_locale())
    return f"{_format_date(at)}, {time}"


def format_short_moment(at: datetime) -> str:
    """A day and the time of day in digits, by the clock of the server."""
    at = at.astimezone()
    return format_datetime(at, "short", tzinfo=at.tzinfo, locale=current_locale())


@cache
def catalogue(file: Path) -> NullTranslations:
    """The catalogue in a file; one that leaves the English as it is where there is none."""
    if not file.exists():
        return NullTranslations()
    compiled = io.BytesIO()
    with file.open("rb") as written:
        write_mo(compiled, read_po(written, locale=file.stem))
    compiled.seek(0)
    return Translations(compiled)


@cache
def _languages_in(folder: Path) -> Mapping[str, str]:
    codes = sorted({ENGLISH, *(file.stem for file in folder.glob("*.po"))})
    return {code: _own_language_name(code) for code in codes}


def _locale_of(code: str) -> Locale | None:
    try:
        return Locale.parse(code)
    except (ValueError, UnknownLocaleError):
        return None


def _own_language_name(code: str) -> str:
    known = _locale_of(code)
    return with_capital((known and known.get_language_name()) or code)


def with_capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _preferred_language() -> str:
    """The first of the browser's languages that the app speaks, its region aside if need be.

    English where it speaks none of them.
    """
    known = languages()
    for code in _wished_languages():
        for one in (code, code.partition("_")[0].lower()):
            if one in known:
                return one
    return ENGLISH


def _wished_languages() -> list[str]:
    """The codes of the languages that the browser asks for, best first; none that it refuses."""
    return [wish.replace("-", "_") for wish, quality in request.accept_languages if quality]


def _catalogue_of(code: str) -> NullTranslations:
    return catalogue(CATALOGUES / f"{code}.po")
