"""The camera's picture with what the detector makes of it: zones, line, blobs, states, reasons and events.

Drawing only: pictures in, pictures out. Green lies in a zone, red is an arm; a seat's outline has its phase's colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from betline.settings import TableSettings
from vision.annotate import CYAN, GREEN, RED, WHITE, YELLOW, Bgr, outlined, worded
from vision.calibration import Calibration, Floats
from vision.detector import Seen, TableSeen
from vision.pictures import Mask, Picture, resized
from vision.snapshot import Phase, SeatSnapshot, Snapshot
from vision.zones import SeatZones

SHOWN_NS: Final = 2_000_000_000
"""How long an event is shown at its seat."""
SHEET_TILE_PX: Final = (640, 360)
SHEET_COLUMNS: Final = 3
GREY: Bgr = (170, 170, 170)
ORANGE: Bgr = (40, 150, 250)
_BAR_PX: Final = 22
_ROW_PX: Final = 14
_WORDS_PX: Final = 190

COLOURS: Final[dict[Phase, Bgr]] = {
    "learning": GREY,
    "unknown": ORANGE,
    "rest": CYAN,
    "open": YELLOW,
    "hand": RED,
    "occluded": ORANGE,
    "frozen": GREY,
}


class Overlay:
    """Draws over the pictures of one table and calibration."""

    def __init__(self, table: TableSettings, calibration: Calibration) -> None:
        self._size = (calibration.width_px, calibration.height_px)
        self._line = calibration.outline_px(table.felt.betting_line_mm)
        self._pot = calibration.outline_px(table.pot.polygon_mm)

    def draw(
        self, picture: Picture, snapshot: Snapshot, events: Sequence[Seen | TableSeen] = (), words: str = ""
    ) -> Picture:
        """The picture of a frame with its snapshot and the ``events`` of the last two seconds; ``words`` go on top."""
        scaled = (picture.shape[1], picture.shape[0]) != self._size
        drawn = resized(picture, self._size) if scaled else picture.copy()
        outlined(drawn, self._line, YELLOW, 2)
        outlined(drawn, self._pot, CYAN)
        for seat in snapshot.seats:
            _blobs(drawn, seat)
            self._seat(drawn, seat)
        self._events(drawn, snapshot, events)
        state = "" if snapshot.frozen is None else f"   NO BETTING EVENTS: {snapshot.frozen.replace('_', ' ')}"
        light = sum(snapshot.gain) / 3
        worded(drawn, f"{words}   light {light:.2f}{state}".strip(), np.array([8.0, 16.0]), WHITE)
        return drawn

    def _seat(self, drawn: Picture, seat: SeatSnapshot) -> None:
        colour = COLOURS[seat.phase]
        width = 2 if seat.phase in ("open", "hand") else 1
        cv2.drawContours(drawn, _outlines(seat.zones.zone), -1, colour, width, offset=(seat.zones.x0, seat.zones.y0))
        rows = [f"{seat.zones.seat} {seat.phase}", seat.reason]
        seen = seat.observation
        if seen is not None and seen.chips is not None and (seen.chips.area_mm2 > 0 or seen.chips.changed_mm2 > 0):
            rows.append(f"lies {seen.chips.area_mm2:.0f} mm2, changed {seen.chips.changed_mm2:.0f}")
        for row, text in enumerate(rows):
            worded(drawn, text, self._beside(seat.zones, row), colour)

    def _events(self, drawn: Picture, snapshot: Snapshot, events: Sequence[Seen | TableSeen]) -> None:
        zones = {seat.zones.seat: seat.zones for seat in snapshot.seats}
        rows: dict[int, int] = {}
        for told in reversed([told for told in events if isinstance(told, Seen)]):
            row = rows[told.seat] = rows.get(told.seat, 0) - 1
            worded(drawn, f"{event_words(told)} {told.event.conf:.2f}", self._beside(zones[told.seat], row), WHITE)

    def _beside(self, zones: SeatZones, row: int) -> Floats:
        """Where the words of a seat go: below its zone, or above it for rows before 0."""
        left = zones.x0 + zones.bets.columns.start
        edge = zones.y0 + (zones.bets.rows.stop + 13 if row >= 0 else zones.bets.rows.start + 10)
        return np.array([float(max(4, min(left, self._size[0] - _WORDS_PX))), float(edge + row * _ROW_PX)])


def event_words(told: Seen | TableSeen) -> str:
    """An event's name for a person."""
    name = told.event.event if isinstance(told, Seen) else told.event
    return name.replace("_", " ")


def recent(events: Sequence[Seen | TableSeen], t_ns: int) -> tuple[Seen | TableSeen, ...]:
    """The events that are still to be shown at ``t_ns``."""
    return tuple(told for told in events if t_ns - _told_ns(told) < SHOWN_NS)


def contact_sheet(tiles: Sequence[tuple[Picture, str]]) -> Picture:
    """Pictures side by side, each with its title above it; at least one is needed."""
    if not tiles:
        raise ValueError("a contact sheet needs a picture")
    width, height = SHEET_TILE_PX
    columns = min(SHEET_COLUMNS, len(tiles))
    rows = -(-len(tiles) // columns)
    sheet = np.zeros((rows * (height + _BAR_PX), columns * width, 3), np.uint8)
    for at, (picture, title) in enumerate(tiles):
        x, y = at % columns * width, at // columns * (height + _BAR_PX)
        share = min(width / picture.shape[1], height / picture.shape[0])
        tile = resized(picture, (max(1, int(picture.shape[1] * share)), max(1, int(picture.shape[0] * share))))
        sheet[y + _BAR_PX : y + _BAR_PX + tile.shape[0], x : x + tile.shape[1]] = tile
        worded(sheet, title, np.array([x + 6.0, y + 15.0]), WHITE)
    return sheet


def _told_ns(told: Seen | TableSeen) -> int:
    return told.event.t_confirm_ns if isinstance(told, Seen) else told.t_confirm_ns


def _blobs(drawn: Picture, seat: SeatSnapshot) -> None:
    """What lies in the zone and the arms over it, tinted."""
    crop = seat.zones.crop(drawn)
    _tint(crop[seat.zones.bets.rows, seat.zones.bets.columns], seat.lying, GREEN)
    if seat.arm is not None:
        _tint(crop, seat.arm, RED)


def _tint(part: Picture, mask: Mask, colour: Bgr) -> None:
    at = mask > 0
    if at.any():
        part[at] = (part[at] * 0.5 + np.array(colour) * 0.5).astype(np.uint8)
        edges = np.zeros_like(mask)
        cv2.drawContours(edges, _outlines(mask), -1, 255, 1)
        part[edges > 0] = colour


def _outlines(mask: Mask) -> Sequence[cv2.typing.MatLike]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return outlines
