"""The recorder: what the bus, the taps, the journal and the camera bring goes into one file on one time line.

It publishes nothing and is asked nothing, so no ruling waits for it. The bus's thread and that of the pictures only
hand over; the loop writes.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from betline import topics
from betline.bus import Bus, Received
from betline.bus.wire import encode
from betline.table_recording.writing import BUS, CONTROLLER, JOURNAL, SERIAL, RecordingWriter
from betline.tap import DROPPED, Followed
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.journal.entries import Recorded
from table_controller.recorder.journal_tail import JournalTail, as_line
from table_controller.service.taken import PROGRAM

MOST_WAITING: Final = 20_000
LOOK_S: Final = 0.1
"""How often taps and journal are read."""
FLUSH_S: Final = 1.0
"""What a recorder that is killed loses at most."""
SAME_CLOCK_NS: Final = 2 * NS_PER_S
RECORDER: Final = "/recorder"
"""What the recorder says of itself: how much it had to leave out."""
NOT_RECORDED: Final = (topics.SIGN_IN, topics.SIGN_IN_ANSWER, topics.DEVICE_PICTURE)
"""How somebody signs in is nobody's business, and the camera's small pictures are asked for by a console."""


@dataclass(frozen=True, slots=True)
class TimeLine:
    """The monotonic clock of this machine as its wall clock had it when the recording began: it never leaps."""

    wall_ns: int
    mono_ns: int

    @classmethod
    def now(cls) -> TimeLine:
        """By the clocks of this moment."""
        return cls(time.time_ns(), time.monotonic_ns())

    def at_ns(self, mono_ns: int) -> int:
        """A monotonic time on the line."""
        return self.wall_ns + mono_ns - self.mono_ns

    def of_entry(self, recorded: Recorded) -> int:
        """When an entry was written: by its monotonic clock if it is of this machine's life, else by the wall clock."""
        by_mono, by_wall = self.at_ns(recorded.mono_ns), recorded.at_ms * NS_PER_MS
        return by_mono if abs(by_mono - by_wall) < SAME_CLOCK_NS else by_wall


class Recorder:
    """Records until `close`; `pump` it on one thread."""

    def __init__(
        self,
        bus: Bus,
        writer: RecordingWriter,
        line: TimeLine,
        taps: Followed | None = None,
        journal: JournalTail | None = None,
    ) -> None:
        self._bus = bus
        self._writer = writer
        self._line = line
        self._taps = taps
        self._journal = journal
        self._waiting: queue.Queue[Received | tuple[str, int, bytes]] = queue.Queue(MOST_WAITING)
        self._dropped = self._dropped_before = 0
        self._turned_ns = line.mono_ns
        self._next_look_s = self._next_flush_s = 0.0

    def start(self) -> None:
        """Begins to listen."""
        for kind in topics.KINDS:
            if kind not in NOT_RECORDED:
                self._bus.subscribe(kind, self._hand_over)

    def picture(self, camera: str, mono_ns: int, jpeg: bytes) -> None:
        """Hands over a picture; from any thread."""
        self._hand_over((camera, mono_ns, jpeg))

    def pump(self, timeout_s: float) -> None:
        """Writes what has come, waiting so long for the first of it at most."""
        try:
            self._write(self._waiting.get(timeout=timeout_s))
            while True:
                self._write(self._waiting.get_nowait())
        except queue.Empty:
            pass
        now_s = time.monotonic()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            self._look()
        if now_s >= self._next_flush_s:
            self._next_flush_s = now_s + FLUSH_S
            self._writer.flush()

    def close(self) -> None:
        """Writes what is there, and ends the file."""
        self.pump(0.01)
        self._look()
        if self._journal is not None:
            self._journal.close()
        self._writer.close()

    def _hand_over(self, what: Received | tuple[str, int, bytes]) -> None:
        try:
            self._waiting.put_nowait(what)
        except queue.Full:
            self._dropped += 1

    def _write(self, what: Received | tuple[str, int, bytes]) -> None:
        if isinstance(what, tuple):
            camera, mono_ns, jpeg = what
            self._writer.picture(camera, self._line.at_ns(mono_ns), jpeg)
            return
        sent_ns = 0 if what.retained else self._line.at_ns(what.sent_ns)
        self._writer.message(
            f"{BUS}{what.topic.path}",
            self._line.at_ns(what.arrived_ns),
            encode(what.envelope, what.body),
            sent_ns=sent_ns,
            number=max(what.envelope.seq, 0),
        )

    def _look(self) -> None:
        for program, line in () if self._taps is None else self._taps.lines():
            self._take(program, line)
        for recorded in () if self._journal is None else self._journal.fresh():
            self._writer.line(JOURNAL, self._line.of_entry(recorded), as_line(recorded), number=recorded.seq)
        if self._dropped != self._dropped_before:
            missing, self._dropped_before = self._dropped - self._dropped_before, self._dropped
            self._writer.line(RECORDER, self._line.at_ns(time.monotonic_ns()), {"kind": DROPPED, "count": missing})

    def _take(self, program: str, line: Mapping[str, Any]) -> None:
        if program == PROGRAM:
            self._turned_ns = _moment_of(line, self._turned_ns)
            self._writer.line(CONTROLLER, self._line.at_ns(self._turned_ns), line, number=line["n"])
            return
        if "reader" not in line:
            self._writer.line(RECORDER, self._line.at_ns(self._turned_ns), {**line, "program": program})
            return
        way = next(one for one in ("rx", "tx", "event") if one in line)
        data = {"event": line["event"]} if way == "event" else {"hex": line[way]}
        channel = f"{SERIAL}{line['reader']}/{'port' if way == 'event' else way}"
        self._writer.line(channel, self._line.at_ns(line["mono_ns"]), data, number=line["n"])


def _moment_of(line: Mapping[str, Any], before_ns: int) -> int:
    """When a turn of the controller was; one that has no time was right after the one before."""
    if "now" in line:
        return int(line["now"]["mono_ns"])
    return int(line["at"][-1][1]) if "at" in line else before_ns
