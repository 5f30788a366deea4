"""Recordings of virtual runs, one a family, on a bad line: played back, the bridge reads the same tags from them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from betline.recordings import load_recording
from firmware_bridge.protocols.catalogue import FAMILIES
from tests.unit.virtual_readers.lines import read
from virtual_table.readers.playback import Playback

FOLDER = Path(__file__).parents[2] / "data" / "recordings"


def test_every_family_was_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(FAMILIES)


@pytest.mark.parametrize("speed", [1.0, 3.0, math.inf])
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_recording_is_read_like_the_reader_that_it_was_made_of(name: str, speed: float) -> None:
    recording = load_recording(FOLDER / f"{name}.jsonl")
    family, tags = FAMILIES[name], set(recording.header.note.split())
    assert (recording.header.protocol, recording.header.parity) == (name, family.traits.line.parity)
    notices: list[str] = []
    device = Playback(recording, notices.append, speed)
    rounds = read("memory", family, device, lambda rounds: len(rounds) >= 12, looks_again=False)
    assert len(rounds) >= 12
    assert all(heard == tags for heard in rounds)
    assert notices == [], "the bridge asks today what it asked when it was recorded"
