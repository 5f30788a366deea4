"""QR codes (ISO/IEC 18004) as modules, for paper, SVG and PDF."""

from __future__ import annotations

from typing import Final

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

QUIET: Final = 4
"""So many light modules are around a code."""


def modules(text: str) -> list[list[bool]]:
    """The modules of a code, row by row; true is dark."""
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    side = range(code.getModuleCount())
    return [[bool(code.isDark(row, column)) for column in side] for row in side]


def svg(text: str, size_mm: float) -> str:
    """A code as an SVG element, with its quiet border."""
    code = modules(text)
    side = len(code) + 2 * QUIET
    dark = "".join(
        f"M{column + QUIET},{row + QUIET}h1v1h-1z"
        for row, line in enumerate(code)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{size_mm}mm" height="{size_mm}mm" '
        f'role="img" aria-label="QR code of the journal\'s head"><path d="M0,0h{side}v{side}H0z" fill="#fff"/>'
        f'<path d="{dark}" fill="#000"/></svg>'
    )
