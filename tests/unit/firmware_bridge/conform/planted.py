"""Faults planted in virtual readers, beyond those of their own fault plans."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.protocols.chafon.frames import Reply as ChafonReply
from firmware_bridge.protocols.chafon.inventory import Layout, decode_records, encode_records
from firmware_bridge.protocols.chafon.inventory import TagRecord as ChafonTag
from firmware_bridge.protocols.feig.frames import Control
from firmware_bridge.protocols.feig.frames import Reply as FeigReply
from firmware_bridge.protocols.frame_error import FrameError
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import Piece


class Within:
    """A device that does what the one within does."""

    def __init__(self, device: SerialDevice) -> None:
        self.device = device

    def power_on(self, now_ms: float) -> None:
        self.device.power_on(now_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return self.device.receive(data, now_ms)

    @property
    def next_ms(self) -> float | None:
        return self.device.next_ms

    def speak(self, now_ms: float) -> list[Piece]:
        return self.device.speak(now_ms)


class DeafAfter(Within):
    """Obeys `trigger`, and neither hears nor speaks for so long after it."""

    def __init__(self, device: SerialDevice, trigger: bytes, for_ms: float = 60_000.0) -> None:
        super().__init__(device)
        self._trigger = trigger
        self._for_ms = for_ms
        self._until_ms = 0.0

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        if now_ms < self._until_ms:
            return []
        pieces = self.device.receive(data, now_ms)
        if self._trigger in data:
            self._until_ms = now_ms + self._for_ms
        return pieces

    def speak(self, now_ms: float) -> list[Piece]:
        pieces = self.device.speak(now_ms)
        return [] if now_ms < self._until_ms else pieces


class Careless(Within):
    """Takes `bad` for `good`: it looks at no checksum."""

    def __init__(self, device: SerialDevice, bad: bytes, good: bytes) -> None:
        super().__init__(device)
        self._bad, self._good = bad, good

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return self.device.receive(self._good if data == self._bad else data, now_ms)


class Chatty(Within):
    """Sends `frame` every 400 ms, whoever asks for what."""

    def __init__(self, device: SerialDevice, frame: bytes) -> None:
        super().__init__(device)
        self._frame = frame
        self._next_ms = 400.0

    @property
    def next_ms(self) -> float | None:
        within = self.device.next_ms
        return self._next_ms if within is None else min(within, self._next_ms)

    def speak(self, now_ms: float) -> list[Piece]:
        within = self.device.next_ms
        pieces = self.device.speak(now_ms) if within is not None and within <= now_ms else []
        if now_ms >= self._next_ms:
            self._next_ms = now_ms + 400.0
            pieces = [*pieces, (0.0, self._frame)]
        return pieces


class Rewriting(Within):
    """Sends other frames than the device within."""

    def __init__(self, device: SerialDevice, rewrite: Callable[[bytes], bytes]) -> None:
        super().__init__(device)
        self._rewrite = rewrite

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [(at_ms, self._rewrite(frame)) for at_ms, frame in self.device.receive(data, now_ms)]


def feig_twice(frame: bytes) -> bytes:
    """The first tag of an inventory (10 bytes a set) is reported twice."""
    reply = FeigReply.from_bytes(frame)
    if reply.control != Control.ISO_HOST_COMMAND or not reply.data:
        return frame
    data = bytes((reply.data[0] + 1,)) + reply.data[1:] + reply.data[1:11]
    return FeigReply(reply.control, reply.status, data, reply.address, advanced=True).to_bytes()


def feig_nameless(frame: bytes) -> bytes:
    """The question for the version is refused."""
    reply = FeigReply.from_bytes(frame)
    if reply.control != Control.SOFTWARE_VERSION:
        return frame
    return FeigReply(reply.control, 0x80, b"", reply.address).to_bytes()


def chafon_twice(chain: bytes) -> bytes:
    """The last tag of each frame of a chain is reported twice."""
    frames, at = [], 0
    while at < len(chain):
        end = at + chain[at] + 1
        frames.append(_chafon_frame_twice(chain[at:end]))
        at = end
    return b"".join(frames)


def _chafon_frame_twice(frame: bytes) -> bytes:
    reply = ChafonReply.from_bytes(frame)
    try:
        tags = decode_records(reply.data, Layout.NEWER) if reply.command == 0x01 else ()
    except FrameError:
        tags = ()
    if not tags:
        return frame
    twice: tuple[ChafonTag, ...] = (*tags, tags[-1])
    return ChafonReply(reply.command, reply.status, encode_records(twice, Layout.NEWER), reply.address).to_bytes()
