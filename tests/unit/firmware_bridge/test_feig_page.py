"""The frames that hardware_docs/protocols/feig.md shows are frames."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge.protocols.feig.frames import reply_decoder, request_decoder

PAGE = Path(__file__).parents[3] / "hardware_docs" / "protocols" / "feig.md"
SHOWN = [bytes.fromhex(span) for span in re.findall(r"`([0-9A-F]{2}(?: [0-9A-F]{2}){4,})`", PAGE.read_text())]


def test_frames_of_the_page_are_frames() -> None:
    assert len(SHOWN) >= 18
    for raw in SHOWN:
        taken = [decoder.feed(raw, 0.0) for decoder in (reply_decoder(), request_decoder())]
        assert any([frame.to_bytes() for frame in frames] == [raw] for frames in taken)
