"""The broker: whether one answers, and who is on it already."""

from __future__ import annotations

import time
from collections.abc import Iterator

from betline import topics
from betline.bus import MqttBus, Received
from betline.doctor.answer import Answer, Visit, ok, skipped, warning
from betline.messages.common import Presence
from betline.options import namespace

_WAIT_S = 2.0
_LISTEN_S = 0.5


def examine(visit: Visit) -> Iterator[Answer]:
    """One broker; without one `betline run` starts its own."""
    names = namespace("home", visit.table.name)
    online: list[str] = []

    def heard(received: Received) -> None:
        if isinstance(received.body, Presence) and received.body.state == "online":
            online.append(str(received.topic))

    bus = MqttBus(visit.broker.host, visit.broker.port, names, "doctor")
    try:
        if not bus.wait_connected(_WAIT_S):
            yield skipped("broker", f"none answers at {visit.broker}: betline run starts its own there")
            return
        bus.subscribe(topics.STATUS, heard)
        time.sleep(_LISTEN_S)
    finally:
        bus.close()
    yield ok("broker", f"one answers at {visit.broker}")
    if online:
        yield warning(
            "second table",
            f"a controller of {visit.table.name} is on this broker",
            "Stop it before you start another by this name.",
        )
