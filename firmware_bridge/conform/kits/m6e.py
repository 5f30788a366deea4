"""ThingMagic M6e and its relatives."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response, reply_decoder
from firmware_bridge.protocols.m6e.search import buffered
from firmware_bridge.protocols.m6e.status import Status

_PAGE: Final = "hardware_docs/protocols/m6e.md"
_DRIVER: Final = f"the vendor's open driver (MercuryAPI), as {_PAGE} gives it"
_PROBE: Final = M6eFamily().probe


def _begins(request: bytes) -> bool:
    return len(request) > 2 and request[2] == Opcode.CLEAR_TAG_BUFFER


def _hear(response: Response, request: bytes) -> Heard:  # noqa: ARG001 -- a response says by itself what it is
    tags: tuple[str, ...] = ()
    if response.opcode == Opcode.GET_TAG_BUFFER and not response.status:
        try:
            tags = tuple(one.epc.hex().upper() for one in buffered(response))
        except FrameError:
            tags = ()
    return Heard(response.to_bytes(), tags, refuses=response.status not in (Status.OK, Status.NO_TAGS))


def _ear() -> Ear:
    return CodecEar(reply_decoder(), _hear)


KIT: Final = Kit(
    name="m6e",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -1),
    cut_request=_PROBE[:3],
    impossible_request=Command(Opcode.READ_DATA).to_bytes(),
    reckoning=Reckoning(fixed_ms=95.0, air_ms=None, each_ms=11.0),
    tells_serial=False,
    says={
        "answers": Said("03 asks for the version; bootloader and firmware both answer.", _DRIVER),
        "identity": Said(
            "03 tells the version of the firmware, 10 the serial number on modules that have one.", _DRIVER
        ),
        "impossible-request": Said(
            "A status other than 0: wrong length (0100), unknown opcode (0101), wrong parameter (0105).", _DRIVER
        ),
        "frames-intact": Said("Each frame ends with the module's own CRC-16, high byte first.", _DRIVER),
        "unasked": Said("Only in continuous reading are tags and a sign of life sent unasked.", _DRIVER),
        "duplicates": Said("The buffer has each tag once; clearing it begins anew.", _DRIVER),
        "round-time": Said("Reckoned: a search of 60 ms and 8 ms a tag, and fetching the tags.", _PAGE),
        "strength": Said("RSSI is a signed byte in dBm.", _DRIVER),
        "field-reset": Said("There is no such command.", _DRIVER),
        "soft-reset": Said("No such command is documented here.", _PAGE),
    },
)
