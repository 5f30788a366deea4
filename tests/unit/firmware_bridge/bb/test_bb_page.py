"""The frames that hardware_docs/protocols/bb.md shows are frames, and those that it calls wrong are none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.protocols.bb.frames import Frame, TagNotice, is_notice
from firmware_bridge.protocols.frame_error import FrameError

PAGE = Path(__file__).parents[4] / "hardware_docs" / "protocols" / "bb.md"
RIGHT, WRONG = (
    [bytes.fromhex(span) for span in re.findall(r"`(BB(?: [0-9A-F]{2})+)`", part)]
    for part in PAGE.read_text().split("## Published wrong")
)


def test_frames_of_the_page_are_frames() -> None:
    assert len(RIGHT) == 15
    for raw in RIGHT:
        frame = Frame.from_bytes(raw)
        assert frame.to_bytes() == raw
        if is_notice(frame):
            assert TagNotice.from_frame(frame).to_frame() == frame


def test_frames_that_the_page_calls_wrong_are_wrong() -> None:
    assert len(WRONG) == 4
    for raw in WRONG:
        with pytest.raises(FrameError):
            Frame.from_bytes(raw)
