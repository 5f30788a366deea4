"""What `betline room lead` tells Prometheus: its tables, hands that ended hand for hand, a busy journal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from betline.bus.port import BusCounters
from betline.messages.table import TableState
from betline.metrics.places import read_address, tell_of_site
from betline.metrics.reading import Told
from betline.metrics.serving import served
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.journal import BUSY, RoomJournal
from cardroom.room.room import Room
from cardroom.room.tables import BusTables

PART: Final = "room"
AGAIN_S: Final = 1.0
"""The figures are made anew after so long; Prometheus asks for them far less often."""
HOLDS: Final = ("hand-for-hand", "short")


class Led(Protocol):
    """A desk, as far as it is needed here."""

    site: str

    @property
    def tables(self) -> BusTables:
        """The tables on the bus."""
        ...

    def room(self) -> Room:
        """The room as it stands, with the tables that are cut off now."""
        ...

    def journal(self) -> RoomJournal:
        """The room's journal, opened; who asks closes it."""
        ...


def figures(room: Room, states: Mapping[str, TableState], hands: int, busy: int) -> dict[str, float]:
    """The figures of a room whose tables on the bus say this of themselves. Tables by hand are in none of them."""
    on_bus = {name for name, table in room.tables.items() if not table.by_hand}
    held = Counter(state.hold.why for name, state in states.items() if name in on_bus and state.hold is not None)
    unlike = {table for game in room.games.values() for table in game.unlike}
    return {
        "room_tables": len(on_bus),
        **{f"room_held_{why}": held[why] for why in HOLDS},
        "room_cut_off": len(on_bus & room.cut.keys()),
        "room_unanswered": len(on_bus - room.cut.keys() - states.keys()),
        "room_off_clock": len(on_bus & unlike),
        "room_hands_together": hands,
        "room_journal_busy": busy,
    }


class RoomFigures:
    """The figures as they were at the last look; Prometheus asks for them on a thread of its own."""

    def __init__(self, desk: Led, now_s: Callable[[], float] = time.monotonic) -> None:
        self._desk, self._now_s = desk, now_s
        self._due_s = float("-inf")
        self._head: tuple[int, str] = (-1, "")
        self._hands = 0
        self._made: dict[str, float] = {}

    def look(self, busy: int) -> None:
        """Makes the figures anew where that is due; `busy`: how often the journal was busy. Raises RoomError.

        While the journal is busy the others stay as they were.
        """
        if self._now_s() < self._due_s:
            return
        self._due_s = self._now_s() + AGAIN_S
        try:
            room = self._desk.room()
            self._count()
        except RoomError as error:
            if error.code != BUSY:
                raise
            self._made = {**self._made, "room_journal_busy": busy}
            return
        on_bus = [name for name, table in room.tables.items() if not table.by_hand]
        self._made = figures(room, self._desk.tables.states_now(on_bus), self._hands, busy)

    def made(self) -> Mapping[str, float]:
        """The figures of the last look."""
        return self._made

    def _count(self) -> None:
        with self._desk.journal() as journal:
            if journal.head() != self._head:
                happened = journal.happened()
                self._head = journal.head()
                self._hands = sum(isinstance(one.event, e.HandEnded) for one in happened)


class NoFigures:
    """Nobody asks for figures: nothing is made."""

    def look(self, busy: int) -> None:
        """Does nothing."""


class Together:
    """The clients of the bus, one a table, as one."""

    def __init__(self, tables: BusTables) -> None:
        self._tables = tables

    @property
    def connected(self) -> bool:
        """Whether the broker lets all of them in."""
        return all(bus.connected for bus in self._tables.buses())

    @property
    def counters(self) -> BusCounters:
        """What they have done, in sum."""
        return sum_of(bus.counters for bus in self._tables.buses())

    def kept(self) -> Told:
        """They tell of no device."""
        return ()


def sum_of(counters: Iterable[BusCounters]) -> BusCounters:
    """What several clients of the bus have counted, in sum."""
    whole = BusCounters()
    for one in counters:
        whole.published += one.published
        whole.received += one.received
        whole.duplicates += one.duplicates
        whole.connects += one.connects
        whole.problems = dict(Counter(whole.problems) + Counter(one.problems.copy()))
        whole.dropped_by = dict(Counter(whole.dropped_by) + Counter(one.dropped_by.copy()))
    return whole


@contextmanager
def shown(desk: Led, option: str | None, targets: Path | None) -> Iterator[RoomFigures | NoFigures]:
    """Serves the figures where the option says, until the block is left; nowhere without it. Raises UserError."""
    if option is None:
        yield NoFigures()
        return
    where, found = read_address(option), RoomFigures(desk)
    tell_of_site(PART, where, desk.site, targets)
    with served(where, Together(desk.tables), own=found.made):
        yield found
