"""Random messages of the wire format."""

from __future__ import annotations

import random

from firmware_bridge.protocols.betline.frames import Frame
from firmware_bridge.protocols.betline.messages import (
    Ack,
    Capability,
    Field,
    Health,
    Hello,
    Identify,
    Led,
    Message,
    Pace,
    Read,
    Reboot,
    Record,
    Snapshot,
    SnapshotFlag,
)

PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def random_message(rng: random.Random) -> Message:
    def number(bits: int) -> int:
        """Any number of so many bits; the extremes, and zero bytes, are as likely as the rest."""
        return rng.choice((0, (1 << bits) - 1, rng.getrandbits(bits), rng.getrandbits(bits) & 0xFF))

    def record() -> Record:
        uid = rng.choice((bytes(8), b"\xff" * 8, rng.randbytes(8), rng.randbytes(4) + bytes(4)))
        return Record(uid, number(8), number(8), number(16))

    kind = rng.randrange(10)
    if kind == 0:
        serial = "".join(rng.choices(PRINTABLE, k=rng.choice((0, 1, 8, 32))))
        numbers = [number(8) for _ in range(6)]
        return Hello(*numbers, Capability(number(16)), serial)
    if kind == 1:
        count = rng.choice((0, 1, 2, 19, 20, 60, 119, 120))
        records = tuple(record() for _ in range(count))
        return Snapshot(number(32), number(8), SnapshotFlag(number(8)), number(16), records)
    if kind == 2:
        counts = [number(32) for _ in range(6)]
        return Health(*counts, number(16), number(16) - (1 << 15))
    commands = (
        Ack(number(16), number(8)),
        Identify(number(16)),
        Read(number(16), number(8)),
        Pace(number(16), number(8), number(16)),
        Field(number(16), rng.random() < 0.5),
        Led(number(16), number(8), number(8), number(8)),
        Reboot(number(16)),
    )
    return commands[kind - 3]


def random_frame(rng: random.Random) -> tuple[Message, Frame]:
    message = random_message(rng)
    seq, boot_id, t_ms = rng.getrandbits(16), rng.getrandbits(32), rng.choice((0, rng.getrandbits(32)))
    return message, Frame(message.TYPE, message.to_payload(), seq, boot_id, t_ms)
