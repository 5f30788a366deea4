"""Faults of a line: what they do to frames, by the plan's chances and with the plan's dice."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from virtual_table.readers.faults import PERFECT, FaultDice, FaultPlan, Piece

FRAME = bytes(range(20))


def struck(plan: FaultPlan, *frames: Piece, seed: int = 1) -> list[Piece]:
    return FaultDice(plan, random.Random(seed)).strike(frames)


def bits_changed(one: bytes, other: bytes) -> int:
    return sum((a ^ b).bit_count() for a, b in zip(one, other, strict=True))


def test_perfect_line_changes_nothing() -> None:
    assert struck(PERFECT, (3.0, FRAME), (9.0, b"\x01")) == [(3.0, FRAME), (9.0, b"\x01")]


def test_merged_frame_comes_in_one_write_with_the_next() -> None:
    plan = FaultPlan(merged=0.5)
    frames = [(float(number), bytes((number,)) * 4) for number in range(100)]
    pieces = struck(plan, *frames)
    sent = b"".join(data for _, data in pieces)
    assert sent == b"".join(data for _, data in frames)[: len(sent)]
    assert 30 < len(pieces) < 70
    assert all(delay_ms == data[-1] for delay_ms, data in pieces), "each comes when its last frame was due"


def test_frame_that_is_held_back_for_ever_never_comes() -> None:
    assert struck(FaultPlan(merged=1.0), (1.0, FRAME), (2.0, FRAME)) == []


def test_deaf_reader_hears_one_bit_wrong() -> None:
    dice = FaultDice(FaultPlan(deaf=1.0), random.Random(1))
    assert bits_changed(dice.heard(FRAME), FRAME) == 1
    assert dice.heard(b"") == b""
    assert FaultDice(PERFECT, random.Random(1)).heard(FRAME) == FRAME


def test_faults_come_as_often_as_planned() -> None:
    frames = [(0.0, FRAME)] * 4000
    assert len(struck(FaultPlan(silence=0.2), *frames)) == pytest.approx(3200, abs=100)
    late = [delay_ms for delay_ms, _ in struck(FaultPlan(late=0.1, late_ms=900.0), *frames)]
    assert set(late) == {0.0, 900.0}
    assert late.count(900.0) == pytest.approx(400, abs=70)


def test_a_frame_of_one_byte_is_neither_cut_nor_split() -> None:
    assert struck(FaultPlan(truncate=1.0, split=1.0), (0.0, b"\x07")) == [(0.0, b"\x07")]


@given(
    st.builds(
        FaultPlan, **{name: st.sampled_from([0.0, 0.4, 1.0]) for name in ("garbage", "damage", "truncate", "split")}
    ),
    st.lists(st.binary(min_size=1, max_size=40), max_size=8),
    st.integers(0, 99),
)
def test_whatever_is_planned_the_pieces_come_in_order_and_alike_for_one_seed(
    plan: FaultPlan, frames: list[bytes], seed: int
) -> None:
    given_pieces = [(float(10 * number), frame) for number, frame in enumerate(frames)]
    pieces = struck(plan, *given_pieces, seed=seed)
    assert pieces == struck(plan, *given_pieces, seed=seed)
    assert [delay_ms for delay_ms, _ in pieces] == sorted(delay_ms for delay_ms, _ in pieces)
    assert len(pieces) >= len(frames)


@pytest.mark.parametrize("wrong", [{"damage": 1.1}, {"late": -0.1}, {"late_ms": -5}, {"dammage": 0.1}])
def test_chances_that_are_none_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        FaultPlan(**wrong)
