"""A console on the bus of its table."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager

from betline import topics
from betline.bus import Bus
from betline.joining import join
from betline.messages.common import Birth
from betline.messages.versions import own_capability
from betline.metrics.serving import served
from betline.options import Address
from betline.settings import TableSettings
from betline.topics import Namespace, topic

SENDER = "console"
LOOK_S = 1.0
"""How long to wait for a broker before the screen opens without one and says so."""


@contextmanager
def joined(
    table: TableSettings, address: Address, namespace: Namespace, metrics: Address | None = None
) -> Iterator[Bus]:
    """Opens the bus, says which console this is, and closes the bus at the end; its figures are served at ``metrics``.

    A broker that is away is waited for. Raises UserError where it does not let the console in.
    """
    presence = topic(topics.DEVICE_STATUS, SENDER)
    bus = join(address, namespace, SENDER, presence=presence, patience_s=LOOK_S, waits=True)
    try:
        bus.publish(topic(topics.DEVICE_BIRTH, SENDER), _birth(table))
        with served(metrics, bus):
            yield bus
    finally:
        bus.close()


def _birth(table: TableSettings) -> Birth:
    return Birth(
        role="console",
        version=importlib.metadata.version("betline"),
        table=table.name,
        config_hash=table.config_hash(),
        seats=tuple(seat.number for seat in table.seats),
        capabilities=(own_capability(),),
    )
