"""The files that `betline vision markers` writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from betline.settings import TableSettings
from vision.calibration.printables import board_sheet, marker_sheets, table_sheet, table_tiles
from vision.calibration.sheet import Sheet, svg, write_pdf


def write_sheets(table: TableSettings, paper: str, folder: Path) -> tuple[dict[Path, int], str]:
    """Writes each set of sheets as one PDF and as SVGs; returns the files with their pages, and what to do with them.

    Raises OSError where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[Path, int] = {}

    def both(name: str, pages: Sequence[Sheet], drawings: Sequence[Sheet]) -> None:
        path = folder / f"{table.name}-{name}.pdf"
        write_pdf(path, pages, f"{table.name}: {name}")
        written[path] = len(pages)
        for at, sheet in enumerate(drawings, 1):
            number = f"-{at}" if len(drawings) > 1 else ""
            drawing = folder / f"{table.name}-{name}{number}.svg"
            drawing.write_text(svg(sheet), encoding="utf-8")
            written[drawing] = 1

    markers = marker_sheets(table, paper)
    if markers:
        both("markers", markers, markers)
    board = (board_sheet(paper),)
    both("board", board, board)
    both("template", table_tiles(table, paper), (table_sheet(table),))
    advice = "Print at 100 % and measure the ruler on each page: it must be 100 mm."
    if not markers:
        advice += " The table file has no markers: add a list of them (id, centre_mm, size_mm), see casino-oval."
    return written, advice
