"""The small picture on the bus: what the camera sees, with zones, chips and arms drawn in, while somebody wants it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from betline.bus import Bus, Received
from betline.messages.pictures import MAX_PX, MIN_PX, PictureWanted, SmallPicture
from betline.settings import TableSettings
from betline.topics import DEVICE_PICTURE, DEVICE_PICTURE_WANTED, topic
from betline.units import NS_PER_MS
from vision.calibration.annotate import GREEN, RED, VIOLET, YELLOW, Bgr, mask_outlines
from vision.calibration.calibration import Calibration, Floats
from vision.detect.detector import Detector
from vision.detect.snapshot import SeatSnapshot, Snapshot
from vision.display.overlay import seat_colour
from vision.imaging.pictures import Mask, Picture, halved, resized
from vision.imaging.sources import Frame
from vision.places.card_places import Place
from vision.seats.phases import Phase

EVERY_NS: Final = 500_000_000
COVERED: Final = 100
"""Level from which a pixel of the small picture counts as chips or an arm: two fifths of it are."""


class SmallPictures:
    """Publishes one camera's small pictures; wishes come on the bus's thread, pictures go out on the detector's."""

    def __init__(self, bus: Bus, device: str, table: TableSettings, calibration: Calibration) -> None:
        self._bus = bus
        self._device = device
        self._drawing = SmallDrawing(table, calibration)
        self._wish: tuple[int, int] = (0, MIN_PX)
        self._next_ns = 0

    def open(self) -> None:
        """Begins to listen."""
        self._bus.subscribe(DEVICE_PICTURE_WANTED, self._take)

    def see(self, frame: Frame, detector: Detector) -> None:
        """Publishes the frame after the detector has seen it; costs nothing while nobody wants it."""
        until_ns, width_px = self._wish
        now_ns = time.monotonic_ns()
        if now_ns >= until_ns or now_ns < self._next_ns:
            return
        self._next_ns = now_ns + EVERY_NS
        small = self._drawing.draw(frame.picture, detector.snapshot(), width_px)
        height_px, width_px = small.shape[:2]
        body = SmallPicture.made(frame.number, width_px, height_px, small[:, :, ::-1].tobytes())
        self._bus.publish(topic(DEVICE_PICTURE, self._device), body)

    def _take(self, received: Received) -> None:
        wish = received.body
        if not isinstance(wish, PictureWanted) or received.topic.name != self._device or received.retained:
            return
        if not wish.of:
            self._wish = (time.monotonic_ns() + wish.for_ms * NS_PER_MS, wish.width_px)


class SmallDrawing:
    """Shrinks pictures of one table and draws in them: line, chips, arms, cards, and the outlines of what is open."""

    def __init__(self, table: TableSettings, calibration: Calibration) -> None:
        self._size = (calibration.width_px, calibration.height_px)
        self._line = calibration.outline_px(table.felt.betting_line_mm)
        self._zones = {seat.number: calibration.outline_px(seat.bet_zone_mm) for seat in table.seats}

    def draw(self, picture: Picture, snapshot: Snapshot, width_px: int) -> Picture:
        """The picture drawn in, (H, W, 3) uint8 BGR: ``width_px`` wide, or as high as it may be if that is less."""
        share = min(width_px / self._size[0], MAX_PX / self._size[1])
        width, height = (max(MIN_PX, round(side * share)) for side in self._size)
        while picture.shape[1] >= 4 * width and not (picture.shape[0] | picture.shape[1]) % 2:
            picture = halved(picture)
        drawn = resized(picture, (width, height))
        self._tint(drawn, [(spot.lying, (spot.place.x0, spot.place.y0)) for spot in snapshot.spots], VIOLET)
        self._tint(drawn, [(seat.lying, _bets_at(seat)) for seat in snapshot.seats], GREEN)
        arms = [(seat.arm, (seat.zones.x0, seat.zones.y0)) for seat in snapshot.seats if seat.arm is not None]
        self._tint(drawn, arms, RED)
        self._outline(drawn, self._line, YELLOW)
        self._places(drawn, snapshot)
        for seat in snapshot.seats:
            self._seat(drawn, seat)
        return drawn

    def _places(self, drawn: Picture, snapshot: Snapshot) -> None:
        """The card spots and the pot where something is open."""
        for spot in snapshot.spots:
            if spot.phase == "open":
                self._outlines(drawn, spot.place, spot.place.mask, YELLOW)
        middle = snapshot.middle
        if middle.phase == "open":
            self._outlines(drawn, middle.place, middle.pot, YELLOW)

    def _seat(self, drawn: Picture, seat: SeatSnapshot) -> None:
        if seat.phase is not Phase.REST:
            self._outline(drawn, self._zones[seat.zones.seat], seat_colour(seat))

    def _outlines(self, drawn: Picture, place: Place, mask: Mask, colour: Bgr) -> None:
        for outline in mask_outlines(mask, (place.x0, place.y0)):
            self._outline(drawn, outline, colour)

    def _outline(self, drawn: Picture, points: Floats, colour: Bgr) -> None:
        small = points * (drawn.shape[1] / self._size[0], drawn.shape[0] / self._size[1])
        cv2.polylines(drawn, [np.round(small * 16 - 8).astype(np.int32)], True, colour, 1, cv2.LINE_AA, 4)

    def _tint(self, drawn: Picture, masks: Sequence[tuple[Mask, tuple[int, int]]], colour: Bgr) -> None:
        """Tints what masks cover that begin at places of the picture."""
        whole = np.zeros((self._size[1], self._size[0]), np.uint8)
        for mask, (x, y) in masks:
            part = whole[y : y + mask.shape[0], x : x + mask.shape[1]]
            cv2.bitwise_or(part, mask, dst=part)
        if not whole.any():
            return
        covered = resized(whole, (drawn.shape[1], drawn.shape[0])) >= COVERED
        drawn[covered] = (drawn[covered] * 0.4 + np.array(colour) * 0.6).astype(np.uint8)


def _bets_at(seat: SeatSnapshot) -> tuple[int, int]:
    bets = seat.zones.bets
    return seat.zones.x0 + bets.columns.start, seat.zones.y0 + bets.rows.start
