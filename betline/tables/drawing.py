"""The table from above, at scale: felt, line, zones, cards, readers and antennas, markers, the camera's field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from betline.geometry import Pinhole, Point, Polygon, centroid
from betline.settings import Camera, TableSettings
from betline.tables.finding import Finding
from betline.tables.pieces import Piece, pieces

_MARGIN_MM = 60.0
_LETTERS_MM = 34.0
_SMALL_MM = 24.0
_CARD_MM = (63.0, 88.0)
_INK, _PALE = "#20242a", "#ffffff"
_READ, _UNREAD = "#f2c14e", "#9aa4ad"
_VIEW, _FAULT, _WARNING = "#3d7edb", "#d62839", "#e0812f"
_FINDING_RADIUS_MM = 36.0
_RULER_MM = 500.0


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon, filled or not, with a border of ``width_mm``; ``opacity`` is that of its filling."""

    corners: Polygon
    fill: str | None = None
    stroke: str | None = None
    width_mm: float = 3.0
    opacity: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled or not."""

    centre: Point
    radius_mm: float
    fill: str | None = None
    stroke: str | None = None
    width_mm: float = 5.0


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text with its middle at a point."""

    at: Point
    text: str
    size_mm: float = _LETTERS_MM
    colour: str = _INK


Shape = Area | Disc | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in millimetres of the felt (y away from the dealer), in the order in which they are painted."""

    left_mm: float
    bottom_mm: float
    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def draw(table: TableSettings, findings: Iterable[Finding] = ()) -> Drawing:
    """The table, with a numbered ring around each finding, in the order in which they are given."""
    found = tuple(findings)
    shapes = [*_felt(table), *_zones(table), *_seats(table), *_markers(table), *_cameras(table), *_rings(found)]
    points = [point for shape in shapes for point in _reach(shape)]
    left, right = min(x for x, _ in points) - _MARGIN_MM, max(x for x, _ in points) + _MARGIN_MM
    bottom, top = min(y for _, y in points) - _MARGIN_MM, max(y for _, y in points) + _MARGIN_MM
    bottom -= 3 * _LETTERS_MM
    shapes += _legend(table, left + _MARGIN_MM, bottom + _LETTERS_MM)
    return Drawing(left, bottom, right - left, top - bottom, tuple(shapes))


def _felt(table: TableSettings) -> Iterator[Shape]:
    felt = table.felt
    rail_mm = felt.rail_width_mm
    yield Area(felt.outline_mm, stroke=felt.rail_colour, width_mm=2 * rail_mm)  # the felt covers its inner half
    yield Area(felt.outline_mm, fill=felt.colour)
    yield Area(felt.betting_line_mm, stroke=felt.line_colour, width_mm=felt.line_width_mm)
    x, y = table.dealer_mm
    yield Label((x, y - rail_mm / 2), "dealer", _SMALL_MM, _PALE)
    yield Label(table.muck_mm, "muck", _SMALL_MM, _PALE)


def _zones(table: TableSettings) -> Iterator[Shape]:
    readers = {
        antenna.zone: f"{reader.id} / {antenna.antenna}" for reader in table.readers for antenna in reader.antennas
    }
    for piece in pieces(table):
        zone = _antenna_zone(piece)
        reader = readers.get(zone)
        colour = _READ if reader else _UNREAD
        yield Area(piece.corners, fill=colour, stroke=colour, opacity=0.25, dashed=reader is None)
        x, y = piece.middle_mm
        if piece.seat is None:
            yield Label((x, y), piece.kind, _LETTERS_MM, _PALE)
        if reader:
            yield Label((x, y - _LETTERS_MM if piece.seat is None else y), reader, _SMALL_MM, _PALE)


def _seats(table: TableSettings) -> Iterator[Shape]:
    for seat in table.seats:
        for side in (-1, 1):
            yield Area(_card(seat.cards_mm, seat.line_mm, side), fill=_PALE, stroke=_INK, width_mm=1.5)
        middle = centroid(table.felt.outline_mm)
        length = max(1.0, ((seat.rail_mm[0] - middle[0]) ** 2 + (seat.rail_mm[1] - middle[1]) ** 2) ** 0.5)
        out_mm = table.felt.rail_width_mm / 2
        at = (
            seat.rail_mm[0] + (seat.rail_mm[0] - middle[0]) / length * out_mm,
            seat.rail_mm[1] + (seat.rail_mm[1] - middle[1]) / length * out_mm,
        )
        yield Disc(at, _LETTERS_MM, fill=_PALE)
        yield Label(at, str(seat.number), _LETTERS_MM * 1.2)


def _markers(table: TableSettings) -> Iterator[Shape]:
    for marker in table.markers:
        x, y = marker.centre_mm
        half = marker.size_mm / 2
        yield Area(((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)), fill=_INK)
        yield Label(marker.centre_mm, str(marker.id), _SMALL_MM, _PALE)


def _cameras(table: TableSettings) -> Iterator[Shape]:
    for camera in table.cameras:
        if camera.position_mm[2] > 0:
            yield Area(_view(camera), stroke=_VIEW, width_mm=5.0, dashed=True)
        yield Disc((camera.position_mm[0], camera.position_mm[1]), 14.0, stroke=_VIEW)


def _rings(findings: tuple[Finding, ...]) -> Iterator[Shape]:
    for number, finding in enumerate(findings, 1):
        colour = _FAULT if finding.is_fault else _WARNING
        yield Disc(finding.at_mm, _FINDING_RADIUS_MM, stroke=colour, width_mm=8.0)
        x, y = finding.at_mm
        yield Label((x, y + _FINDING_RADIUS_MM + _SMALL_MM), str(number), _LETTERS_MM, colour)


def _legend(table: TableSettings, left: float, y: float) -> Iterator[Shape]:
    xs = [x for x, _ in table.felt.outline_mm]
    ys = [corner for _, corner in table.felt.outline_mm]
    size = f"felt {max(xs) - min(xs):.0f} x {max(ys) - min(ys):.0f} mm"
    yield Area(((left, y - 4), (left + _RULER_MM, y - 4), (left + _RULER_MM, y + 4), (left, y + 4)), fill=_INK)
    yield Label((left + _RULER_MM / 2, y + _SMALL_MM + 6), f"{_RULER_MM:.0f} mm", _SMALL_MM)
    text = f"{table.title}: {len(table.seats)} seats, {size}"
    yield Label((left + _RULER_MM + 60 + len(text) * _SMALL_MM * 0.3, y), text, _SMALL_MM * 1.1)


def _antenna_zone(piece: Piece) -> str:
    if piece.seat is None:
        return piece.name
    return f"{'seat' if piece.kind == 'bet' else 'stack'}-{piece.seat}"


def _card(middle: Point, line: tuple[Point, Point], side: int) -> Polygon:
    """One of a seat's two cards, its shorter side along the seat's line."""
    (ax, ay), (bx, by) = line
    length = max(1.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
    along = ((bx - ax) / length, (by - ay) / length)
    across = (along[1], -along[0])
    x, y = middle[0] + side * 0.3 * _CARD_MM[0] * along[0], middle[1] + side * 0.3 * _CARD_MM[0] * along[1]
    half_wide, half_long = _CARD_MM[0] / 2, _CARD_MM[1] / 2
    return tuple(
        (
            x + i * half_wide * along[0] + j * half_long * across[0],
            y + i * half_wide * along[1] + j * half_long * across[1],
        )
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


def _view(camera: Camera) -> Polygon:
    """What of the felt's plane is in the picture, walked around by the picture's corners."""
    pinhole = camera.pinhole()
    corners = ((0, 0), (camera.width_px, 0), (camera.width_px, camera.height_px), (0, camera.height_px))
    return tuple(_on_felt(pinhole, corner) for corner in corners)


def _on_felt(pinhole: Pinhole, pixel: Point) -> Point:
    """Where on the felt a pixel looks: the homography the other way round (Cramer's rule)."""
    (a, b, c), (d, e, f), (g, h, i) = pinhole.homography()
    x, y = pixel
    a1, b1, c1 = a - x * g, b - x * h, x * i - c
    a2, b2, c2 = d - y * g, e - y * h, y * i - f
    det = a1 * b2 - a2 * b1
    return ((c1 * b2 - c2 * b1) / det, (a1 * c2 - a2 * c1) / det)


def _reach(shape: Shape) -> Iterable[Point]:
    match shape:
        case Area(corners=corners, width_mm=width_mm):
            return [(x + side * width_mm / 2, y + side * width_mm / 2) for x, y in corners for side in (-1, 1)]
        case Disc(centre=(x, y), radius_mm=radius):
            return ((x - radius, y - radius), (x + radius, y + radius))
        case Label(at=at):
            return (at,)
