"""What a journal holds: entries in a chain, each bound to the one before it by a SHA-256.

Each kind of entry is one frozen class with the fields of its JSON, which `journal.codec` writes and reads. Kinds and
fields are those of all versions that can be read (`journal.rows.READABLE`); what only older ones have says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Self

from betline.fields import FieldError
from betline.messages.table import Ruling
from betline.settings import GameSettings, HouseRules
from betline.steps import First, Step, TableSetup, parse_step, step_to_mapping
from table_controller.journal import codec
from table_controller.levels import PlayerClock
from table_controller.sensing.observations import Asked, AskedNoMore, Observation

GENESIS = "0" * 64
_IN_CLEAR = "name:"

Source = Literal["chips", "keyed", "words", "inferred", "house", "floor"]
"""From where a step came."""
ClockStage = Literal["begun", "ending", "over"]


class JournalError(Exception):
    """The journal cannot be used; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Entry:
    """One thing that happened; every kind is a frozen dataclass that reads and writes itself."""

    __slots__ = ()
    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        _KINDS[cls.kind] = cls

    @property
    def data(self) -> dict[str, Any]:
        """The entry as the journal's file has it: JSON values only."""
        written: dict[str, Any] = codec.write(type(self), self)
        return written

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The entry with that data; raises JournalError (``damaged``) for what no controller writes."""
        try:
            found: Self = codec.read(cls, data)
        except (codec.CodecError, FieldError) as error:
            raise JournalError(
                "damaged", f"The journal holds what no controller writes ({cls.kind}: {error})."
            ) from None
        return found


_KINDS: dict[str, type[Entry]] = {}


def read_entry(kind: str, data: Mapping[str, Any]) -> Entry:
    """The entry of that kind; raises JournalError (``damaged``) for an unknown kind and what no controller writes."""
    cls = _KINDS.get(kind)
    if cls is None:
        raise JournalError("damaged", f"The journal holds an entry of the unknown kind {kind}.")
    return cls.read(data)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it stands in the journal: its number, its times, and its link in the chain."""

    seq: int
    at_ms: int
    mono_ns: int
    kind: str
    data: Mapping[str, Any]
    prev: str
    hash: str

    @property
    def entry(self) -> Entry:
        """The entry as a value; raises JournalError (``damaged``)."""
        return read_entry(self.kind, self.data)


def _as(write: Callable[[Any], Any], read: Callable[[Any], Any]) -> dict[str, Any]:
    """The metadata of a field with a written form of its own."""
    return {codec.CODEC: (write, read)}


# --- programs and people


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(Entry):
    """The first entry: whose journal it is, and in which version it was begun."""

    kind: ClassVar[str] = "opened"
    table: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Entry):
    """A controller has started."""

    kind: ClassVar[str] = "started"
    boot_id: str
    version: str
    config_hash: str
    resumed: bool
    key: str = ""
    """The name of the key that seals the journal, since version 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceStarted(Entry):
    """The program of a device of this table has started, or was there when the controller started; since version 4."""

    kind: ClassVar[str] = "device"
    name: str
    boot_id: str
    version: str
    config_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderKnown(Entry):
    """A reader of this table has said which one it is, or had when the controller started; since version 4."""

    kind: ClassVar[str] = "reader"
    name: str
    """Its name in the table file."""
    serial: str = ""
    """Its serial number, and the version of its firmware; empty where it does not say."""
    firmware: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed(Entry):
    """From here on the journal is sealed with this key, since version 4."""

    kind: ClassVar[str] = "sealed"
    key: str
    """The key's name, which does not give it away."""
    from_version: int
    """The version of the file before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(Entry):
    """A person has accepted the journal as it stands, though something of it was missing or not proven."""

    kind: ClassVar[str] = "accepted"
    key: str
    sentence: str
    """What was wrong."""
    had: int = 0
    """How far the journal had come before its end was lost; 0 where none is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned(Entry):
    """Old hands were taken out: every entry after the first up to this number."""

    kind: ClassVar[str] = "pruned"
    up_to: int
    hash: str
    """The hash of the last entry that was taken out."""
    keep_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Obeyed(Entry):
    """A command that was obeyed, and the sentence of the reply."""

    kind: ClassVar[str] = "command"
    id: str
    verb: str
    args: Mapping[str, Any]
    sender: str
    sentence: str
    by: str = ""
    """The id of who was signed in, empty where nobody had to."""
    role: str = ""
    """This person's role at that time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(Entry):
    """One of the staff has signed in with a PIN or a badge."""

    kind: ClassVar[str] = "signed-in"
    person: str
    role: str
    way: Literal["pin", "badge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(Entry):
    """One of the staff is signed in no longer."""

    kind: ClassVar[str] = "signed-out"
    person: str
    way: Literal["pin", "badge"]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinRefused(Entry):
    """A wrong PIN; ``locked_s`` is how long the person is locked out from then on, 0 where there are tries left."""

    kind: ClassVar[str] = "pin-refused"
    person: str
    locked_s: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Entry):
    """Version 1 only: the name of who sat down."""

    kind: ClassVar[str] = "named"
    seat: int
    name: str


# --- the table


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """Where the chips are, as the ledger must know it, so that it need not rule again."""

    seats: Mapping[int, int] = field(default_factory=dict)
    """What each seat has, in a hand with what it has put in."""
    places: Mapping[str, int] = field(default_factory=dict)
    """What has left the stacks for the house, and what lies in the pot with no owner."""
    charges: Mapping[int, int] = field(default_factory=dict)
    """What the time charge has taken from each seat so far (R-285)."""
    in_hand: bool = False
    leaving: tuple[int, ...] = ()
    """Seats that leave, with what they have, when the hand is over."""
    moving: Mapping[int, int] = field(default_factory=dict)
    """Seats whose players move to another one when the hand is over, and where to."""


def _write_setup(setup: TableSetup) -> dict[str, Any]:
    """Game and house are written also where they are the usual ones."""
    found: dict[str, Any] = codec.write(TableSetup, setup)
    return {**found, "game": codec.write(GameSettings, setup.game), "house": codec.write(HouseRules, setup.house)}


def _read_setup(data: Any) -> TableSetup:
    setup: TableSetup = codec.read(TableSetup, data)
    return setup


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(Entry):
    """A table was set up, every house rule spelt out: the shipped profiles may change, the journal may not."""

    kind: ClassVar[str] = "setup"
    setup: TableSetup = field(metadata=_as(_write_setup, _read_setup))
    from_file: bool
    persons: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    """Version 1 only, instead of persons."""
    money: Money | None = None
    """Since version 3."""

    @property
    def people(self) -> dict[int, str]:
        """Who sits where, by id."""
        if self.names:
            return {seat: clear_person(name) for seat, name in self.names.items() if name}
        return dict(self.persons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Entry):
    """A step that the table accepted, how it was ruled, and what else it changed."""

    kind: ClassVar[str] = "step"
    hand_no: int
    source: Source
    step: Step = field(metadata=_as(step_to_mapping, parse_step))
    ruled: bool
    """The first of the rulings is that of the step itself."""
    rulings: tuple[Ruling, ...]
    alerts: tuple[str, ...] = ()
    felt_act: int | None = None
    """The act of the felt that it rules on."""
    moves: Mapping[int, int] = field(default_factory=dict)
    """What seats must put in after a correction, or below 0 get back."""
    over: bool | None = None
    """After what was taken back or put right: whether the hand is over."""
    money: Money | None = None
    """Since version 3: where the chips are after it, where that has changed."""
    command: str = ""
    """The id of the command that it was done for, or of what was inferred whole, so that one key takes it back; empty
    where a single act of the sensors, or the clock, led to it."""

    @property
    def ruling(self) -> Ruling | None:
        """How the step itself was ruled, where it was an act."""
        return self.rulings[0] if self.ruled else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBegan(Entry):
    """A hand has begun; ``seats`` are the stacks before the forced bets."""

    kind: ClassVar[str] = "hand-began"
    hand_no: int
    game: str
    button: int | None
    small_blind: int | None
    big_blind: int | None
    seats: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(Entry):
    """A hand is over; ``winners`` is what each seat won of the pots."""

    kind: ClassVar[str] = "hand-over"
    hand_no: int
    pot: int
    winners: Mapping[int, int]
    stacks: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOut(Entry):
    """Posting is over: chips are acts (R-043)."""

    kind: ClassVar[str] = "cards-out"
    by: str
    out: bool = True
    """False: they are not out yet, that was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MinutesPassed(Entry):
    """The wall clock up to which minutes have passed at the table."""

    kind: ClassVar[str] = "time"
    at_ms: int


# --- what sensors saw


def _write_observation(observation: Observation) -> dict[str, Any]:
    """All of its fields: who listens on the bus need not know their defaults."""
    found = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(observation).items()}
    if isinstance(observation, Asked | AskedNoMore):
        found["question"] = found.pop("kind", None)
    return {"kind": _snake(type(observation).__name__), **found}


def _read_observation(data: Any) -> Observation:
    found = dict(data)
    cls = _OBSERVATIONS.get(found.pop("kind", ""))
    if cls is None:
        raise codec.CodecError(f"{data!r} is no observation")
    if cls is Asked:
        found["kind"] = found.pop("question", None)
    observation: Observation = codec.read(cls, found)
    return observation


def _snake(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


_OBSERVATIONS: dict[str, type] = {_snake(cls.__name__): cls for cls in Observation.__args__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Entry):
    """What sensing made of readings."""

    kind: ClassVar[str] = "observed"
    observation: Observation = field(metadata=_as(_write_observation, _read_observation))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltMoved(Entry):
    """What of sensing must survive a restart, where it has changed."""

    kind: ClassVar[str] = "felt"
    changed: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSaw(Entry):
    """An event of the camera at a seat; by ``id`` its pictures are found."""

    kind: ClassVar[str] = "camera"
    seat: int
    event: str
    id: str
    from_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorChanged(Entry):
    """A sensor went silent, down, or came again."""

    kind: ClassVar[str] = "sensor"
    name: str
    condition: str
    detail: str


# --- words and questions


def _write_act(step: Step | None) -> dict[str, Any] | None:
    return None if step is None else step_to_mapping(step)


def _read_act(data: Any) -> Step | None:
    return None if data is None else parse_step(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsWait(Entry):
    """Words that were keyed for a seat whose chips still move."""

    kind: ClassVar[str] = "words"
    seat: int
    text: str
    first: First | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Entry):
    """Words that agree with what the seat's chips were ruled."""

    kind: ClassVar[str] = "heard"
    seat: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWhichFirst(Entry):
    """Words and chips of a seat that come to different rulings by which came first."""

    kind: ClassVar[str] = "asked"
    id: str
    seat: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedStraddle(Entry):
    """Chips before the cards that may be a sleeper; ``to`` is the seat's total (R-199)."""

    kind: ClassVar[str] = "straddle-asked"
    id: str
    seat: int
    to: int
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWhatLies(Entry):
    """What lies before a seat is not what the books or a key say of it: a person is asked before it rules anything."""

    kind: ClassVar[str] = "doubt-asked"
    id: str
    question: Literal["count", "key-or-felt"]
    seat: int
    sentence: str
    choices: tuple[str, ...]
    act: Step | None = field(default=None, metadata=_as(_write_act, _read_act))
    """The act in chips that waits, or that the chips would be; None where the last step is ruled on again."""
    felt_act: int | None = None
    """The act of the felt that it is."""
    asked_ns: int
    """When, on the controller's monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Entry):
    """A question was answered."""

    kind: ClassVar[str] = "answered"
    id: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesChanged(Entry):
    """At a start today's rules ruled otherwise on an act of the hand in progress: the floor is asked.

    A checkpoint follows, with the table as recorded and as today's rules make it.
    """

    kind: ClassVar[str] = "rules-changed"
    id: str
    hand_no: int
    act_no: int
    seat: int | None
    recorded: str
    present: str
    sentence: str


# --- what was announced


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Entry):
    """What was said to the player to act."""

    kind: ClassVar[str] = "announced"
    hand_no: int
    act_no: int
    seat: int | None
    text: str
    call: int | None
    min_raise_to: int | None
    max_raise_to: int | None
    pot_bet: int | None
    wager: str = ""
    option: bool = False
    no_wager: bool = False
    all_in_to_call: bool = False
    least_is_all_in: bool = False
    most_is_pot: bool = False
    facing_all_in: bool = False
    in_the_middle: int | None = None
    counting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerted(Entry):
    """What people were alerted to."""

    kind: ClassVar[str] = "alert"
    severity: Literal["info", "warning", "error"]
    code: str
    seat: int | None
    sentence: str
    active: bool
    zone: str = ""
    uid: str = ""


# --- the evening


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet(Entry):
    """The mark of the levels' clock, by what it changed, and the period and stage that were announced."""

    kind: ClassVar[str] = "clock"
    by: str
    period: int
    left_ms: int
    since_ms: int | None
    told: tuple[int, ClockStage]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerClockSet(Entry):
    """The clock of a player's turn, None where its turn is over; by the floor, the house, the time or the turn.

    ``bank`` says that the seat has used one of its time banks.
    """

    kind: ClassVar[str] = "player-clock"
    by: str
    clock: PlayerClock | None = None
    bank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChosen(Entry):
    """The game that was named for the next hand."""

    kind: ClassVar[str] = "chosen"
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerNamed(Entry):
    """Who deals from now on, by id; empty where nobody is named. Since version 4."""

    kind: ClassVar[str] = "dealer"
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Entry):
    """What has been played of a game's turn in the rotation."""

    kind: ClassVar[str] = "turn"
    game: str
    hands: int
    orbits: int
    first_button: int
    button: int
    seats: int


# --- checkpoints


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint(Entry):
    """The table and the evening at one moment, since version 3: a start goes on from the last one.

    What ``content`` holds is the business of `session.checkpoint`; ``form`` is its version.
    """

    kind: ClassVar[str] = "checkpoint"
    hand_no: int
    form: int
    money: Money | None
    content: Mapping[str, Any]
    digest: str
    """SHA-256 of the content."""

    @classmethod
    def of(cls, hand_no: int, form: int, money: Money | None, content: Mapping[str, Any]) -> Checkpoint:
        """The checkpoint with its digest."""
        return cls(hand_no=hand_no, form=form, money=money, content=content, digest=digest_of(content))

    @property
    def holds(self) -> bool:
        """Whether the content is that of the digest."""
        return digest_of(self.content) == self.digest


# --- persons of version 1


def clear_person(name: str) -> str:
    """Who a person is whom a journal of version 1 knows by nothing but the name."""
    return f"{_IN_CLEAR}{name}" if name else ""


def person_in_clear(person: str) -> str | None:
    """The name of such a person; None for everybody else."""
    return person.removeprefix(_IN_CLEAR) if person.startswith(_IN_CLEAR) else None


# --- the chain


def payload_of(data: Mapping[str, Any]) -> str:
    """The one text of an entry's data, from which its hash is made; raises TypeError for what is no JSON."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(content: Mapping[str, Any]) -> str:
    """The SHA-256 of a checkpoint's content."""
    return hashlib.sha256(payload_of(content).encode()).hexdigest()


def link(prev: str, seq: int, at_ms: int, mono_ns: int, kind: str, payload: str) -> str:
    """The hash of an entry, which covers the hash of the one before it."""
    return hashlib.sha256(f"{prev}\n{seq}\n{at_ms}\n{mono_ns}\n{kind}\n{payload}".encode()).hexdigest()
