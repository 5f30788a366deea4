"""Messages of the sensors: chips in an antenna's field, what the camera sees at the line, and how it is tuned."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from betline.messages.common import UID_PATTERN, Body, SeatNumber, says_nothing


class ChipEvidence(Body):
    """One chip in an antenna's field: how often it answered within the window of inventory rounds."""

    uid: str = Field(pattern=UID_PATTERN)
    chip_type: str | None = Field(description="type by the register, null for an unknown UID")
    state: Literal["active", "retired", "hot"] = Field(
        default="active", description="by the register; a retired chip is worth nothing, a hot one is looked for"
    )
    also_in: str = Field(default="", description="zone where the same UID lies at the same time: one is a copy")
    from_zone: str = Field(default="", description="the last place of it but this one; empty where none is known")
    from_ns: int | None = Field(default=None, description="monotonic clock when it was last heard there")
    hits: int = Field(ge=0, description="rounds of the window in which the chip answered")
    rounds: int = Field(ge=1, description="rounds since the chip was first seen, at most the window")
    missed: int = Field(ge=0, description="rounds since its last answer")
    quiet: int = Field(
        default=0, ge=0, description="newest rounds, in none of the other figures, in which it was kept from answering"
    )
    rssi: int | None = Field(
        default=None, description="strength of its answers in the window, on the reader's own scale, more is stronger"
    )
    age_ms: int = Field(default=0, ge=0, description="milliseconds from its last answer to this snapshot")


class ZoneChips(Body):
    """Snapshot of an antenna zone (retained): evidence, not belief. A silent reader publishes none.

    It comes after each round that changed something, and every 500 ms at least; a number that came before says that
    no round was complete since. In a second look just after a round, chips that this round heard are kept quiet, so
    that those it missed answer quickly: it is a round for these alone.
    """

    zone: str
    reader: str
    round_no: int = Field(ge=1, description="inventory rounds of this zone since the reader's boot")
    chips: tuple[ChipEvidence, ...]
    last_byte_ns: int = Field(description="monotonic time of the last byte of the newest round's reply")
    rf_warning: bool = False
    partial: bool = Field(
        default=False,
        exclude_if=says_nothing,
        description="the reader did not tell all that answered: more chips may lie there than are told",
    )


class ZoneWanted(Body):
    """Somebody wants to know a zone now: its reader reads it at the pace of the acting seat for so long.

    Where an act is awaited there too, the other zones of the same reader wait meanwhile.
    """

    for_ms: int = Field(default=3000, ge=0, le=60_000, strict=True, description="0 takes an earlier wish back")


class WorldTag(Body):
    """A tag within reach of an antenna of a virtual table."""

    uid: str = Field(pattern=UID_PATTERN)
    antenna: int = Field(ge=1, description="output of the reader that serves the zone")
    signal: float = Field(ge=0, le=1, description="1 right above the antenna, below 0.35 beside it")


class WorldZone(Body):
    """What lies in an antenna zone of a virtual table, for a reader that is no virtual one (retained).

    No part of the live table hears it: a real table has nobody who could say so.
    """

    tags: tuple[WorldTag, ...]


SeatEventType = Literal[
    "hand_entered",
    "hand_left",
    "chips_crossing",
    "bet_settled",
    "bet_amended",
    "chips_retracted",
    "chips_over_line_in_hand",
    "string_suspect",
    "splash",
    "pot_swept",
    "pot_pushed",
    "bet_pushed_in",
    "tap_suspect",
    "cards_mucked",
    "cards_dealt",
    "protector",
    "unknown_object",
    "zone_occluded",
]
PictureEventType = Literal["board_dealt", "camera_moved", "light_changed", "view_lost"]
LineEventType = Literal[SeatEventType, PictureEventType]


ACT_EVENTS: Final[frozenset[LineEventType]] = frozenset(
    {
        "chips_crossing",
        "bet_settled",
        "bet_amended",
        "chips_retracted",
        "chips_over_line_in_hand",
        "string_suspect",
        "splash",
        "pot_swept",
        "pot_pushed",
        "bet_pushed_in",
        "tap_suspect",
        "cards_mucked",
        "protector",
        "unknown_object",
    }
)
"""Around these the camera's program keeps pictures, and the journal has their ids: so a dispute finds the pictures."""


class LineEvent(Body):
    """What the camera saw at one seat's betting line, or, without a seat, on the board or of its whole picture.

    ``kind`` is ``event`` in the JSON. Of ``board_dealt`` the footprints are the cards that came.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    id: str
    kind: LineEventType = Field(alias="event")
    seat: SeatNumber | None = Field(description="null: the board or the whole picture, on the camera's own line")
    t_first_ns: int = Field(description="monotonic time of the first frame that showed it, dated back")
    t_confirm_ns: int = Field(description="monotonic time of the frame that confirmed it")
    conf: float = Field(ge=0, le=1)
    area_mm2: float = Field(default=0, ge=0)
    footprints: int = Field(default=0, ge=0)
    motions: int = Field(default=0, ge=0)
    frame: int = Field(ge=0)
    calib_id: str = Field(default="", description="the calibration that the places were measured with")


class SeatView(Body):
    """What the camera believes of every seat's bet zone (retained on the camera's device topic)."""

    seat: SeatNumber
    occupied: bool
    hand: bool
    area_mm2: float
    footprints: int
    occluded_ms: int


class CameraView(Body):
    """All seats' zones as the camera sees them (retained)."""

    seats: tuple[SeatView, ...]
    frame: int
    fps: float


class TuningValue(Body):
    """One number of the detector: what it is now, what it may be, and what it does."""

    name: str
    value: float
    default: float
    unit: str
    least: float
    most: float
    meaning: str
    kept: bool = Field(description="this value is taken again at the next start")


class Tuning(Body):
    """All numbers of a camera's detector (retained): the echo of each change."""

    values: tuple[TuningValue, ...]


class Tune(Body):
    """A person sets one number of a camera's detector; the camera answers with a Reply and publishes its Tuning."""

    id: str = Field(min_length=8, max_length=64, pattern=r"^[a-z0-9-]+$")
    expires_ms: int = Field(description="wall clock of the sender after which the command is void")
    name: str = Field(max_length=64)
    value: float | None = Field(default=None, allow_inf_nan=False, description="null: the default")
    keep: bool = Field(default=False, description="also at the next start")
