"""Readers that know the published frames and no more: what a clone, an old firmware or another's simulator does.

They are written in bytes, without our codecs: what both ends of ours believe alike would not show. A command that is
not in their list is not answered (`mute`), or answered with the family's "unknown command".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Answer = Callable[[bytes], list[bytes]]


def crc_mcrf4xx(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc.to_bytes(2, "little")


def crc_thingmagic(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            top = crc >> 15
            crc = (crc << 1 | byte >> bit & 1) & 0xFFFF
            if top:
                crc ^= 0x1021
    return crc.to_bytes(2, "big")


def crc_gen2(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return (crc ^ 0xFFFF).to_bytes(2, "big")


@dataclass
class PlainReader:
    """Frames are cut by `length_of(buffer)` (0: more is needed); `answer(frame)` gives the frames that come back."""

    length_of: Callable[[bytes], int]
    answer: Answer
    takes_ms: float = 5.0
    heard: list[bytes] = field(default_factory=list)
    _buffer: bytes = b""

    next_ms: float | None = None

    def power_on(self, now_ms: float) -> None:
        self._buffer = b""

    def speak(self, now_ms: float) -> list[tuple[float, bytes]]:
        return []

    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        self._buffer += data
        pieces: list[tuple[float, bytes]] = []
        while self._buffer and (length := self.length_of(self._buffer)) and length <= len(self._buffer):
            frame, self._buffer = self._buffer[:length], self._buffer[length:]
            self.heard.append(frame)
            pieces += [(self.takes_ms, reply) for reply in self.answer(frame)]
        return pieces


def feig(uids: Sequence[str], *, mute: bool) -> PlainReader:
    """Inventory only, standard frames."""

    def answer(frame: bytes) -> list[bytes]:
        def reply(control: int, status: int, data: bytes = b"") -> bytes:
            body = bytes((len(data) + 6, 0, control, status)) + data
            return body + crc_mcrf4xx(body)

        if frame[2:4] != b"\xb0\x01":
            return [] if mute else [reply(frame[2], 0x80)]
        if not uids:
            return [reply(0xB0, 0x01)]
        sets = b"".join(b"\x03\x00" + bytes.fromhex(uid) for uid in uids)
        return [reply(0xB0, 0x00, bytes((len(uids),)) + sets)]

    return PlainReader(lambda buffer: buffer[0], answer)


def pn532(uids: Sequence[str], *, mute: bool) -> PlainReader:
    """SAMConfiguration, GetFirmwareVersion, RFConfiguration, InListPassiveTarget at 106 kbit/s; cards never sleep."""
    known = {0x14, 0x02, 0x32, 0x4A}

    def frame_of(body: bytes) -> bytes:
        return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))

    def length_of(buffer: bytes) -> int:
        start = buffer.find(b"\x00\xff")
        if start < 0 or start + 4 > len(buffer):
            return 0
        if buffer[start + 2 : start + 4] in (b"\x00\xff", b"\xff\x00"):
            return start + 4
        return start + buffer[start + 2] + 5

    def answer(frame: bytes) -> list[bytes]:
        start = frame.find(b"\x00\xff")
        body = frame[start + 4 : -1]
        if len(body) < 2 or body[0] != 0xD4:
            return []
        ack = bytes.fromhex("0000FF00FF00")
        code = body[1]
        if code not in known:
            return [] if mute else [ack, bytes.fromhex("0000FF01FF7F8100")]
        data = b""
        if code == 0x02:
            data = bytes.fromhex("32010607")
        if code == 0x4A:
            cards = uids[: body[2]] if body[3] == 0 else []
            data = bytes((len(cards),)) + b"".join(
                bytes((number, 0, 4, 8, len(uid) // 2)) + bytes.fromhex(uid) for number, uid in enumerate(cards, 1)
            )
        return [ack, frame_of(bytes((0xD5, code + 1)) + data)]

    return PlainReader(length_of, answer)


def bb(uids: Sequence[str], *, mute: bool, polls: frozenset[int] = frozenset({0x22, 0x27})) -> PlainReader:
    """Single poll, and multiple poll with its stop command."""

    def frame_of(kind: int, command: int, data: bytes) -> bytes:
        body = bytes((kind, command)) + len(data).to_bytes(2, "big") + data
        return b"\xbb" + body + bytes((sum(body) & 0xFF, 0x7E))

    def notices() -> list[bytes]:
        if not uids:
            return [frame_of(1, 0xFF, b"\x15")]
        told = []
        for uid in uids:
            epc = (len(uid) // 4 << 11).to_bytes(2, "big") + bytes.fromhex(uid)
            told.append(frame_of(2, 0x22, b"\xc9" + epc + crc_gen2(epc)))
        return told

    def length_of(buffer: bytes) -> int:
        return int.from_bytes(buffer[3:5], "big") + 7 if len(buffer) >= 5 else 0

    def answer(frame: bytes) -> list[bytes]:
        command = frame[2]
        if command == 0x22 and 0x22 in polls:
            return notices()
        if command == 0x27 and 0x27 in polls:
            return notices() * 12
        if command == 0x28 and 0x27 in polls:
            return [frame_of(1, 0x28, b"\x00")]
        return [] if mute else [frame_of(1, 0xFF, b"\x17")]

    return PlainReader(length_of, answer)


def m6e(uids: Sequence[str], *, mute: bool, single: bool) -> PlainReader:
    """Version, region, and either single reads (one tag at a time, in turn) or continuous reading."""
    turn = [0]

    def response(opcode: int, status: int, data: bytes = b"") -> bytes:
        body = bytes((len(data), opcode)) + status.to_bytes(2, "big") + data
        return b"\xff" + body + crc_thingmagic(body)

    def record(uid: str) -> bytes:
        epc = (len(uid) // 4 << 11).to_bytes(2, "big") + bytes.fromhex(uid)
        epc += crc_gen2(epc)
        head = bytes.fromhex("10001B01FF01") + bytes.fromhex("01C4110E16400000012700000500000F")
        return head[:22] + (len(epc) * 8).to_bytes(2, "big") + epc

    def answer(frame: bytes) -> list[bytes]:
        opcode = frame[2]
        if opcode == 0x03:
            return [response(3, 0, bytes.fromhex("10230001000003201410070107020900000010".ljust(40, "0")))]
        if opcode in (0x97, 0x91, 0x93, 0x92, 0x9A):
            return [response(opcode, 0)]
        if opcode == 0x21 and single:
            if not uids:
                return [response(0x21, 0x0400)]
            uid = uids[turn[0] % len(uids)]
            turn[0] += 1
            epc = bytes.fromhex(uid)
            pc = (len(uid) // 4 << 11).to_bytes(2, "big")
            return [response(0x21, 0, epc + crc_gen2(pc + epc))]
        if opcode == 0x2F and not single:
            if frame[5] == 2:
                return [response(0x2F, 0, b"\x00\x00\x02")]
            told = [response(0x22, 0, record(uid)) for uid in uids] or [response(0x22, 0x0400)]
            return [response(0x2F, 0), *(told * 10)]
        return [] if mute else [response(opcode, 0x0101)]

    return PlainReader(lambda buffer: buffer[1] + 5 if len(buffer) > 1 else 0, answer)


def chafon(uids: Sequence[str], *, mute: bool, newer: bool) -> PlainReader:
    """Inventory only, in one of its two layouts."""

    def reply(command: int, status: int, data: bytes = b"") -> bytes:
        body = bytes((len(data) + 5, 0, command, status)) + data
        return body + crc_mcrf4xx(body)

    def answer(frame: bytes) -> list[bytes]:
        is_newer = len(frame) > 5
        if frame[2] != 0x01 or is_newer != newer:
            return [] if mute else [reply(frame[2], 0xFE)]
        if not uids:
            return [reply(0x01, 0xFB)]
        tags = b"".join(bytes((len(uid) // 2,)) + bytes.fromhex(uid) + (b"\x4b" if newer else b"") for uid in uids)
        return [reply(0x01, 0x01, (b"\x01" if newer else b"") + bytes((len(uids),)) + tags)]

    return PlainReader(lambda buffer: buffer[0] + 1, answer)
