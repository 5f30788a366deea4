"""The host's side of the talk with one FEIG reader.

A round is: RF reset, inventory, and "fetch more" until the reader has reported all. The RF reset is what defeats the
persistence trap: a reader mutes each tag that it has read, and one that is configured to report only new tags would
report an empty table from the second round on. So a lost reset is no reason to read on without. A reader that refuses
the reset as unknown is read without it for `_ROUNDS_WITHOUT_RESET` rounds; one that has never answered it is read all
the same, with the warning `not_reset`.

`look_again` sends the inventory without the reset, so that only tags answer which the round before has not read. It is
asked for right after a round whose every reply came, so that no late one is taken for its own. A reader that resets the
field by itself before each inventory (CFG5 ONT=0) answers with all tags; `link` sees that.

A reader that reads some hundred tags says nothing for seconds, as one does whose answer was lost. `ask_whether_busy`
tells them apart by baud-rate detection, which a reader answers at once that is not reading; one that reads answers it
after the inventory, too late to matter.

A reader that shares its field with neighbours switches it off at the end of each round and on at the beginning of the
next, which lets the tags forget as well as a reset does.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import Final

from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Ask, Inventory, LineCounters, Refused, Step, TagRead
from firmware_bridge.protocols.feig.frames import Control, Reply, Request, reply_decoder
from firmware_bridge.protocols.feig.inventory import MAX_ANTENNAS, InventoryMode, decode_data_sets
from firmware_bridge.protocols.feig.status import CARRIES_DATA, WARNINGS, Status, sentence
from firmware_bridge.protocols.frame_error import FrameError

INVENTORY_TIMEOUT_MS: Final = 3200.0
"""TR-RESPONSE-TIME is 3 s as delivered: a reader may think that long, and a host that asks earlier talks into it."""
LONGEST_INVENTORY_MS: Final = 9000.0
"""For a reader that is set to think for longer, and was heard in this round: 300 chips at three times the ideal air
time."""
RESET_TIMEOUT_MS: Final = 300.0
BUSY_TIMEOUT_MS: Final = 200.0
_OFF: Final = b"\x00"
_ON: Final = b"\x01"
_MAX_REPLIES: Final = 64
_RESET_TRIES: Final = 2
_ROUNDS_WITHOUT_RESET: Final = 64
_NO_SUCH_COMMAND: Final = frozenset({Status.UNKNOWN_COMMAND, Status.LENGTH_ERROR, Status.COMMAND_NOT_AVAILABLE})


class _Phase(Enum):
    IDLE = auto()
    SWITCHING_ON = auto()
    RESETTING = auto()
    READING = auto()
    SWITCHING_OFF = auto()


_ANSWERS: Final = {
    _Phase.SWITCHING_ON: Control.RF_ON_OFF,
    _Phase.RESETTING: Control.RF_RESET,
    _Phase.READING: Control.ISO_HOST_COMMAND,
    _Phase.SWITCHING_OFF: Control.RF_ON_OFF,
}


class FeigDialogue:
    """Implements `family.Dialogue`, `family.SharesField`, `family.LooksAgain` and `family.AsksWhetherBusy`."""

    def __init__(self) -> None:
        self._decoder = reply_decoder()
        self._phase = _Phase.IDLE
        self._mode = InventoryMode()
        self._tags: list[TagRead] = []
        self._warnings: list[Doubt] = []
        self._replies = 0
        self._knows_reset = False
        self._lives = False
        self._reset_tries = 0
        self._rounds_without_reset = 0
        self._shares = False
        self._is_off = False
        self._asked_whether_busy = False
        self._result: Inventory | Refused = Inventory(())
        self._late = 0
        self._crc_errors_before = 0

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.counters, late_replies=self._late)

    @property
    def damaged(self) -> bool:
        return self._decoder.counters.crc_errors > self._crc_errors_before

    def share_field(self) -> None:
        """Switch the field off between rounds."""
        self._shares = True

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; `antenna` 1 to 8, or None for a reader that does not switch antennas."""
        self._late += len(self._decoder.end_of_request())
        if antenna is not None and not 1 <= antenna <= MAX_ANTENNAS:
            return self._refuse("antenna", f"no reader of this family has an antenna {antenna}: correct the table")
        self._mode = InventoryMode(antennas=None if antenna is None else 1 << (antenna - 1))
        self._tags, self._warnings, self._replies = [], [], 0
        self._reset_tries = 0
        self._lives = False
        if self._is_off:
            self._is_off = False
            self._phase = _Phase.SWITCHING_ON
            return self._ask(Request(Control.RF_ON_OFF, _ON), RESET_TIMEOUT_MS)
        if self._rounds_without_reset:
            self._rounds_without_reset -= 1
            return self._read()
        return self._reset()

    def look_again(self) -> Step | None:
        if self._shares or self._rounds_without_reset:
            return None
        self._tags, self._warnings, self._replies = [], [], 0
        return self._read()

    def ask_whether_busy(self) -> Ask | None:
        if self._phase is not _Phase.READING:
            return None
        self._asked_whether_busy = True
        return Ask(Request(Control.BAUD_DETECTION, b"\x00").to_bytes(), BUSY_TIMEOUT_MS)

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        return self._answer(self._decoder.feed(data, now_ms))

    def silence(self) -> Step | None:
        step = self._answer(self._decoder.end_of_request())
        if step is None and self._phase is _Phase.SWITCHING_ON:
            return self._reset()
        if step is None and self._phase is _Phase.SWITCHING_OFF:
            self._phase = _Phase.IDLE
            return self._result
        if step is None and self._phase is _Phase.RESETTING:
            if self._reset_tries < _RESET_TRIES:
                return self._reset()
            if not self._knows_reset:
                self._warnings.append(Doubt.NOT_RESET)
                return self._read()
        if step is None:
            self._phase = _Phase.IDLE
        return step

    def _answer(self, replies: list[Reply]) -> Step | None:
        step: Step | None = None
        for reply in replies:
            if step is None and self._is_answer(reply):
                self._lives = True
                step = self._on(reply)
            elif step is None and self._asked_whether_busy and reply.control == Control.BAUD_DETECTION:
                step = self._refuse("lost", "the reader's answer was lost; asking again")
            else:
                self._late += 1
        return step

    def _is_answer(self, reply: Reply) -> bool:
        return _ANSWERS.get(self._phase) == reply.control

    def _on(self, reply: Reply) -> Step:
        if self._phase is _Phase.READING:
            return self._on_inventory(reply)
        if self._phase is _Phase.RESETTING:
            return self._on_reset(reply)
        done = reply.status == Status.OK
        if self._phase is _Phase.SWITCHING_ON:
            return self._read() if done else self._reset()
        self._is_off = done
        self._phase = _Phase.IDLE
        return self._result

    def _reset(self) -> Step:
        self._phase = _Phase.RESETTING
        self._reset_tries += 1
        return self._ask(Request(Control.RF_RESET), RESET_TIMEOUT_MS)

    def _on_reset(self, reply: Reply) -> Step:
        if reply.status == Status.OK:
            self._knows_reset = True
            return self._read()
        if reply.status in _NO_SUCH_COMMAND:
            self._rounds_without_reset = _ROUNDS_WITHOUT_RESET
            return self._read()
        return self._refuse(f"status_{reply.status:02x}", sentence(reply.status))

    def _read(self) -> Step:
        self._phase = _Phase.READING
        return self._ask(self._mode.to_request(), LONGEST_INVENTORY_MS if self._lives else INVENTORY_TIMEOUT_MS)

    def _on_inventory(self, reply: Reply) -> Step:
        self._replies += 1
        if reply.status == Status.NO_TRANSPONDER:
            return self._done()
        if reply.status not in CARRIES_DATA:
            return self._refuse(f"status_{reply.status:02x}", sentence(reply.status))
        data = reply.data[:-1] if reply.status == Status.ISO_ERROR else reply.data
        try:
            sets = decode_data_sets(data, antenna_records=self._mode.antennas is not None)
        except FrameError as error:
            return self._refuse(error.code, str(error))
        if reply.status in WARNINGS and not sets:
            return self._refuse(WARNINGS[Status(reply.status)], sentence(reply.status))
        self._tags += [read for one in sets for read in one.to_tag_reads()]
        if reply.status in WARNINGS:
            self._warnings.append(WARNINGS[Status(reply.status)])
        if reply.status != Status.MORE_DATA:
            return self._done()
        if self._replies == _MAX_REPLIES:
            return self._refuse("endless", f"the reader still had more tags after {_MAX_REPLIES} replies")
        return self._ask(replace(self._mode, more=True).to_request(), INVENTORY_TIMEOUT_MS)

    def _ask(self, request: Request, timeout_ms: float) -> Ask:
        self._crc_errors_before = self._decoder.counters.crc_errors
        self._asked_whether_busy = False
        return Ask(request.to_bytes(), timeout_ms)

    def _done(self) -> Step:
        return self._end(Inventory(tuple(dict.fromkeys(self._tags)), tuple(dict.fromkeys(self._warnings))))

    def _refuse(self, code: str, words: str) -> Step:
        return self._end(Refused(code, words))

    def _end(self, result: Inventory | Refused) -> Step:
        self._asked_whether_busy = False
        if self._shares and self._phase is _Phase.READING:
            self._result, self._phase = result, _Phase.SWITCHING_OFF
            return self._ask(Request(Control.RF_ON_OFF, _OFF), RESET_TIMEOUT_MS)
        self._phase = _Phase.IDLE
        return result
