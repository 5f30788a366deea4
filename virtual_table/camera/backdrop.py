"""What never moves: the floor, the rail, the cloth with its betting line, and the dealer's tray."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point
from betline.settings import TableSettings
from virtual_table.camera.canvas import Bgr, Canvas, bgr, mix, shade
from virtual_table.camera.cutouts import woven
from virtual_table.camera.markers import draw_markers
from virtual_table.camera.optics import Floats, Image, View

FULL_LIGHT = 190.0
_RAIL_HEIGHT_MM = 25.0
_PIP_PITCH_MM = 46.0
_FLOOR: Bgr = (38.0, 34.0, 40.0)


def backdrop(
    table: TableSettings,
    view: View,
    rng: np.random.Generator,
    *,
    patterned: bool = False,
    weave: npt.NDArray[np.float32] | None = None,
) -> Image:
    """The empty table, evenly lit: (H, W, 3) uint8 BGR.

    ``patterned`` is speed cloth with the suits woven in; ``weave``, (h, w) float32, a real felt's in place of a drawn
    one.
    """
    image: Image = np.full((view.height_px, view.width_px, 3), _FLOOR, dtype=np.uint8)
    canvas = Canvas(image)
    _texture(image, np.full(image.shape[:2], 255, dtype=np.uint8), rng, coarse=9.0, fine=4.0)
    _rail(canvas, table, view)
    _cloth(canvas, table, view, rng, patterned, weave)
    _tray(canvas, table, view)
    draw_markers(canvas, table, view)
    return image


def light_map(
    view: View, rng: np.random.Generator, vignette: float | None = None, tint: Bgr = (1.0, 1.0, 1.0)
) -> Image:
    """How bright lamp and lens make each pixel and channel: (H, W, 3) uint8; `FULL_LIGHT` is as bright as the colours
    say.

    ``vignette`` is the share of light that the lens takes from the corners, None for one drawn by the seed; ``tint`` is
    the colour of the lamp, blue first.
    """
    y, x = np.mgrid[0 : view.height_px, 0 : view.width_px].astype(np.float32)
    lamp = np.array((0.5 + rng.uniform(-0.06, 0.06), 0.46 + rng.uniform(-0.06, 0.06)))
    far_lamp = np.hypot(x / view.width_px - lamp[0], (y / view.height_px - lamp[1]) * 0.7)
    far_lens = np.hypot(x / view.width_px - 0.5, (y / view.height_px - 0.5) * view.height_px / view.width_px)
    drawn = rng.uniform(0.30, 0.45)
    corner = float(far_lens.max())
    fall = drawn if vignette is None else vignette / corner**2
    bright = (1.08 - 0.32 * far_lamp**1.6) * (1.0 - fall * far_lens**2)
    warm = np.array((0.965, 1.0, 1.02)) * tint  # a little warmer than daylight, blue first
    gain: Image = np.clip(FULL_LIGHT * bright[..., None] * warm, 0, 255).astype(np.uint8)
    return gain


def _rail(canvas: Canvas, table: TableSettings, view: View) -> None:
    felt = table.felt
    colour = bgr(felt.rail_colour)
    width = felt.rail_width_mm
    canvas.polygon(_raised(view, _outset(felt.outline_mm, width + 14.0), 0.0), shade(_FLOOR, 0.45))
    steps = 14
    for step in range(steps):
        share = step / (steps - 1)
        height = _RAIL_HEIGHT_MM * math.sin(math.pi * (0.12 + 0.76 * share))
        gleam = 0.55 + 0.95 * math.exp(-(((share - 0.42) / 0.22) ** 2))
        canvas.polygon(
            _raised(view, _outset(felt.outline_mm, width * (1.0 - share)), height),
            shade(mix(colour, (60, 66, 78), 0.15), gleam),
        )
    stitch = _raised(view, _outset(felt.outline_mm, width * 0.16), _RAIL_HEIGHT_MM * 0.6)
    canvas.outline(stitch, shade(colour, 0.6), 1.0)


def _cloth(
    canvas: Canvas,
    table: TableSettings,
    view: View,
    rng: np.random.Generator,
    patterned: bool,
    weave: npt.NDArray[np.float32] | None,
) -> None:
    felt = table.felt
    colour = bgr(felt.colour)
    outline = _raised(view, felt.outline_mm, 0.0)
    mask: Image = np.zeros(canvas.image.shape[:2], dtype=np.uint8)
    Canvas(mask).polygon(outline, 255.0)
    cloth: Image = np.full_like(canvas.image, colour)
    printed = Canvas(cloth)
    scale = float(view.scale((0.0, 0.0, 0.0)))
    if patterned:
        _suits(printed, table, view, mix(colour, (0, 0, 0), 0.22))
    _emblem(printed, table, view, mix(colour, (255, 255, 255), 0.12), scale)
    line = _raised(view, felt.betting_line_mm, 0.0)
    printed.outline(line, bgr(felt.line_colour), felt.line_width_mm * scale)
    inner = _raised(view, _outset(felt.betting_line_mm, 16.0), 0.0)
    printed.outline(inner, mix(colour, bgr(felt.line_colour), 0.35), 1.0)
    shadow: Image = np.zeros_like(mask)
    Canvas(shadow).outline(outline, 255.0, 26.0 * scale * 2)
    shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), 14.0 * scale), dtype=np.uint8)
    dark = 1.0 - 0.45 * (shadow.astype(np.float32) / 255.0)[..., None]
    cloth = (cloth * dark).astype(np.uint8)
    if weave is None:
        _texture(cloth, mask, rng, coarse=3.0, fine=4.5)
    else:
        cloth = np.clip(cloth * woven(weave, mask.shape[:2])[..., None], 0, 255).astype(np.uint8)
    share = (mask.astype(np.float32) / 255.0)[..., None]
    canvas.image[:] = (cloth * share + canvas.image * (1.0 - share)).astype(np.uint8)


def _suits(canvas: Canvas, table: TableSettings, view: View, colour: Bgr) -> None:
    """Small pips all over the cloth, a diamond and a club by turns."""
    xs, ys = zip(*table.felt.outline_mm, strict=True)
    turn = np.linspace(0.0, math.tau, 12, endpoint=False)
    for row, y in enumerate(np.arange(min(ys), max(ys), _PIP_PITCH_MM)):
        for column, x in enumerate(np.arange(min(xs), max(xs), _PIP_PITCH_MM)):
            if (row + column) % 2:
                pip = [(x + 8.0 * math.cos(a), y + 11.0 * math.sin(a)) for a in (0.0, 1.571, 3.142, 4.712)]
                canvas.polygon(_raised(view, pip, 0.0), colour)
            else:
                for dx, dy in ((-5.0, -3.0), (5.0, -3.0), (0.0, 5.0)):
                    leaf = [(x + dx + 5.0 * math.cos(a), y + dy + 5.0 * math.sin(a)) for a in turn]
                    canvas.polygon(_raised(view, leaf, 0.0), colour)


def _emblem(canvas: Canvas, table: TableSettings, view: View, colour: Bgr, scale: float) -> None:
    """The house's mark above the pot: four pips in a ring that the cloth was printed with."""
    top = max(y for _, y in table.pot.polygon_mm)
    back = max(y for _, y in table.felt.betting_line_mm)
    middle = (0.0, (top + back) / 2)
    radius = min(60.0, (back - top) / 2 - 24.0)
    if radius < 15.0:
        return
    turn = np.linspace(0.0, math.tau, 48, endpoint=False)
    ring = [(middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a)) for a in turn]
    canvas.outline(_raised(view, ring, 0.0), colour, 5.0 * scale)
    for quarter in range(4):
        angle = quarter * math.pi / 2
        x, y = middle[0] + radius * 0.48 * math.cos(angle), middle[1] + radius * 0.48 * math.sin(angle)
        pip = [(x + radius * 0.26 * math.cos(a), y + radius * 0.34 * math.sin(a)) for a in (0, 1.571, 3.142, 4.712)]
        canvas.polygon(_raised(view, pip, 0.0), colour)


def _tray(canvas: Canvas, table: TableSettings, view: View) -> None:
    polygon = table.tray.polygon_mm
    canvas.polygon(_raised(view, _outset(polygon, 10.0), 0.0), (52.0, 54.0, 60.0))
    canvas.polygon(_raised(view, _outset(polygon, 5.0), 0.0), (84.0, 88.0, 96.0))
    canvas.polygon(_raised(view, polygon, 0.0), (24.0, 24.0, 28.0))


def _texture(image: Image, mask: Image, rng: np.random.Generator, coarse: float, fine: float) -> None:
    """Makes cloth of an even colour: fibres and a little wear."""
    height, width = image.shape[:2]
    fibres = cv2.GaussianBlur(rng.standard_normal((height, width)).astype(np.float32), (0, 0), 0.7) * fine
    small = rng.standard_normal((height // 24 + 2, width // 24 + 2)).astype(np.float32)
    wear = cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.0), (width, height), interpolation=cv2.INTER_CUBIC) * coarse
    change = (fibres + wear)[..., None] * (mask[..., None] > 0)
    image[:] = np.clip(image.astype(np.float32) + change, 0, 255).astype(np.uint8)


def _raised(view: View, polygon: list[Point] | tuple[Point, ...], height_mm: float) -> Floats:
    return view.project([(x, y, height_mm) for x, y in polygon])


def _outset(polygon: tuple[Point, ...], by_mm: float) -> tuple[Point, ...]:
    """A convex polygon with its sides moved outwards."""
    turning = sum((b[0] - a[0]) * (b[1] + a[1]) for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True))
    sign = 1.0 if turning < 0 else -1.0
    grown: list[Point] = []
    for i, (x, y) in enumerate(polygon):
        before, after = polygon[i - 1], polygon[(i + 1) % len(polygon)]
        n1 = _normal(before, (x, y), sign)
        n2 = _normal((x, y), after, sign)
        bisector = (n1[0] + n2[0], n1[1] + n2[1])
        fit = 2.0 * by_mm / (bisector[0] ** 2 + bisector[1] ** 2)
        grown.append((x + bisector[0] * fit, y + bisector[1] * fit))
    return tuple(grown)


def _normal(a: Point, b: Point, sign: float) -> Point:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    return (sign * (b[1] - a[1]) / length, -sign * (b[0] - a[0]) / length)
