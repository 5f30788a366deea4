"""Chafon UHF readers."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import GEN2_AIR_MS, Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.chafon.frames import Command, Reply, Request, reply_decoder
from firmware_bridge.protocols.chafon.inventory import Layout, decode_records
from firmware_bridge.protocols.chafon.status import CARRIES_TAGS, Status
from firmware_bridge.protocols.frame_error import FrameError

_PAGE: Final = "hardware_docs/protocols/chafon.md"
_MANUALS: Final = f"manuals of UHFReader18 and of the UR series, as {_PAGE} gives them"
_OLDER_REQUEST: Final = len(Request(Command.INVENTORY).to_bytes())
_PROBE: Final = ChafonFamily().probe
_INVENTORY_DONE: Final = CARRIES_TAGS | {Status.NO_TAG}


def _begins(request: bytes) -> bool:
    return len(request) > 2 and request[2] == Command.INVENTORY


def _hear(reply: Reply, request: bytes) -> Heard:
    if reply.command == Command.ACTIVE:
        return Heard(reply.to_bytes())
    if reply.command != Command.INVENTORY:
        return Heard(reply.to_bytes(), refuses=reply.status != Status.OK)
    tags: tuple[str, ...] = ()
    if reply.status in CARRIES_TAGS:
        layout = Layout.OLDER if len(request) == _OLDER_REQUEST else Layout.NEWER
        try:
            tags = tuple(one.epc.hex().upper() for one in decode_records(reply.data, layout))
        except FrameError:
            tags = ()
    return Heard(reply.to_bytes(), tags, refuses=reply.status not in _INVENTORY_DONE)


def _ear() -> Ear:
    return CodecEar(reply_decoder(), _hear)


KIT: Final = Kit(
    name="chafon",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -1),
    cut_request=_PROBE[:3],
    impossible_request=Request(Command.INVENTORY, b"\x04").to_bytes(),
    reckoning=Reckoning(fixed_ms=10.0, air_ms=GEN2_AIR_MS, each_bytes=14),
    tells_serial=False,
    says={
        "answers": Said("21 asks what the reader is.", _MANUALS),
        "identity": Said("21 tells the version; the newer readers tell a serial number (4C) too.", _MANUALS),
        "impossible-request": Said("Status FD wrong length, FE illegal command, FF wrong parameter.", _MANUALS),
        "frames-intact": Said("Each frame ends with CRC-16/MCRF4XX, low byte first.", _MANUALS),
        "unasked": Said("Only in active mode are tags reported unasked (EE): set the reader to answer mode.", _MANUALS),
        "answer-times": Said("An inventory takes the time that was asked for at most; the bridge asks for 2 s.", _PAGE),
        "round-time": Said("Reckoned: the air time of Gen2 and 14 bytes a tag.", _PAGE),
        "strength": Said("RSSI from 0 to 255 on the reader's own scale; the older layout has none.", _MANUALS),
        "field-reset": Said("There is no such command; in session S0 tags answer in each inventory.", _MANUALS),
        "soft-reset": Said("No such command is documented.", _MANUALS),
    },
)
