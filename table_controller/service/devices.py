"""Which programs and readers serve a table, by what they say at their birth, and what of it the journal does not have.

Used on the bus's thread (`heard`) and on the controller's own (`fresh`, `kept`): each replaces whole values.
"""

from __future__ import annotations

from collections.abc import Mapping

from betline.bus import Received
from betline.messages.common import Birth
from betline.messages.versions import apart
from table_controller.journal.entries import DeviceStarted, ReaderKnown
from table_controller.session.admission import Admission


class Devices:
    """The devices of one table."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._heard: dict[str, DeviceStarted | ReaderKnown] = {}
        self._kept: dict[str, DeviceStarted | ReaderKnown] = {}
        self._apart: Mapping[str, str] = {}

    def heard(self, received: Received) -> None:
        """A birth has come. One of a device that the table file does not name, or from another sender, is no news."""
        sender, device, birth = received.envelope.sender, received.topic.name, received.body
        if not isinstance(birth, Birth):
            return
        if self._admission.introduces(sender, device):
            self._heard[device] = ReaderKnown(name=device, serial=birth.serial, firmware=birth.version)
        elif self._admission.is_device(sender) and device == sender:
            self._apart = {**self._apart, device: apart(device, birth)}
            self._heard[device] = DeviceStarted(
                name=device, boot_id=received.envelope.boot_id, version=birth.version, config_hash=birth.config_hash
            )

    @property
    def apart(self) -> Mapping[str, str]:
        """What to tell people of each program of another version; of one of ours an empty text."""
        return self._apart

    def fresh(self) -> tuple[DeviceStarted | ReaderKnown, ...]:
        """What the journal is to have next; nothing where nothing has changed since `kept`."""
        return tuple(one for name, one in self._heard.copy().items() if self._kept.get(name) != one)

    def kept(self, entries: tuple[DeviceStarted | ReaderKnown, ...]) -> None:
        """The journal has these."""
        self._kept |= {one.name: one for one in entries}
