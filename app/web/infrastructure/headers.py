"""The headers that every answer carries: what a page may load, and who may frame it.

They are fifteen lines of our own: the library that is usual for it was not kept up for years, and
sets nothing that is missing here.
"""

from flask import Flask, Response

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
    """Put the headers on every answer of the app."""

    @app.after_request
    def add_headers(response: Response) -> Response:
        headers = response.headers
        headers.setdefault("Content-Security-Policy", _CONTENT_SECURITY_POLICY)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        # Not "no-referrer": the form tokens' check needs the referrer of our own pages by https.
        headers.setdefault("Referrer-Policy", "same-origin")
        if response.mimetype == "text/html":  # what a page may do; no other answer does anything
            headers.setdefault("Permissions-Policy", _PERMISSIONS)
            headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if app.config["HTTPS"]:
            headers.setdefault("Strict-Transport-Security", _HTTPS_FOR_A_YEAR)
        if not response.cache_control.public:  # only what is the same for everybody says that
            headers["Cache-Control"] = "no-store"
        return response
