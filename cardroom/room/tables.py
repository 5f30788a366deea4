"""The tables of a site on the bus, as the room asks them: their state, and commands with their answers.

Each table has its own topics, so each has its own client. Where staff are enrolled at a table, the commands are signed
by a person who proves a PIN there, as at a console.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from betline import topics
from betline.bus import Bus, Received
from betline.messages.common import Command as CommandMessage
from betline.messages.common import Presence, Reply
from betline.messages.devices import ZoneChips
from betline.messages.people import StaffMember, StaffState
from betline.messages.room import RoomHead
from betline.messages.table import TableState
from betline.steps import Command, command_args, verb_of
from betline.topics import topic
from cardroom.room.errors import RoomError, cut_off
from cardroom.room.events import Place
from cardroom.room.felt import Felt
from cardroom.room.holds import BETWEEN
from cardroom.room.pits import Cut, nothing_cut
from table_controller.console.signing import SignedIn, Signing

SENDER: Final = "room"
ANSWER_S: Final = 3.0
STATE_S: Final = 3.0
ZONES_S: Final = 0.5
_POLL_S: Final = 0.05
RAKE: Final = "rake"


@dataclass(frozen=True, slots=True)
class Signer:
    """Who of the staff signs what the room asks, with the PIN that proves it."""

    name: str
    pin: str


class OnBus:
    """One table: what it said last, and asking it."""

    def __init__(
        self,
        bus: Bus,
        name: str,
        signer: Callable[[], Signer | None],
        pump: Callable[[], object] | None = None,
        cut: Cut = nothing_cut,
    ) -> None:
        """Listens at once. `signer` is asked when something must be signed, and not before: who looks signs nothing.

        `pump` is called while waiting: a test turns its table with it. `cut` says which tables are cut off now.
        """
        self.name, self._bus, self._signer, self._pump, self._cut = name, bus, signer, pump, cut
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._life = ""
        self._online = False
        self._knows_staff = False
        self._zones: dict[str, ZoneChips] = {}
        self._grown_s = time.monotonic()
        """When an antenna was heard for the first time."""
        self._replies: dict[str, Reply] = {}
        self._signing = Signing(bus, self._ring)
        self._signing.start()
        bus.subscribe(topics.STATUS, self._on_status)
        bus.subscribe(topics.STAFF, self._on_staff)
        bus.subscribe(topics.STATE, self._on_state)
        bus.subscribe(topics.ZONE_CHIPS, self._on_zone)
        bus.subscribe(topics.REPLY, self._on_reply)

    @property
    def bus(self) -> Bus:
        """The client of the bus that hears this table."""
        return self._bus

    def state(self) -> TableState:
        """What the table says of itself; raises RoomError: `away` where its controller is not online, `cut-off`.

        The broker keeps the last state of a controller that has gone, and of a table that is cut off: that one does not
        count.
        """
        heard = self._wait(lambda: self._pit is not None or (self._online and self._state is not None), STATE_S)
        if (pit := self._pit) is not None:
            raise cut_off(self.name, pit)
        if not heard or self._state is None:
            raise RoomError("away", f"Table {self.name} does not answer on the bus; is its controller running?")
        return self._state

    def comes_to(self, holds: Callable[[TableState], bool], patience_s: float) -> bool:
        """Whether the table soon says of itself what is looked for."""
        return self._wait(lambda: self._state is not None and holds(self._state), patience_s)

    def now(self) -> TableState | None:
        """What the table said last, without waiting; None where its controller is not online, or it is cut off."""
        return self._state if self._online and self._pit is None else None

    @property
    def life(self) -> str:
        """Which life of the table's controller spoke last (`boot_id`)."""
        return self._life

    @property
    def _pit(self) -> str | None:
        """The pit with which it is cut off; None where it is not."""
        return self._cut().get(self.name)

    def tell(self, head: RoomHead) -> None:
        """Says at the table how far the room's journal is; the broker keeps it."""
        self._bus.publish(topic(topics.ROOM), head)

    def zones(self) -> dict[str, ZoneChips]:
        """What lies on each antenna, as last said; they come one by one, so it waits for the last."""
        self.state()
        self._wait(lambda: time.monotonic() - self._grown_s >= ZONES_S, STATE_S)
        with self._changed:
            return dict(self._zones)

    def ask(self, command: Command) -> str:
        """Asks for something; empty when it was done, else why not. Raises RoomError (`away`, `no-answer`, `sign`)."""
        self.state()
        signed_in = self._signed_in()
        verb, args, name = verb_of(type(command)), command_args(command), uuid.uuid4().hex
        expires_ms = time.time_ns() // 1_000_000 + int(ANSWER_S * 1000)
        signature = None
        if signed_in is not None:
            signature = signed_in.signature(self._bus.sender, verb, name, expires_ms, args)
        message = CommandMessage(id=name, expires_ms=expires_ms, args=args, signature=signature, controller=self._life)
        self._bus.publish(topic(topics.COMMAND, verb), message)
        if not self._wait(lambda: name in self._replies, ANSWER_S + 1):
            raise RoomError(
                "no-answer", f"Table {self.name} did not answer {verb}; look there whether it was done, then try again."
            )
        reply = self._replies[name]
        return "" if reply.ok else reply.sentence

    def close(self) -> None:
        """Signs out and leaves the bus."""
        self._signing.leave()
        self._bus.close()

    def _signed_in(self) -> SignedIn | None:
        self._wait(lambda: self._knows_staff, STATE_S)
        staff = self._signing.state
        if not staff.people:
            return None
        if staff.signed_in is not None:
            return staff.signed_in
        signer = self._signer()
        if signer is None:
            raise RoomError("sign", f"Staff are enrolled at table {self.name}; say --by NAME and --pin-file FILE.")
        self._signing.begin(self._person(staff.people, signer.name), signer.pin)
        self._wait(lambda: self._signing.state.stage != "waiting", ANSWER_S)
        accepted = self._signing.state.accepted
        if accepted is None:
            raise RoomError("sign", self._signing.state.problem or f"Table {self.name} did not answer the sign-in.")
        self._signing.stay(accepted)
        return accepted

    def _person(self, people: tuple[StaffMember, ...], name: str) -> StaffMember:
        found = next((one for one in people if one.pin and one.name.casefold() == name.casefold()), None)
        if found is None:
            raise RoomError("sign", f"There is no {name} with a PIN among the staff of table {self.name}.")
        return found

    def _wait(self, holds: Callable[[], bool], patience_s: float) -> bool:
        deadline_s = time.monotonic() + patience_s
        while not holds():
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                return False
            if self._pump is not None:
                self._pump()
                continue
            with self._changed:
                self._changed.wait(min(left_s, _POLL_S))
        return True

    # --- on the bus's thread

    def _ring(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _on_status(self, received: Received) -> None:
        if isinstance(received.body, Presence):
            self._online = received.body.state == "online"
            self._ring()

    def _on_staff(self, received: Received) -> None:
        self._knows_staff = isinstance(received.body, StaffState)
        self._ring()

    def _on_state(self, received: Received) -> None:
        if isinstance(received.body, TableState):
            self._state, self._life = received.body, received.envelope.boot_id
            self._ring()

    def _on_zone(self, received: Received) -> None:
        if isinstance(received.body, ZoneChips):
            with self._changed:
                if received.body.zone not in self._zones:
                    self._grown_s = time.monotonic()
                self._zones[received.body.zone] = received.body

    def _on_reply(self, received: Received) -> None:
        if isinstance(received.body, Reply):
            self._replies[received.body.command_id] = received.body
            self._ring()


class BusTables:
    """All tables of a site; each is joined when it is first asked."""

    def __init__(self, joined: Callable[[str], OnBus], wait_s: float = 0.0) -> None:
        """`wait_s`: so long a hand that is played is waited for."""
        self._joined = joined
        self._tables: dict[str, OnBus] = {}
        self._wait_s = wait_s

    def table(self, name: str) -> OnBus:
        """A table by name; raises RoomError or UserError where the bus cannot be used."""
        if name not in self._tables:
            self._tables[name] = self._joined(name)
        return self._tables[name]

    def buses(self) -> tuple[Bus, ...]:
        """The clients of the bus, one of each table that was joined; from any thread."""
        return tuple(one.bus for one in tuple(self._tables.values()))

    def states(self, names: Iterable[str]) -> dict[str, TableState]:
        """What these tables say of themselves; one that does not answer is missing."""
        found = {}
        for name in names:
            with contextlib.suppress(RoomError):
                found[name] = self.table(name).state()
        return found

    def states_now(self, names: Iterable[str]) -> dict[str, TableState]:
        """The same without waiting for any."""
        said = {name: self.table(name).now() for name in names}
        return {name: state for name, state in said.items() if state is not None}

    def tell(self, head: RoomHead) -> None:
        """Says at every table that was joined how far the room's journal is."""
        for table in self._tables.values():
            table.tell(head)

    def between_hands(self, name: str) -> TableState:
        """The state of a table that plays no hand; raises RoomError (`in-hand`) where one goes on."""
        deadline_s = time.monotonic() + self._wait_s
        while (state := self.table(name).state()).phase not in BETWEEN:
            if time.monotonic() >= deadline_s:
                raise RoomError(
                    "in-hand",
                    f"Table {name} is in the middle of a hand; wait for its end, for example with --wait 120.",
                )
            time.sleep(_POLL_S)
        return state

    def stack(self, place: Place) -> int | None:
        """The chips in a seat between hands; None where nobody sits there. Raises RoomError while a hand is played."""
        state = self.between_hands(place.table)
        seat = next((one for one in state.seats if one.seat == place.seat), None)
        return None if seat is None or seat.status == "empty" else seat.stack

    def ask(self, table: str, command: Command) -> str:
        """Asks a table and waits for its answer: empty when it was done, else why not."""
        return self.table(table).ask(command)

    def felt(self, name: str) -> Felt:
        """Who has chips at a table, and where button and blinds are."""
        return felt_of(self.table(name).state())

    def close(self) -> None:
        """Leaves all tables."""
        for table in self._tables.values():
            table.close()


def felt_of(state: TableState) -> Felt:
    """A table's state, as far as seats, button and blinds go."""
    return Felt(
        seats=frozenset(
            seat.seat
            for seat in state.seats
            if seat.status == "all-in" or (seat.status != "empty" and (seat.stack or seat.bet))
        ),
        button=state.button,
        small_blind=state.small_blind,
        big_blind=state.big_blind,
    )
