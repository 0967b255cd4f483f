"""The headers of answers, a device's cookies, and how pages are compressed.

The headers are a few lines of our own: the library that is usual for it was not kept up for
years, and sets nothing that is missing here.
"""

import gzip
import io
import secrets

from flask import Flask, Response, current_app, request

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'"
)
_PERMISSIONS = (
    "camera=(), geolocation=(), microphone=(), "
    "screen-wake-lock=(self), web-share=(self), clipboard-write=(self)"
)
_HTTPS_FOR_A_YEAR = "max-age=31536000"


def register(app: Flask) -> None:
    """Put the headers on every answer that is not given in front of the app."""

    @app.after_request
    def add_headers(response: Response) -> Response:
        headers = response.headers
        if not response.cache_control.immutable:  # our files are public, and obey the page's policy
            headers.setdefault("Content-Security-Policy", _CONTENT_SECURITY_POLICY)
            headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        if response.mimetype == "text/html":  # what a page may do; no other answer does anything
            # Not "no-referrer": the form tokens' check needs the referrer of our pages by https.
            headers.setdefault("Referrer-Policy", "same-origin")
            headers.setdefault("Permissions-Policy", _PERMISSIONS)
            headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        if app.config["HTTPS"]:
            headers.setdefault("Strict-Transport-Security", _HTTPS_FOR_A_YEAR)
        if not response.cache_control.public:  # only what is the same for everybody says that
            headers["Cache-Control"] = "no-store"
        return response


_A_YEAR = 365 * 24 * 3600


def keep_cookie(
    response: Response, name: str, value: str, seconds: int = _A_YEAR, path: str = "/"
) -> None:
    """Let a device keep something of its own, for a year unless another time is given."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=current_app.config["HTTPS"],
    )


_SHORTEST = 400
_QUICK = 6
_BLUR = 100
_KINDS = ("text/html", "application/json", "application/manifest+json", "text/javascript")


def register_compression(app: Flask) -> None:
    """Compress pages and the like, but the shortest, for browsers that read gzip.

    A page holds a form token and repeats what its address says, so who sees the lengths of many
    answers could guess the token letter by letter. A filename of random length in gzip's header,
    which browsers skip, blurs the lengths (the way of Django's own middleware).
    """

    @app.after_request
    def compress(response: Response) -> Response:
        if response.mimetype not in _KINDS or response.is_streamed or response.direct_passthrough:
            return response
        response.vary.add("Accept-Encoding")
        if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
            return response
        body = response.get_data()
        if len(body) >= _SHORTEST:
            response.set_data(_compressed(body))
            response.headers["Content-Encoding"] = "gzip"
        return response


def _compressed(body: bytes) -> bytes:
    blur = secrets.token_hex(secrets.randbelow(_BLUR) // 2 + 1)
    packed = io.BytesIO()
    with gzip.GzipFile(
        filename=blur, mode="wb", compresslevel=_QUICK, fileobj=packed, mtime=0
    ) as file:
        file.write(body)
    return packed.getvalue()
