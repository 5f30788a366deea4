"""The program `betline hooks`: it hears the table on its bus, and posts what happens there."""

from __future__ import annotations

import signal
import uuid
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Final

from betline import topics
from betline.bus import Bus, Listener
from betline.joining import join
from betline.metrics.serving import served
from betline.options import DONE, Address
from betline.topics import Namespace
from betline.watchdog import Watchdog
from table_controller.happenings.listener import listener
from table_controller.happenings.telling import Happening, Telling
from table_controller.hooks.delivery import Delivery, Target
from table_controller.hooks.signing import Message

SENDER: Final = "hooks"
HEARD: Final = (topics.VIEW, topics.ALERT)


def to_webhook(
    bus: Bus,
    delivery: Delivery,
    names: Namespace,
    kinds: Collection[str],
    serves: Callable[[], None] = lambda: None,
) -> Listener:
    """The table on a bus; what of these kinds happens there is handed to a delivery."""
    where = {"site": names.site, "table": names.table}

    def tell(_: Telling, happened: tuple[Happening, ...]) -> None:
        for one in happened:
            if one.kind in kinds:
                data = {**where, **one.data}
                delivery.put(Message.of(f"msg_{uuid.uuid4().hex}", one.kind, now_as_text(), data))

    return listener(bus, HEARD, tell, serves)


def now_as_text() -> str:
    """The time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def run_hooks(
    address: Address,
    names: Namespace,
    target: Target,
    secret: bytes,
    kinds: Collection[str],
    metrics: Address | None = None,
) -> int:
    """Posts what happens until SIGTERM or SIGINT; returns the exit status. Raises UserError."""
    bus, delivery = join(address, names, SENDER), Delivery(target, secret)
    service = to_webhook(bus, delivery, names, kinds, Watchdog().serves)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    try:
        delivery.start()
        service.start()
        with served(metrics, bus, own=lambda: {f"hook_{name}": float(n) for name, n in delivery.counts.copy().items()}):
            service.run()
    finally:
        delivery.stop()
        bus.close()
    return DONE
