"""Pictures of printed sheets: rasterised from the sheets themselves, laid on a felt, seen by a real lens.

The lens and pose here are written out again from their definitions, so that they check those of ``vision``.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point
from betline.settings import TableSettings
from vision.calibration.printables import board_sheet, marker_sheets
from vision.calibration.sheet import Box, Line, Sheet, Words

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
WIDTH, HEIGHT = 1280, 720


@dataclass(frozen=True)
class Eye:
    """A camera at a place over the felt, tilted about the table's long axis, with its lens."""

    at_mm: tuple[float, float, float] = (0.0, -60.0, 1600.0)
    tilt_deg: float = 0.0
    focal_px: float = 790.0
    k1: float = 0.0
    k2: float = 0.0
    roll_deg: float = 0.0

    def rotation(self) -> Floats:
        tilt, roll = np.radians(self.tilt_deg), np.radians(self.roll_deg)
        down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], float)
        about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        return about_z @ about_x @ down

    def project(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels of points (n, 2) on the felt or (n, 3) in the room."""
        points = np.asarray(points_mm, float)
        if points.shape[1] == 2:
            points = np.column_stack((points, np.zeros(len(points))))
        x, y, z = self.rotation() @ (points - self.at_mm).T
        u, v = x / z, y / z
        r2 = u * u + v * v
        bend = 1 + self.k1 * r2 + self.k2 * r2 * r2
        return np.column_stack((self.focal_px * u * bend + WIDTH / 2, self.focal_px * v * bend + HEIGHT / 2))

    def photograph(self, texture: Picture, left: float, top: float, px_per_mm: float, seed: int) -> Picture:
        """The picture of a flat texture whose corner lies at (left, top) of the felt, with noise."""
        scale = 2
        across, down = np.arange(WIDTH * scale, dtype=np.float32), np.arange(HEIGHT * scale, dtype=np.float32)
        grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        seen = ((grid + 0.5) / scale - 0.5 - (WIDTH / 2, HEIGHT / 2)) / self.focal_px
        r = np.hypot(*seen.T)
        table_r = np.linspace(0, 1.4, 4000)
        bent_r = table_r * (1 + self.k1 * table_r**2 + self.k2 * table_r**4)
        rising = int(np.argmax(np.diff(bent_r) <= 0)) or len(table_r) - 1
        true_r = np.interp(r, bent_r[:rising], table_r[:rising])
        flat = seen * (true_r / np.maximum(r, 1e-9))[:, None]
        rays = self.rotation().T @ np.column_stack((flat, np.ones(len(flat)))).T
        hit = np.array(self.at_mm)[:2, None] - rays[:2] * (self.at_mm[2] / rays[2])
        map_x = ((hit[0] - left) * px_per_mm - 0.5).reshape(HEIGHT * scale, WIDTH * scale).astype(np.float32)
        map_y = ((top - hit[1]) * px_per_mm - 0.5).reshape(HEIGHT * scale, WIDTH * scale).astype(np.float32)
        large = cv2.remap(
            texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(35,) * 3
        )
        picture = cv2.GaussianBlur(cv2.resize(large, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
        noise = np.random.default_rng(seed).standard_normal(picture.shape, np.float32)
        noise *= np.sqrt(1.2 + np.float32(0.05) * picture)
        return np.clip(picture + noise, 0, 255).astype(np.uint8)


def raster(sheet: Sheet, px_per_mm: float) -> Picture:
    """A sheet as a printer puts it on white paper (its words are left out)."""
    paper = np.full((round(sheet.height_mm * px_per_mm), round(sheet.width_mm * px_per_mm), 3), 255, np.uint8)
    for shape in (*sheet.shapes, *sheet.margin_shapes):
        match shape:
            case Box(x, y, width, height):
                x0, y0, x1, y1 = (round(v * px_per_mm) for v in (x, y, x + width, y + height))
                paper[y0:y1, x0:x1] = 0
            case Line(points, width_mm, _, closed):
                corners = np.round(np.array(points) * px_per_mm).astype(np.int32)
                cv2.polylines(paper, [corners], closed, (160, 160, 160), max(1, round(width_mm * px_per_mm)))
            case Words():
                pass
    return paper


def cut_out_markers(table: TableSettings, px_per_mm: float) -> dict[int, Picture]:
    """Each marker with its border, cut from the printed sheets along the grey lines."""
    found: dict[int, Picture] = {}
    numbers = [marker.id for marker in table.markers]
    for sheet in marker_sheets(table, "a4"):
        paper = raster(sheet, px_per_mm)
        for shape in sheet.shapes:
            if isinstance(shape, Line) and shape.closed:
                (x0, y0), _, (x1, y1), _ = (np.round(np.array(point) * px_per_mm).astype(int) for point in shape.points)
                found[numbers[len(found)]] = paper[y0:y1, x0:x1]
    return found


def felt_with_markers(
    table: TableSettings,
    px_per_mm: float = 2.0,
    moved: dict[int, Point] | None = None,
    turned_deg: dict[int, float] | None = None,
    without: frozenset[int] = frozenset(),
) -> tuple[Picture, float, float]:
    """The felt from above with the printed markers on it, and its left and top in millimetres."""
    left, top = -1300.0, 700.0
    felt = np.empty((round(1400 * px_per_mm), round(2600 * px_per_mm), 3), np.uint8)
    felt[:] = (58, 92, 31)
    line = (np.array(table.felt.betting_line_mm) - (left, top)) * (px_per_mm, -px_per_mm)
    cv2.polylines(felt, [np.round(line).astype(np.int32)], True, (176, 210, 216), round(10 * px_per_mm))
    cut = cut_out_markers(table, px_per_mm)
    for marker in table.markers:
        if marker.id in without:
            continue
        dx, dy = (moved or {}).get(marker.id, (0.0, 0.0))
        x, y = (marker.centre_mm[0] + dx - left) * px_per_mm, (top - marker.centre_mm[1] - dy) * px_per_mm
        paper = cut[marker.id]
        height, width = paper.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), (turned_deg or {}).get(marker.id, 0.0), 1.0)
        turn[:, 2] += (x - width / 2, y - height / 2)
        size = (felt.shape[1], felt.shape[0])
        cv2.warpAffine(paper, turn, size, felt, borderMode=cv2.BORDER_TRANSPARENT)
    return felt, left, top


@cache
def board_pictures(eye: Eye, count: int = 8) -> list[Picture]:
    """The printed board, held flat before the camera in many ways."""
    px_per_mm = 4.0
    paper = raster(board_sheet("a4"), px_per_mm)
    width, height = paper.shape[1] / px_per_mm, paper.shape[0] / px_per_mm
    random = np.random.default_rng(5)
    pictures = []
    for number in range(count):
        near = random.uniform(330, 520)
        corner = (number % 2 * 2 - 1, number // 2 % 2 * 2 - 1)
        held = Eye(
            (
                -corner[0] * random.uniform(0.1, 0.5) * near,
                corner[1] * random.uniform(0.05, 0.3) * near,
                near,
            ),
            random.uniform(-30, 30),
            eye.focal_px,
            eye.k1,
            eye.k2,
            random.uniform(-25, 25),
        )
        # The eye looks beside the board where it is tilted: it is moved until the board is in the picture.
        off = held.rotation().T @ (0, 0, 1)
        at = (held.at_mm[0] - off[0] / off[2] * near * -1, held.at_mm[1] - off[1] / off[2] * near * -1, near)
        held = Eye(at, held.tilt_deg, held.focal_px, held.k1, held.k2, held.roll_deg)
        pictures.append(held.photograph(paper, -width / 2, height / 2, px_per_mm, number))
    return pictures
