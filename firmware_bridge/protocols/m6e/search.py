"""Commands that read tags: a search into the module's buffer, the buffer itself, and continuous reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import MAX_DATA, Command, Opcode, Response
from firmware_bridge.protocols.m6e.records import (
    GEN2,
    PUSHED,
    WANTED,
    Cursor,
    TagRecord,
    decode_records,
    encode_records,
)

_WITH_METADATA: Final = 0x10
_CHOSEN_ANTENNAS: Final = 0x0003
_PUSHING: Final = 0x0008
_LARGE_POPULATION: Final = 0x0010
_ENDLESS: Final = bytes(2)
_TAG_CRC: Final = 2
_START: Final = 0x01
_STOP: Final = 0x02

CLEAR_BUFFER: Final = Command(Opcode.CLEAR_TAG_BUFFER)
GET_BUFFER: Final = Command(Opcode.GET_TAG_BUFFER, int(WANTED).to_bytes(2, "big") + b"\x00")
STOP_CONTINUOUS: Final = Command(Opcode.CONTINUOUS, _ENDLESS + bytes((_STOP,)))


@dataclass(frozen=True, slots=True)
class Search:
    """Read tags on the chosen antennas for `duration_ms`, into the buffer or, `pushing`, straight to the host."""

    duration_ms: int
    pushing: bool = False

    @property
    def _body(self) -> bytes:
        flags = _CHOSEN_ANTENNAS | _LARGE_POPULATION | (_PUSHING if self.pushing else 0)
        metadata = PUSHED if self.pushing else WANTED
        numbers = (flags, self.duration_ms, int(metadata))
        return bytes((_WITH_METADATA,)) + b"".join(number.to_bytes(2, "big") for number in numbers)

    def to_command(self) -> Command:
        """The search alone, or the beginning of the continuous reading."""
        if not self.pushing:
            return Command(Opcode.READ_MULTIPLE, self._body)
        inner = bytes((GEN2, len(self._body), Opcode.READ_MULTIPLE)) + self._body
        return Command(Opcode.CONTINUOUS, _ENDLESS + bytes((_START, Opcode.READ_MULTIPLE)) + bytes(2) + inner)

    @classmethod
    def from_command(cls, command: Command) -> Search:
        """Read the request. Raises FrameError (`not_search`)."""
        for pushing in (False, True):
            tail = command.data[-4:-2]
            one = cls(int.from_bytes(tail, "big"), pushing)
            if one.to_command() == command:
                return one
        raise FrameError("not_search", "the command is no search that Betline knows")


def is_stop(command: Command) -> bool:
    """Whether the command ends the continuous reading."""
    return command.opcode == Opcode.CONTINUOUS and command.data[2:3] == bytes((_STOP,))


def read_single(timeout_ms: int) -> Command:
    """Read one tag, whichever answers first, within `timeout_ms`."""
    return Command(Opcode.READ_SINGLE, timeout_ms.to_bytes(2, "big"))


def single(response: Response) -> TagRecord:
    """The tag of such a read: its EPC and the tag's CRC. Raises FrameError (`length`)."""
    if len(response.data) <= _TAG_CRC:
        raise FrameError("length", f"the reader's answer to a single read has {len(response.data)} bytes of data")
    return TagRecord(response.data[:-_TAG_CRC])


def found_response(count: int, status: int = 0) -> Response:
    """What the module says after a search: how many tags lie in its buffer."""
    data = bytes((_WITH_METADATA,)) + (_CHOSEN_ANTENNAS | _LARGE_POPULATION).to_bytes(2, "big")
    return Response(Opcode.READ_MULTIPLE, status, data + count.to_bytes(4, "big"))


def found_count(response: Response) -> int:
    """Read such a response: the count has one byte or four, behind the option and the flags. Raises FrameError."""
    data = response.data
    if len(data) not in (4, 5, 7, 8):
        raise FrameError("length", f"the reader's answer to a search has {len(data)} bytes of data")
    return int.from_bytes(data[-4:] if len(data) > 5 else data[-1:], "big")


def buffer_response(records: Iterable[TagRecord]) -> tuple[Response, int]:
    """One answer to `GET_BUFFER`: as many of the tags as fit, and how many that are."""
    data, count = b"", 0
    for one in records:
        record = encode_records((one,), WANTED)
        if 4 + len(data) + len(record) > MAX_DATA:
            break
        data += record
        count += 1
    head = int(WANTED).to_bytes(2, "big") + bytes((0, count))
    return Response(Opcode.GET_TAG_BUFFER, 0, head + data), count


def buffered(response: Response) -> tuple[TagRecord, ...]:
    """Read such an answer. Raises FrameError (`truncated`, `metadata`, `surplus`)."""
    cursor = Cursor(response.data)
    flags = cursor.number(2)
    cursor.take(1)
    return decode_records(cursor, flags, cursor.number())


def pushed_response(one: TagRecord) -> Response:
    """A tag as continuous reading reports it."""
    flags = _CHOSEN_ANTENNAS | _LARGE_POPULATION | _PUSHING
    head = bytes((_WITH_METADATA,)) + flags.to_bytes(2, "big") + int(PUSHED).to_bytes(2, "big") + b"\x01"
    return Response(Opcode.READ_MULTIPLE, 0, head + encode_records((one,), PUSHED))


def is_pushed(response: Response) -> bool:
    """Whether the module reported the tag by itself."""
    flags = int.from_bytes(response.data[1:3], "big")
    return response.opcode == Opcode.READ_MULTIPLE and bool(flags & _PUSHING)


def pushed(response: Response) -> tuple[TagRecord, ...]:
    """Read a tag that was reported by itself. Raises FrameError (`truncated`, `metadata`, `surplus`)."""
    cursor = Cursor(response.data)
    cursor.take(3)
    flags = cursor.number(2)
    return decode_records(cursor, flags, cursor.number())
