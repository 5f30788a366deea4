"""The controller in simulated time: its own edge, session and journal entries, on the laboratory's bus.

Working an input out takes no time here. Entries are kept in memory as the journal's file would give them back, so a
controller that was killed starts again from what it had journalled and from nothing else. While its disk is full it
does as `table_controller.service.controller` does: what cannot be written has not happened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from betline import topics
from betline.bus import Received
from betline.messages.common import Body, Reply
from betline.messages.people import SignInAnswer
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.settings import load_chip_set
from betline.topics import Topic, topic
from table_controller.journal.entries import Entry, Recorded
from table_controller.journal.errors import JournalError
from table_controller.service.notices import Notices
from table_controller.service.wishes import Wishes
from table_controller.service.writing import FAILED_CODE, Writing
from table_controller.session import Input, Keyed, Now, Session, Terms, Tick
from table_controller.session.edge import Edge
from table_controller.session.fold import resume
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub

SENDER: Final = "controller"
TICK_S: Final = 0.05
START_AGAIN_S: Final = 1.0
_SOURCES: Final = (
    topics.ZONE_CHIPS,
    topics.SEAT_LINE,
    topics.DEVICE_LINE,
    topics.DEVICE_VIEW,
    topics.DEVICE_STATUS,
    topics.DEVICE_BIRTH,
    topics.COMMAND,
)


class Pages:
    """The journal's entries in memory; `table_controller.session.fold.History`."""

    path = Path("laboratory.journal")
    anchor_failures = 0

    def __init__(self) -> None:
        self._written: list[tuple[int, int, Entry]] = []
        self.full = False
        """Whether nothing more can be written."""

    @property
    def head(self) -> str:
        """The hash of the newest entry; empty, as there is none here."""
        return ""

    def start(self, now: Now) -> None:
        """A controller takes the journal up."""

    def stop(self) -> None:
        """The controller that wrote it is gone."""

    def append(self, entries: tuple[Entry, ...], now: Now) -> None:
        """Writes them down; raises JournalError where the disk is full."""
        if entries and self.full:
            raise JournalError("unwritable", f"The journal {self.path} cannot be written: its disk is full.")
        self._written += [(now.at_ms, now.mono_ns, entry) for entry in entries]

    def __len__(self) -> int:
        return len(self._written)

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        return (self._recorded(number) for number in range(after + 1, len(self._written) + 1))

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""
        last = len(self._written) if before is None else before - 1
        return (self._recorded(n) for n in range(last, after, -1) if self._written[n - 1][2].kind == kind)

    def _recorded(self, number: int) -> Recorded:
        at_ms, mono_ns, entry = self._written[number - 1]
        return Recorded(number, at_ms, mono_ns, entry.kind, json.loads(json.dumps(entry.data)), "", "")


class SimulatedController:
    """One table's controller; it can be killed and started again."""

    def __init__(self, terms: Terms, agenda: Agenda, hub: SimulatedHub, pages: Pages | None = None) -> None:
        """Its journal is kept in memory, or where ``pages`` keep it."""
        self.terms = terms
        self.pages = Pages() if pages is None else pages
        self.session = Session.new(terms)
        self._agenda = agenda
        self._hub = hub
        self._names: dict[str, str] = {}
        self._people = 0
        self._bus: SimulatedBus | None = None
        self._edge = self._fresh_edge()
        self._wishes = Wishes()
        self._notices = Notices(self._publish)
        self._writing = Writing(self.pages, self._notices)
        self._shown: tuple[Session, tuple[Alert, ...]] | None = None
        self._version = 0
        agenda.every(TICK_S, self._tick)

    @property
    def running(self) -> bool:
        """Whether it is there."""
        return self._bus is not None

    def start(self) -> None:
        """Takes up what was journalled, as a start after a kill does; where it cannot write, it is started again."""
        if self.pages.full:
            self._agenda.after(START_AGAIN_S, self.start)
            return
        now = self._now()
        self.pages.start(now)
        resumed = resume(self.terms, self.pages, now)
        self.session = resumed.session.called(self._names)
        self.pages.append(resumed.entries, now)
        self._notices = Notices(self._publish)
        self._writing = Writing(self.pages, self._notices)
        self._edge = self._fresh_edge()
        self._shown = None
        self._wishes = Wishes()
        bus = self._bus = SimulatedBus(self._hub, SENDER, topic(topics.STATUS))
        for alert in resumed.alerts:
            self._publish(alert)
        self._tell_state()
        for kind in _SOURCES:
            bus.subscribe(kind, self._received)

    def kill(self) -> None:
        """The process dies: what was not journalled is lost."""
        if self._bus is not None:
            self._bus.drop()
            self.pages.stop()
        self._bus = None

    def give(self, given: Input) -> None:
        """Takes one input now."""
        now = self._now()
        if self._writing.fails and not isinstance(given, Keyed):
            self.session = self.session.heard(given, now)
            return
        handled = self.session.handle(given, now)
        refusal = self._write(handled.entries, now)
        if refusal is not None:
            if isinstance(given, Keyed):
                self._publish(Reply(command_id=given.id, verb=given.verb, ok=False, code=FAILED_CODE, sentence=refusal))
            return
        self.session = handled.session
        self._names.update(handled.names)
        for message in handled.messages:
            self._publish(message)
        self._tell_state()

    def _write(self, entries: tuple[Entry, ...], now: Now) -> str | None:
        """Journals entries; returns why they could not be."""
        if not entries:
            return None
        try:
            self.pages.append(entries, now)
        except JournalError as error:
            self._writing.failed(error, self._agenda.now_s())
            self._tell_state()
            return str(error)
        self._writing.worked(0.0, self._agenda.now_s())
        return None

    def _fresh_edge(self) -> Edge:
        return Edge(self.terms.table, load_chip_set(self.terms.table.chip_set), new_person=self._new_person)

    def _new_person(self) -> str:
        self._people += 1
        return f"p-{self._people:04d}"

    def _now(self) -> Now:
        return Now(self._agenda.wall_ms(SENDER), self._agenda.now_ns)

    def _received(self, received: Received) -> None:
        zones = self.session.sensing.zones
        inputs = self._edge.read(received)
        if isinstance(inputs, SignInAnswer):
            self._send(topic(topics.SIGN_IN_ANSWER, received.topic.name), inputs)
        elif isinstance(inputs, Reply):
            self._publish(inputs)
        else:
            for given in inputs:
                self.give(given)
        if self.session.sensing.zones is not zones:
            self._ask_for_zones()

    def _tick(self) -> None:
        if not self.running:
            return
        now_s = self._agenda.now_s()
        if self._writing.is_due(now_s):
            self._write(self._writing.trial, self._now())
            self._tell_state()
        if self._writing.is_calm(now_s):
            self.give(Tick())
            self._ask_for_zones()

    def _ask_for_zones(self) -> None:
        for zone, wish in self._wishes.due(self.session.zones_wanted(self._now()), self._agenda.now_ns):
            self._send(topic(topics.ZONE_WANTED, zone), wish)

    def _tell_state(self) -> None:
        alerts = self._notices.alerts
        if self._shown is not None and self.session.looks_like(self._shown[0]) and alerts == self._shown[1]:
            return
        self._shown = (self.session, alerts)
        self._version += 1
        self._send(topic(topics.STATE), self.state())

    def state(self) -> TableState:
        """The state as it stands."""
        state = self.session.table_state(self._version, len(self.pages), self.pages.head)
        return state.model_copy(update={"alerts": (*state.alerts, *self._notices.alerts)})

    def _publish(self, message: Body) -> None:
        match message:
            case Ruling():
                self._send(topic(topics.RULING), message)
            case Announcement():
                self._send(topic(topics.ANNOUNCEMENT), message)
            case Alert():
                self._send(topic(topics.ALERT), message)
            case Reply():
                self._send(topic(topics.REPLY, message.command_id.lower()), message)
            case _:
                raise TypeError(f"a session publishes no {type(message).__name__}")

    def _send(self, where: Topic, message: Body) -> None:
        if self._bus is not None:
            self._bus.publish(where, message)
