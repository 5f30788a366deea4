"""Any noise on the line costs no frame that comes after it, whatever the family, and no decoder grows by it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.fuzz_subjects import Subject, subjects
from firmware_bridge.protocols.bb.frames import MAX_PARAMETERS
from firmware_bridge.protocols.betline.frames import MAX_ENCODED
from firmware_bridge.protocols.feig.frames import MAX_ADVANCED
from firmware_bridge.protocols.sliding import GAP_MS

MAX_PENDING = {
    "feig": MAX_ADVANCED,
    "pn532": 600,
    "bb": 4 * (MAX_PARAMETERS + 7),
    "m6e": 4 * 255,
    "chafon": 4 * 255,
    "betline": 2 * MAX_ENCODED,
}


@pytest.mark.parametrize("subject", tuple(subjects()), ids=lambda one: one.name)
@given(st.lists(st.binary(max_size=40), max_size=20), st.randoms(use_true_random=False))
def test_any_noise_then_a_gap_then_a_frame(subject: Subject, pieces: list[bytes], rng: random.Random) -> None:
    raw = rng.choice(subject.frames)
    decoder, now_ms = subject.make(), 0.0
    for piece in pieces:
        decoder.feed(piece, now_ms)
        assert decoder.pending <= MAX_PENDING[subject.family]
        now_ms += rng.choice((0.0, 1.0, 25.0))
    if not subject.own_last_byte:
        now_ms += GAP_MS
    found = decoder.feed(raw, now_ms)
    if not subject.own_last_byte:
        found += decoder.feed(b"", now_ms + GAP_MS)
    assert found[-1:] == alone(subject, raw)


def alone(subject: Subject, raw: bytes) -> list[object]:
    """The frame that a fresh decoder finds in these bytes."""
    decoder = subject.make()
    found = [*decoder.feed(raw, 0.0), *decoder.feed(b"", GAP_MS)]
    assert len(found) == 1
    return found
