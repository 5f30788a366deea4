"""A table described by its form and seats: the polygons, readers and camera of its file are laid out from that."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from betline.geometry import Point, Polygon
from betline.layout import Form, FormName, LayoutError, Places, lay_out
from betline.settings.model import Settings, SettingsError
from betline.settings.readers import BY_ID, FAMILIES, FamilyName

MM_PER_INCH = 25.4
Measure = Annotated[float, Field(gt=0)]


class Shape(Settings):
    """The form of a table, from which all that lies on its felt is laid out."""

    form: FormName = Field(description="oval and racetrack have straight sides and half-round ends")
    size_mm: tuple[Measure, Measure] | None = Field(default=None, description="the felt inside the rail: width, depth")
    size_in: tuple[Measure, Measure] | None = Field(default=None, description="the same in inches")
    over_rail: bool = Field(default=False, description="the size was measured over the rail, not inside it")
    seats: int = Field(ge=2, le=10, description="how many players sit there")
    dealer: bool = Field(default=True, description="false where the players deal: no place is kept for a dealer")
    line_inset_mm: Measure | None = Field(
        default=None, description="from the rail to the betting line, of a racetrack the width of the track"
    )
    rail_width_mm: Measure = Field(default=120, description="width of the rail")
    colour: str = Field(default="#1f5c3a", pattern=r"^#[0-9a-f]{6}$", description="colour of the cloth")
    readers: FamilyName | None = Field(
        default=None, description="RFID readers of this family under seats, pot and tray; ports are named in [ports]"
    )
    antennas_each: int = Field(default=1, ge=1, le=8, description="how many antennas each of these readers has")
    camera: str | None = Field(default=None, description="a camera above the middle: usb:N, a URL or a file")

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if (self.size_mm is None) == (self.size_in is None):
            raise ValueError("needs the size of the felt, either size_mm or size_in")
        return self

    def felt_form(self) -> Form:
        """The felt inside the rail, in millimetres."""
        if self.size_mm is not None:
            width_mm, depth_mm = self.size_mm
        else:
            assert self.size_in is not None
            width_mm, depth_mm = self.size_in[0] * MM_PER_INCH, self.size_in[1] * MM_PER_INCH
        rails_mm = 2 * self.rail_width_mm if self.over_rail else 0.0
        return Form(self.form, width_mm - rails_mm, depth_mm - rails_mm)


def laid_out(shape: Shape) -> dict[str, Any]:
    """The keys of a table file that a shape stands for; raises SettingsError where the seats do not fit."""
    try:
        places = lay_out(
            shape.felt_form(),
            shape.seats,
            dealer=shape.dealer,
            line_inset_mm=shape.line_inset_mm,
            rail_width_mm=shape.rail_width_mm,
        )
    except LayoutError as error:
        raise SettingsError(f"shape: {error}.") from None
    keys: dict[str, Any] = {
        "felt": {
            "outline_mm": _polygon(places.outline_mm),
            "colour": shape.colour,
            "betting_line_mm": _polygon(places.line_mm),
            "line_width_mm": 10,
            "line_colour": "#d8d2b0",
            "rail_width_mm": shape.rail_width_mm,
            "rail_colour": "#3b2417",
        },
        "dealer_mm": _point(places.dealer_mm),
        "muck_mm": _point(places.muck_mm),
        "pot": {"polygon_mm": _polygon(places.pot_mm)},
        "tray": {"polygon_mm": _polygon(places.tray_mm)},
        "seats": _seats(places),
        "markers": [
            {"id": number, "centre_mm": _point(marker.centre_mm), "size_mm": marker.size_mm}
            for number, marker in enumerate(places.markers)
        ],
    }
    if shape.readers is not None:
        keys["readers"] = _readers(shape.readers, shape.seats, shape.antennas_each)
    if shape.camera is not None:
        keys["cameras"] = [_camera(shape.camera, places)]
    return keys


def _seats(places: Places) -> list[dict[str, Any]]:
    return [
        {
            "number": seat.number,
            "rail_mm": _point(seat.rail_mm),
            "line_mm": _polygon(seat.line_mm),
            "bet_zone_mm": _polygon(seat.bet_zone_mm),
            "stack_zone_mm": _polygon(seat.stack_zone_mm),
            "cards_mm": _point(seat.cards_mm),
        }
        for seat in places.seats
    ]


def _readers(family: FamilyName, seats: int, each: int) -> list[dict[str, Any]]:
    """Readers for all zones; pot and tray share none with the seats, for a full tray takes over a second to read."""
    zones = [f"seat-{number}" for number in range(1, seats + 1)]
    each = min(each, FAMILIES[family].antennas)
    groups = [zones[i : i + each] for i in range(0, seats, each)]
    named = {f"reader-{number}": group for number, group in enumerate(groups, 1)}
    named |= {"reader-pot": ["pot"], "reader-tray": ["tray"]} if each == 1 else {"reader-middle": ["pot", "tray"]}
    return [
        {
            "id": name,
            "protocol": family,
            "port": str(BY_ID / f"usb-betline-{name}"),
            "baud": FAMILIES[family].baud,
            "antennas": [{"antenna": output, "zone": zone} for output, zone in enumerate(group, 1)],
        }
        for name, group in named.items()
    ]


def _camera(source: str, places: Places) -> dict[str, Any]:
    camera = places.camera
    return {
        "id": "overhead",
        "source": source,
        "width_px": camera.width_px,
        "height_px": camera.height_px,
        "fps": 30,
        "position_mm": list(camera.position_mm),
        "look_at_mm": list(camera.look_at_mm),
        "focal_px": camera.focal_px,
    }


def _polygon(corners: Polygon) -> list[list[float]]:
    return [_point(corner) for corner in corners]


def _point(point: Point) -> list[float]:
    return [round(point[0], 1) + 0.0, round(point[1], 1) + 0.0]
