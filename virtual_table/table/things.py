"""What the virtual world consists of: chips, cards, the records of motions, and what can be seen of it at a moment.

Lengths are millimetres in table coordinates (see `betline.geometry`), times are seconds of the world's clock, which
the caller owns, and angles are radians.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from betline.geometry import Point, Point3
from betline.messages.devices import SeatEventType

BY_DEALER = "dealer"


class WorldError(Exception):
    """The world cannot do what it was asked to; nothing has changed. ``code`` is stable, the text is for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip: the UID of its tag in upper-case hex, the key of its type in the chip set, and its value."""

    uid: str
    key: str
    value: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """One forward motion with chips over the line: when the first chip's edge crosses it, when the chips are at rest,
    and when the fingers are behind the line again.
    """

    cross_s: float
    rest_s: float
    back_s: float
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Motion:
    """What a player or the dealer does, as it was scheduled.

    ``cross_s`` is the first crossing of the seat's line by a chip (by the fingers when they carry none, and equal to
    ``rest_s`` where nothing crosses it); ``rest_s`` is when everything that moved lies still; ``end_s`` is when the
    last hand is back behind the rail. ``seat`` is None for what concerns the whole table.
    """

    kind: str
    actor: str
    seat: int | None
    start_s: float
    cross_s: float
    rest_s: float
    end_s: float
    chips: tuple[Chip, ...] = ()
    strokes: tuple[Stroke, ...] = ()


@dataclass(frozen=True, slots=True)
class TruthEvent:
    """What really happened at a betting line, named as the camera names its events, to score the camera by.

    ``t_first`` is when it began, ``t_done`` when it was over. ``uids`` are the chips that it is about. ``judged`` is
    False for what may be reported or not: a camera is blamed for neither.
    """

    type: SeatEventType | Literal["board_dealt"]
    seat: int
    """0 where it is at no seat: on the board."""
    t_first: float
    t_done: float
    uids: tuple[str, ...] = ()
    by_dealer: bool = False
    judged: bool = True
    count: int = 0
    """Of the board: the cards that came."""


@dataclass(frozen=True, slots=True)
class SeenChip:
    """A chip as the camera may see it; ``z_mm`` is the height of its underside above the felt."""

    uid: str
    key: str
    x_mm: float
    y_mm: float
    z_mm: float
    turn_rad: float


class TagInField(NamedTuple):
    """A chip that an antenna has in its field: its coupling from 0.5 to 1, and how many chips its pile holds."""

    uid: str
    signal: float
    pile: int


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card on the felt: its middle and how far its long side is turned from +y; ``face`` is None face down."""

    number: int
    x_mm: float
    y_mm: float
    turn_rad: float
    face: str | None


@dataclass(frozen=True, slots=True)
class Looks:
    """How a person's arm looks: colours as ``#rrggbb``, ``bare_mm`` of skin between the wrist and the sleeve.

    ``ring`` and ``watch`` are the colours of their metal. ``hand_mm`` is the outline of a hand that is cut out of a
    photo, None of one that is drawn: how far each point is behind the grip along the forearm, and how far aside.
    """

    skin: str
    sleeve: str
    bare_mm: float
    girth: float
    ring: str | None = None
    watch: str | None = None
    hand_mm: tuple[Point, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeenArm:
    """An arm over the table, from the shoulder (which is outside the felt) to the point that the fingers grip at."""

    owner: str
    shoulder_mm: Point
    grip_mm: Point3
    grip_closed: float
    right_hand: bool
    looks: Looks


@dataclass(frozen=True, slots=True)
class SeenHead:
    """A head that leans over the rim, with a shoulder behind it: their middles and the colours ``#rrggbb``."""

    at_mm: Point
    shoulder_mm: Point
    hair: str
    cloth: str


@dataclass(frozen=True, slots=True)
class SeenPhone:
    """A phone: its middle, how far its long side is turned from +y, and how bright its screen is, from 0 to 1."""

    x_mm: float
    y_mm: float
    z_mm: float
    turn_rad: float
    level: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All that can be seen at a moment.

    ``settled`` and ``cards_lying`` are the same objects while nothing in them changes, so that a camera may keep its
    picture of them.
    """

    t_s: float
    settled: tuple[SeenChip, ...]
    moving: tuple[SeenChip, ...]
    cards_lying: tuple[SeenCard, ...]
    cards_moving: tuple[SeenCard, ...]
    arms: tuple[SeenArm, ...]
    heads: tuple[SeenHead, ...] = ()
    phones: tuple[SeenPhone, ...] = ()
