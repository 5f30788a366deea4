"""The camera's picture with what the detector makes of it: zones, line, blobs, states, reasons and events.

Drawing only: pictures in, pictures out. Green lies in a zone, red is an arm; a seat's outline has its phase's colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from betline.geometry import centroid
from betline.settings import TableSettings
from vision.annotate import CYAN, GREEN, RED, WHITE, YELLOW, Bgr, outlined, worded
from vision.calibration import Calibration, Floats
from vision.detector import Seen, TableSeen
from vision.pictures import Mask, Picture, resized
from vision.snapshot import Phase, SeatSnapshot, Snapshot

SHOWN_NS: Final = 2_000_000_000
"""How long an event is shown at its seat."""
SHEET_TILE_PX: Final = (640, 360)
SHEET_COLUMNS: Final = 3
GREY: Bgr = (170, 170, 170)
ORANGE: Bgr = (40, 150, 250)
_BAR_PX: Final = 22

COLOURS: Final[dict[Phase, Bgr]] = {
    "learning": GREY,
    "unknown": ORANGE,
    "rest": CYAN,
    "open": YELLOW,
    "hand": RED,
    "occluded": ORANGE,
    "frozen": GREY,
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a seat's things are drawn."""

    zone: Floats
    words: Floats


class Overlay:
    """Draws over the pictures of one table and calibration."""

    def __init__(self, table: TableSettings, calibration: Calibration) -> None:
        self._size = (calibration.width_px, calibration.height_px)
        self._line = calibration.outline_px(table.felt.betting_line_mm)
        self._pot = calibration.outline_px(table.pot.polygon_mm)
        self._places = {
            seat.number: _Place(
                calibration.outline_px(seat.bet_zone_mm), calibration.to_px([centroid(seat.bet_zone_mm)])[0]
            )
            for seat in table.seats
        }

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
        self._events(drawn, events)
        state = "" if snapshot.frozen is None else f"   NO BETTING EVENTS: {snapshot.frozen.replace('_', ' ')}"
        light = sum(snapshot.gain) / 3
        worded(drawn, f"{words}   light {light:.2f}{state}".strip(), np.array([8.0, 16.0]), WHITE)
        return drawn

    def _seat(self, drawn: Picture, seat: SeatSnapshot) -> None:
        place, colour = self._places[seat.zones.seat], COLOURS[seat.phase]
        outlined(drawn, place.zone, colour, 2 if seat.phase in ("open", "hand") else 1)
        left = np.array([max(4.0, min(place.words[0] - 60, self._size[0] - 190)), place.words[1]])
        worded(drawn, f"{seat.zones.seat} {seat.phase}", left, colour)
        worded(drawn, seat.reason, left + np.array([0, 14]), colour)
        seen = seat.observation
        if seen is not None and seen.chips is not None and (seen.chips.area_mm2 > 0 or seen.chips.changed_mm2 > 0):
            figures = f"lies {seen.chips.area_mm2:.0f} mm2, changed {seen.chips.changed_mm2:.0f}"
            worded(drawn, figures, left + np.array([0, 28]), colour)

    def _events(self, drawn: Picture, events: Sequence[Seen | TableSeen]) -> None:
        rows: dict[int, int] = {}
        for told in events:
            if isinstance(told, Seen):
                row = rows[told.seat] = rows.get(told.seat, 0) + 1
                at = self._places[told.seat].words + np.array([-60.0, -14.0 * row])
                at[0] = max(4.0, min(at[0], self._size[0] - 190))
                worded(drawn, f"{event_words(told)} {told.event.conf:.2f}", at, WHITE)


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
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        edges = np.zeros_like(mask)
        cv2.drawContours(edges, outlines, -1, 255, 1)
        part[edges > 0] = colour
