"""What a journal holds: the kinds of entry, by subject.

Each kind is one frozen class with the fields of its JSON, which `journal.codec` writes and reads. Kinds and fields are
those of all versions that can be read (`journal.rows.READABLE`); what only older ones have says so.
"""

from table_controller.journal.entries.announced import Alerted, Announced
from table_controller.journal.entries.cards import CardsOpened, OpenedCards
from table_controller.journal.entries.checkpoint import Checkpoint
from table_controller.journal.entries.custody import (
    Accepted,
    DeviceStarted,
    Opened,
    Pruned,
    ReaderKnown,
    Sealed,
    Started,
)
from table_controller.journal.entries.entry import Entry, Recorded, read_entry
from table_controller.journal.entries.evening import (
    ClockSet,
    ClockStage,
    DealerNamed,
    GameChosen,
    HoldSet,
    PlayerClockSet,
    TurnBegan,
)
from table_controller.journal.entries.hands import (
    CardsOut,
    HandBegan,
    HandOver,
    MinutesPassed,
    Money,
    SetUp,
    Source,
    Stepped,
)
from table_controller.journal.entries.people import (
    Named,
    Obeyed,
    PinRefused,
    SignedIn,
    SignedOut,
    clear_person,
    person_in_clear,
)
from table_controller.journal.entries.questions import (
    Answered,
    AskedStraddle,
    AskedWhatLies,
    AskedWhichFirst,
    Heard,
    RulesChanged,
    WordsWait,
)
from table_controller.journal.entries.sensors import CameraSaw, FeltMoved, Observed, SensorChanged

__all__ = [
    "Accepted",
    "Alerted",
    "Announced",
    "Answered",
    "AskedStraddle",
    "AskedWhatLies",
    "AskedWhichFirst",
    "CameraSaw",
    "CardsOpened",
    "CardsOut",
    "Checkpoint",
    "ClockSet",
    "ClockStage",
    "DealerNamed",
    "DeviceStarted",
    "Entry",
    "FeltMoved",
    "GameChosen",
    "HandBegan",
    "HandOver",
    "Heard",
    "HoldSet",
    "MinutesPassed",
    "Money",
    "Named",
    "Obeyed",
    "Observed",
    "Opened",
    "OpenedCards",
    "PinRefused",
    "PlayerClockSet",
    "Pruned",
    "ReaderKnown",
    "Recorded",
    "RulesChanged",
    "Sealed",
    "SensorChanged",
    "SetUp",
    "SignedIn",
    "SignedOut",
    "Source",
    "Started",
    "Stepped",
    "TurnBegan",
    "WordsWait",
    "clear_person",
    "person_in_clear",
    "read_entry",
]
