"""A sheet to print: a QR code (ISO/IEC 18004) for each seat, to be cut out and laid there."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from betline.qr import QUIET, modules
from table_controller.web.links import Link

ACROSS: Final = 2
DOWN: Final = 3
CODE_MM: Final = 58.0
SAYS: Final = "Your turn, on your phone"


def sheet(table: str, links: Sequence[Link]) -> bytes:
    """The sheet as a PDF, six codes a page."""
    out = io.BytesIO()
    width, height = A4
    canvas = Canvas(out, pagesize=A4)
    canvas.setTitle(f"Codes of the seats: {table}")
    for place, link in enumerate(links):
        if place and place % (ACROSS * DOWN) == 0:
            canvas.showPage()
        down, across = divmod(place % (ACROSS * DOWN), ACROSS)
        middle, top = width * (across + 0.5) / ACROSS, height * (1 - down / DOWN) - 12 * mm
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawCentredString(middle, top - 6 * mm, link.title)
        _draw(canvas, modules(link.address), middle - CODE_MM * mm / 2, top - 9 * mm)
        canvas.setFont("Helvetica", 11)
        canvas.drawCentredString(middle, top - (CODE_MM + 14) * mm, f"{SAYS} · {table}")
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, code: list[list[bool]], left: float, top: float) -> None:
    size = CODE_MM * mm / (len(code) + 2 * QUIET)
    for row, line in enumerate(code):
        for column, dark in enumerate(line):
            if dark:
                across, down = left + (column + QUIET) * size, top - (row + QUIET + 1) * size
                canvas.rect(across, down, size, size, stroke=0, fill=1)
