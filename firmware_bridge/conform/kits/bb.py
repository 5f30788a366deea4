"""UHF modules that speak BB..7E."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import GEN2_AIR_MS, Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.bb.commands import NO_TAG
from firmware_bridge.protocols.bb.family import BbFamily
from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType, TagNotice, is_notice, reply_decoder

_PAGE: Final = "hardware_docs/protocols/bb.md"
_MANUAL: Final = f"the modules' command manual, as {_PAGE} gives it"
_NO_SUCH_COMMAND: Final = 0xEE
_PROBE: Final = BbFamily().probe


def _begins(request: bytes) -> bool:
    return len(request) > 2 and request[2] in (Command.SINGLE_POLL, Command.MULTIPLE_POLL)


def _hear(frame: Frame, request: bytes) -> Heard:  # noqa: ARG001 -- a notice says by itself what it is
    if is_notice(frame):
        return Heard(frame.to_bytes(), (TagNotice.from_frame(frame).epc.hex().upper(),))
    refuses = frame.command == Command.ERROR and frame.parameters != bytes((NO_TAG,))
    return Heard(frame.to_bytes(), refuses=refuses)


def _ear() -> Ear:
    return CodecEar(reply_decoder(), _hear)


KIT: Final = Kit(
    name="bb",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -2),
    cut_request=_PROBE[:4],
    impossible_request=Frame(FrameType.COMMAND, _NO_SUCH_COMMAND).to_bytes(),
    reckoning=Reckoning(fixed_ms=60.0, air_ms=GEN2_AIR_MS, sweeps=2.0),
    repeats=True,
    tells_serial=False,
    says={
        "answers": Said("03 asks for a version.", _MANUAL),
        "identity": Said("03 tells the version of the software; there is no serial number.", _MANUAL),
        "impossible-request": Said("Error 17: it does not know the command.", _MANUAL),
        "frames-intact": Said("The sum of TYPE to the last parameter, and 7E; a tag has its own CRC-16.", _MANUAL),
        "duplicates": Said("A multiple poll reports each tag again and again until it is stopped.", _MANUAL),
        "round-time": Said("Reckoned: each tag is polled twice on the air of Gen2.", _PAGE),
        "strength": Said("RSSI is a signed byte in dBm.", _MANUAL),
        "field-reset": Said("There is no such command; in session S0 tags answer in each poll.", _MANUAL),
        "soft-reset": Said("No such command is documented.", _MANUAL),
    },
)
