"""A controller on the bus in memory, driven by hand: nothing happens between two calls of `pump`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from betline import topics
from betline.bus import HOST_CLOCK, HostClock, MemoryBus, MemoryHub
from betline.messages.common import Body, Command, Reply
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.table import TableState
from betline.people.roll import Roll
from betline.settings import TableSettings, load_chip_set
from betline.topics import Namespace, TopicKind, topic
from betline.units import NS_PER_MS
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.service.controller import DEVICE, Controller
from table_controller.session import Now
from tests.unit.session.desk import terms

NAMES = Namespace("home", "home-six")
SETUP = {
    "game": {"limit": "pot-limit", "blinds": [1, 2]},
    "seats": {"1": 200, "2": 200, "3": 200, "4": 200},
    "button": 1,
}
HEARD = (
    topics.STATUS,
    topics.BIRTH,
    topics.STATE,
    topics.VIEW,
    topics.EVENT,
    topics.RULING,
    topics.ALERT,
    topics.ANNOUNCEMENT,
    topics.SEAT_PROMPT,
    topics.REPLY,
    topics.STAFF,
    topics.DEVICE_HEALTH,
)


class Room:
    """The hub, a controller, the bridge and a listener."""

    def __init__(
        self,
        folder: Path,
        here: HostClock = HOST_CLOCK,
        elsewhere: HostClock = HOST_CLOCK,
        at: TableSettings | None = None,
        people: Path | None = None,
    ) -> None:
        """The controller has the clocks of `here`, the bridge and the console those of `elsewhere`."""
        self.people = people
        self.here, self.elsewhere = here, elsewhere
        self.path = folder / "six.journal"
        self.hub = MemoryHub()
        self.bridge = MemoryBus(
            self.hub, NAMES, "bridge", presence=topic(topics.DEVICE_STATUS, "bridge"), clock=elsewhere
        )
        self.console = MemoryBus(self.hub, NAMES, "console", clock=elsewhere)
        self.heard: list[tuple[TopicKind, Body]] = []
        for kind in HEARD:
            self.console.subscribe(kind, lambda received: self.heard.append((received.topic.kind, received.body)))
        self.terms = terms(at)
        self.lying: dict[int, dict[str, tuple[str, int]]] = {}
        self.round_no = 0
        self._number = 0
        self.open()

    def open(self) -> None:
        """Starts the controller."""
        self.opens()
        self.controller.start()

    def opens(self) -> None:
        """A controller that has not started."""
        now = self.now()
        self.journal = Journal.open(self.path, "home/home-six", now.at_ms, now.mono_ns)
        self.bus = MemoryBus(self.hub, NAMES, DEVICE, presence=topic(topics.STATUS), announces=False, clock=self.here)
        chips = load_chip_set(self.terms.table.chip_set)
        self.controller = Controller(self.terms, chips, self.bus, self.journal, clock=self.now, roll=Roll(self.people))

    def join(self, sender: str, **how: Any) -> MemoryBus:
        """Another client of the bus, on the host of the bridge."""
        return MemoryBus(self.hub, NAMES, sender, clock=self.elsewhere, **how)

    def now(self) -> Now:
        return Now(self.here.wall_ns() // NS_PER_MS, self.here.mono_ns())

    def kill(self) -> None:
        """The controller's process dies: its will is told, nothing else."""
        self.bus.drop()
        self.journal.close()

    def close(self) -> None:
        self.bus.close()
        self.journal.close()

    def until(self, holds: Callable[[], bool]) -> None:
        """One turn of the controller: on this bus an answer needs no more."""
        self.controller.pump(0)
        assert holds()

    def key(self, verb: str, *, command_id: str | None = None, **args: Any) -> Reply:
        self._number += 1
        name = command_id or f"command-{self._number}"
        before = len(self.said(topics.REPLY))
        expires_ms = self.elsewhere.wall_ns() // NS_PER_MS + 10_000
        self.console.publish(topic(topics.COMMAND, verb), Command(id=name, expires_ms=expires_ms, args=args))
        self.controller.pump(0)
        reply = self.said(topics.REPLY)[before]
        assert isinstance(reply, Reply)
        return reply

    def push(self, seat: int, *types: str) -> None:
        for chip_type in types:
            self._number += 1
            uid = f"E0040000{self._number:08X}"
            self.lying.setdefault(seat, {})[uid] = (chip_type, self.round_no + 1)

    def play(self, rounds: int = 8) -> None:
        """The readers go round."""
        for _ in range(rounds):
            self.round_no += 1
            for seat in range(1, 7):
                self.bridge.publish(topic(topics.ZONE_CHIPS, f"seat-{seat}"), self.snapshot(seat))
            self.controller.pump(0)

    def snapshot(self, seat: int, reader: str | None = None) -> ZoneChips:
        chips = []
        for uid, (chip_type, since) in self.lying.get(seat, {}).items():
            hits = min(8, self.round_no - since + 1)
            chips.append(ChipEvidence(uid=uid, chip_type=chip_type, hits=hits, rounds=hits, missed=0))
        return ZoneChips(
            zone=f"seat-{seat}",
            reader=reader or f"reader-{seat}",
            round_no=self.round_no,
            chips=tuple(chips),
            last_byte_ns=self.elsewhere.mono_ns(),
        )

    def said(self, kind: TopicKind) -> list[Any]:
        return [body for heard, body in self.heard if heard is kind]

    @property
    def state(self) -> TableState:
        state = self.said(topics.STATE)[-1]
        assert isinstance(state, TableState)
        return state

    @property
    def health(self) -> dict[str, float]:
        self.controller._next_health_s = 0
        self.controller.pump(0)
        counters: dict[str, float] = self.said(topics.DEVICE_HEALTH)[-1].counters
        return counters

    def journalled(self) -> list[str]:
        with JournalReader(self.path) as reader:
            return [entry.kind for entry in reader.entries()]
