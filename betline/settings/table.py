"""A table as its site describes it: the felt in millimetres, seats, antennas, camera, chips, house rules and game."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from betline.geometry import Pinhole, area_mm2
from betline.settings.broker import BrokerSettings
from betline.settings.game import GameSettings
from betline.settings.home_assistant import HomeAssistantSettings
from betline.settings.levels import Level, Rotation, check_evening, game_at
from betline.settings.metrics import MetricsSettings
from betline.settings.model import Settings
from betline.settings.performance import Performance
from betline.settings.readers import FamilyName
from betline.settings.stream import StreamSettings
from betline.topics import NAME

PROGRAMS = ("bridge", "controller", "voice", "world")
"""Names on the bus that are taken."""
BADGE_ZONE = "badge"
"""The antenna zone where the staff lay their badges."""
BOARD_ZONE, SHOW = "board", "show-"
"""The antenna zone where the board's cards are laid, and what begins those where a seat shows its hand."""
MARKER_DICTIONARY = "4X4_50"
"""The ArUco dictionary of a table's printed markers."""

PointMm = tuple[float, float]


def is_for_cards(zone: str) -> bool:
    """Whether an antenna zone is for cards: what is read there is private until the hand is over."""
    return zone == BOARD_ZONE or zone.startswith(SHOW)


def is_for_chips(zone: str) -> bool:
    """Whether chips are read in an antenna zone."""
    return zone != BADGE_ZONE and not is_for_cards(zone)


def _encloses(corners: tuple[PointMm, ...]) -> tuple[PointMm, ...]:
    if area_mm2(corners) <= 0:
        raise ValueError("must enclose an area, corner by corner")
    return corners


def _keeps_its_name(port: str) -> str:
    if re.fullmatch(r"/dev/tty(USB|ACM)\d+", port):
        raise ValueError(
            f"must not be {port}: that number changes with the order of plugging in; write usb:SERIAL or a name of "
            "/dev/serial/by-id or /dev/serial/by-path (betline bridge ports lists them)"
        )
    return port


PolygonMm = Annotated[tuple[PointMm, ...], Field(min_length=3), AfterValidator(_encloses)]
DeviceId = Annotated[
    str, Field(pattern=NAME.pattern, description="name on the bus: lower-case letters, digits and hyphens")
]
ColourHex = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]


class Felt(Settings):
    """The playing surface."""

    outline_mm: PolygonMm = Field(description="border of the felt at the rail, corners in order")
    colour: ColourHex = Field(description="colour of the cloth")
    betting_line_mm: PolygonMm = Field(description="the closed betting line; bets lie inside it")
    line_width_mm: float = Field(gt=0, lt=30, description="width of the drawn line")
    line_colour: ColourHex = Field(description="colour of the drawn line")
    rail_width_mm: float = Field(gt=0, description="width of the rail around the felt")
    rail_colour: ColourHex = Field(description="colour of the rail")


class Seat(Settings):
    """One player's place."""

    number: int = Field(ge=1, le=10, description="seat number, clockwise, the dealer between the last and seat 1")
    rail_mm: PointMm = Field(description="where the player's arms come over the rail")
    line_mm: tuple[PointMm, PointMm] = Field(description="the seat's piece of the betting line")
    bet_zone_mm: PolygonMm = Field(description="where the seat's bets lie, inside the line; its antenna lies under it")
    stack_zone_mm: PolygonMm = Field(description="where the seat's stacks stand, behind the line")
    cards_mm: PointMm = Field(description="where the seat's cards lie, behind the line")


class Zone(Settings):
    """A named area of the felt without a seat."""

    polygon_mm: PolygonMm = Field(description="the area")


class Marker(Settings):
    """A printed ArUco marker for calibration; it may lie turned, but its middle must be where this says."""

    id: int = Field(ge=0, lt=50, description="number of the marker in the dictionary 4X4_50")
    centre_mm: PointMm = Field(description="its middle on the felt")
    size_mm: float = Field(ge=30, le=150, description="side of its black square; 60 to 80 for a camera of 1280 pixels")


class Antenna(Settings):
    """One antenna output of a reader and the zone that it serves."""

    antenna: int = Field(ge=1, le=8, description="output of the reader, 1 where it has one")
    zone: str = Field(
        description="seat-1 to seat-10, pot or tray; stack-1 to stack-10 where stacks are read too; badge for badges; "
        "board and show-1 to show-10 for cards"
    )


class Reader(Settings):
    """One RFID reader on a serial port."""

    id: DeviceId
    protocol: FamilyName = Field(description="wire protocol family")
    port: Annotated[str, AfterValidator(_keeps_its_name)] = Field(
        min_length=1, description="usb:SERIAL, a /dev/serial/by-id or by-path name, or a pyserial URL"
    )
    baud: int = Field(ge=300, le=4_000_000, description="line speed")
    antennas: tuple[Antenna, ...] = Field(min_length=1)
    rf_neighbours: tuple[DeviceId, ...] = Field(
        default=(), description="readers whose fields reach into this one's: they never read at the same time"
    )
    settings: dict[str, str | Annotated[float, Field(strict=True)]] = Field(
        default_factory=dict,
        description="what its family lets be set, as region and power_dbm of m6e; commissioning-readers.md lists them",
    )


class PointPair(Settings):
    """A place on the felt and where the camera sees it."""

    mm: PointMm
    px: PointMm


class Camera(Settings):
    """One camera above the felt; without measured ``points`` its pose gives the homography."""

    id: DeviceId
    source: str = Field(min_length=1, description="usb:N, a URL (http, rtsp) or a file")
    width_px: int = Field(gt=0, le=8192)
    height_px: int = Field(gt=0, le=8192)
    fps: int = Field(gt=0, le=120)
    position_mm: tuple[float, float, float] = Field(description="where the camera hangs above the felt")
    look_at_mm: PointMm = Field(description="point of the felt in the middle of the picture")
    focal_px: float = Field(gt=0, description="focal length in pixels")
    points: tuple[PointPair, ...] = Field(default=(), description="measured calibration points, four or more, or none")

    def pinhole(self) -> Pinhole:
        """The camera's nominal pose as a projection."""
        return Pinhole(self.position_mm, self.look_at_mm, self.focal_px, self.width_px, self.height_px)


class Sensing(Settings):
    """When what the sensors saw is believed."""

    window_rounds: int = Field(
        default=8, ge=3, le=32, description="inventory rounds that a chip's hit count looks back"
    )
    settle_rounds: int = Field(
        default=5, ge=2, le=16, description="rounds that each chip must have had to be heard before a zone is settled"
    )
    present_share: float = Field(
        default=0.5, gt=0, le=1, description="share of rounds with a hit from which a chip lies there"
    )
    absent_rounds: int = Field(default=6, ge=2, le=32, description="rounds without any hit before a chip has gone")
    hand_ask_ms: int = Field(
        default=4000,
        ge=0,
        description="time that a hand may rest on its chips before the dealer is asked what they are",
    )
    implied_wait_ms: int = Field(
        default=3000, ge=0, description="wait of an act for seats before it that nobody heard of; a dealer keys late"
    )
    stale_ms: int = Field(default=1500, gt=0, description="age from which a silent sensor is stale")
    offline_ms: int = Field(default=3000, gt=0, description="age from which a silent sensor is offline")

    @model_validator(mode="after")
    def _a_chip_can_go(self) -> Self:
        if self.absent_rounds > self.window_rounds:
            raise ValueError("absent_rounds must not be more than window_rounds: no chip would ever have gone")
        return self


class House(Settings):
    """The house rules in force: a profile or file, and the options that this table sets otherwise."""

    profile: str = Field(default="cash", description="tda, cash, home, or a TOML file")
    options: dict[str, Any] = Field(
        default_factory=dict, description="house options (docs/rulebook.md) that override the profile"
    )


class FloorSettings(Settings):
    """What the console lists where the floor rules otherwise; anything else can be typed."""

    people: tuple[str, ...] = Field(default=(), max_length=10, description="who decides on the floor, by name")
    reasons: tuple[str, ...] = Field(
        default=(
            "the player had said so",
            "string bet",
            "the dealer misheard",
            "chips miscounted",
            "acted out of turn",
            "dealer error",
            "the camera shows it",
            "in the interest of the game",
        ),
        max_length=10,
        description="usual reasons for another ruling, as they stand in the journal",
    )


class TableSettings(Settings):
    """Everything that a site says of one table."""

    name: str = Field(pattern=NAME.pattern, description="name of the table on the bus")
    title: str = Field(description="name of the table for people")
    chip_set: str = Field(description="a shipped chip set's name or a TOML file")
    house: House = Field(default_factory=House)
    game: GameSettings = Field(description="the game, in a rotation the first; a file with a rotation may leave it out")
    levels: tuple[Level, ...] = Field(default=(), description="blind levels in order; none: the game stays as it is")
    rotation: Rotation | None = Field(default=None, description="the games of the evening, where it has several")
    starting_stack: int = Field(gt=0, le=1_000_000_000, description="chips that a seat begins with in a demonstration")
    felt: Felt
    dealer_mm: PointMm = Field(description="where the dealer sits")
    muck_mm: PointMm = Field(description="where mucked cards go")
    pot: Zone
    tray: Zone
    badge: Zone | None = Field(
        default=None, description="where staff lay a badge to sign in; an antenna serves it as the zone badge"
    )
    seats: tuple[Seat, ...] = Field(min_length=2, max_length=10)
    markers: tuple[Marker, ...] = ()
    readers: tuple[Reader, ...] = ()
    cameras: tuple[Camera, ...] = Field(default=(), max_length=1)
    sensing: Sensing = Field(default_factory=Sensing)
    floor: FloorSettings = Field(default_factory=FloorSettings)
    broker: BrokerSettings | None = Field(
        default=None, exclude=True, description="the broker of this table and how programs log in (docs/broker.md)"
    )
    performance: Performance = Field(default_factory=Performance)
    stream: StreamSettings = Field(default_factory=StreamSettings, exclude=True)
    home_assistant: HomeAssistantSettings = Field(default_factory=HomeAssistantSettings, exclude=True)
    metrics: MetricsSettings | None = Field(
        default=None, exclude=True, description="where the programs serve their figures (docs/observability.md)"
    )
    keys: dict[str, str | tuple[str, ...]] = Field(
        default_factory=dict,
        exclude=True,
        description="other keys of the console by act (docs/console.md), or `map` with the name of a shipped key map",
    )

    @model_validator(mode="after")
    def _evening_fits(self) -> Self:
        check_evening(self.game, self.levels, self.rotation)
        self.home_assistant.check(has_levels=bool(self.levels))
        return self

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        numbers = [seat.number for seat in self.seats]
        if numbers != sorted(set(numbers)):
            raise ValueError("seat numbers must rise and be given once each")
        markers = [marker.id for marker in self.markers]
        if len(set(markers)) != len(markers):
            raise ValueError("two markers have the same id; print each number once")
        zones = (*self.zones(), *self.stack_zones(), *self.card_zones(), *((BADGE_ZONE,) if self.badge else ()))
        served = [antenna.zone for reader in self.readers for antenna in reader.antennas]
        for zone in served:
            if zone not in zones:
                raise ValueError(f"zone {zone} of an antenna is not at this table; its zones are {', '.join(zones)}")
        if len(set(served)) != len(served):
            raise ValueError("two antennas serve the same zone")
        names = [*PROGRAMS, *(reader.id for reader in self.readers), *(camera.id for camera in self.cameras)]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the id {name} is there twice; readers, camera and programs need one each")
        for reader in self.readers:
            outputs = [antenna.antenna for antenna in reader.antennas]
            if len(set(outputs)) != len(outputs):
                raise ValueError(f"reader {reader.id} names an antenna output twice")
            for other in reader.rf_neighbours:
                if other == reader.id or other not in [one.id for one in self.readers]:
                    raise ValueError(f"rf_neighbours of reader {reader.id}: {other} is no other reader of this table")
        return self

    def game_at(self, level: int = 1, name: str | None = None) -> GameSettings:
        """The game of a level, from 1, and of that name in the rotation; without levels or rotation the one game."""
        named = None if self.rotation is None or name is None else self.rotation.named(name)
        if named is None:
            first = None if self.rotation is None else self.rotation.games[0].name
            return game_at(self.game, self.levels, level, first)
        return game_at(named.game, self.levels, level, named.name)

    def zones(self) -> tuple[str, ...]:
        """The names of all antenna zones: one a seat, the pot and the tray."""
        return (*(f"seat-{seat.number}" for seat in self.seats), "pot", "tray")

    def stack_zones(self) -> tuple[str, ...]:
        """The names of the zones where stacks stand, behind the line: a table may have antennas there."""
        return tuple(f"stack-{seat.number}" for seat in self.seats)

    def card_zones(self) -> tuple[str, ...]:
        """The names of the zones where cards are read: the board, and where each seat shows its hand."""
        return (BOARD_ZONE, *(f"{SHOW}{seat.number}" for seat in self.seats))

    def config_hash(self) -> str:
        """A short fingerprint of the whole description: two programs with the same hash speak of the same table."""
        said = self.model_dump(mode="json")
        del said["performance"]  # how much a machine looks at is no other table
        said["chip_set"] = Path(self.chip_set).name  # where a machine keeps the file does not matter
        said["house"]["profile"] = Path(self.house.profile).name
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]

    def seat(self, number: int) -> Seat:
        """The seat of that number; raises KeyError where the table has none."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)
