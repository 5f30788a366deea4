"""A small painted table for the detector's tests: felt, line, arms as bars from the rail, chips as discs.

It shares nothing with the virtual camera, so that neither can hide a fault of the other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point
from betline.settings import TableSettings, load_table
from vision.calibration.calibration import calibrate
from vision.frame.zones import line_frame

Picture = npt.NDArray[np.uint8]
FPS = 30
FRAME_NS = 1_000_000_000 // FPS

CARD_MM = (63.0, 88.0)
RED, BLACK, WHITE = (40, 40, 190), (30, 30, 30), (225, 225, 225)
SKIN, SLEEVE = (120, 150, 205), (110, 60, 60)
SHADE = 0.6
FELT = (58, 92, 31)


@dataclass(frozen=True)
class Chip:
    """A chip at a place of the felt."""

    at: Point
    colour: tuple[int, int, int] = RED


@dataclass(frozen=True)
class Arm:
    """A sleeve and a hand from outside the table to a point of the felt."""

    root: Point
    tip: Point
    width_mm: float = 85
    sleeve: tuple[int, int, int] = SLEEVE


@dataclass
class Scene:
    """What lies and reaches where at one moment; ``light`` multiplies everything."""

    chips: list[Chip] = field(default_factory=list)
    arms: list[Arm] = field(default_factory=list)
    light: float = 1.0
    shade: list[Point] = field(default_factory=list)
    """The corners of a shadow on the felt."""


@cache
def _noise(shape: tuple[int, int, int], seed: int) -> list[npt.NDArray[np.int16]]:
    random = np.random.default_rng(seed)
    return [random.normal(0, 2.2, shape).astype(np.int16) for _ in range(5)]


class Painter:
    """Paints scenes of a table as its camera would see them, with seeded noise."""

    def __init__(self, table: TableSettings | None = None, seed: int = 1) -> None:
        self.table = table or load_table()
        self.calibration = calibrate(self.table.cameras[0])
        shape = (self.table.cameras[0].height_px, self.table.cameras[0].width_px, 3)
        self._noise = _noise(shape, seed)
        self._at = 0
        self._bare = np.zeros(shape, np.uint8)
        self._bare[:] = (23, 36, 59)
        self._polygon(self._bare, self.table.felt.outline_mm, (58, 92, 31))
        line = self._px(self.table.felt.betting_line_mm)
        cv2.polylines(self._bare, [line], True, (176, 210, 216), 5, cv2.LINE_AA)

    def paint(self, scene: Scene) -> Picture:
        picture = self._bare.copy()
        if scene.shade:
            shadow = np.zeros(picture.shape[:2], np.uint8)
            cv2.fillPoly(shadow, [self._px(scene.shade)], 1)
            picture[shadow > 0] = (picture[shadow > 0] * SHADE).astype(np.uint8)
        for chip in scene.chips:
            self._disc(picture, chip.at, 19.5, chip.colour)
            self._disc(picture, chip.at, 9.0, WHITE)
        for arm in scene.arms:
            ends = self._px([arm.root, arm.tip])
            width = int(arm.width_mm * 0.49)
            cv2.line(picture, ends[0], ends[1], arm.sleeve, width, cv2.LINE_AA)
            cv2.circle(picture, ends[1], width // 2 + 4, SKIN, cv2.FILLED, cv2.LINE_AA)
        if scene.light != 1.0:
            picture = np.asarray(cv2.convertScaleAbs(picture, alpha=scene.light), dtype=np.uint8)
        self._at += 1
        return np.asarray(cv2.add(picture, self._noise[self._at % 5], dtype=cv2.CV_8U), dtype=np.uint8)

    def lay_cards(self, picture: Picture, places: Sequence[Point], *, face_up: bool = False) -> Picture:
        """The picture with cards, white with a red back, or a white face."""
        inside = (230, 230, 230) if face_up else (50, 40, 160)
        for x, y in places:
            for inset_mm, colour in ((0.0, (230, 230, 230)), (8.0, inside)):
                half = CARD_MM[0] / 2 - inset_mm / 2, CARD_MM[1] / 2 - inset_mm / 2
                corners = [(x + i * half[0], y + j * half[1]) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
                self._polygon(picture, corners, colour)
        return picture

    def card_places(self, seat: int) -> list[Point]:
        """Where two cards of a seat lie, one over half of the other."""
        x, y = self.table.seat(seat).cards_mm
        return [(x - 20, y), (x + 20, y)]

    def place(self, seat: int, along_mm: float, beyond_mm: float) -> Point:
        """A point of the felt in millimetres along and beyond a seat's line."""
        return line_frame(self.table.seat(seat)).at(along_mm, beyond_mm)

    def reach(self, seat: int, beyond_mm: float) -> Arm:
        """A seat's own arm that reaches this far beyond the line (behind it where negative)."""
        frame = line_frame(self.table.seat(seat))
        rail = self.table.seat(seat).rail_mm
        towards = frame.at(0, 0)
        away = (2 * rail[0] - towards[0], 2 * rail[1] - towards[1])
        return Arm(away, frame.at(0, beyond_mm))

    def dealer_reach(self, to: Point) -> Arm:
        """The dealer's arm to a point."""
        return Arm((self.table.dealer_mm[0], self.table.dealer_mm[1] - 300), to)

    def _px(self, points_mm: Sequence[Point]) -> npt.NDArray[np.int32]:
        return np.round(self.calibration.to_px(points_mm)).astype(np.int32)

    def _polygon(self, picture: Picture, points_mm: Sequence[Point], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(picture, [self._px(points_mm)], colour, cv2.LINE_AA)

    def _disc(self, picture: Picture, at: Point, radius_mm: float, colour: tuple[int, int, int]) -> None:
        x, y = np.round(self.calibration.to_px([at])[0] * 16).astype(int)
        cv2.circle(picture, (int(x), int(y)), int(radius_mm * 0.49 * 16), colour, cv2.FILLED, cv2.LINE_AA, 4)


Step = tuple[float, Callable[[float], Scene]]


def film(steps: Sequence[Step], start_ns: int = 0) -> Iterator[tuple[int, Scene]]:
    """Scenes at 30 frames a second with their times; each step lasts some seconds and is asked with 0 to 1."""
    frame = 0
    for seconds, scene_at in steps:
        count = round(seconds * FPS)
        for step in range(count):
            yield start_ns + frame * FRAME_NS, scene_at(step / count)
            frame += 1
