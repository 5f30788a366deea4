"""What can happen in a room, as values; the room is the fold of these (`cardroom.room.fold`).

Each is journalled with its number, its time and who did it, so none of these stand in the events. People stand in them
by id: names are kept beside the chain, where they can be erased (`cardroom.room.journal`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A seat at a table."""

    table: str
    seat: int

    def __str__(self) -> str:
        return f"table {self.table}, seat {self.seat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdded:
    """A tournament, or a cash game of one kind and stakes with its waiting list. Amounts are money, stacks chips."""

    game: str
    kind: Literal["tournament", "cash"]
    deal: Literal["flop", "stud", "mixed"] = "flop"
    levels: str = ""
    """The table file whose levels the clock has; empty: no clock."""
    stack: int = 0
    buy_in: int = 0
    """What goes into the prize pool; in a cash game the usual buy-in."""
    fee: int = 0
    re_entries: int = 0
    """How often a player may enter again."""
    late_to_level: int = 0
    """Entries are sold until the end of this level; 0: until play begins."""
    add_on: int = 0
    """What it costs, all for the pool; 0: there is none."""
    add_on_chips: int = 0
    guarantee: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdded:
    """A table opens for a game."""

    table: str
    game: str
    seats: int
    by_hand: bool = False
    """It is not on the bus: what people say was done there counts as done."""
    feeds: str = ""
    """Of a must-move table: the table to which its players move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A table has nobody left and is closed."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakingOrderSet:
    """The order in which tables break, announced beforehand."""

    game: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A player buys an entry, another one, or an add-on."""

    game: str
    player: str
    what: Literal["entry", "re-entry", "add-on"]
    paid: int
    fee: int
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player goes from one place to another: None is no seat in the room."""

    player: str
    source: Place | None
    to: Place | None
    chips: int = 0
    """What the player brings where there is no table to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesOrdered:
    """Seats are given; each move is done when its tables have answered (`Moved`)."""

    game: str
    why: Literal["draw", "late", "balance", "break", "redraw", "floor", "list", "must-move", "leave", "out"]
    rule: str
    """The rule that says so, as `TDA 11-A`."""
    moves: tuple[Move, ...]
    seed: str = ""
    """Of what was drawn by lot; empty where nothing was."""
    seed_named: bool = False
    """A person named the seed: the draw can be checked, but was not by lot."""
    reason: str = ""
    """Why the same list was drawn once more, or from a seed that a person named; why the floor has moved somebody.
    Empty where nothing was said."""
    public: str = ""
    """The part of the seed that was said in public after the list had closed; empty where none was."""
    left_out: tuple[str, ...] = ()
    """Tables that were cut off from the site just then: nobody was moved to or from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCommitted:
    """The digest of the seed of a game's next draw, before the list closes (`cardroom.room.lots`)."""

    game: str
    digest: str
    reason: str = ""
    """Why it takes the place of one that was told before and not used; empty where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveAsked:
    """A table is about to be asked to let a player go with these chips: known even if its answer is never written."""

    player: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftSeat:
    """The table that a player leaves has answered: the player carries these chips."""

    player: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The last table of a move has answered: it is done."""

    player: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCalledOff:
    """A move is not carried out: the player stays, or, off the seat already, goes on without one."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Knocked:
    """One who is out, with the stack at the start of that hand."""

    player: str
    stack: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WentOut:
    """Players went out in one hand: their place, ties shared, best first."""

    game: str
    places: tuple[tuple[str, int], ...]
    """Player and place; players with the same place share the prizes of as many places."""
    chips: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The stacks at the start of the hand by which they were ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A player joins a waiting list; one who phones is not in the room yet."""

    game: str
    player: str
    phoned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Who had phoned in is in the room."""

    game: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A seat is held for a player of the list until then."""

    game: str
    player: str
    to: Place
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A player who was called does not want the seat now; the place in the list is kept, or is the last one."""

    game: str
    player: str
    keeps_place: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OffList:
    """A player is on the list no longer."""

    game: str
    player: str
    why: Literal["left", "no-show", "seated", "call-in-over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedMustMove:
    """A player does not move to the main game; by the house's rule others go before, or the player leaves."""

    player: str
    leaves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet:
    """The clock of a tournament, one for all its tables; `since_ms` None: it stands."""

    game: str
    period: int
    left_ms: int
    since_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFollowed:
    """What a table answered to the clock."""

    game: str
    table: str
    sentence: str
    """Empty: it follows; else why it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForHand:
    """All tables deal their hands together from now on, or no longer."""

    game: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded:
    """Hand for hand: a table has ended its hand and waits for the others.

    It is said once more of one that waits where the last table that was waited for is gone.
    """

    game: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAllowed:
    """Hand for hand: a table on the bus may play up to the hand of this number."""

    game: str
    table: str
    after_hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHalted:
    """Play halts at a table that is too short of players (TDA 11-D), or is more or less so than was said."""

    table: str
    why: str
    short: int = 0
    """How many players it has less than the fullest table; 0 in journals that do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HaltEnded:
    """Play goes on at a table."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHeld:
    """A table has answered that it is held, and up to which hand it plays."""

    table: str
    why: Literal["hand-for-hand", "short"]
    after_hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLetGo:
    """A table has answered that it is held no longer."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTwoTold:
    """The table of a tournament's last two players has answered that nothing caps its raises any more (TDA 48)."""

    game: str
    table: str = ""
    """Empty in journals that do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutsFixed:
    """The prizes, the first place first; nobody can enter any more."""

    game: str
    pool: int
    prizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChopAgreed:
    """All players left have agreed what each is paid."""

    game: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """A prize was paid out."""

    game: str
    player: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """What a table's state said: hands dealt and rake taken since its journal began."""

    table: str
    journal: str
    hand_no: int
    rake: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StringSet:
    """Tables that dealers work through in this order."""

    string: str
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerOn:
    """A dealer begins a shift on a string: last in the row for its first table."""

    dealer: str
    string: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerOff:
    """A dealer goes home."""

    dealer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """Every dealer of a string goes one table on; who leaves the last one has a break."""

    string: str
    at: tuple[tuple[str, str], ...]
    """Table and dealer after the push."""
    resting: tuple[str, ...]
    """Who has a break, the longest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Chips counted in a place by two people, each by themselves and with the same result."""

    place: str
    shift: str
    counts: Mapping[str, int]
    """Type of chip: how many."""
    people: tuple[str, str]
    """Ids of the staff who signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountBegun:
    """The first of two has counted; nothing counts before the second has, independently."""

    place: str
    shift: str
    digest: str
    """Of the count, so that the second cannot look it up."""
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsDiffer:
    """The second count is not the first one: both are void, and are done again."""

    place: str
    shift: str
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StockTaken:
    """Where the house's chips were at a time, by type: what the readers saw, and what the register has."""

    registered: Mapping[str, int]
    retired: Mapping[str, int]
    seen: Mapping[str, Mapping[str, int]]
    """Place (`felt`, `tray`): type: how many."""
    unknown: int
    """Tags that answered as chips and are not in the register, or not active in it."""
    unread: tuple[str, ...] = ()
    """Tables at which no antenna was heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """An event is taken back: it counts as though it had not been."""

    seq: int


Event: TypeAlias = (
    GameAdded | TableAdded | TableClosed | BreakingOrderSet | Entered | MovesOrdered | DrawCommitted | LeaveAsked
    | LeftSeat | Moved | MoveCalledOff | WentOut | Joined | Arrived | Called | Passed | OffList | RefusedMustMove
    | ClockSet | ClockFollowed | HandForHand | HandEnded | HandAllowed | TableHalted | HaltEnded | TableHeld
    | TableLetGo | LastTwoTold | PayoutsFixed | ChopAgreed | Paid | Sampled | StringSet | DealerOn | DealerOff
    | Pushed | CountBegun | Counted | CountsDiffer | StockTaken | Undone
)  # fmt: skip


def kind_of(cls: type[Any]) -> str:
    """The kind of an event in the journal: ``moves-ordered`` of MovesOrdered."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()


KINDS: Final[Mapping[str, type[Any]]] = {kind_of(cls): cls for cls in get_args(Event)}


@dataclass(frozen=True, slots=True)
class Happened:
    """An event with its number in the journal, its wall-clock time and who did it."""

    seq: int
    at_ms: int
    by: str
    event: Event
