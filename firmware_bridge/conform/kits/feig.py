"""FEIG OBID i-scan HF."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import ISO15693_AIR_MS, Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.protocols.feig.frames import Control, Reply, Request, reply_decoder
from firmware_bridge.protocols.feig.inventory import InventoryMode, decode_data_sets
from firmware_bridge.protocols.feig.status import CARRIES_DATA, Status
from firmware_bridge.protocols.frame_error import FrameError

_PAGE: Final = "hardware_docs/protocols/feig.md"
_MANUALS: Final = f"FEIG's manuals of the ID ISC family, as {_PAGE} gives them"
_DONE: Final = CARRIES_DATA | {Status.NO_TRANSPONDER}
_PROBE: Final = FeigFamily().probe


def _mode(request: bytes) -> InventoryMode | None:
    try:
        return InventoryMode.from_request(Request.from_bytes(request))
    except FrameError:
        return None


def _begins(request: bytes) -> bool:
    mode = _mode(request)
    return mode is not None and not mode.more


def _hear(reply: Reply, request: bytes) -> Heard:
    mode = _mode(request)
    tags: tuple[str, ...] = ()
    if mode is not None and reply.control == Control.ISO_HOST_COMMAND and reply.status in CARRIES_DATA:
        data = reply.data[:-1] if reply.status == Status.ISO_ERROR else reply.data
        try:
            sets = decode_data_sets(data, antenna_records=mode.antennas is not None)
        except FrameError:
            sets = ()
        tags = tuple(one.uid.hex().upper() for one in sets)
    return Heard(reply.to_bytes(), tags, refuses=reply.status not in _DONE)


def _ear() -> Ear:
    return CodecEar(reply_decoder(), _hear)


KIT: Final = Kit(
    name="feig",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -1),
    cut_request=_PROBE[:3],
    impossible_request=Request(Control.ISO_HOST_COMMAND, b"\xfe").to_bytes(),
    reckoning=Reckoning(fixed_ms=40.0, air_ms=ISO15693_AIR_MS, each_bytes=10),
    field_reset=(Request(Control.RF_RESET).to_bytes(),),
    soft_reset=Request(Control.CPU_RESET).to_bytes(),
    says={
        "answers": Said("Baud-rate detection (52) is answered at the right rate and parity only.", _MANUALS),
        "identity": Said(
            "65 tells the software version, 66 with mode 80 the serial number.", f"FEIG's SDK 4.06, {_PAGE}"
        ),
        "impossible-request": Said("Status 80 unknown command, 81 length error, 82 command not available.", _MANUALS),
        "damaged-request": Said("There is no reply to a malformed frame.", _MANUALS),
        "cut-request": Said("There is no reply to a malformed frame.", _MANUALS),
        "frames-intact": Said("Each frame ends with CRC-16/MCRF4XX, low byte first.", _MANUALS),
        "gaps": Said("Frames have no delimiter: 20 ms between two characters end one.", f"FEIG's library, {_PAGE}"),
        "duplicates": Said("A tag that was read is muted (Stay Quiet) until the RF reset.", _MANUALS),
        "answer-times": Said("TR-RESPONSE-TIME is 3 s as delivered.", _MANUALS),
        "field-reset": Said("RF reset (69) takes 10 to 30 ms, and every tag answers again.", _MANUALS),
        "soft-reset": Said("CPU reset (63) is acknowledged, and then the reader is deaf while it starts.", _MANUALS),
        "round-time": Said(
            "Reckoned: the air time of ISO 15693, an RF reset of up to 30 ms, and 10 bytes a tag.", _PAGE
        ),
        "strength": Said("RSSI is told with antenna selection only.", _MANUALS),
    },
)
