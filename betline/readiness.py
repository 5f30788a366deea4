"""Waiting until the parts that were started together are there, or one of them has said why it is not."""

from __future__ import annotations

import threading
import time

from betline import topics
from betline.bus import MqttBus, Received
from betline.messages.common import Presence
from betline.options import FAILED, Address, UserError
from betline.supervise import Supervisor
from betline.topics import Namespace

WAIT_S = 20.0
_POLL_S = 0.05
_PROBE = "start-probe"


def await_broker(parts: Supervisor, address: Address, names: Namespace) -> None:
    """Waits for the broker; raises UserError where it refused to start or is not there in time."""
    probe = MqttBus(address.host, address.port, names, _PROBE)
    try:
        deadline_s = time.monotonic() + WAIT_S
        while not probe.wait_connected(_POLL_S):
            parts.check()
            if time.monotonic() > deadline_s:
                raise UserError(f"The broker did not start; see {parts.log_of('broker')}.", FAILED)
    finally:
        probe.close()


def await_controller(parts: Supervisor, address: Address, names: Namespace) -> None:
    """Waits for the controller, and no longer than is usual: a console shows what is missing by itself.

    Raises UserError where a part refused to start.
    """
    there = threading.Event()

    def heard(received: Received) -> None:
        if isinstance(received.body, Presence) and received.body.state == "online":
            there.set()

    probe = MqttBus(address.host, address.port, names, _PROBE)
    try:
        probe.subscribe(topics.STATUS, heard)
        deadline_s = time.monotonic() + WAIT_S
        while not there.wait(_POLL_S) and time.monotonic() < deadline_s:
            parts.check()
    finally:
        probe.close()
    parts.check()
