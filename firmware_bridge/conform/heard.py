"""Frames in what a reader sent: each with its bytes, the tags that it reports, and what kind of answer it is. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from firmware_bridge.protocols.family import LineCounters

FrameT = TypeVar("FrameT")


@dataclass(frozen=True, slots=True)
class Heard:
    """One undamaged frame of a reader."""

    raw: bytes
    """Its bytes as they were on the line, without what may stand around it."""
    tags: tuple[str, ...] = ()
    """The tags that it reports, each as often as it is there; the same tag on another antenna has another name."""
    refuses: bool = False
    """It says that the request was not understood or not carried out."""
    unasked: bool = False
    """A reader of this family may send it without being asked."""


class Decoder(Protocol[FrameT]):
    """What the decoders of the families have in common."""

    @property
    def counters(self) -> LineCounters: ...

    def feed(self, data: bytes, now_ms: float) -> list[FrameT]: ...

    def end_of_request(self) -> list[FrameT]: ...


class Ear(Protocol):
    """Hears the frames of one reader."""

    @property
    def damaged(self) -> int:
        """How many frames failed their checksum so far."""
        ...

    def asked(self, request: bytes) -> None:
        """The host sends `request`."""
        ...

    def end(self) -> list[Heard]:
        """Nothing more comes: frames that were held back until now; unfinished ones are dropped."""
        ...

    def feed(self, data: bytes, now_ms: float) -> list[Heard]:
        """The frames that are complete with `data`, which came at `now_ms`; empty `data`: nothing came until then."""
        ...


class CodecEar(Generic[FrameT]):
    """An ear made of a family's decoder; `hear` says what a frame is, given the request before it."""

    def __init__(self, decoder: Decoder[FrameT], hear: Callable[[FrameT, bytes], Heard]) -> None:
        self._decoder = decoder
        self._hear = hear
        self._request = b""

    @property
    def damaged(self) -> int:
        return self._decoder.counters.crc_errors

    def asked(self, request: bytes) -> None:
        self._request = request

    def end(self) -> list[Heard]:
        return [self._hear(frame, self._request) for frame in self._decoder.end_of_request()]

    def feed(self, data: bytes, now_ms: float) -> list[Heard]:
        return [self._hear(frame, self._request) for frame in self._decoder.feed(data, now_ms)]
