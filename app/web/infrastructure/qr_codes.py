"""Addresses as QR codes, drawn by a library."""

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """An address as a QR code: SVG, as large as its place; empty for one that no code can hold."""
    try:
        code = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:
        return Markup()
    drawn = code.svg_inline(border=3, omitsize=True)
    return Markup(drawn)  # noqa: S704 (the library's own drawing; the address is dots in it)
