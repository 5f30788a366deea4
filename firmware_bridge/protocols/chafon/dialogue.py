"""The host's side of the talk with one Chafon reader.

The first round asks the reader what it is, which decides between the two layouts of the inventory; one that does not
say is asked for an inventory in each of them. A round is one
inventory; its answer is a chain of frames, and no number in them shows that one is missing. So if anything was damaged
while it came, the inventory is asked again, and after `_READS` the round carries the warning `damaged`. After an
answer that never ended the reader is asked first what it is: that answer cannot be taken for a late inventory.

A reader says nothing until its inventory is over, for as long as it was told to read; a longer inventory is asked of
a newer one whose time was up. Nothing is sent meanwhile: no manual says that a reader which reads would hear it.

A reader that was left in active mode answers no inventory, but reports its tags by itself. They are taken as the round,
with the warning `active_mode`: nobody knows when it has reported all. A report of a reader that answers is counted and
not believed; it is in active mode once `_UNANSWERED` requests in a row brought reports and no answer.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import Final

from firmware_bridge.protocols.chafon.frames import Command, Reply, Request, reply_decoder
from firmware_bridge.protocols.chafon.inventory import (
    ANTENNAS,
    InventoryRequest,
    Layout,
    ReaderInfo,
    TagRecord,
    decode_active,
    decode_records,
)
from firmware_bridge.protocols.chafon.status import CARRIES_TAGS, NOT_UNDERSTOOD, WARNINGS, Status, meaning
from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Ask, Inventory, LineCounters, Listen, Refused, Step, TagRead
from firmware_bridge.protocols.frame_error import FrameError

INFO_TIMEOUT_MS: Final = 350.0
GUESS_TIMEOUT_MS: Final = 1300.0
"""For a reader that has not said how long its inventory takes, and may not know the layout that it is asked in."""
GRACE_MS: Final = 400.0
"""How much longer than its inventory time a reader may take: 75 ms by its manual, and the first bytes are under way."""
WAIT_MS: Final = 200.0
"""How often it is looked whether a reader that reads has been silent for too long."""
AFTER_DAMAGE_MS: Final = 250.0
"""A chain in which something was damaged is over when nothing came for this long."""
ACTIVE_MS: Final = 500.0
_SCAN_UNIT_MS: Final = 100.0
_MAX_SCAN: Final = 90
"""The manuals have up to 255: nobody waits so long for a reader that may as well have died."""
_MORE_SCAN: Final = 10
"""By so much an inventory is made longer whose time was up."""
_INFOS: Final = 2
_READS: Final = 3
_MAX_FRAMES: Final = 512
_ACTIVE_ROUNDS: Final = 16
"""How many rounds an active reader is only listened to before it is asked again."""
_UNANSWERED: Final = 3
"""So many requests in a row go unanswered before a reader that used to answer is taken to be in active mode."""


class _Phase(Enum):
    IDLE = auto()
    IDENTIFYING = auto()
    READING = auto()
    LISTENING = auto()


class ChafonDialogue:
    """Implements `family.Dialogue` and `family.AsksWhetherBusy`."""

    def __init__(self) -> None:
        self._decoder = reply_decoder()
        self._phase = _Phase.IDLE
        self._layout: Layout | None = None
        self._scan_time = InventoryRequest().scan_time
        self._antenna: int | None = None
        self._tags: list[TagRead] = []
        self._told: list[TagRead] = []
        self._is_active = False
        self._active_rounds = 0
        self._unanswered = _UNANSWERED
        self._frames = self._infos = self._reads = 0
        self._late = 0
        self._before = LineCounters()
        self._ending = self._switched = self._guesses = False

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.counters, late_replies=self._late)

    @property
    def damaged(self) -> bool:
        return self._decoder.counters.crc_errors > self._before.crc_errors

    @property
    def _lossy(self) -> bool:
        """Whether bytes were thrown away since the last request: a frame may have been among them."""
        return self._decoder.counters.dropped_bytes > self._before.dropped_bytes

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; `antenna` 1 to 8, or None for a reader that does not switch antennas."""
        self._late += len(self._decoder.end_of_request())
        if antenna is not None and not 1 <= antenna <= ANTENNAS:
            return Refused("antenna", f"no reader of this family has an antenna {antenna}: correct the table")
        self._antenna = antenna
        self._tags, self._told, self._is_active = [], [], False
        self._infos = self._reads = 0
        self._switched = False
        if self._active_rounds:
            self._active_rounds -= 1
            return self._listen()
        return self._identify() if self._layout is None else self._read()

    def ask_whether_busy(self) -> Listen | None:
        return Listen(WAIT_MS) if self._phase is _Phase.READING and not self._guesses else None

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        step = self._answer(self._decoder.feed(data, now_ms))
        if step is None and not data and self._phase is _Phase.READING and self._lossy and not self._ending:
            self._ending = True
            return Listen(AFTER_DAMAGE_MS)
        return step

    def silence(self) -> Step | None:
        step = self._answer(self._decoder.end_of_request())
        if step is not None:
            return step
        self._unanswered += 1
        if self._is_active and (self._phase is _Phase.LISTENING or self._unanswered >= _UNANSWERED):
            return self._done_active()
        if self._phase is _Phase.IDENTIFYING:
            return self._identify() if self._infos < _INFOS else self._guess(Layout.OLDER)
        if self._guesses and self._layout is Layout.OLDER:
            return self._guess(Layout.NEWER)
        if self._phase is _Phase.LISTENING:
            self._active_rounds = 0
            return self._identify() if self._layout is None else self._read()
        if self._phase is _Phase.READING and self._lossy and self._reads < _READS:
            self._infos = 0
            return self._identify()
        self._phase, self._layout, self._guesses = _Phase.IDLE, None, False
        return None

    def _answer(self, replies: list[Reply]) -> Step | None:
        step: Step | None = None
        for reply in replies:
            if reply.command == Command.ACTIVE:
                self._on_active(reply)
                continue
            self._unanswered = 0
            if isinstance(step, Ask):
                self._late += 1
            elif self._phase is _Phase.IDENTIFYING and reply.command == Command.READER_INFO:
                step = self._on_info(reply)
            elif self._phase is _Phase.READING and reply.command == Command.INVENTORY:
                step = self._on_inventory(reply)
            else:
                self._late += 1
        return step

    def _identify(self) -> Ask:
        self._phase = _Phase.IDENTIFYING
        self._infos += 1
        return self._ask(Request(Command.READER_INFO), INFO_TIMEOUT_MS)

    def _on_info(self, reply: Reply) -> Step:
        if reply.status in NOT_UNDERSTOOD:
            self._layout = Layout.OLDER
            return self._read()
        try:
            info = ReaderInfo.from_data(reply.data)
        except FrameError:
            return self._guess(Layout.OLDER)
        self._layout = info.layout
        if info.layout is Layout.OLDER:
            self._scan_time = min(info.scan_time or _MAX_SCAN, _MAX_SCAN)
        return self._read()

    def _guess(self, layout: Layout) -> Step:
        """The reader does not say what it is: ask it in this layout, the older one only for its one antenna."""
        self._layout = layout if self._antenna in (None, 1) else Layout.NEWER
        self._guesses = True
        return self._read()

    def _read(self) -> Step:
        if self._layout is Layout.OLDER and self._antenna not in (None, 1):
            return self._refuse("antenna", "this reader has one antenna: correct the table")
        self._phase = _Phase.READING
        self._reads += 1
        self._frames = 0
        if self._layout is Layout.OLDER:
            return self._ask(Request(Command.INVENTORY), self._patience_ms)
        return self._ask(InventoryRequest(self._antenna or 1, self._scan_time).to_request(), self._patience_ms)

    @property
    def _patience_ms(self) -> float:
        return GUESS_TIMEOUT_MS if self._guesses else self._scan_time * _SCAN_UNIT_MS + GRACE_MS

    def _on_inventory(self, reply: Reply) -> Step:
        self._guesses = False
        if reply.status in NOT_UNDERSTOOD and not self._switched:
            self._switch_layout()
            return self._read()
        if reply.status == Status.NO_TAG:
            return self._done()
        if reply.status not in CARRIES_TAGS:
            said = f"the reader answered {reply.status:02X}, {meaning(reply.status)}"
            return self._refuse(f"status_{reply.status:02x}", said)
        try:
            records = self._records(reply.data)
        except FrameError as error:
            return self._refuse(error.code, str(error))
        self._tags += [read for one in records for read in one.to_tag_reads()]
        if reply.status == Status.TIME_OVERFLOW and self._layout is Layout.NEWER:
            self._scan_time = min(self._scan_time + _MORE_SCAN, _MAX_SCAN)
        if reply.status != Status.MORE_FRAMES:
            return self._done(WARNINGS.get(Status(reply.status)))
        self._frames += 1
        if self._frames == _MAX_FRAMES:
            return self._refuse("endless", f"the reader still had more tags after {_MAX_FRAMES} frames")
        self._ending = False
        return Listen(self._patience_ms)

    def _records(self, data: bytes) -> tuple[TagRecord, ...]:
        """The tags of a reply. A model that describes itself like the older ones may report them the newer way."""
        try:
            return decode_records(data, self._layout or Layout.OLDER)
        except FrameError:
            self._switch_layout()
            return decode_records(data, self._layout or Layout.OLDER)

    def _switch_layout(self) -> None:
        self._switched = True
        self._layout = Layout.OLDER if self._layout is Layout.NEWER else Layout.NEWER

    def _done(self, warning: Doubt | None = None) -> Step:
        if self._lossy and self._reads < _READS:
            return self._read()
        if self._layout is Layout.NEWER and not self._tags:
            self._scan_time = InventoryRequest().scan_time
        self._phase = _Phase.IDLE
        doubts = (warning, Doubt.DAMAGED if self._lossy else None)
        return Inventory(tuple(dict.fromkeys(self._tags)), tuple(doubt for doubt in doubts if doubt))

    def _listen(self) -> Listen:
        self._phase = _Phase.LISTENING
        self._before = self._decoder.counters
        return Listen(ACTIVE_MS)

    def _on_active(self, reply: Reply) -> None:
        """A tag, or a sign of life, that nobody asked for."""
        self._is_active = True
        self._late += self._phase is not _Phase.LISTENING
        if reply.status != Status.OK:
            return
        try:
            reads = decode_active(reply).to_tag_reads()
        except FrameError:
            return
        self._told += [read for read in reads if self._antenna is None or read.antenna in (None, self._antenna)]

    def _done_active(self) -> Inventory:
        if self._phase is not _Phase.LISTENING:
            self._active_rounds = _ACTIVE_ROUNDS
        self._phase = _Phase.IDLE
        return Inventory(tuple(dict.fromkeys(self._told)), (Doubt.ACTIVE_MODE,))

    def _ask(self, request: Request, timeout_ms: float) -> Ask:
        self._before = self._decoder.counters
        self._ending = False
        return Ask(request.to_bytes(), timeout_ms)

    def _refuse(self, code: str, words: str) -> Refused:
        self._phase = _Phase.IDLE
        return Refused(code, words)
