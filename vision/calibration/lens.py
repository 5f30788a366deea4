"""The lens: focal lengths, principal point and radial distortion, found from pictures of a ChArUco board.

Ideal pixels are where a lens without distortion would show a point; a homography holds among them only. A wide lens
bends a straight line by many pixels at the rim of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import Camera
from vision.calibration.markers import BOARD, BOARD_CORNERS
from vision.imaging.pictures import Picture, grey

Floats = npt.NDArray[np.float64]

MIN_PICTURES = 6
MAX_PICTURES = 30
"""More pictures take minutes and say nothing new."""
MIN_CORNERS = 12
MAX_RMS_PX = 1.0
MAX_RMS_SHARE = 1.2e-3
"""Share of the picture's width: the board's corners may disagree by this much where that is more than `MAX_RMS_PX`."""
STRAY_VIEW, STRAY_SHARE = 1.5, 3e-4
"""A view that fits worse than this many times the median, and than this share of the picture's width, is left out: the
picture is blurred, or the board was bent."""
OTHER_BOARD_SHARE = 0.03
"""Share of the picture's width: no lens puts the corners of the printed board so far from where a flat one has them."""
MIN_MARKERS = 8
"""A picture with so many markers of the board, and no corner between them, shows another board."""
NEW_VIEW_PX = 40.0
"""A board that has moved less than this since the last one taken is no new view."""
MIN_REACH = 0.6
"""The boards' corners must reach this far from the middle to the corner of the picture."""
_STEPS = 12


class LensError(Exception):
    """The pictures of the board give no usable lens; the sentence says what to take again."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens for pictures of one size; ``rms_px`` is how well the board's corners agreed, None where none was seen."""

    width_px: int
    height_px: int
    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    k1: float = 0.0
    k2: float = 0.0
    rms_px: float | None = None

    def bent(self, ideal_px: Floats) -> Floats:
        """Where the picture shows points of ideal pixels, (N, 2) float64, one row (x, y) each."""
        if not self.bends:
            return ideal_px
        flat = (ideal_px - self._middle) / self._focal
        r = np.minimum(np.hypot(flat[:, 0], flat[:, 1]), self._end())
        return np.asarray(flat * self._factor(r)[:, None] * self._focal + self._middle)

    def straight(self, picture_px: Floats) -> Floats:
        """The ideal pixels of points of the picture, (N, 2) float64 each."""
        if not self.bends:
            return picture_px
        flat = (picture_px - self._middle) / self._focal
        seen = np.hypot(flat[:, 0], flat[:, 1])
        end = self._end()
        r = np.minimum(seen, end)
        for _ in range(_STEPS):
            slope = 1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4
            r = np.clip(r - (r * self._factor(r) - seen) / np.maximum(slope, 1e-3), 0.0, end)
        return np.asarray(
            flat * np.where(seen > 0, r / np.maximum(seen, 1e-12), 1.0)[:, None] * self._focal + self._middle
        )

    @property
    def bends(self) -> bool:
        """Whether there is any distortion."""
        return self.k1 != 0.0 or self.k2 != 0.0

    @property
    def matrix(self) -> Floats:
        """The camera matrix, (3, 3) float64."""
        return np.array([[self.fx_px, 0, self.cx_px], [0, self.fy_px, self.cy_px], [0, 0, 1]], dtype=np.float64)

    @property
    def _focal(self) -> Floats:
        return np.array([self.fx_px, self.fy_px])

    @property
    def _middle(self) -> Floats:
        return np.array([self.cx_px, self.cy_px])

    def _factor(self, r: Floats) -> Floats:
        return np.asarray(1 + self.k1 * r**2 + self.k2 * r**4)

    def _end(self) -> float:
        """The radius up to which what lies further out is also shown further out."""
        roots = np.roots([5 * self.k2, 3 * self.k1, 1.0]) if self.k2 else np.array([-1 / (3 * self.k1)])
        turns = [float(root.real) ** 0.5 for root in roots if abs(root.imag) < 1e-12 and root.real > 0]
        return min(turns, default=float("inf"))


def nominal_lens(camera: Camera) -> Lens:
    """The lens as the table file has it: without distortion."""
    return Lens(
        camera.width_px, camera.height_px, camera.focal_px, camera.focal_px, camera.width_px / 2, camera.height_px / 2
    )


def scaled(lens: Lens, width_px: int, height_px: int) -> Lens:
    """The same lens for pictures of another size and the same shape; raises LensError for another shape."""
    by = width_px / lens.width_px
    if abs(height_px / lens.height_px - by) > 0.01:
        raise LensError(
            f"The lens was measured with pictures of {lens.width_px}x{lens.height_px}, "
            f"the camera gives {width_px}x{height_px}: take the board's pictures with the table's setting."
        )
    fx, fy, cx, cy = lens.fx_px * by, lens.fy_px * by, lens.cx_px * by, lens.cy_px * by
    return Lens(width_px, height_px, fx, fy, cx, cy, lens.k1, lens.k2, lens.rms_px)


def find_lens(pictures: Iterable[Picture]) -> tuple[Lens, int]:
    """The lens that took pictures of the printed board, (H, W, 3) uint8 BGR each, and how many of them were used.

    Raises LensError where too few show enough of the board, where they show another board, or where they disagree.
    """
    views, size = _views(pictures)
    middle = np.array(size) / 2
    reach = max(float(np.hypot(*(view.seen_px - middle).T).max()) for view in views) / float(np.hypot(*middle))
    if reach < MIN_REACH:
        raise LensError(
            f"The board was never near a corner of the picture (it reached {reach:.0%} of the way): "
            "show it in all four corners too, where the lens bends most."
        )
    lens, errors_px = _fitted(views, size)
    while len(views) > MIN_PICTURES and _has_stray(errors_px, size[0]):
        del views[int(np.argmax(errors_px))]
        lens, errors_px = _fitted(views, size)
    most_px = most_rms_px(size[0])
    if lens.rms_px is None or not np.isfinite(lens.rms_px) or lens.rms_px > most_px:
        raise LensError(
            f"The pictures of the board disagree ({lens.rms_px:.1f} px RMS, {most_px:.1f} px is the most): "
            "glue the board to something flat, take sharp pictures and try again."
        )
    return lens, len(views)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """The corners of the board that one picture shows: their numbers, and where, (N, 2) float32."""

    numbers: tuple[int, ...]
    seen_px: npt.NDArray[np.float32]

    @property
    def board_mm(self) -> npt.NDArray[np.float32]:
        return np.asarray([BOARD_CORNERS[one] for one in self.numbers], np.float32)

    def is_ours(self, width_px: int) -> bool:
        """Whether the corners lie as on the printed board, whatever the lens."""
        onto = np.asarray(cv2.findHomography(self.board_mm[:, :2], self.seen_px)[0])
        if onto.shape != (3, 3):
            return False
        flat = cv2.perspectiveTransform(self.board_mm[None, :, :2], onto)[0]
        return float(np.sqrt(((flat - self.seen_px) ** 2).sum(axis=1).mean())) <= OTHER_BOARD_SHARE * width_px


def _views(pictures: Iterable[Picture]) -> tuple[list[_View], tuple[int, int]]:
    """The views of the board that differ from the one before, and the pictures' size."""
    detector = cv2.aruco.CharucoDetector(BOARD)
    views: list[_View] = []
    others = 0
    last: dict[int, Floats] = {}
    size: tuple[int, int] | None = None
    for picture in pictures:
        now = (picture.shape[1], picture.shape[0])
        if size is not None and now != size:
            raise LensError("The pictures of the board differ in size: take all of them with the table's setting.")
        size = now
        found, ids, _, markers = detector.detectBoard(grey(picture))
        if found is None or ids is None or len(ids) < MIN_CORNERS:
            others += (
                markers is not None and len(markers) >= MIN_MARKERS and (ids is None or 2 * len(ids) < MIN_CORNERS)
            )
            continue
        here = {
            int(number): np.asarray(at, np.float64).reshape(2) for number, at in zip(ids.ravel(), found, strict=True)
        }
        moved = [float(np.hypot(*(here[one] - last[one]))) for one in here.keys() & last.keys()]
        if moved and float(np.median(moved)) < NEW_VIEW_PX * now[0] / 1280:
            continue
        last = here
        numbers = tuple(sorted(here))
        view = _View(numbers, np.asarray([here[one] for one in numbers], np.float32))
        if not view.is_ours(now[0]):
            others += 1
            continue
        views.append(view)
        if len(views) == MAX_PICTURES:
            break
    if size is None or len(views) < MIN_PICTURES:
        if others > len(views):
            raise LensError(
                f"{others} pictures show another board than the printed one: print it with betline vision markers at "
                "100 % and take the pictures again."
            )
        raise LensError(
            f"The board was seen well in {len(views)} views, {MIN_PICTURES} are needed: hold the printed board "
            "flat and show it near, far, tilted, and in all corners of the picture."
        )
    return views, size


def most_rms_px(width_px: int) -> float:
    """By how much the board's corners may disagree in pictures of that width, in pixels RMS."""
    return max(MAX_RMS_PX, MAX_RMS_SHARE * width_px)


def _has_stray(errors_px: Floats, width_px: int) -> bool:
    return float(errors_px.max()) > max(STRAY_VIEW * float(np.median(errors_px)), STRAY_SHARE * width_px)


def _fitted(views: Sequence[_View], size: tuple[int, int]) -> tuple[Lens, Floats]:
    """The lens that fits the views best, and how far off each view is, in pixels RMS."""
    width_px, height_px = size
    start = np.array([[width_px, 0, width_px / 2], [0, width_px, height_px / 2], [0, 0, 1]], np.float64)
    flags = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS
    objects, corners = [view.board_mm for view in views], [view.seen_px for view in views]
    rms, matrix, k, *_, errors = cv2.calibrateCameraExtended(objects, corners, size, start, np.zeros(5), flags=flags)
    k1, k2 = (float(value) for value in np.ravel(k)[:2])
    fx, fy, cx, cy = (float(matrix[at]) for at in ((0, 0), (1, 1), (0, 2), (1, 2)))
    return Lens(width_px, height_px, fx, fy, cx, cy, k1, k2, float(rms)), np.ravel(errors).astype(np.float64)
