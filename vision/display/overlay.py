"""The camera's picture with what the detector makes of it: zones, line, blobs, states, reasons and events.

Drawing only: pictures in, pictures out. Green lies in a zone, red is an arm; a seat's outline has its phase's colour.
Its words stand on the side of its zone that faces the pot; those of its cards (`place_overlay`) on the rail's side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Literal

import cv2
import numpy as np

from betline.settings import TableSettings
from vision.calibration.annotate import CYAN, GREEN, GREY, ORANGE, RED, WHITE, YELLOW, Bgr, outlined, worded
from vision.calibration.calibration import Calibration
from vision.detect.snapshot import SeatShown, SeatSnapshot, Snapshot
from vision.display.captions import Line, captioned, inwards
from vision.display.place_overlay import draw_middle, draw_spot, mask_outlined
from vision.frame.events import CameraEvent
from vision.imaging.pictures import Mask, Picture, resized
from vision.seats.phases import Phase

SHOWN_NS: Final = 2_000_000_000
"""How long an event is shown at its seat."""

Where = Literal["zone", "spot", "middle"]
WHERE: Final[dict[str, Where]] = {
    "cards_dealt": "spot",
    "cards_mucked": "spot",
    "protector": "spot",
    "splash": "middle",
    "pot_pushed": "middle",
}

COLOURS: Final[dict[SeatShown, Bgr]] = {
    "learning": GREY,
    "unknown": ORANGE,
    "frozen": GREY,
    Phase.REST: CYAN,
    Phase.DISTURBED: YELLOW,
    Phase.HAND_IN: RED,
    Phase.HAND_GONE: YELLOW,
    Phase.OTHERS_ARM: YELLOW,
}
_OPEN: Final = (Phase.DISTURBED, Phase.HAND_IN, Phase.HAND_GONE, Phase.OTHERS_ARM)


class Overlay:
    """Draws over the pictures of one table and calibration."""

    def __init__(self, table: TableSettings, calibration: Calibration) -> None:
        self._size = (calibration.width_px, calibration.height_px)
        self._line = calibration.outline_px(table.felt.betting_line_mm)
        self._middle = self._line.mean(axis=0)

    def draw(
        self, picture: Picture, snapshot: Snapshot, events: Sequence[CameraEvent] = (), words: str = ""
    ) -> Picture:
        """The picture of a frame, (H, W, 3) uint8 BGR, with its snapshot and the ``events`` of the last two seconds;
        ``words`` go on top. Returns a new picture of the calibration's size.
        """
        scaled = (picture.shape[1], picture.shape[0]) != self._size
        drawn = resized(picture, self._size) if scaled else picture.copy()
        outlined(drawn, self._line, YELLOW, 2)
        lines = _lines(events, snapshot)
        draw_middle(drawn, snapshot.middle, snapshot.t_ns, lines[None, "middle"])
        for seat in snapshot.seats:
            _blobs(drawn, seat)
        for spot in snapshot.spots:
            draw_spot(drawn, spot, self._middle, lines[spot.seat, "spot"])
        for seat in snapshot.seats:
            self._seat(drawn, seat, lines[seat.zones.seat, "zone"])
        state = "" if snapshot.frozen is None else f"   NO BETTING EVENTS: {snapshot.frozen.replace('_', ' ')}"
        light = sum(snapshot.gain) / 3
        worded(drawn, f"{words}   light {light:.2f}{state}".strip(), np.array([8.0, 16.0]), WHITE)
        return drawn

    def _seat(self, drawn: Picture, seat: SeatSnapshot, events: Sequence[Line]) -> None:
        colour = seat_colour(seat)
        width = 2 if seat.phase in _OPEN else 1
        outline = mask_outlined(drawn, seat.zones.zone, (seat.zones.x0, seat.zones.y0), colour, width)
        lines = [(f"{seat.zones.seat} {seat.phase_words}", colour), (seat.reason, colour)]
        if seat.state.settled.slab:
            lines.append(("strange thing, no bet", ORANGE))
        seen = seat.observation
        if seen is not None and seen.chips is not None and (seen.chips.area_mm2 > 0 or seen.chips.changed_mm2 > 0):
            words = f"lies {seen.chips.area_mm2:.0f} mm2, changed {seen.chips.changed_mm2:.0f}"
            lines.append((words, colour))
        captioned(drawn, [*lines, *events], outline, inwards(outline, self._middle))


def seat_colour(seat: SeatSnapshot) -> Bgr:
    """The colour of a seat's outline: of its phase, or that it has been covered for long."""
    return ORANGE if isinstance(seat.phase, Phase) and seat.state.occluded else COLOURS[seat.phase]


def event_words(event: CameraEvent) -> str:
    """An event's kind for a person."""
    return event.kind.replace("_", " ")


def recent(events: Sequence[CameraEvent], t_ns: int) -> tuple[CameraEvent, ...]:
    """The events that are still to be shown at ``t_ns``."""
    return tuple(event for event in events if t_ns - event.t_confirm_ns < SHOWN_NS)


def _lines(events: Sequence[CameraEvent], snapshot: Snapshot) -> defaultdict[tuple[int | None, Where], list[Line]]:
    """The events of seats by the place beside which they are shown, the newest first; in the middle all seats' are."""
    lines: defaultdict[tuple[int | None, Where], list[Line]] = defaultdict(list)
    for event in reversed([event for event in events if event.seat is not None]):
        where = place_of(event, snapshot)
        words = f"{event_words(event)} {event.conf:.2f}"
        if where == "middle":
            lines[None, where].append((f"seat {event.seat} {words}", WHITE))
        else:
            lines[event.seat, where].append((words, WHITE))
    return lines


def place_of(event: CameraEvent, snapshot: Snapshot) -> Where:
    """Where an event of a seat has happened: in the bet zone, at the card spot, or in the middle of the felt."""
    if event.kind != "unknown_object":
        return WHERE.get(event.kind, "zone")
    if event.seat in snapshot.no_bets:
        return "zone"
    strange = any(spot.seat == event.seat and spot.state.strange for spot in snapshot.spots)
    return "spot" if strange else "middle"


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
