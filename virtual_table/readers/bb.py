"""A virtual BB..7E module: it polls for as long as it was told to, and sends a notice for each tag that it hears.

Nothing marks the end of a poll that heard a tag; one that heard none is answered by the error "no tag". Each poll reads
the field again, so tags are repeated until the count is used up or the host sends stop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from firmware_bridge.protocols.bb.commands import CHANNELS_BUSY, COMMAND_ERROR, DONE, NO_TAG, error, poll_count
from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType, TagNotice, command_decoder
from firmware_bridge.protocols.frame_error import FrameError
from virtual_table.readers.air import UHF_GEN2
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reader import VirtualReader

COMMAND_MS: Final = 1.0
"""How long the module thinks about a command that uses no air."""
BETWEEN_POLLS_MS: Final = 5.0
"""Field off, another channel, field on: after it every tag of session S0 answers again."""
VERSIONS: Final = (b"M100 26dBm V1.0", b"V2.3.5", b"Betline")
"""Of the hardware and of the software, and the maker's name."""
_FULL_POWER: Final = 2600
_ANTENNA: Final = 1
_WEAKEST_DBM: Final = -75
_STRONGEST_DBM: Final = -35


class VirtualBbReader(VirtualReader):
    """One module with one antenna."""

    airs = (UHF_GEN2,)

    def power_on(self, now_ms: float) -> None:
        """Full power, and no poll under way."""
        self._decoder = command_decoder()
        self._centi_dbm = _FULL_POWER
        self._polls_left = 0
        self._to_send: deque[tuple[float, bytes]] = deque()
        self._busy_until_ms = now_ms
        self._now_ms = now_ms
        self._answers: dict[int, Callable[[Frame], Frame | None]] = {
            Command.MULTIPLE_POLL: self._multiple_poll,
            Command.MODULE_INFO: self._info,
            Command.STOP: self._stop,
            Command.SET_POWER: self._set_power,
            Command.GET_POWER: self._get_power,
        }

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """What the module sends in reply; the notices of a multiple poll follow unasked."""
        pieces: list[Piece] = []
        for command in self._decoder.feed(data, now_ms):
            begin_ms = max(now_ms, self._busy_until_ms)
            if command.command == Command.SINGLE_POLL:
                pieces += [(at_ms - now_ms, frame) for at_ms, frame in self._poll(begin_ms)]
                continue
            self._now_ms = now_ms
            answer = self._answers.get(command.command, _unknown)(command)
            if answer is not None:
                pieces.append((COMMAND_MS, answer.to_bytes()))
        return pieces

    @property
    def due_ms(self) -> float | None:
        """When the next notice of a multiple poll is ready."""
        return self._to_send[0][0] if self._to_send else None

    def push(self, now_ms: float) -> list[Piece]:
        """The notices that are ready."""
        pieces: list[Piece] = []
        while self._to_send and self._to_send[0][0] <= now_ms:
            pieces.append((0.0, self._to_send.popleft()[1]))
        if not self._to_send and self._polls_left:
            self._begin_poll(max(now_ms, self._busy_until_ms) + BETWEEN_POLLS_MS)
        return pieces

    def _multiple_poll(self, command: Frame) -> Frame | None:
        """Begin to poll. Nothing is answered; a second poll while one is under way is an error."""
        try:
            count = poll_count(command)
        except FrameError:
            return error(COMMAND_ERROR)
        if self._to_send:
            return error(COMMAND_ERROR)
        self._polls_left = count
        if count:
            self._begin_poll(max(self._now_ms, self._busy_until_ms))
        return None

    def _begin_poll(self, begin_ms: float) -> None:
        self._polls_left -= 1
        self._to_send.extend(self._poll(begin_ms))

    def _poll(self, begin_ms: float) -> list[tuple[float, bytes]]:
        """One round of anticollision: each frame with the moment at which it is ready."""
        sweep = self.antennas.sweep((_ANTENNA,))
        self._busy_until_ms = begin_ms + COMMAND_MS + sweep.air_ms
        if sweep.warned:
            self._polls_left = 0
            return [(self._busy_until_ms, error(CHANNELS_BUSY).to_bytes())]
        if not sweep.heard:
            return [(self._busy_until_ms, error(NO_TAG).to_bytes())]
        step_ms = (self._busy_until_ms - begin_ms) / len(sweep.heard)
        return [(begin_ms + step_ms * number, _notice(tag)) for number, tag in enumerate(sweep.heard, start=1)]

    def _stop(self, _: Frame) -> Frame:
        self._polls_left = 0
        self._to_send.clear()
        self._busy_until_ms = self._now_ms
        return Frame(FrameType.RESPONSE, Command.STOP, DONE)

    def _info(self, command: Frame) -> Frame:
        what = command.parameters[0] if len(command.parameters) == 1 else len(VERSIONS)
        if what >= len(VERSIONS):
            return error(COMMAND_ERROR)
        return Frame(FrameType.RESPONSE, Command.MODULE_INFO, bytes((what,)) + VERSIONS[what])

    def _set_power(self, command: Frame) -> Frame:
        if len(command.parameters) != 2:
            return error(COMMAND_ERROR)
        self._centi_dbm = int.from_bytes(command.parameters, "big")
        return Frame(FrameType.RESPONSE, Command.SET_POWER, DONE)

    def _get_power(self, _: Frame) -> Frame:
        return Frame(FrameType.RESPONSE, Command.GET_POWER, self._centi_dbm.to_bytes(2, "big"))


def _unknown(_: Frame) -> Frame:
    return error(COMMAND_ERROR)


def _notice(tag: FieldTag) -> bytes:
    rssi = round(_WEAKEST_DBM + (_STRONGEST_DBM - _WEAKEST_DBM) * min(tag.signal, 1.0))
    return TagNotice.of(bytes.fromhex(tag.uid), rssi).to_frame().to_bytes()
