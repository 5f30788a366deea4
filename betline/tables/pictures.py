"""Writes a drawing as SVG, at true scale, or as PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from betline.geometry import Point
from betline.tables.drawing import Area, Disc, Drawing, Label, Shape

GROUND: Final = "#f4f1ea"
_PNG_WIDTH_PX: Final = 1600
_FONT_PX: Final = 22.0
"""How high the letters of OpenCV's font are at scale 1."""
_DASH_MM: Final = 24.0
SUFFIXES: Final = (".svg", ".png")


def write(drawing: Drawing, path: Path, *, true_scale: bool = True) -> None:
    """Writes the drawing as SVG or PNG, by the file's name; raises OSError and, for another name, ValueError."""
    if path.suffix == ".svg":
        path.write_text(svg(drawing, true_scale=true_scale), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(png(drawing))
    else:
        raise ValueError(f"{path.name} ends with none of {', '.join(SUFFIXES)}")


def svg(drawing: Drawing, *, true_scale: bool = True) -> str:
    """The drawing as an SVG document at true scale, a millimetre of it is one of the table; or as large as whatever
    shows it.
    """
    width, height = _number(drawing.width_mm), _number(drawing.height_mm)
    inner = "".join(_svg(shape, drawing) for shape in drawing.shapes)
    size = f'width="{width}mm" height="{height}mm" ' if true_scale else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
        f'viewBox="0 0 {width} {height}">\n'
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>\n{inner}</svg>\n'
    )


def png(drawing: Drawing) -> bytes:
    """The drawing as a PNG picture, 1600 pixels wide."""
    import cv2  # noqa: PLC0415 - only who wants a PNG waits for it
    import numpy as np  # noqa: PLC0415

    scale = _PNG_WIDTH_PX / drawing.width_mm
    image = np.full((round(drawing.height_mm * scale), _PNG_WIDTH_PX, 3), _bgr(GROUND), dtype=np.uint8)
    for shape in drawing.shapes:
        _paint(image, shape, drawing, scale)
    done, encoded = cv2.imencode(".png", image)
    assert done
    return encoded.tobytes()


def _svg(shape: Shape, drawing: Drawing) -> str:
    match shape:
        case Area():
            points = " ".join(
                f"{_number(x)},{_number(y)}" for x, y in (_page(corner, drawing) for corner in shape.corners)
            )
            dash = f' stroke-dasharray="{_number(_DASH_MM)}"' if shape.dashed else ""
            opacity = f' fill-opacity="{_number(shape.opacity)}"' if shape.fill and shape.opacity < 1 else ""
            return f'<polygon points="{points}"{_colours(shape)}{opacity}{dash}/>\n'
        case Disc():
            x, y = _page(shape.centre, drawing)
            return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(shape.radius_mm)}"{_colours(shape)}/>\n'
        case Label():
            x, y = _page(shape.at, drawing)
            return (
                f'<text x="{_number(x)}" y="{_number(y + shape.size_mm * 0.35)}" text-anchor="middle" '
                f'font-family="Helvetica, Arial, sans-serif" font-size="{_number(shape.size_mm)}" '
                f'fill="{shape.colour}">'
                f"{escape(shape.text)}</text>\n"
            )


def _colours(shape: Area | Disc) -> str:
    stroke = f' stroke="{shape.stroke}" stroke-width="{_number(shape.width_mm)}"' if shape.stroke else ""
    return f' fill="{shape.fill or "none"}"{stroke}'


def _paint(image: Any, shape: Shape, drawing: Drawing, scale: float) -> None:
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    def pixel(point: Point) -> tuple[int, int]:
        x, y = _page(point, drawing)
        return (round(x * scale), round(y * scale))

    match shape:
        case Area():
            corners = np.array([pixel(corner) for corner in shape.corners], dtype=np.int32)
            if shape.fill:
                painted = image.copy() if shape.opacity < 1 else image
                cv2.fillPoly(painted, [corners], _bgr(shape.fill), cv2.LINE_AA)
                if shape.opacity < 1:
                    cv2.addWeighted(painted, shape.opacity, image, 1 - shape.opacity, 0, image)
            if shape.stroke:
                cv2.polylines(
                    image, [corners], True, _bgr(shape.stroke), max(1, round(shape.width_mm * scale)), cv2.LINE_AA
                )
        case Disc():
            radius = round(shape.radius_mm * scale)
            if shape.fill:
                cv2.circle(image, pixel(shape.centre), radius, _bgr(shape.fill), -1, cv2.LINE_AA)
            if shape.stroke:
                width = max(1, round(shape.width_mm * scale))
                cv2.circle(image, pixel(shape.centre), radius, _bgr(shape.stroke), width, cv2.LINE_AA)
        case Label():
            size = shape.size_mm * scale / _FONT_PX
            (width, height), _ = cv2.getTextSize(shape.text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
            x, y = pixel(shape.at)
            where = (x - width // 2, y + height // 2)
            cv2.putText(image, shape.text, where, cv2.FONT_HERSHEY_SIMPLEX, size, _bgr(shape.colour), 1, cv2.LINE_AA)


def _page(point: Point, drawing: Drawing) -> Point:
    """From millimetres of the felt to millimetres of the page, whose y runs down."""
    return (point[0] - drawing.left_mm, drawing.bottom_mm + drawing.height_mm - point[1])


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (blue, green, red)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
