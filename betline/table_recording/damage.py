"""Going through a recording record by record, and what is missing of one that is not whole.

A file whose recorder was killed, or that was copied in part, ends in the middle of a chunk: it is cut. One that does
not hold in its middle is damaged. Nothing behind the damage is given out, for what came between is not known.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from betline.counting import counted
from betline.units import NS_PER_S

if TYPE_CHECKING:
    from mcap.records import Statistics

_MAGIC: Final = b"\x89MCAP0\r\n"
_HEAD: Final = struct.Struct("<BQ")
_LAST_OPCODE: Final = 0x0F
_ZSTD: Final = b"\x04\x00\x00\x00zstd"
"""How a chunk names its compression, so many bytes behind its begin: by it the next chunk is found."""
_ZSTD_AT: Final = 37


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a file. The rest is 0 where nothing is known to be missing.

    ``damaged`` is False of one that is only cut at its end. ``after_s`` is when it begins; ``lost_s`` and
    ``lost_messages`` are what lies behind that, at least so much where it is not ``exact``.
    """

    damaged: bool
    index_only: bool = False
    after_s: float = 0.0
    lost_s: float = 0.0
    lost_messages: int = 0
    exact: bool = False

    @property
    def sentence(self) -> str:
        """All of it for people."""
        if self.index_only:
            return "The index at the end of the recording is not whole; nothing that was recorded is missing."
        minutes, seconds = divmod(self.after_s, 60)
        at = f"{int(minutes)}:{seconds:06.3f}"
        if not self.damaged:
            return f"The recording is cut off at {at}, as when its recorder is killed: it is read up to there."
        if not self.lost_messages:
            return f"The recording is damaged at {at}: what was recorded behind that is missing."
        least = "" if self.exact else "at least "
        lost = f"{least}{counted(self.lost_messages, 'message')} of {self.lost_s:.1f} s behind that"
        return f"The recording is damaged at {at}: {lost} {'is' if self.lost_messages == 1 else 'are'} missing."

    def as_json(self) -> dict[str, Any]:
        """It as data."""
        return {
            "after_s": round(self.after_s, 3), "lost_s": round(self.lost_s, 3), "lost_messages": self.lost_messages,
            "exact": self.exact,
        }  # fmt: skip


@dataclass(slots=True)
class SoFar:
    """How far a file was read: where the next record begins, and what there was before."""

    at: int = 0
    size: int = 0
    """How long the file was when reading began: one that is being recorded grows."""
    messages: int = 0
    began_ns: int | None = None
    last_ns: int | None = None
    ended: bool = False
    """Whether all that was recorded has been read, and only the index follows."""


def records(file: IO[bytes], so_far: SoFar) -> Iterator[object]:
    """Header, metadata, and the records of all chunks; raises one of `broken` where the file is not whole."""
    from mcap.data_stream import ReadDataStream  # noqa: PLC0415
    from mcap.opcode import Opcode  # noqa: PLC0415
    from mcap.records import Chunk, Header, Message, Metadata, Statistics  # noqa: PLC0415
    from mcap.stream_reader import breakup_chunk  # noqa: PLC0415

    size = so_far.size = os.fstat(file.fileno()).st_size
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError
    while True:
        so_far.at = file.tell()
        opcode, length = _HEAD.unpack(file.read(_HEAD.size))
        if not 0 < opcode <= _LAST_OPCODE or length > size - file.tell():
            raise EOFError
        content = file.read(length)
        stream = ReadDataStream(BytesIO(content))
        if opcode == Opcode.CHUNK:
            for record in breakup_chunk(Chunk.read(stream), validate_crc=True):
                if isinstance(record, Message):
                    so_far.messages, so_far.last_ns = so_far.messages + 1, record.log_time
                    so_far.began_ns = record.log_time if so_far.began_ns is None else so_far.began_ns
                yield record
        elif opcode in (Opcode.HEADER, Opcode.METADATA):
            yield (Header if opcode == Opcode.HEADER else Metadata).read(stream)
        elif opcode == Opcode.DATA_END:
            so_far.ended = True
        elif opcode == Opcode.STATISTICS and Statistics.read(stream).message_count != so_far.messages:
            raise ValueError
        elif opcode == Opcode.FOOTER:
            if file.read() != _MAGIC:
                raise EOFError
            return


def broken() -> tuple[type[Exception], ...]:
    """What is raised where a file ends too early or does not hold."""
    import zstandard  # noqa: PLC0415
    from mcap.exceptions import McapError  # noqa: PLC0415

    return (McapError, EOFError, struct.error, ValueError, MemoryError, zstandard.ZstdError)


def trouble_of(path: Path, so_far: SoFar) -> Trouble:
    """What is wrong with a file that could be read so far and no further."""
    began_ns, last_ns = so_far.began_ns or 0, so_far.last_ns or 0
    after_s = (last_ns - began_ns) / NS_PER_S
    whole = _statistics(path) if path.stat().st_size == so_far.size else None
    if whole is not None and whole.message_count > so_far.messages:
        lost_s = (whole.message_end_time - (last_ns or whole.message_start_time)) / NS_PER_S
        lost = whole.message_count - so_far.messages
        return Trouble(True, after_s=after_s, lost_s=max(0.0, lost_s), lost_messages=lost, exact=True)
    if so_far.ended:
        return Trouble(False, index_only=True, after_s=after_s)
    if not so_far.at:
        return Trouble(False)  # no recording at all, perhaps an empty file, of which no map can be made
    with path.open("rb") as file, mmap.mmap(file.fileno(), so_far.size, access=mmap.ACCESS_READ) as data:
        behind = list(_chunks_from(data, so_far.at + 1))
        if behind:
            lost_s = (max(end_ns for end_ns, _ in behind) - (last_ns or behind[0][0])) / NS_PER_S
            lost = sum(messages for _, messages in behind)
            return Trouble(True, after_s=after_s, lost_s=max(0.0, lost_s), lost_messages=lost)
        return Trouble(not _ends_too_early(data, so_far.at), after_s=after_s)


def _chunks_from(data: mmap.mmap, at: int) -> Iterator[tuple[int, int]]:
    """When the last message of each whole chunk came that begins behind a place, and how many it has."""
    from mcap.data_stream import ReadDataStream  # noqa: PLC0415
    from mcap.opcode import Opcode  # noqa: PLC0415
    from mcap.records import Chunk, Message  # noqa: PLC0415
    from mcap.stream_reader import breakup_chunk  # noqa: PLC0415

    found = data.find(_ZSTD, at + _ZSTD_AT)
    while found >= 0:
        begins = found - _ZSTD_AT
        opcode, length = _HEAD.unpack_from(data, begins)
        ends = begins + _HEAD.size + length
        if opcode == Opcode.CHUNK and ends <= len(data):
            try:
                chunk = Chunk.read(ReadDataStream(BytesIO(data[begins + _HEAD.size : ends])))
                inside = breakup_chunk(chunk, validate_crc=True)
            except broken():
                pass
            else:
                yield chunk.message_end_time, sum(isinstance(one, Message) for one in inside)
                found = ends
        found = data.find(_ZSTD, found + 1)


def _ends_too_early(data: mmap.mmap, at: int) -> bool:
    """Whether the record that begins there lacks its end, or nothing was written there any more."""
    if len(data) < at + _HEAD.size:
        return True
    opcode, length = _HEAD.unpack_from(data, at)
    if not opcode:
        return not any(data[at:])
    return bool(opcode <= _LAST_OPCODE and at + _HEAD.size + length > len(data))


def _statistics(path: Path) -> Statistics | None:
    """What the end of the file says of the whole; None where it has no whole end."""
    from mcap.reader import SeekingReader  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            summary = SeekingReader(file, validate_crcs=True).get_summary()
    except broken():
        return None
    except OSError:  # too short to have an end
        return None
    return None if summary is None else summary.statistics
