"""Example frames of the wire format: hardware_docs/firmware.md shows them, a test holds it to them."""

from __future__ import annotations

from firmware_bridge.protocols.betline.frames import Frame
from firmware_bridge.protocols.betline.messages import (
    PACE_OFF,
    Ack,
    Board,
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
    Result,
    Snapshot,
    SnapshotFlag,
)

BOOT = 0x1A2B3C4D
UID = bytes.fromhex("E004015306A22D70")
OTHER = bytes.fromhex("E004015306A22D80")
ALL = Capability.ISO15693 | Capability.RSSI | Capability.LED


# What the host says has no boot_id and tells no time.
_SAID: tuple[tuple[str, Message, int, int], ...] = (
    ("HELLO", Hello(1, 0, Board.RP2040, 3, 1, 240, ALL, "BL-0042"), 0, 12),
    ("SNAPSHOT, no tag", Snapshot(6, 1, SnapshotFlag(0), 22), 8, 500),
    (
        "SNAPSHOT, 2 tags",
        Snapshot(7, 1, SnapshotFlag.READ, 68, (Record(UID, 201, 8, 0), Record(OTHER, 96, 5, 250))),
        9,
        900,
    ),
    ("HEALTH", Health(1000, 4, 0, 1, 0, 0, 0, 314), 10, 1000),
    ("ACK 5, ok", Ack(5, Result.OK), 11, 1001),
    ("IDENTIFY", Identify(1), 1, 0),
    ("READ, antenna 1", Read(5, 1), 2, 0),
    ("PACE, all, off", Pace(6, 0, PACE_OFF), 3, 0),
    ("FIELD on", Field(7, True), 4, 0),
    ("LED green", Led(8, 0, 255, 0), 5, 0),
    ("REBOOT", Reboot(9), 6, 0),
)
EXAMPLES = {
    name: (message, Frame(message.TYPE, message.to_payload(), seq, BOOT if message.TYPE < Identify.TYPE else 0, t_ms))
    for name, message, seq, t_ms in _SAID
}


def row(name: str) -> str:
    """The row of an example in the page's table."""
    return f"| {name} | `{EXAMPLES[name][1].to_bytes().hex(' ').upper()}` |"
