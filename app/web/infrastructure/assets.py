"""Static files as they go over the wire: few, named by their content, compressed ahead, kept long.

The files in `static/` are written for people and stay as they are; what a browser is given is made
of them here, in memory, once for each process (`prepare` does it before the first visitor). An
address holds the fingerprint of the content, so a browser may keep it for ever; `assets_version()`
names all of them together: pages and the service worker use it to notice an update.

While servers are replaced one by one, a page of one build may ask a server of another for its
files, so each keeps what it serves in a folder that servers may share (`keep_for_others`).
"""

import gzip
import hashlib
import mimetypes
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

import brotli
from flask import Blueprint, Flask, Response, abort, current_app, request, url_for
from markupsafe import Markup
from rcssmin import cssmin
from rjsmin import jsmin

from app.config import TOP
from app.web.infrastructure.access import open_to_all
from app.web.infrastructure.bundler import bundle

assets = Blueprint("assets", __name__)

STATIC = TOP / "static"
_MODULES = ("meldkeeper", "checker")
"""The modules in `static/js/` that `js/app.js` begins with."""

_VENDORED = ("vendor/idiomorph/idiomorph.min.js", "vendor/htmx/htmx.min.js")
"""The files that `js/app.js` ends with."""

_STYLES = (
    "tokens",
    "base",
    "frame",
    "controls",
    "places",
    "home",
    "round",
    "groups",
    "result",
    "motion",
    "cards",
    "checker",
    "languages",
    "history",
    "offline",
    "forced",
)
"""The files in `static/css/` that are one style sheet together, in the order of the cascade.

Each other file there is a sheet of its own, which some pages load after that one.
"""

_WHERE_SUPPORTED = b'if (document.documentElement.classList.contains("scripts")) {\n%s\n}\n'

_FOR_EVER = "public, max-age=31536000, immutable"
_KEPT_SECONDS = 30 * 24 * 3600
"""How long the files of a build are kept that no server serves any more."""
_KEPT_NAME = re.compile(r"[0-9a-f]{12}\.[a-z0-9]+")
_TEXT = ("text/", "image/svg", "application/json")
_MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file for the browser: its content, by the encodings in which it can be sent."""

    fingerprint: str
    media_type: str
    by_encoding: Mapping[str, bytes]
    """Always `identity`; of text `gzip` and `br`, too."""


def checksum(shown: object) -> int:
    """A number for a picture's address, which changes with what is shown.

    Until a page is left, a browser shows what it has under an address.
    """
    return crc32(repr(shown).encode())


def register(app: Flask) -> None:
    """Let templates name the files, and browsers fetch them."""
    app.register_blueprint(assets)
    app.jinja_env.globals.update(static=address_of, version=assets_version, symbol=symbol)
    app.add_template_filter(checksum)

    @app.after_request
    def add_version_header(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.headers["X-Version"] = assets_version()
        return response


def prepare(app: Flask) -> None:
    """Make all files now, so that no visitor waits for it, and keep them for other builds.

    To be called again now and then: who starts meanwhile sees by it that they are still in use.
    """
    made = all_assets()
    with suppress(OSError):  # where nothing may be written, each build serves its own alone
        keep_for_others(_shared_folder(app), made)


def keep_for_others(folder: Path, made: Mapping[str, Asset]) -> None:
    """Write files into a folder, named by content and kind, and remove those long out of use."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, asset in made.items():
        file, content = folder / _kept_name(asset.fingerprint, name), asset.by_encoding["identity"]
        if not file.exists() or file.read_bytes() != content:  # a power cut may have left half
            half = folder / f".{file.name}.{secrets.token_hex(4)}"
            try:
                half.write_bytes(content)
                half.replace(file)
            finally:  # on a full disk nothing is left lying about
                half.unlink(missing_ok=True)
        file.touch()
    for file in folder.iterdir():
        if time.time() - file.stat().st_mtime > _KEPT_SECONDS:
            file.unlink(missing_ok=True)


def _kept_name(fingerprint: str, name: str) -> str:
    return fingerprint + Path(name).suffix


def _shared_folder(app: Flask) -> Path:
    return Path(app.instance_path) / "assets"


def address_of(name: str) -> str:
    """The address of a file, which changes with its content."""
    return _address(request.script_root, name)


def symbol(name: str) -> Markup:
    """What a symbol of ours is drawn by, for a picture that stands by itself."""
    drawn = (STATIC / "icons" / "marks.svg").read_text()
    found = re.search(rf'<symbol id="{name}" [^>]*>(.*?)</symbol>', drawn)
    return Markup(found[1] if found else "")  # noqa: S704 (our own file)


@cache
def _address(_root: str, name: str) -> str:
    return url_for("assets.show", fingerprint=all_assets()[name].fingerprint, name=name)


@cache
def assets_version() -> str:
    """The name of this state of all files together."""
    marks = "".join(f"{name}{asset.fingerprint}" for name, asset in sorted(all_assets().items()))
    return _fingerprint(marks.encode())


@assets.get("/assets/<fingerprint>/<path:name>")
@open_to_all
def show(fingerprint: str, name: str) -> Response:
    """One file, to be kept for ever; text by Brotli, else gzip, where the browser reads that."""
    asset = all_assets().get(name)
    if asset is None or asset.fingerprint != fingerprint:
        asset = _asset_of_another_build(_shared_folder(current_app), fingerprint, name)
    if asset is None:
        abort(404)
    encoding = _best_encoding(asset)
    response = Response(asset.by_encoding[encoding], content_type=asset.media_type)
    if encoding != "identity":
        response.headers["Content-Encoding"] = encoding
    response.headers["Cache-Control"] = _FOR_EVER
    response.headers["Vary"] = "Accept-Encoding"
    if name.endswith(".svg"):  # can be opened as a page of its own
        response.headers["Content-Security-Policy"] = "default-src 'none'"
    return response


def _asset_of_another_build(folder: Path, fingerprint: str, name: str) -> Asset | None:
    """A file as another build made it; None where none is kept.

    It is kept as what it is: asked for as any other kind it would be compressed anew each time.
    """
    kept = _kept_name(fingerprint, name)
    if not _KEPT_NAME.fullmatch(kept):
        return None
    with suppress(OSError):
        return _read_kept(folder / kept)
    return None


@lru_cache(maxsize=64)
def _read_kept(file: Path) -> Asset:
    """Raises `OSError` where there is none, or a damaged one, which may be mended later."""
    content = file.read_bytes()
    if _fingerprint(content) != file.stem:
        raise OSError("damaged")
    return _build_asset(file.name, content)


@cache
def all_assets() -> Mapping[str, Asset]:
    """Every file that `show` sends of this build, by name."""
    return {name: _build_asset(name, content) for name, content in _contents()}


def _contents() -> Iterator[tuple[str, bytes]]:
    yield "js/support.js", (STATIC / "js" / "support.js").read_bytes()
    vendored = ((STATIC / file).read_bytes() for file in _VENDORED)
    scripts = (jsmin(bundle(STATIC / "js", _MODULES)).encode(), *vendored)
    yield "js/app.js", _WHERE_SUPPORTED % b";\n".join(scripts)
    sheets = {file.stem: file.read_text("utf-8") for file in (STATIC / "css").iterdir()}
    sheets["meldkeeper"] = "".join([sheets.pop(name) for name in _STYLES])
    for name, sheet in sheets.items():
        yield f"css/{name}.css", cssmin(sheet).encode()
    for file in sorted((STATIC / "icons").iterdir()):
        yield f"icons/{file.name}", file.read_bytes()


def _build_asset(name: str, content: bytes) -> Asset:
    guessed = _MEDIA_TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    media_type = guessed or "application/octet-stream"
    by_encoding = {"identity": content}
    if media_type.startswith(_TEXT):
        media_type += "; charset=utf-8"
        by_encoding["gzip"] = gzip.compress(content, 9, mtime=0)
        by_encoding["br"] = brotli.compress(content, quality=11)
    return Asset(_fingerprint(content), media_type, by_encoding)


def _best_encoding(asset: Asset) -> str:
    accepted = request.accept_encodings
    return next(
        (one for one in ("br", "gzip") if one in asset.by_encoding and accepted[one]), "identity"
    )


def _fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
