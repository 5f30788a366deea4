"""NXP PN532 on its serial line."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.commands import FIELD_OFF, FIELD_ON
from firmware_bridge.protocols.pn532.decoder import SettledDecoder
from firmware_bridge.protocols.pn532.family import Pn532Family
from firmware_bridge.protocols.pn532.frames import Code, Command, Frame, Response, Signal, from_bytes
from firmware_bridge.protocols.pn532.targets import ListTargets, decode_targets

_PAGE: Final = "hardware_docs/protocols/pn532.md"
_MANUAL: Final = f"NXP's user manual UM0701-02 (141520), as {_PAGE} gives it"
_NO_SUCH_COMMAND: Final = 0x9E
_PROBE: Final = Pn532Family().probe


def _begins(request: bytes) -> bool:
    return request == FIELD_OFF.to_bytes()


def _hear(frame: Frame, request: bytes) -> Heard:
    tags: tuple[str, ...] = ()
    if isinstance(frame, Response) and frame.code == Code.IN_LIST_PASSIVE_TARGET:
        try:
            asked = from_bytes(request)
            if isinstance(asked, Command):
                search = ListTargets.from_command(asked)
                tags = tuple(one.uid.hex().upper() for one in decode_targets(frame.data, search.modulation))
        except FrameError:
            tags = ()
    return Heard(frame.to_bytes().strip(b"\0"), tags, refuses=frame is Signal.ERROR)


def _ear() -> Ear:
    return CodecEar(SettledDecoder(echo=Command), _hear)


KIT: Final = Kit(
    name="pn532",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -2),
    cut_request=_PROBE[:-4],
    impossible_request=Command(_NO_SUCH_COMMAND).to_bytes(),
    reckoning=Reckoning(fixed_ms=65.0, air_ms=None, each_ms=11.0),
    field_reset=(FIELD_OFF.to_bytes(), FIELD_ON.to_bytes()),
    tells_serial=False,
    says={
        "answers": Said("The chip sleeps until it is woken, and acknowledges each command before it answers.", _MANUAL),
        "identity": Said("GetFirmwareVersion tells chip and version; there is no serial number.", _MANUAL),
        "impossible-request": Said("The ERROR frame, 7F.", _MANUAL),
        "damaged-request": Said("A damaged command is not acknowledged.", _MANUAL),
        "cut-request": Said("A damaged command is not acknowledged.", _MANUAL),
        "frames-intact": Said("LEN and LCS add up to 00, TFI to DCS too.", _MANUAL),
        "answer-times": Said("The ACK comes within 15 ms.", _MANUAL),
        "duplicates": Said("A card that was put to sleep is not listed again until the field was off.", _PAGE),
        "round-time": Said("Reckoned: two cards a list, 30 cards in 0.38 s, 60 in 0.71 s.", _PAGE),
        "field-reset": Said("RFConfiguration 01 switches the field; cards wake when it comes back.", _MANUAL),
        "soft-reset": Said("There is no such command on the serial line.", _MANUAL),
        "strength": Said("The chip tells no RSSI.", _MANUAL),
    },
)
