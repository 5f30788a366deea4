"""A table on the bus in memory that is recorded as `betline record` does it, and recordings changed by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from betline import topics
from betline.bus import MemoryBus
from betline.settings import load_chip_set
from betline.table_recording.reading import Recording
from betline.table_recording.writing import RecordingWriter
from betline.tap import Followed, Tap
from betline.topics import topic
from table_controller.journal.store import Journal
from table_controller.recorder.about import about_of
from table_controller.recorder.journal_tail import JournalTail
from table_controller.recorder.recorder import Recorder, TimeLine
from table_controller.service.controller import DEVICE, Controller
from table_controller.service.taken import PROGRAM
from tests.unit.service.room import NAMES, SETUP, Room


class RecordedRoom(Room):
    """A `Room` with a recorder: its controller notes what it takes."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table.mcap"
        self._taps = folder / "taps"
        self._recorder: Recorder | None = None
        super().__init__(folder)

    def opens(self) -> None:
        if self._recorder is None:
            writer = RecordingWriter(self.file, about_of(self.terms, NAMES))
            self._bus_of_recorder = MemoryBus(self.hub, NAMES, "recorder")
            tail = JournalTail(self.path)
            self._recorder = Recorder(self._bus_of_recorder, writer, TimeLine.now(), Followed(self._taps), tail)
            self._recorder.start()
        now = self.now()
        self.journal = Journal.open(self.path, "home/home-six", now.at_ms, now.mono_ns)
        self.bus = MemoryBus(self.hub, NAMES, DEVICE, presence=topic(topics.STATUS), announces=False, clock=self.here)
        self.tap = Tap(self._taps, PROGRAM, self.bus.boot_id)
        chips = load_chip_set(self.terms.table.chip_set)
        self.controller = Controller(self.terms, chips, self.bus, self.journal, clock=self.now, tap=self.tap)

    def kill(self) -> None:
        super().kill()
        self.controller.close()
        self.look()

    def look(self) -> None:
        """The recorder's loop turns once."""
        assert self._recorder is not None
        self._recorder._next_look_s = self._recorder._next_flush_s = 0.0
        self._recorder.pump(0.001)

    def recorded(self) -> Path:
        """Ends the table and its recording."""
        self.close()
        self.controller.close()
        assert self._recorder is not None
        self._recorder.close()
        return self.file


def a_hand(room: Room) -> None:
    """A hand with chips, words, a raise, a fold and an undo."""
    assert room.key("setup", **SETUP).ok
    assert room.key("cards-out").ok
    room.play()
    if isinstance(room, RecordedRoom):
        room.look()
    room.push(4, "red-5", "white-1", "white-1")
    room.play()
    assert room.key("says", seat=1, text="call").ok
    assert room.key("act", seat=2, action="fold").ok
    assert room.key("undo").ok
    assert room.key("act", seat=2, action="call").ok


def changed(source: Path, to: Path, change: Callable[[str, dict[str, Any]], dict[str, Any] | None]) -> Path:
    """A copy of a recording in which each message is what `change` makes of its channel and its data."""
    recording = Recording(source)
    with RecordingWriter(to, {key: value for key, value in recording.about.items() if key != "version"}) as writer:
        for message in recording.messages():
            line = change(message.channel, message.line)
            if line is not None:
                data = json.dumps(line).encode()
                writer.message(message.channel, message.at_ns, data, sent_ns=message.sent_ns, number=message.number)
    return to
