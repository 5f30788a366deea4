"""Motion JPEG over HTTP (multipart/x-mixed-replace, parts as in RFC 2046): bytes in, parts out, without a socket.

Each part has headers of its own. A camera that knows when it took a frame says so in ``X-Mono-Ns`` (its monotonic
clock) and may number its frames in ``X-Frame``; both are optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from betline.clock_offset import ClockOffset
from betline.units import NS_PER_S

MAX_PART_BYTES = 8 * 1024 * 1024
MAX_HEADER_BYTES = 16 * 1024
MAX_AGE_NS = 5 * NS_PER_S
"""A frame that seems older, or of the future, was not stamped by our clock."""


class MjpegError(Exception):
    """What arrives is no motion JPEG; the text says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """One picture, still encoded, with its headers in lower case."""

    jpeg: bytes
    headers: Mapping[str, str]

    def number(self, name: str) -> int | None:
        """The value of a header that is a whole number, None where there is none."""
        text = self.headers.get(name.lower(), "").strip()
        return int(text) if text.isdecimal() else None


def boundary_of(content_type: str) -> bytes:
    """The line that separates the parts, from the Content-Type of the answer; raises MjpegError."""
    kind, *parameters = (word.strip() for word in content_type.split(";"))
    if kind.lower() != "multipart/x-mixed-replace":
        raise MjpegError(f"it answers with {content_type or 'no content type'}, not with motion JPEG")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "boundary" and value.strip('" '):
            return b"--" + value.strip('" ').removeprefix("--").encode("latin-1", "replace")
    raise MjpegError("it names no boundary between its pictures")


class Stamps:
    """Reads the times that a camera gives its frames on our monotonic clock.

    A camera on this machine has our clock. That of another machine is translated; its frames then seem to be younger
    than they are by what the quickest of them takes to be encoded and to come here.
    """

    def __init__(self, *, here: bool) -> None:
        self._here = here
        self._offset: ClockOffset | None = None

    def shown_ns(self, stamp_ns: int | None, arrived_ns: int) -> int:
        """When a frame was taken; when it arrived, where its camera does not say."""
        if stamp_ns is None:
            return arrived_ns
        if self._here and 0 <= arrived_ns - stamp_ns <= MAX_AGE_NS:
            return stamp_ns
        known = self._offset
        self._offset = ClockOffset.of(stamp_ns, arrived_ns) if known is None else known.after(stamp_ns, arrived_ns)
        return stamp_ns + self._offset.at(arrived_ns)


class PartReader:
    """Cuts a stream of bytes into parts, however the bytes arrive; memory is bounded."""

    def __init__(self, boundary: bytes) -> None:
        self._boundary = boundary
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Part]:
        """Takes bytes and yields the parts that they complete; raises MjpegError where a part grows too large."""
        self._buffer += data
        while (part := self._next()) is not None:
            yield part

    def _next(self) -> Part | None:
        start = self._buffer.find(self._boundary)
        if start < 0:
            del self._buffer[: max(0, len(self._buffer) - len(self._boundary))]
            return None
        head_end = self._buffer.find(b"\r\n\r\n", start)
        if head_end < 0:
            if len(self._buffer) - start > MAX_HEADER_BYTES:
                raise MjpegError("the headers of a picture have no end")
            return None
        lines = self._buffer[start + len(self._boundary) : head_end].decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = head_end + 4
        length = headers.get("content-length", "")
        if length.isdecimal():
            end = body + int(length)
            if int(length) > MAX_PART_BYTES:
                raise MjpegError(f"a picture of {length} bytes is too large")
            if len(self._buffer) < end:
                return None
        else:
            end = self._buffer.find(b"\r\n" + self._boundary, body)
            if end < 0:
                if len(self._buffer) - body > MAX_PART_BYTES:
                    raise MjpegError("a picture has no end")
                return None
        part = Part(bytes(self._buffer[body:end]), headers)
        del self._buffer[:end]
        return part
