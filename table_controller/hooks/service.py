"""The program `betline hooks`: it hears the table on its bus, and posts what happens there."""

from __future__ import annotations

import queue
import signal
import threading
import uuid
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any, Final

from betline import topics
from betline.bus import Bus, Received
from betline.joining import join
from betline.options import DONE, Address
from betline.topics import Namespace
from betline.watchdog import Watchdog
from table_controller.home.telling import Telling
from table_controller.hooks.delivery import Delivery, Target
from table_controller.hooks.signing import Message

SENDER: Final = "hooks"
HEARD: Final = (topics.VIEW, topics.ALERT)
LOOK_S: Final = 0.5


class HooksService:
    """A table's happenings, to one webhook."""

    def __init__(
        self,
        bus: Bus,
        delivery: Delivery,
        names: Namespace,
        kinds: Collection[str],
        serves: Callable[[], None] = lambda: None,
    ) -> None:
        self._bus, self._delivery, self._names = bus, delivery, names
        self._kinds, self._serves = frozenset(kinds), serves
        self._inbox: queue.SimpleQueue[Received] = queue.SimpleQueue()
        self._telling = Telling()
        self._stopping = threading.Event()

    def start(self) -> None:
        """Begins to listen."""
        for kind in HEARD:
            self._bus.subscribe(kind, self._inbox.put)

    def run(self) -> None:
        """Works until `stop`."""
        while not self._stopping.is_set():
            self.pump(LOOK_S)
            self._serves()

    def pump(self, timeout_s: float) -> None:
        """Takes one message of the bus, waiting so long for it at most."""
        try:
            received = self._inbox.get(timeout=timeout_s)
        except queue.Empty:
            return
        self._telling, happened = self._telling.heard(received.topic, received.body)
        for one in happened:
            if one.kind in self._kinds:
                self.send(one.kind, dict(one.data))

    def send(self, kind: str, data: dict[str, Any]) -> None:
        """Hands a message to the delivery."""
        where = {"site": self._names.site, "table": self._names.table}
        self._delivery.put(Message.of(f"msg_{uuid.uuid4().hex}", kind, now_as_text(), {**where, **data}))

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()


def now_as_text() -> str:
    """The time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def run_hooks(address: Address, names: Namespace, target: Target, secret: bytes, kinds: Collection[str]) -> int:
    """Posts what happens until SIGTERM or SIGINT; returns the exit status. Raises UserError."""
    bus, delivery = join(address, names, SENDER), Delivery(target, secret)
    service = HooksService(bus, delivery, names, kinds, Watchdog().serves)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    try:
        delivery.start()
        service.start()
        service.run()
    finally:
        delivery.stop()
        bus.close()
    return DONE
