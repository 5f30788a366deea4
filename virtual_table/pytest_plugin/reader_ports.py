"""Readers on pseudo-terminals for the test of a driver: a virtual one, or one that plays a recorded line back."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from betline.recordings import load_recording
from betline.settings import SettingsError
from betline.settings.load import parse
from betline.units import NS_PER_MS
from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
from firmware_bridge.protocols.family import LineSettings
from virtual_table.faults.plan import NO_FAULTS, TablePlan, load_plan
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.readers.attended import Attended, Passed
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.ends import PtyEnd
from virtual_table.readers.events import Eventful
from virtual_table.readers.field import FieldTag
from virtual_table.readers.playback import Playback
from virtual_table.readers.server import ReaderServer
from virtual_table.table.identifiers import form_of_family

NAME = "reader"
KEPT = 4096


class ReaderPort:
    """A virtual reader by itself. Its port is for the program under test, the rest for the test."""

    def __init__(
        self,
        protocol: str,
        tags: int | Iterable[str],
        antennas: int,
        plan: TablePlan | Path | str | Mapping[str, Any] | None,
        seed: int,
        baud: int | None,
    ) -> None:
        """Raises LabError for a family or a plan that there is not."""
        try:
            traits = family(protocol).traits
            known = _plan(plan)
            known.check_alone()
        except (UnknownFamilyError, SettingsError) as error:
            raise LabError(str(error)) from None
        self.protocol = protocol
        self.baud = baud or traits.line.baud
        self.parity = traits.line.parity
        self._lock = threading.Lock()
        self._tags: dict[tuple[str, int], FieldTag] = {}
        self._mint = Random(f"tags-{seed}")
        self.put(*(self.new_uids(tags) if isinstance(tags, int) else tags))
        virtual = virtual_reader(protocol, self._field, known.behaviour(NAME, Behaviour(antennas)), seed)
        device: SerialDevice = virtual
        if known.events:
            device = Eventful(virtual, known.alone(seed, of_cable=False), seed, virtual.antennas)
        self._line = _Line(device, LineSettings(self.baud, self.parity))

    @property
    def port(self) -> str:
        """What the program under test opens, as a serial port."""
        return self._line.port

    def new_uids(self, count: int) -> tuple[str, ...]:
        """So many UIDs that tags of this reader's kind may have, for `put`."""
        form = form_of_family(self.protocol)
        return tuple(form.mint(self._mint) for _ in range(count))

    def put(self, *uids: str, antenna: int = 1, signal: float = 1.0, pile: int = 1) -> None:
        """Tags come into the field of an antenna: above it with a signal of 1, below 0.35 beside it; `pile` says how
        many lie on each other.
        """
        with self._lock:
            for uid in uids:
                self._tags[uid.upper(), antenna] = FieldTag(uid.upper(), antenna, signal, pile)

    def take(self, *uids: str) -> None:
        """These tags leave the field; all, where none is named. Raises LabError for one that is not there."""
        with self._lock:
            for uid in uids:
                places = [place for place in self._tags if place[0] == uid.upper()]
                if not places:
                    raise LabError(f"{uid} does not lie there and cannot be taken.")
                for place in places:
                    del self._tags[place]
            if not uids:
                self._tags.clear()

    @property
    def uids(self) -> tuple[str, ...]:
        """What lies in the field, in order."""
        with self._lock:
            return tuple(sorted({uid for uid, _ in self._tags}))

    @property
    def bytes(self) -> tuple[Passed, ...]:
        """What passed on the line, oldest first: `way` is "to" the reader or "from" it."""
        return self._line.attended.passed

    def unplug(self) -> None:
        """The cable is pulled: the port vanishes."""
        self._line.server.unplug(NAME)

    def plug(self) -> str:
        """The cable is plugged in again, and the port is another one, which is returned."""
        return self._line.server.replug(NAME)

    def hang(self, for_s: float) -> None:
        """It neither hears nor answers."""
        self._line.attended.hang(_in_ms(for_s))

    def reboot(self, for_s: float = 1.0) -> None:
        """It forgets everything, and is deaf until it is up."""
        self._line.attended.reboot(_in_ms(for_s))

    def close(self) -> None:
        """The port vanishes for good."""
        self._line.server.close()

    def _field(self) -> Sequence[FieldTag]:
        with self._lock:
            return tuple(self._tags.values())


class RecordedLine:
    """A recording of `betline bridge record` on a pseudo-terminal: it answers as the recorded reader did."""

    def __init__(self, path: Path, speed: float = math.inf) -> None:
        """`speed` divides the delays; by default there are none. Raises LabError for no such recording."""
        try:
            recording = load_recording(path)
        except SettingsError as error:
            raise LabError(str(error)) from None
        self.protocol = recording.header.protocol
        self.baud = recording.header.baud
        self.parity = recording.header.parity
        self.complaints: list[str] = []
        """A sentence for each request that the recording does not have, or has elsewhere."""
        playback = Playback(recording, self.complaints.append, speed)
        self._line = _Line(playback, LineSettings(self.baud, self.parity))

    @property
    def port(self) -> str:
        """What the program under test opens, as a serial port."""
        return self._line.port

    @property
    def bytes(self) -> tuple[Passed, ...]:
        """What passed on the line, oldest first."""
        return self._line.attended.passed

    def close(self) -> None:
        """The port vanishes."""
        self._line.server.close()


class _Line:
    """A device on a pseudo-terminal of its own."""

    def __init__(self, device: SerialDevice, settings: LineSettings) -> None:
        self.attended = Attended(device, KEPT)
        self.server = ReaderServer()
        self.server.attach(NAME, self.attended, settings, PtyEnd())

    @property
    def port(self) -> str:
        return self.server.path(NAME)


def _plan(plan: TablePlan | Path | str | Mapping[str, Any] | None) -> TablePlan:
    if isinstance(plan, TablePlan):
        return plan
    if plan is None:
        return NO_FAULTS
    return load_plan(Path(plan)) if isinstance(plan, Path | str) else parse(TablePlan, dict(plan), "plan")


def _in_ms(seconds: float) -> float:
    return time.monotonic_ns() / NS_PER_MS + seconds * 1000
