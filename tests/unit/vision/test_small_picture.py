"""The small picture on the bus: only while it is wanted, twice a second at most, with what is believed drawn in."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.messages.pictures import MAX_PX, PictureWanted, SmallPicture
from betline.topics import DEVICE_PICTURE, DEVICE_PICTURE_WANTED, Namespace, topic
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene
from vision.detect.detector import Detector, make_detector
from vision.detect.snapshot import Snapshot
from vision.display import small_picture
from vision.display.small_picture import SmallDrawing, SmallPictures
from vision.imaging.sources import Frame

PAINTER = Painter()
CAMERA = PAINTER.table.cameras[0].id
NAMES = Namespace("test", PAINTER.table.name)
PLACE = PAINTER.place(5, 0, 75)
PICTURE = PAINTER.paint(Scene(chips=[Chip(PLACE)]))
FRAME = Frame(PICTURE, 0, 30)


@pytest.fixture(scope="module")
def detector() -> Detector:
    """A detector that has learnt the felt, with a chip at seat 5."""
    made = make_detector(PAINTER.table)
    for number in range(30):
        made.process(PICTURE, number * FRAME_NS, number)
    return made


class Ends:
    """A camera's pictures, and somebody who may want them."""

    def __init__(self, detector: Detector, monkeypatch: pytest.MonkeyPatch) -> None:
        hub = MemoryHub()
        self.now_s = 1.0
        self.seen: list[SmallPicture] = []
        self.console = MemoryBus(hub, NAMES, "console")
        self.console.subscribe(
            DEVICE_PICTURE, lambda one: self.seen.append(one.body) if isinstance(one.body, SmallPicture) else None
        )
        self.detector = detector
        monkeypatch.setattr(small_picture.time, "monotonic_ns", lambda: round(self.now_s * 1e9))
        self.pictures = SmallPictures(MemoryBus(hub, NAMES, CAMERA), CAMERA, PAINTER.table, detector.calibration)
        self.pictures.open()

    def wants(self, camera: str = CAMERA, **fields: int) -> None:
        self.console.publish(topic(DEVICE_PICTURE_WANTED, camera), PictureWanted(**{"width_px": 96, **fields}))

    def passes(self, seconds: float) -> int:
        """Frames for so long; returns how many pictures were told."""
        before = len(self.seen)
        for _ in range(round(seconds * 20)):
            self.now_s += 0.05
            self.pictures.see(FRAME, self.detector)
        return len(self.seen) - before


@pytest.fixture
def ends(detector: Detector, monkeypatch: pytest.MonkeyPatch) -> Ends:
    return Ends(detector, monkeypatch)


def test_nothing_is_told_unasked_or_when_another_camera_is_asked(ends: Ends) -> None:
    assert ends.passes(2) == 0
    ends.wants("side")
    assert ends.passes(2) == 0


def test_two_a_second_are_told_until_the_wish_runs_out(ends: Ends) -> None:
    ends.wants(for_ms=5000)
    assert 8 <= ends.passes(5) <= 10
    assert ends.passes(5) == 0
    ends.wants()
    ends.wants(for_ms=0)
    assert ends.passes(2) == 0


def test_a_picture_is_as_wide_as_was_asked_and_shows_the_chip_where_it_lies(ends: Ends) -> None:
    ends.wants(width_px=128)
    ends.passes(0.1)
    (told,) = ends.seen
    width, height = ends.detector.calibration.width_px, ends.detector.calibration.height_px
    assert (told.frame, told.width_px, told.height_px) == (30, 128, round(128 * height / width))

    pixels = np.frombuffer(told.pixels, np.uint8).reshape(told.height_px, told.width_px, 3).astype(int)
    x, y = ends.detector.calibration.to_px([PLACE])[0] * 128 / width
    red, green, blue = pixels[int(y), int(x)]
    assert green > 1.3 * red
    assert green > 1.3 * blue
    line_x, line_y = ends.detector.calibration.outline_px(PAINTER.table.felt.betting_line_mm)[0] * 128 / width
    red, green, blue = pixels[round(line_y - 0.5), round(line_x - 0.5)]
    assert min(red, green) > 1.5 * blue


def test_no_side_is_longer_than_a_message_may_have(detector: Detector) -> None:
    drawing = SmallDrawing(PAINTER.table, detector.calibration)
    assert max(drawing.draw(PICTURE, detector.snapshot(), MAX_PX).shape) <= MAX_PX


@pytest.mark.nightly
def test_cards_are_tinted_where_they_lie_and_spots_and_pot_are_outlined_while_they_are_open() -> None:
    detector = make_detector(PAINTER.table)
    drawing = SmallDrawing(PAINTER.table, detector.calibration)
    cards = PAINTER.card_places(6)
    for number in range(60):
        picture = PAINTER.paint(Scene())
        detector.process(PAINTER.lay_cards(picture, cards), number * FRAME_NS, number)
    held = detector.snapshot()
    changed = PAINTER.lay_cards(PAINTER.paint(Scene(chips=[Chip((0.0, 0.0))])), cards)
    detector.process(changed, 60 * FRAME_NS, 60)
    opened = detector.snapshot()

    share = 192 / detector.calibration.width_px
    spot = next(spot for spot in held.spots if spot.seat == 6)
    x, y = detector.calibration.to_px([PAINTER.table.seat(6).cards_mm])[0] * share
    none = [replace(one, lying=np.zeros_like(one.lying)) for one in held.spots]
    x0, y0, x1, y1 = drawn_in(drawing, held, replace(held, spots=tuple(none)))
    assert x0 < x < x1
    assert y0 < y < y1
    assert (x1 - x0 + 1) * (y1 - y0 + 1) < 3 * cv2.countNonZero(spot.lying) * share**2
    open_spots = [replace(one, phase="open" if one.seat == 6 else one.phase) for one in held.spots]
    outline = drawn_in(drawing, held, replace(held, spots=tuple(open_spots)))
    place = np.array([spot.place.x0, spot.place.y0, spot.place.x1, spot.place.y1]) * share
    assert np.allclose(outline, place, atol=2)

    assert opened.middle.phase == "open"
    x0, y0, x1, y1 = drawn_in(drawing, opened, replace(opened, middle=held.middle))
    x, y = detector.calibration.to_px([(0.0, 0.0)])[0] * share
    assert x0 < x < x1 < x0 + 192 / 4
    assert y0 < y < y1


def drawn_in(drawing: SmallDrawing, one: Snapshot, other: Snapshot) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what differs between two drawings."""
    first, second = (drawing.draw(np.zeros_like(PICTURE), snapshot, 192) for snapshot in (one, other))
    rows, columns = np.nonzero((first != second).any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
