"""Waiting until the parts that were started together are there, or one of them has said why it is not."""

from __future__ import annotations

import threading
import time
from typing import Final

from betline import topics
from betline.bus import MqttBus, Received
from betline.bus.trouble import why_not
from betline.joining import RETAINED_S, VISIT_S, enter
from betline.messages.common import Presence
from betline.options import FAILED, Address, UserError
from betline.supervise import Supervisor
from betline.topics import Namespace

WAIT_S = 20.0
PART_S = 180.0
"""So long a broker that is one of the parts may take to start: on a machine with much else to do it takes minutes."""
LIFE_S: Final = 3.0
"""Within this time a live controller is heard: it publishes its health every 2 s."""
_POLL_S = 0.05
_PROBE = "start-probe"


def await_broker(parts: Supervisor, address: Address) -> None:
    """Waits for the broker without a word; raises UserError where it refused to start or is not there in time.

    One that is among the parts has three minutes, unless it refuses before.
    """
    is_part = any(part.name == "broker" for part in parts.parts)
    deadline_s = time.monotonic() + (PART_S if is_part else WAIT_S)
    while (trouble := why_not(address.host, address.port, address.login)) is not None:
        parts.check()
        if not trouble.may_pass:
            raise UserError(trouble.sentence, FAILED)
        if time.monotonic() > deadline_s:
            raise UserError(f"The broker did not start; see {parts.log_of('broker')}.", FAILED)
        time.sleep(_POLL_S)


def await_controller(parts: Supervisor, address: Address, names: Namespace) -> None:
    """Waits for the controller, and no longer than is usual: a console shows what is missing by itself.

    Raises UserError where a part refused to start.
    """
    there = threading.Event()

    def heard(received: Received) -> None:
        if isinstance(received.body, Presence) and received.body.state == "online":
            there.set()

    probe = MqttBus(address.host, address.port, names, _PROBE, login=address.login)
    try:
        probe.subscribe(topics.STATUS, heard)
        deadline_s = time.monotonic() + WAIT_S
        while not there.wait(_POLL_S) and time.monotonic() < deadline_s:
            parts.check()
    finally:
        probe.close()
    parts.check()


OTHER_NAME: Final = "end that first, or give this one another name with --id."


def refuse_second(address: Address, names: Namespace, remedy: str = OTHER_NAME) -> None:
    """Raises UserError where this table is played on that broker already, or where the broker lets nobody in.

    That the broker has kept "online" is not enough: a controller that lives is heard within three seconds.
    """
    kept, lives = threading.Event(), threading.Event()

    def heard(received: Received) -> None:
        if isinstance(received.body, Presence) and received.body.state != "online":
            return
        if received.envelope.sender == "controller" and not received.retained:
            lives.set()
        elif isinstance(received.body, Presence):
            kept.set()

    asked = threading.Event()
    probe = MqttBus(address.host, address.port, names, _PROBE, login=address.login)
    try:
        probe.subscribe(topics.STATUS, heard)
        probe.subscribe(topics.DEVICE_HEALTH, heard)
        probe.when_subscribed(asked.set)
        enter(probe, VISIT_S)
        asked.wait(VISIT_S)
        if kept.wait(RETAINED_S) and lives.wait(LIFE_S):
            raise UserError(
                f"The table {names.site}/{names.table} is played on the broker at {address} already: {remedy}",
                FAILED,
            )
    finally:
        probe.close()
