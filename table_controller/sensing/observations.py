"""What sensing reports to the service: acts, and all that is shown or asked because of what lies on the felt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChipsMoved:
    """One act of a seat in chips. The service rules on it and then gives the view, even if nothing came of it.

    Times are monotonic nanoseconds; values in the table's smallest unit. No chip is in two acts that do not amend
    each other.
    """

    act_no: int
    """Rises by one an act, over the life of the table (it is in the durable part)."""
    seat: int
    pushed: tuple[int, ...]
    """Values of the chips that came, in the order in which they were first heard."""
    taken_back: tuple[int, ...]
    """Values of chips of the seat's earlier acts of this round that it took away in this one."""
    by_motion: tuple[tuple[int, ...], ...]
    """`pushed` by the visit of the hand that brought it, one group where no camera saw any (R-045)."""
    motions: int
    """As many as there are groups, or more if the camera counted more."""
    uids: tuple[str, ...]
    """The chips of `pushed`."""
    first_ns: int
    """The first of them was first heard."""
    rest_ns: int
    """The last of them was first heard."""
    last_byte_ns: int
    """Last byte of the inventory that settled the act."""
    pays: int = 0
    """So much of `pushed` makes up what was ruled before (a debt, a blind not yet put out): the act is the rest."""
    gap_ms: int = 0
    """Longest time between two chips of the act; no string bet by itself (R-045)."""
    in_turn: bool = True
    """False: seats before it have not been heard of (R-039, R-067)."""
    again: bool = False
    """With `in_turn` false: the seat acted last itself and has moved a second time (R-052)."""
    amends: int | None = None
    """The act that this one replaces: a chip of it came late, and all its chips are reported again."""
    degraded: bool = False
    """No camera confirmed that the hand had left."""
    unknown: int = 0
    """Chips that came with it and whose value nobody knows; they are not in `pushed`."""


@dataclass(frozen=True, slots=True)
class Covered:
    """Chips that moved at a seat and are no act, with the reason.

    `keyed`: they make good what the dealer keyed; `owed`: they pay a debt (`amount`; `over` is what came too much);
    `change`: they leave the ruled bet in front of the seat; `swap`: they left as much as they brought.
    """

    seat: int
    why: Literal["keyed", "owed", "change", "swap"]
    amount: int
    over: int
    uids: tuple[str, ...]
    last_byte_ns: int


@dataclass(frozen=True, slots=True)
class Posted:
    """Chips that came during posting: a blind, an ante, a straddle or early chips, never an act (R-043).

    Without any in `pushed` some were taken away again.
    """

    seat: int
    pushed: tuple[int, ...]
    uids: tuple[str, ...]
    last_byte_ns: int


@dataclass(frozen=True, slots=True)
class Short:
    """Of a bet that was keyed or said a part has come to lie there, and for a while no more."""

    seat: int
    bet: int
    lies: int


@dataclass(frozen=True, slots=True)
class Implied:
    """These seats, in turn order, did the passive thing unseen: each checked where it could, else folded (R-039)."""

    seats: tuple[int, ...]
    mucked: tuple[int, ...] = ()
    """Those of them whose cards the camera saw go into the muck: they folded."""
    seen: str = ""
    """What of the dealer's hands says that the round is over; empty where a later act says what they did."""


@dataclass(frozen=True, slots=True)
class StreetDealt:
    """The street after this one is dealt: no bet lies before a seat, and the board has just its cards."""

    after: str
    board: int
    """So many cards lie there."""


@dataclass(frozen=True, slots=True)
class HandBegun:
    """The next hand is on: the pot has gone, and what lies there or was dealt is what it begins with."""

    posts: tuple[tuple[int, int], ...]
    """What lies before a seat, where anything does: seat and value."""
    dealt: tuple[int, ...]
    """The seats that the camera saw get cards."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the dealer; answered with `Sensing.answer(id, choice)`, or withdrawn by AskedNoMore.

    `unreported` (choices passive, out-of-turn, and for a single chip no-bet): did `seats` act unseen? `mucked` (folded,
    still-in): did `seats` fold, whose cards the camera saw go into the muck? `amount` (no choices: the dealer keys the
    act): the camera saw a bet that no reader can value, or of chips that came between two streets only a part may be
    one. `before-cards` (raise, call or bet; straddle where it may;
    no-bet): chips beyond what was posted that lay there before the cards were out. The others have the choices bet and
    no-bet, the likelier first. `early-chips`: chips that came between two streets; `house-chips`: chips that came from
    the tray or the pot; `protector`: a chip that has lain there since long before the seat's turn; `moved-chips`: chips
    of another seat's base line or bet; `unseen-chips`: chips in a zone whose base line nobody had read.
    `hand-on-chips` (the one choice as-it-lies): a hand stays on chips that have settled. `other-hand`: chips that
    another seat's hand brought. `dead-money`: chips worth just the ante or dead blind that the seat may still owe.
    `award` (the one choice award): are the pots those of `seats`, to which they went?
    """

    id: str
    kind: Literal[
        "unreported", "mucked", "amount", "early-chips", "before-cards", "house-chips", "protector", "moved-chips",
        "unseen-chips", "hand-on-chips",
        "other-hand", "dead-money", "award",
    ]  # fmt: skip
    seats: tuple[int, ...]
    sentence: str
    choices: tuple[str, ...]
    waiting: int | None = None
    """The seat whose chips wait for the answer, where it is none of `seats`."""


@dataclass(frozen=True, slots=True)
class AskedNoMore:
    """The question has found its answer, or makes no sense any more."""

    id: str


AlertCode = Literal[
    "antenna-weak",
    "bet-capped",
    "bet-swapped",
    "camera-stale",
    "change-not-given",
    "chips-in-pot",
    "chips-out-of-turn",
    "chips-taken-back",
    "clear-zone",
    "cloned-chip",
    "foreign-chip",
    "hot-chip",
    "late-bet",
    "ledger-off",
    "not-in-hand",
    "pot-over",
    "pot-short",
    "pot-to-tray",
    "reader-against-camera",
    "reader-partial",
    "reader-stale",
    "reader-frozen",
    "readers-overlap",
    "retired-chip",
    "stack-off",
    "stack-short",
    "tray-open",
    "tray-short",
    "uneven-change",
    "unknown-chip",
    "unsure-chip",
    "wrong-hand",
    "wrong-payout",
    "wrong-seat-paid",
]
"""What can be wrong; `alerts.catalogue` says what each means and what to do."""


@dataclass(frozen=True, slots=True)
class ChipRead:
    """One chip that an alert is about, and how it was read: evidence for the floor."""

    uid: str
    value: int | None
    """None where nobody knows it."""
    zone: str
    """Where it lies, or lay last."""
    hits: int
    """Rounds of the window in which it answered there."""
    rounds: int
    """Rounds of the window since its first answer; 0 where it has left the window."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that is wrong at the table. `seat` is None where it is nobody's, as for chips in the pot and the tray.

    It is observed once, and again only when it grows: a larger amount or more chips.
    """

    code: AlertCode
    seat: int | None
    sentence: str
    """What to do, then why."""
    amount: int = 0
    """How much is in question, in the table's smallest unit; 0 where it is not about an amount."""
    count: int = 0
    """How many chips."""
    chips: tuple[ChipRead, ...] = ()
    """These chips, the first `CHIPS_LISTED` of them."""
    pictures: tuple[str, ...] = ()
    """The camera's events nearest to it; their pictures are found by these."""


Key = tuple[AlertCode, int | None]
"""What an alert is about; two of one key are one alert."""
CHIPS_LISTED = 20
"""As many chips stand in an alert at most; `count` says how many there are."""


@dataclass(frozen=True, slots=True)
class AlertPassed:
    """The alert is over."""

    code: AlertCode
    seat: int | None


@dataclass(frozen=True, slots=True)
class ZoneValue:
    """What is believed to lie in a zone now; None where no reader says."""

    zone: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Pile:
    """Chips of the seat to act that surely lie there, while those that may lie there too are still being counted."""

    seat: int
    pushed: tuple[int, ...]
    """Their values, without what pays a debt."""


Observation = (
    ChipsMoved
    | Covered
    | Posted
    | Short
    | Implied
    | StreetDealt
    | HandBegun
    | Asked
    | AskedNoMore
    | Alert
    | AlertPassed
    | ZoneValue
)
