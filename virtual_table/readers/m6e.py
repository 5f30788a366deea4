"""A virtual ThingMagic module: searches into its buffer, or continuous reading with its keep-alives.

Typical of that module: it does not transmit before it has a region and a protocol, a search lasts exactly as long as
requested and may be too short for a crowd, tags are fetched from a buffer in answers of 255 bytes, and while it reads
continuously it obeys nothing but the stop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response, command_decoder
from firmware_bridge.protocols.m6e.records import TagRecord
from firmware_bridge.protocols.m6e.search import Search, buffer_response, found_response, is_stop, pushed_response
from firmware_bridge.protocols.m6e.setup import (
    NO_REGION,
    SET_GEN2,
    Region,
    Version,
    chosen_antennas,
    serial_response,
)
from firmware_bridge.protocols.m6e.status import Status
from virtual_table.readers.air import UHF_GEN2, AirInterface
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag, TagsInField
from virtual_table.readers.reader import VirtualReader

COMMAND_MS: Final = 8.0
"""How long the module thinks: recorded exchanges of an M6e Nano took about 15 ms, the line's time included."""
BOOT_MS: Final = 120.0
SIGN_OF_LIFE_MS: Final = 1000.0
PUSH_EVERY_MS: Final = 50.0
_SWEEPS: Final = 3
_POWERS: Final = range(0, 2701)
_FREQUENCY_KHZ: Final = 866_900
_BOOTLOADER, _FIRMWARE = b"\x11", b"\x12"
_STREAM_STARTED: Final = bytes.fromhex("01 22 00 00")
_STREAM_STOPPED: Final = b"\x02"


@dataclass(frozen=True, slots=True)
class M6eSetup:
    """Which module it is, and what is wrong with it."""

    version: Version = field(
        default_factory=lambda: Version(
            hardware=bytes.fromhex("30 00 00 02"),
            firmware=bytes.fromhex("01 03 01 47"),
            bootloader=bytes.fromhex("14 12 08 00"),
            date=bytes.fromhex("20 15 03 10"),
        )
    )
    in_bootloader: bool = False
    """It waits for the command that starts its firmware."""
    is_pushing: bool = False
    """The previous program left it in continuous reading."""
    ailment: int = Status.OK
    """Status with which every search ends, TOO_HOT or RETURN_LOSS for one."""


class VirtualM6eReader(VirtualReader):
    """One module with up to four antennas."""

    airs: ClassVar[Sequence[AirInterface]] = (UHF_GEN2,)

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        setup: M6eSetup | None = None,
    ) -> None:
        self._setup = setup or M6eSetup()
        self._obey: dict[int, Callable[[Command], tuple[float, Response]]] = {
            Opcode.CURRENT_PROGRAM: self._program,
            Opcode.HARDWARE_VERSION: lambda _: (COMMAND_MS, serial_response(f"{self.number:012d}")),
            Opcode.GET_REGION: lambda _: (COMMAND_MS, Response(Opcode.GET_REGION, 0, bytes((self._region,)))),
            Opcode.SET_REGION: self._set_region,
            Opcode.SET_PROTOCOL: self._set_protocol,
            Opcode.SET_POWER: self._set_power,
            Opcode.SET_ANTENNA: self._set_antenna,
            Opcode.CLEAR_TAG_BUFFER: self._clear,
            Opcode.READ_MULTIPLE: self._search,
            Opcode.GET_TAG_BUFFER: self._fetch,
            Opcode.CONTINUOUS: self._start_pushing,
        }
        super().__init__(tags_in_field, behaviour, seed)

    def power_on(self, now_ms: float) -> None:
        """No region, no protocol, an empty buffer."""
        self._decoder = command_decoder()
        self._has_firmware = not self._setup.in_bootloader
        self._region = NO_REGION
        self._has_protocol = False
        self._chosen: tuple[int, ...] = (1,)
        self._buffer: list[TagRecord] = []
        self._busy_until_ms = now_ms
        self._is_pushing = self._setup.is_pushing
        self._push_ms = self._sign_ms = now_ms + PUSH_EVERY_MS

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """The responses, one at a time; a damaged command gets none."""
        pieces: list[Piece] = []
        for command in self._decoder.feed(data, now_ms):
            if self._is_pushing and not is_stop(command):
                continue
            took_ms, response = self._respond(command)
            self._busy_until_ms = max(now_ms, self._busy_until_ms) + took_ms
            if self._is_pushing:
                self._push_ms = self._busy_until_ms + PUSH_EVERY_MS
                self._sign_ms = self._busy_until_ms + SIGN_OF_LIFE_MS
            pieces.append((self._busy_until_ms - now_ms, response.to_bytes()))
        return pieces

    @property
    def due_ms(self) -> float | None:
        """The next cycle of the continuous reading."""
        return self._push_ms if self._is_pushing else None

    def push(self, now_ms: float) -> list[Piece]:
        """The tags of one cycle, each in a frame, and a sign of life once a second."""
        tags = self._read(PUSH_EVERY_MS) or []
        each_ms = PUSH_EVERY_MS / (len(tags) + 1)
        pieces = [(number * each_ms, pushed_response(tag).to_bytes()) for number, tag in enumerate(tags, 1)]
        self._push_ms = now_ms + PUSH_EVERY_MS
        if now_ms >= self._sign_ms:
            self._sign_ms = now_ms + SIGN_OF_LIFE_MS
            pieces.append((PUSH_EVERY_MS, Response(Opcode.READ_MULTIPLE, Status.NO_TAGS).to_bytes()))
        return pieces

    def _respond(self, command: Command) -> tuple[float, Response]:
        if command.opcode == Opcode.VERSION:
            return COMMAND_MS, self._setup.version.to_response()
        if command.opcode == Opcode.BOOT:
            self._has_firmware = True
            return BOOT_MS, Response(Opcode.BOOT, 0, self._setup.version.to_response().data)
        if is_stop(command):
            self._is_pushing = False
            return COMMAND_MS, Response(Opcode.CONTINUOUS, 0, _STREAM_STOPPED)
        obey = self._obey.get(command.opcode)
        if obey is None or not (self._has_firmware or command.opcode == Opcode.CURRENT_PROGRAM):
            return COMMAND_MS, Response(command.opcode, Status.INVALID_OPCODE)
        return obey(command)

    def _program(self, command: Command) -> tuple[float, Response]:
        return COMMAND_MS, Response(command.opcode, 0, _FIRMWARE if self._has_firmware else _BOOTLOADER)

    def _set_region(self, command: Command) -> tuple[float, Response]:
        known = len(command.data) == 1 and command.data[0] in tuple(Region)
        if known:
            self._region = command.data[0]
        return COMMAND_MS, Response(command.opcode, Status.OK if known else Status.INVALID_REGION)

    def _set_protocol(self, command: Command) -> tuple[float, Response]:
        self._has_protocol = command == SET_GEN2
        return COMMAND_MS, Response(command.opcode, Status.OK if self._has_protocol else Status.INVALID_PROTOCOL)

    def _set_power(self, command: Command) -> tuple[float, Response]:
        known = len(command.data) == 2 and int.from_bytes(command.data, "big") in _POWERS
        return COMMAND_MS, Response(command.opcode, Status.OK if known else Status.POWER_TOO_HIGH)

    def _set_antenna(self, command: Command) -> tuple[float, Response]:
        try:
            chosen = chosen_antennas(command)
        except FrameError:
            return COMMAND_MS, Response(command.opcode, Status.WRONG_LENGTH)
        if not all(0 < antenna <= self.behaviour.antennas for antenna in chosen):
            return COMMAND_MS, Response(command.opcode, Status.INVALID_PARAMETER)
        self._chosen = chosen
        return COMMAND_MS, Response(command.opcode)

    def _clear(self, command: Command) -> tuple[float, Response]:
        self._buffer = []
        return COMMAND_MS, Response(command.opcode)

    def _search(self, command: Command) -> tuple[float, Response]:
        try:
            search = Search.from_command(command)
        except FrameError:
            return COMMAND_MS, Response(command.opcode, Status.WRONG_LENGTH)
        status = self._hindrance()
        if status:
            return COMMAND_MS, Response(command.opcode, status)
        tags = self._read(search.duration_ms)
        if tags is None:
            return COMMAND_MS, Response(command.opcode, Status.RETURN_LOSS)
        known = {tag.epc for tag in self._buffer}
        self._buffer += [tag for tag in tags if tag.epc not in known]
        if not tags:
            return COMMAND_MS + search.duration_ms, Response(command.opcode, Status.NO_TAGS)
        return COMMAND_MS + search.duration_ms, found_response(len(self._buffer))

    def _hindrance(self) -> int:
        if self._region == NO_REGION:
            return Status.INVALID_FREQUENCY
        return self._setup.ailment if self._has_protocol else Status.NO_PROTOCOL

    def _fetch(self, command: Command) -> tuple[float, Response]:
        if not self._buffer:
            return COMMAND_MS, Response(command.opcode, Status.BUFFER_HAS_NO_MORE)
        response, count = buffer_response(self._buffer)
        self._buffer = self._buffer[count:]
        return COMMAND_MS, response

    def _start_pushing(self, command: Command) -> tuple[float, Response]:
        try:
            Search.from_command(command)
        except FrameError:
            return COMMAND_MS, Response(command.opcode, Status.WRONG_LENGTH)
        status = self._hindrance()
        self._is_pushing = not status
        return COMMAND_MS, Response(command.opcode, status, _STREAM_STARTED if not status else b"")

    def _read(self, duration_ms: float) -> list[TagRecord] | None:
        """The tags that a search of this length hears; None if the field was disturbed.

        A search with time left asks all tags again, which gives those that did not answer another chance. The tags
        answer in an order of their own: a search that is too short hears the first of them.
        """
        heard: Counter[FieldTag] = Counter()
        for number in range(_SWEEPS):
            sweep = self.antennas.sweep(self._chosen)
            if sweep.warned and not number:
                return None
            in_time = len(sweep.heard)
            if sweep.air_ms > duration_ms:
                in_time = int(in_time * duration_ms / sweep.air_ms)
            heard.update(sweep.heard[:in_time])
            duration_ms -= sweep.air_ms
            if duration_ms <= 0:
                break
        return [_record(tag, count) for tag, count in heard.items()]


def _record(tag: FieldTag, count: int) -> TagRecord:
    rssi = round(-75 + 40 * tag.signal)
    return TagRecord(bytes.fromhex(tag.uid), rssi, tag.antenna, count, frequency_khz=_FREQUENCY_KHZ, gpio=0x0F)
