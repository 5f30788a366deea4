"""The controller's service: the bus in, the session, the journal, the bus out.

Threads: the bus's own thread only puts messages into a queue; one loop thread owns session, journal and all that is
published. Each input is journalled before anything that follows from it is published.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import threading
import time
from collections.abc import Callable
from typing import Final

from betline import topics
from betline.bus import Bus, Received
from betline.deck import Deck
from betline.messages.common import Birth, Health, Presence, Reply
from betline.messages.people import SignInAnswer
from betline.messages.table import Alert, TableState
from betline.messages.versions import own_capability
from betline.metrics.family import Timing
from betline.options import FAILED, UserError
from betline.people.roll import Roll
from betline.settings import ChipSet
from betline.tap import Tap
from betline.topics import topic
from betline.units import NS_PER_MS
from table_controller.journal.continuity import break_between
from table_controller.journal.entries import Started
from table_controller.journal.errors import JournalError
from table_controller.journal.store import Journal
from table_controller.service.attendance import Attendance
from table_controller.service.devices import Devices
from table_controller.service.figures import Figures
from table_controller.service.handling import Handling
from table_controller.service.intake import Intake
from table_controller.service.notices import Notices
from table_controller.service.outlet import Outlet
from table_controller.service.standing import Standing
from table_controller.service.taken import Began, Named, Notes, Shown
from table_controller.service.wishes import Wishes
from table_controller.service.writing import Writing
from table_controller.session import Now, Session, Terms, Tick
from table_controller.session.admission import SENTENCES, Admission
from table_controller.session.door import Door
from table_controller.session.edge import Edge
from table_controller.session.fold import Resumed, resume

DEVICE: Final = "controller"
TICK_S: Final = 0.05
HEALTH_S: Final = 2.0
BATCH: Final = 64
"""Inputs taken in one go before the state is published; the state is coalesced over them."""
LEAP_NS: Final = 5_000 * NS_PER_MS
"""A turn of the loop takes a tenth of a second at most; this much is a leap, or the program stood still."""
UNDER_WAY_NS: Final = 300 * NS_PER_MS
"""How long after a leap messages may come that were sent before it."""

_SOURCES: Final = (
    topics.ZONE_CHIPS,
    topics.ZONE_TAGS,
    topics.SEAT_LINE,
    topics.DEVICE_LINE,
    topics.DEVICE_VIEW,
    topics.DEVICE_STATUS,
    topics.SIGN_IN,
    topics.COMMAND,
)


class SecondController(UserError):
    """Another controller serves this table."""

    def __init__(self) -> None:
        super().__init__(
            "Another controller serves this table on this broker: stop it first, or name another table with --id.",
            FAILED,
        )


def clock() -> Now:
    """The time now."""
    return Now(time.time_ns() // NS_PER_MS, time.monotonic_ns())


class Controller:
    """One table's controller on a bus. Make it, `start` it, then `run` it or `pump` it on one thread."""

    def __init__(
        self,
        terms: Terms,
        chips: ChipSet,
        bus: Bus,
        journal: Journal,
        *,
        clock: Callable[[], Now] = clock,
        roll: Roll | None = None,
        deck: Deck | None = None,
        serves: Callable[[], None] = lambda: None,
        tap: Tap | None = None,
    ) -> None:
        """`serves` is called after each turn in which it served; never while it stands still or gives way.

        What it takes is noted in the `tap`, for the recording of the table.
        """
        self._terms = terms
        self._bus = bus
        self._journal = journal
        self._clock = clock
        self._serves = serves
        roll = roll or Roll(None)
        self._edge = Edge(
            terms.table,
            chips,
            blame=bus.counters.dropped,
            now_ns=lambda: clock().mono_ns,
            own_life=bus.boot_id,
            deck=deck or {},
        )
        self._edge.door = Door(roll.staff, terms.staff, terms.table.sensing)
        self._admission = Admission(terms.table)
        self._intake = Intake(self._overrun)
        self._standing = Standing(bus.boot_id)
        self._standing_lock = threading.Lock()
        self._resumed: Resumed | None = None
        self._resumed_at = clock()
        self._notes = Notes(tap)
        self._stopping = threading.Event()
        self._outlet = Outlet(bus, journal, terms.table.stream.delay_s * 1000)
        self._blamed: dict[str, str] = {}
        """Who was dropped last, by the reason."""
        self._figures = Figures()
        self._notices = Notices(self._outlet.publish)
        self._writing = Writing(journal, self._notices)
        self._handling = Handling(
            Session.new(terms),
            journal,
            self._writing,
            self._outlet,
            self._figures,
            self._notes,
            clock=clock,
            refused=self._edge.refused,
        )
        self._attendance = Attendance(self._edge, roll, bus, self._handling, self._writing, self._notices)
        self._wishes = Wishes()
        self._state_before: TableState | None = None
        """What stood on the bus when this controller began to listen."""
        self._devices = Devices(self._admission)
        self._looked_ns: int | None = None
        self._next_tick_s = 0.0
        self._next_health_s = 0.0

    @property
    def session(self) -> Session:
        """The session as it stands."""
        return self._handling.session

    def timings(self) -> tuple[Timing, ...]:
        """How long its work took since the boot."""
        return self._figures.timings

    def start(self) -> None:
        """Listens, takes up the journal from its last checkpoint, and serves if no other controller does.

        What is asked of it meanwhile is answered once it serves. Whether another one serves may show later, in `pump`.
        Raises SecondController, and JournalError for a damaged journal or one that ends before what the bus says.
        """
        self._bus.hear_only(self._admission.hears)
        self._bus.subscribe(topics.STATE, self._on_state)
        self._bus.subscribe(topics.DEVICE_BIRTH, self._devices.heard)
        for kind in (topics.STATUS, topics.BIRTH):
            self._bus.subscribe(kind, self._on_controller)
        for kind in _SOURCES:
            self._bus.subscribe(kind, self._on_input)
        self._bus.when_subscribed(self._ask)
        self._resumed_at = self._clock()
        self._resumed = resume(self._terms, self._journal, self._resumed_at)
        self._serve_if_alone()

    def _serve_if_alone(self) -> bool:
        """Whether this controller serves; it begins to where no other does. Raises SecondController."""
        now_ns = self._clock().mono_ns
        with self._standing_lock:
            verdict, answers = self._standing.verdict(now_ns), self._standing.answers(now_ns)
        if verdict == "give-way":
            raise SecondController
        if verdict == "serve" and self._resumed is not None:
            self._serve(self._resumed)
            self._resumed = None
        if answers:
            self._bus.publish(topic(topics.STATUS), Presence(state="online"))
            self._bus.publish(topic(topics.BIRTH), self._birth())
        return verdict == "serve"

    def _serve(self, resumed: Resumed) -> None:
        self._compare_with_the_bus()
        now = self._clock()
        self._handling.resume(resumed.session)
        self._note_the_start()
        book = self.session.book
        started = Started(
            boot_id=self._bus.boot_id,
            version=importlib.metadata.version("betline"),
            config_hash=self._terms.table.config_hash(),
            resumed=book.table is not None,
            key=self._journal.key_id,
        )
        recorded = self._journal.append((started, *resumed.entries), now.at_ms, now.mono_ns)
        with self._standing_lock:
            self._standing.served(now.mono_ns)
        self._attendance.tell()
        self._bus.announce()
        self._outlet.events(recorded, self.session.book.hand_no)
        if book.table is not None:
            sentence = f"The controller has started again; hand {book.hand_no} goes on as it was."
            self._outlet.publish(Alert(severity="info", code="restarted", sentence=sentence))
        for alert in resumed.alerts:
            self._outlet.publish(alert)
        for number, remark in enumerate(self._journal.remarks):
            self._notices.stands(f"journal-remark-{number}", remark)
        self._show()

    def _note_the_start(self) -> None:
        began = Began(
            life=self._bus.boot_id,
            version=importlib.metadata.version("betline"),
            config_hash=self._terms.table.config_hash(),
            now=self._resumed_at,
            head=self._journal.head.seq,
            names=self.session.names,
            secrets=bool(self.session.secrets),
        )
        self._notes.note(began)

    def _show(self) -> None:
        version = self._outlet.show(self.session, self._notices.alerts, self._clock().mono_ns)
        if version is not None:
            self._notes.note(Shown(version, self._journal.head.seq))

    def _compare_with_the_bus(self) -> None:
        """Holds the journal against the state that stands on the bus; raises JournalError where entries are missing."""
        found = None if self._state_before is None else break_between(self._state_before, self._journal)
        if found is None:
            return
        if found.proven:
            self._outlet.publish(Alert(severity="error", code="journal-cut-off", sentence=found.sentence))
            raise JournalError("cut-off", found.sentence)
        self._notices.stands("journal-and-bus", found.sentence)

    def run(self) -> None:
        """Serves until `stop` is called from another thread or a signal handler."""
        while not self._stopping.is_set():
            self.pump(TICK_S)

    def stop(self) -> None:
        """Makes `run` end at once."""
        self._stopping.set()
        self._intake.wake()

    def close(self) -> None:
        """Notes the last of what it took, after `run`."""
        self._notes.close()

    def pump(self, timeout_s: float) -> None:
        """Takes the inputs that have come, waiting for one at most ``timeout_s``; then publishes the state once.

        Raises SecondController where it has not begun to serve, or only just, and another one does.
        """
        if not self._serve_if_alone():
            self._stopping.wait(timeout_s)
            return
        zones = self.session.sensing.zones
        for received in self._intake.take(BATCH, timeout_s):
            inputs = self._edge.read(received)
            if isinstance(inputs, SignInAnswer):
                self._bus.publish(topic(topics.SIGN_IN_ANSWER, received.topic.name), inputs)
            elif isinstance(inputs, Reply):
                self._outlet.publish(inputs)
            else:
                for given in inputs:
                    self._handling.take(given)
            self._attendance.tell()
        self._heed_the_clock()
        now_s = time.monotonic()
        if self._writing.is_due(now_s):
            self._handling.keep(self._writing.trial)
        if now_s >= self._next_tick_s and self._writing.is_calm(now_s):
            self._next_tick_s = now_s + TICK_S
            self._edge.door.passes(self._clock().mono_ns)
            self._attendance.tell()
            self._handling.take(Tick())
            self._ask_for_zones()
        elif self.session.sensing.zones is not zones:
            self._ask_for_zones()
        if now_s >= self._next_health_s:
            self._next_health_s = now_s + HEALTH_S
            self._heed_erased_names()
            self._attendance.heed_the_file(self._clock().mono_ns)
            self._keep_devices()
            self._look_at_the_bus()
            self._tell_health()
        self._show()
        self._serves()

    def _ask_for_zones(self) -> None:
        now = self._clock()
        for zone, wish in self._wishes.due(self.session.zones_wanted(now), now.mono_ns):
            self._bus.publish(topic(topics.ZONE_WANTED, zone), wish)

    # --- what comes

    def _on_input(self, received: Received) -> None:
        refusal = self._admission.refusal(received)
        if refusal is None:
            self._intake.put(received)
            return
        sender = received.envelope.sender
        said = SENTENCES[refusal].format(topic=received.topic.path, sender=sender)
        self._bus.counters.problem(refusal, said)
        self._bus.counters.dropped(sender)
        self._blamed[refusal] = sender

    def _overrun(self, sender: str) -> None:
        self._bus.counters.problem("overrun", f"{sender} sends more than can be read.")
        self._bus.counters.dropped(sender)
        self._blamed["overrun"] = sender

    def _on_state(self, received: Received) -> None:
        if received.retained and self._state_before is None and isinstance(received.body, TableState):
            self._state_before = received.body

    def _on_controller(self, received: Received) -> None:
        with self._standing_lock:
            self._standing.heard(received)

    def _ask(self) -> None:
        """Says what this controller is, now that it listens: another one that serves answers, and so do the sensors."""
        self._bus.publish(topic(topics.BIRTH), self._birth())
        with self._standing_lock:
            self._standing.asked(self._clock().mono_ns)

    def _keep_devices(self) -> None:
        """Journals which programs and readers read the table, where that has changed."""
        fresh = self._devices.fresh()
        for device, sentence in self._devices.apart.items():
            if sentence:
                self._notices.stands(f"other-version-{device}", sentence, "info")
            else:
                self._notices.passed(f"other-version-{device}")
        if fresh and not self._writing.fails and self._handling.keep(fresh):
            self._devices.kept(fresh)

    def _heed_the_clock(self) -> None:
        """After a leap of our own clock nothing learned of others' clocks holds.

        What was already under way then is still read as it was: it may have waited while this program stood still.
        """
        now_ns, before_ns = self._clock().mono_ns, self._looked_ns
        self._looked_ns = now_ns
        if before_ns is not None and abs(now_ns - before_ns) > LEAP_NS:
            self._bus.clock_leapt(now_ns + UNDER_WAY_NS)

    def _heed_erased_names(self) -> None:
        """A name that was erased from the journal's file vanishes from what is shown."""
        with contextlib.suppress(JournalError):  # tried again next time; a failed write raises an alert
            if self._journal.changed_by_another:
                self._handling.call_by(self._journal.names())
                self._notes.note(Named(self.session.names))

    def _look_at_the_bus(self) -> None:
        """Tells people of messages that are dropped, and of a second controller."""
        now_ns, problems = self._clock().mono_ns, self._bus.counters.problems
        counts = {**self._edge.dropped, **self._edge.faults, **problems}
        self._notices.counted(counts, {**self._edge.blamed, **self._blamed}, now_ns)
        with self._standing_lock:
            rival = self._standing.rival
        if rival is None:
            self._notices.passed("second-controller")
        else:
            self._notices.stands(
                "second-controller", "A second controller serves this table, with other books: stop it."
            )

    def _tell_health(self) -> None:
        counters = self._figures.counters(self._bus, self._edge.dropped, self._clock().mono_ns)
        counters |= {name.replace("-", "_"): float(count) for name, count in self._edge.faults.items()}
        counters["intake_waiting"] = float(self._intake.waiting)
        counters["journal_seq"] = float(self._journal.head.seq)
        counters["journal_anchor_failures"] = float(self._journal.anchor_failures)
        self._bus.publish(topic(topics.DEVICE_HEALTH, DEVICE), Health(counters=counters))

    def _birth(self) -> Birth:
        return Birth(
            role="controller",
            version=importlib.metadata.version("betline"),
            table=self._terms.table.name,
            config_hash=self._terms.table.config_hash(),
            seats=self._terms.seats,
            capabilities=(own_capability(),),
        )
