"""What the rooms that own the hardware do for the set-up: find it, and listen to antennas. They are called by name."""

from __future__ import annotations

import importlib
import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from betline.settings.readers import BY_ID
from betline.setup.antennas import Heard
from betline.setup.question import NOTHING_FOUND, Found, FoundCamera, FoundReader
from betline.setup.sections.broker import USUAL
from betline.setup.sections.readers import Spot

_READERS, _CAMERAS = "firmware_bridge.finding", "vision.finding"
_BROKER_S = 0.3


class Ears(Protocol):
    """Listens to antennas until it is closed."""

    def heard(self, timeout_s: float) -> Heard | None:
        """The next round of an antenna; None where none ends in that time."""
        ...

    def trouble(self) -> str:
        """Why a reader is silent, in a sentence; empty where none is."""
        ...


class _Readers(Protocol):
    def found_readers(self, by_id: Path) -> tuple[FoundReader, ...]: ...

    def listening(
        self, readers: Sequence[FoundReader], spots: Sequence[Spot], by_id: Path
    ) -> AbstractContextManager[Ears]: ...


class _Cameras(Protocol):
    def found_cameras(self) -> tuple[FoundCamera, ...]: ...


@dataclass(frozen=True, slots=True)
class Hardware:
    """The machine at hand; ``by_id`` stands in for /dev/serial/by-id, by which a simulated table lends its ports."""

    by_id: Path = BY_ID

    def look(self) -> Found:
        """What is connected and answers; a silent port takes some seconds."""
        readers = cast("_Readers", importlib.import_module(_READERS))
        cameras = cast("_Cameras", importlib.import_module(_CAMERAS))
        return Found(readers.found_readers(self.by_id), cameras.found_cameras(), _a_broker_answers())

    def nothing(self) -> Found:
        """What is known where nothing was looked at."""
        return NOTHING_FOUND

    def listening(self, readers: Sequence[FoundReader], spots: Sequence[Spot]) -> AbstractContextManager[Ears]:
        """Reads all these antennas in turn while the context is open."""
        return cast("_Readers", importlib.import_module(_READERS)).listening(readers, spots, self.by_id)


def _a_broker_answers() -> bool:
    host, _, port = USUAL.partition(":")
    try:
        socket.create_connection((host, int(port)), _BROKER_S).close()
    except OSError:
        return False
    return True
