"""Every message on the bus, each defined once.

A message travels as one JSON object: the envelope (who sent it, in which life of that program, which number, when) and
the fields of its body. Amounts are whole chips of the table's smallest unit; ``*_ns`` are readings of the sender's
monotonic clock, which processes of one machine share.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

UID_PATTERN: Final = r"^[0-9A-F]{8,64}$"
"""A tag's identifier: four bytes of ISO 14443A to an EPC of 256 bits."""
SeatNumber = Annotated[int, Field(ge=1, le=10, strict=True)]
Amount = Annotated[int, Field(ge=0, strict=True)]


class Body(BaseModel):
    """The content of a message; frozen, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Envelope(BaseModel):
    """Who sent a message, in which life of its program (``boot_id``), the message's number in it, and when."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sender: str = Field(min_length=1, max_length=64)
    boot_id: str = Field(min_length=1, max_length=64)
    seq: int = Field(ge=-1, description="rises by one a message; 0 is the birth, -1 the last will")
    ts_ms: int = Field(description="wall clock of the sender, milliseconds since 1970")
    mono_ns: int = Field(description="monotonic clock of the sender")


class Presence(Body):
    """Whether a publisher is there; its last will says offline (retained)."""

    state: Literal["online", "stale", "offline"]
    detail: str = ""


class Birth(Body):
    """What a publisher is, told once after it connects (retained)."""

    role: Literal["controller", "bridge", "vision", "world", "console", "tool"]
    version: str
    table: str
    config_hash: str
    seats: tuple[SeatNumber, ...] = ()
    capabilities: tuple[str, ...] = ()


class Health(Body):
    """Counters of a device, all since its boot (retained)."""

    counters: dict[str, float]


# --- sensors -------------------------------------------------------------------------------------------------------


class ChipEvidence(Body):
    """One chip in an antenna's field: how often it answered within the window of inventory rounds."""

    uid: str = Field(pattern=UID_PATTERN)
    chip_type: str | None = Field(description="type by the register, null for an unknown UID")
    state: Literal["active", "retired", "hot"] = Field(
        default="active", description="by the register; a retired chip is worth nothing, a hot one is looked for"
    )
    also_in: str = Field(default="", description="zone where the same UID lies at the same time: one is a copy")
    from_zone: str = Field(default="", description="the last place of it but this one; empty where none is known")
    from_ms: int | None = Field(default=None, description="wall clock when it was last heard there")
    hits: int = Field(ge=0, description="rounds of the window in which the chip answered")
    rounds: int = Field(ge=1, description="rounds since the chip was first seen, at most the window")
    missed: int = Field(ge=0, description="rounds since its last answer")
    rssi: int | None = Field(
        default=None, description="strength of its answers in the window, on the reader's own scale, more is stronger"
    )
    age_ms: int = Field(default=0, ge=0, description="milliseconds from its last answer to this snapshot")


class ZoneChips(Body):
    """Snapshot of an antenna zone (retained): evidence, not belief. A silent reader publishes none.

    It comes after each round that changed something, and every 500 ms at least; a number that was told before says that
    no round was complete since.
    """

    zone: str
    reader: str
    round_no: int = Field(ge=1, description="inventory rounds of this zone since the reader's boot")
    chips: tuple[ChipEvidence, ...]
    last_byte_ns: int = Field(description="monotonic time of the last byte of the newest round's reply")
    rf_warning: bool = False


class ZoneWanted(Body):
    """Somebody wants to know a zone now: its reader reads it at the pace of the acting seat for so long."""

    for_ms: int = Field(default=3000, ge=0, le=60_000, strict=True, description="0 takes an earlier wish back")


LineEventType = Literal[
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
    "camera_moved",
    "light_changed",
    "view_lost",
]


class LineEvent(Body):
    """What the camera saw at one seat's betting line."""

    id: str
    event: LineEventType
    seat: SeatNumber
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
    """A person sets one number of a camera's detector; the camera answers with a Reply and tells its Tuning."""

    id: str = Field(min_length=8, max_length=64, pattern=r"^[a-z0-9-]+$")
    expires_ms: int = Field(description="wall clock after which the command is void")
    name: str = Field(max_length=64)
    value: float | None = Field(default=None, allow_inf_nan=False, description="null: as it comes")
    keep: bool = Field(default=False, description="also at the next start")


# --- commands --------------------------------------------------------------------------------------------------------


class Command(Body):
    """Something that a person (or a script in a person's place) asks of the controller.

    ``args`` depend on the verb (``table_controller.commands``). A command is answered with a Reply, obeyed at most
    once however often it arrives, and not after ``expires_ms``.
    """

    id: str = Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9-]+$")
    expires_ms: int = Field(description="wall clock after which the command is void")
    args: dict[str, Any] = {}


class Reply(Body):
    """The answer to a command."""

    command_id: str
    verb: str
    ok: bool
    code: str = Field(description="ok, or the stable code of the refusal")
    sentence: str


# --- what the controller tells ----------------------------------------------------------------------------------------


class RuledBefore(Body):
    """How an act was ruled before a correction or the floor's override ruled it otherwise (R-049, R-291)."""

    ruling: str
    to: Amount = 0
    all_in: bool = False
    offers: tuple[str, ...] = ()
    sentence: str


class Ruling(Body):
    """How an act counts (DESIGN.md, layer 4): shown, announced, journalled, tested."""

    hand_no: int
    act_no: int
    street: str
    seat: SeatNumber | None
    ruling: str
    to: Amount = 0
    adds: int = 0
    returned: Amount = 0
    owes: Amount = 0
    all_in: bool = False
    cites: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    source: Literal["chips", "keyed", "words", "inferred", "house", "floor"]
    sentence: str
    instead_of: RuledBefore | None = Field(
        default=None,
        description="the act was ruled so before; returned and owes are then what must move for the difference",
    )


class PotView(Body):
    """One pot: its amount and who can win it."""

    amount: Amount
    seats: tuple[SeatNumber, ...]


class SeatState(Body):
    """One seat of the public state."""

    seat: SeatNumber
    name: str = ""
    stack: Amount
    bet: Amount = 0
    status: Literal["empty", "out", "in", "folded", "all-in"]
    on_felt: Amount | None = Field(
        default=None, description="value that the antenna reads, null where none is believed"
    )
    owes: Amount = 0
    change_due: Amount = 0
    can_win: Amount | None = Field(
        default=None,
        description="what a live seat takes of all that lies in the middle now if it wins every pot that it is in",
    )
    away: bool = Field(default=False, description="the player is absent, the stack stays")
    penalty: int = Field(default=0, ge=0, description="for so many hands more the floor has sent the player away")
    comes: Literal["", "posts", "waits", "buys-button"] = Field(
        default="", description="how a new or returning player comes in; empty for one who is in or comes in free"
    )
    missed: tuple[Amount, ...] = Field(default=(), description="blinds owed on return, largest first (R-193)")
    missed_straddle: Amount = Field(default=0, description="a mandatory straddle owed on return (R-201)")
    deferred: tuple[Amount, ...] = Field(default=(), description="blinds that a kill has put off (R-128)")
    pick_up: bool = Field(default=False, description="away so long that the chips may be picked up (R-194)")
    needs_chips: bool = Field(default=False, description="not dealt in, or not lent anything, before it buys chips")
    straddle: Amount = Field(default=0, description="its straddle of this hand")
    sleeper: Amount = Field(default=0, description="its sleeper of this hand")
    kill: Amount = Field(default=0, description="its kill, of this hand or due in the next one (R-127)")
    legs: int = Field(default=0, ge=0, description="pots won in a row, as far as a kill depends on it")
    rock: bool = Field(default=False, description="it holds the rock (R-200)")
    borrowed: Amount = Field(default=0, description="on markers in this hand (R-283)")


class PotLimitCount(Body):
    """How the pot bet comes about: three times the last wager, the trail, what lay there at the start (R-150)."""

    last_wager: Amount
    trail: int = Field(description="below 0 where less lies there than the bet to match: a blind is short")
    start: int = Field(description="with what counts as if it were in the pot: blinds short, missing, assumed to call")
    call: Amount
    rounded: Amount = Field(default=0, description="what rounding the pot up adds (R-158)")
    maximum: Amount = Field(description="before the stack of the seat bounds it")


class PullView(Body):
    """Chips of one seat's bet that the dealer takes into a pot, or gives back (R-305)."""

    seat: SeatNumber
    amount: Amount
    pot: int | None = Field(ge=0, description="0 is the main pot; null: back to the seat")


class StraddleView(Body):
    """A straddle that would be taken now: whose, which, and for how much at least (R-195 to R-199)."""

    seat: SeatNumber
    kind: Literal["live", "mississippi", "sleeper"]
    least: Amount


class PushView(Body):
    """Chips that the dealer pushes at the end of a hand, in this order (R-264, R-285)."""

    to: SeatNumber | Literal["rake", "kitty"]
    pot: int | None = Field(ge=0, description="0 is the main pot; null: an uncalled bet goes back")
    amount: Amount


class Question(Body):
    """Something only a person can tell; the game does not wait for it unless money depends on it."""

    id: str
    seat: SeatNumber | None
    kind: str
    sentence: str
    choices: tuple[str, ...]


class Alert(Body):
    """Something a person should know."""

    severity: Literal["info", "warning", "error"]
    code: str
    seat: SeatNumber | None = None
    zone: str = Field(default="", description="antenna zone that it is about, empty where none is")
    uid: str = Field(default="", description="chip that it is about, empty where none or several are")
    sentence: str
    active: bool = Field(default=True, description="false when it has passed")


class SensorState(Body):
    """How one sensor or process does, as the controller sees it."""

    name: str
    state: Literal["online", "stale", "offline", "unknown"]
    detail: str = ""


class LevelState(Body):
    """The level by the clock, in a break the one before it; a running hand may still have the level before that."""

    number: int = Field(ge=1)
    stakes: str
    next_number: int | None
    next_stakes: str = ""
    in_break: bool = False
    started: bool = Field(description="false before the clock was started for the first time")
    ends_ms: int | None = Field(description="wall clock when level or break ends; null while the clock stands")
    left_ms: int | None = Field(description="what is left while the clock stands, else null")
    colour_up: int | None = Field(default=None, description="value of the chips that go before the next level")


class RotationState(Body):
    """The games of the evening: the present one, and the one that its turn gives way to."""

    game: str
    next_game: str = Field(description="empty where the dealer chooses and has not chosen")
    chosen: bool = Field(default=False, description="the next hand has next_game because it was named")
    games: tuple[str, ...]
    hands_left: int | None = Field(default=None, description="in a rotation by hands: of this turn after this hand")


class TableState(Body):
    """The full public state of the table (retained). Versions rise; no hole card and no dealer's secret is in it."""

    version: int
    journal_seq: int
    journal_head: str
    phase: Literal["idle", "posting", "betting", "round-over", "showdown", "hand-over"]
    hand_no: int
    game: str
    street: str
    button: SeatNumber | None
    small_blind: SeatNumber | None
    big_blind: SeatNumber | None
    seats: tuple[SeatState, ...]
    to_act: SeatNumber | None
    call: Amount | None
    min_raise_to: Amount | None
    max_raise_to: Amount | None
    may: tuple[str, ...] = ()
    pot_bet: Amount | None = None
    pot_count: PotLimitCount | None = None
    option: bool = False
    pot: Amount
    pots: tuple[PotView, ...]
    pulls: tuple[PullView, ...] = Field(
        default=(), description="how the round's bets are taken in once it is over, until the next street is dealt"
    )
    won: tuple[PotView, ...] = Field(
        default=(), description="pots after these that one seat alone could win: they are in its stack already (R-262)"
    )
    carried: Amount = Field(default=0, description="what nobody has won: it lies in the next hand's pot (R-307)")
    first_next: SeatNumber | None = Field(
        default=None, description="who opens the next street as things stand; null where nobody bets, and in stud"
    )
    names_first: bool = Field(default=False, description="stud: the dealer names who opens the next street")
    bring_in_due: bool = Field(default=False, description="stud: the dealer names who brings it in")
    bring_in_tie: Literal["suit", "position"] | None = Field(
        default=None, description="what decides between equal cards while the bring-in is due (R-202)"
    )
    straddles: tuple[StraddleView, ...] = Field(default=(), description="what may still be straddled before the cards")
    payouts: tuple[PushView, ...] = Field(default=(), description="who gets what once the hand is over")
    house_money: dict[str, int] = Field(
        default={}, description="what has left the table to rake, time, kitty and tray; below 0 came from there"
    )
    again: bool = Field(default=False, description="the next hand is dealt again as the last one was (R-292)")
    closed: dict[str, str] = Field(
        default={}, description="commands that would be refused now whatever their arguments, with the reason"
    )
    rulings: tuple[Ruling, ...] = Field(description="the last rulings, newest last")
    questions: tuple[Question, ...] = ()
    alerts: tuple[Alert, ...] = ()
    sensors: tuple[SensorState, ...] = ()
    announcement: str = ""
    level: LevelState | None = Field(default=None, description="null where the table has no levels")
    rotation: RotationState | None = Field(default=None, description="null where the table has one game")


class Event(Body):
    """One entry of the table's stream, after it was journalled."""

    journal_seq: int
    hand_no: int
    type: str
    data: dict[str, Any]


class Announcement(Body):
    """What is said to the player to act; ``cause_ns`` is the last byte of the inventory that led to it, if one did."""

    hand_no: int
    act_no: int
    seat: SeatNumber | None
    text: str
    call: Amount | None = None
    min_raise_to: Amount | None = None
    max_raise_to: Amount | None = None
    pot_bet: Amount | None = None
    cause_ns: int | None = None


class Prompt(Body):
    """What one seat's display or LED shows (retained)."""

    seat: SeatNumber
    active: bool
    text: str
