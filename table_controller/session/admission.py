"""Who may say what to a controller, as far as a message shows it without a login: by topic, sender and life.

A sensor that the table file does not name is not heard. Evidence counts only from the program that the table file
makes responsible for it, and from one life of it at a time. A sender can lie about its name; who asks for something is
proven at the door (`table_controller.session.door`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from betline.bus import Received
from betline.messages.common import Presence
from betline.settings import TableSettings
from betline.topics import (
    COMMAND,
    DEVICE_BIRTH,
    DEVICE_LINE,
    DEVICE_STATUS,
    DEVICE_VIEW,
    SEAT_LINE,
    SIGN_IN,
    ZONE_CHIPS,
    ZONE_TAGS,
    Topic,
)
from betline.units import NS_PER_MS

BRIDGE: Final = "bridge"
"""What the readers' program calls itself on the bus."""
CONTROLLER: Final = "controller"
PEOPLES: Final = frozenset({"console", "voice", "world", "floor"})
"""Programs of people: their presence is no news of a sensor, and no stranger's either. It shows how far their clocks
are from ours before the first command comes, which may have waited on its way."""

Refusal = Literal["forged-sender", "second-life"]
SENTENCES: Final[Mapping[Refusal, str]] = {
    "forged-sender": "A message on {topic} was dropped: {sender} does not speak for that.",
    "second-life": "A message on {topic} was dropped: another program that calls itself {sender} is at work.",
}


class Admission:
    """What one table's controller listens to. Used on the bus's thread alone."""

    def __init__(self, table: TableSettings) -> None:
        self._zones = frozenset(antenna.zone for reader in table.readers for antenna in reader.antennas)
        self._readers = frozenset(reader.id for reader in table.readers)
        self._cameras = frozenset(camera.id for camera in table.cameras)
        self._takeover_ns = table.sensing.stale_ms * NS_PER_MS
        self._lives: dict[str, tuple[str, int]] = {}
        self._guest: str | None = None

    def hears(self, topic: Topic) -> bool | None:
        """Whether what comes on a topic is read at all: nothing from zones and devices that the table does not have.

        A table whose file names no camera has one all the same if one speaks.
        """
        match topic.kind:
            case kind if kind in (ZONE_CHIPS, ZONE_TAGS):
                return topic.name in self._zones
            case kind if kind is DEVICE_STATUS:
                return (
                    topic.name in self._cameras
                    or topic.name in self._readers
                    or self._is_bridge(topic.name)
                    or topic.name in PEOPLES
                )
            case kind if kind is DEVICE_BIRTH:
                return (
                    self.is_device(topic.name) or topic.name in self._readers or None
                )  # consoles have births too, which are no concern of it
            case kind if kind in (DEVICE_LINE, DEVICE_VIEW):
                return topic.name in self._cameras if self._cameras else self._guest in (None, topic.name)
        return True

    def is_device(self, name: str) -> bool:
        """Whether a name is that of a program which the table file makes responsible for sensors."""
        return self._is_bridge(name) or name in self._cameras

    def introduces(self, sender: str, device: str) -> bool:
        """Whether a sender may say which one a reader is: the readers' program, of a reader of this table."""
        return sender == BRIDGE and device in self._readers

    def may_command(self, sender: str) -> bool:
        """Whether a sender may be a person's console: no sensor is, nor is a controller."""
        return not (self._is_bridge(sender) or sender in self._cameras | self._readers | {CONTROLLER})

    def refusal(self, received: Received) -> Refusal | None:
        """Why a message is not to be believed, None where nothing speaks against it."""
        if received.topic.kind in (COMMAND, SIGN_IN) or received.topic.name in PEOPLES:
            return None
        if not self._speaks_for(received.envelope.sender, received.topic):
            return "forged-sender"
        return None if self._is_living(received) else "second-life"

    def _is_bridge(self, name: str) -> bool:
        return bool(self._readers) and name == BRIDGE

    def _speaks_for(self, sender: str, topic: Topic) -> bool:
        if topic.kind in (ZONE_CHIPS, ZONE_TAGS) or (topic.kind is DEVICE_STATUS and topic.name not in self._cameras):
            return sender == BRIDGE
        if topic.kind is not SEAT_LINE and sender != topic.name:
            return False
        return sender in self._cameras if self._cameras else self._is_guest(sender)

    def _is_guest(self, sender: str) -> bool:
        """Whether it is the one camera that is heard at a table whose file names none: the first that spoke."""
        if self._guest is None and self.may_command(sender):
            self._guest = sender
        return sender == self._guest

    def _is_living(self, received: Received) -> bool:
        """Whether it comes from the life of its sender that is heard: that said online last, or speaks alone."""
        if received.retained:
            return True
        envelope, body = received.envelope, received.body
        heard = self._lives.get(envelope.sender)
        begins = isinstance(body, Presence) and body.state != "offline" and received.topic.name == envelope.sender
        if heard is None or begins or heard[0] == envelope.boot_id:
            self._lives[envelope.sender] = (envelope.boot_id, received.arrived_ns)
            return True
        if isinstance(body, Presence) and body.state == "offline":
            return True  # the last will of the life before; the edge knows whether it is overtaken
        if received.arrived_ns - heard[1] <= self._takeover_ns:
            return False
        self._lives[envelope.sender] = (envelope.boot_id, received.arrived_ns)
        return True
