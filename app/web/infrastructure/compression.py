"""Pages are compressed as they are sent.

A page holds a form token and repeats what its address says, so who sees the lengths of many
answers could guess the token letter by letter. A filename of random length in gzip's header, which
browsers skip, blurs the lengths (the way of Django's own middleware).
"""

import gzip
import io
import secrets

from flask import Flask, Response, request

_SHORTEST = 400
_QUICK = 5
_BLUR = 100
_KINDS = ("text/html", "application/json", "application/manifest+json", "text/javascript")


def register(app: Flask) -> None:
    """Compress every page for browsers that read gzip."""

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
