"""Recording both directions of a real port, for `betline bridge record`; the file is that of `betline.recordings`."""

from __future__ import annotations

import datetime
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TextIO

from betline.recordings import Header, entry_line, header_line
from betline.units import NS_PER_MS
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate
from firmware_bridge.protocols.family import Family, LineSettings
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import NO_PORT, LineError, SerialLine
from firmware_bridge.waker import Waker

_POLL_S: Final = 0.05


class RecordError(Exception):
    """There is no recording; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recording holds."""

    seconds: float
    rounds: int
    sent_bytes: int
    received_bytes: int


class Tape:
    """Writes one recording; the driver's thread alone calls it. Each line is on the disk before the next."""

    def __init__(self, file: TextIO, header: Header) -> None:
        self._file = file
        self._began_ns = time.monotonic_ns()
        self.sent_bytes = self.received_bytes = 0
        self._put(header_line(header))

    def note(self, kind: Literal["to", "from", "event"], what: bytes | str) -> None:
        """One write or read of the host, or what became of the port, now."""
        if isinstance(what, bytes):
            self.sent_bytes += len(what) if kind == "to" else 0
            self.received_bytes += len(what) if kind == "from" else 0
        self._put(entry_line(self.ran_ms, kind, what))

    @property
    def ran_ms(self) -> float:
        """How long it has run: the time of an entry that is written now."""
        return (time.monotonic_ns() - self._began_ns) / NS_PER_MS

    def _put(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()


class TapedLine(SerialLine):
    """A serial line of which a tape keeps everything."""

    def __init__(self, tape: Tape, url: str, settings: LineSettings, waker: Waker) -> None:
        super().__init__(url, settings, waker)
        self._tape = tape
        tape.note("event", "opened")

    def read(self, timeout_s: float) -> bytes:
        """As `SerialLine.read`."""
        try:
            data = super().read(timeout_s)
        except LineError:
            self._tape.note("event", "lost")
            raise
        if data:
            self._tape.note("from", data)
        return data

    def write(self, data: bytes) -> None:
        """As `SerialLine.write`."""
        super().write(data)
        self._tape.note("to", data)


def record(
    url: str,
    family: Family,
    settings: LineSettings,
    out: Path,
    *,
    antennas: int,
    seconds: float | None,
    stop: threading.Event,
    note: str = "",
) -> Recorded:
    """Read the reader at `url` as the service would, for so many seconds or until `stop`, and keep its line in `out`.

    Raises RecordError: no such port, or the file is there already or cannot be written.
    """
    header = Header(
        protocol=family.traits.name,
        baud=settings.baud,
        parity=settings.parity,
        port=url,
        began=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        note=note,
    )
    try:
        file = out.open("x", encoding="utf-8")
    except FileExistsError:
        raise RecordError(f"{out} is there already: name another file, or remove it") from None
    except OSError as error:
        raise RecordError(f"{out} cannot be written ({error.strerror}): name another file") from None
    with file:
        recorded = _run(url, family, settings, Tape(file, header), antennas, seconds, stop)
    if isinstance(recorded, Recorded):
        return recorded
    out.unlink()
    raise RecordError(recorded)


def _run(
    url: str,
    family: Family,
    settings: LineSettings,
    tape: Tape,
    antennas: int,
    seconds: float | None,
    stop: threading.Event,
) -> Recorded | str:
    """What was recorded, or why nothing could be."""
    channels = [Channel("antenna-1")] if antennas == 1 else _each(antennas)
    link = ReaderLink(family, channels)
    rounds: list[int] = []
    driver = ReaderDriver(
        "record",
        lambda: locate(url),
        settings,
        link,
        lambda over: rounds.append(len(over.tags)),
        open_line=lambda port, line, waker: TapedLine(tape, port, line, waker),
    )
    began_s = time.monotonic()
    driver.start()
    try:
        while not stop.wait(_POLL_S):
            trouble, spent_s = driver.status.trouble, time.monotonic() - began_s
            unopened = trouble is not None and trouble.code in NO_PORT and not tape.sent_bytes + tape.received_bytes
            if trouble is not None and (unopened or trouble.code == "fault"):
                return trouble.sentence
            if seconds is not None and spent_s >= seconds:
                break
    finally:
        driver.stop()
    return Recorded(tape.ran_ms / 1000, len(rounds), tape.sent_bytes, tape.received_bytes)


def _each(antennas: int) -> list[Channel]:
    return [Channel(f"antenna-{number}", number) for number in range(1, antennas + 1)]
