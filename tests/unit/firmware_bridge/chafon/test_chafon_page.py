"""The frames that hardware_docs/protocols/chafon.md shows are frames; FEIG's and the heartbeat are none."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge.protocols.chafon.frames import reply_decoder, request_decoder
from firmware_bridge.protocols.crc16 import crc_holds

PAGE = Path(__file__).parents[4] / "hardware_docs" / "protocols" / "chafon.md"
SHOWN = [bytes.fromhex(span) for span in re.findall(r"`([0-9A-F]{2}(?: [0-9A-F]{2}){4,})`", PAGE.read_text())]
NO_FRAMES = [bytes.fromhex("06 00 B0 01 5C 63"), bytes.fromhex("56 00 00 00 00 00")]


def test_frames_of_the_page_are_frames_of_one_direction() -> None:
    assert len(SHOWN) >= 14
    assert all(raw in SHOWN for raw in NO_FRAMES)
    for raw in SHOWN:
        taken = [decoder.feed(raw, 0.0) for decoder in (reply_decoder(), request_decoder())]
        assert any(taken) == (raw not in NO_FRAMES)
        if any(taken):
            assert crc_holds(raw)
            assert raw[0] == len(raw) - 1
