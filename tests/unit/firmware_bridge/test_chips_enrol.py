"""What of a stack is enrolled, what is refused with its name, and undo."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.chips.enrol import Enrolment, Wanted
from firmware_bridge.chips.record import Chip, ChipState, RegisterError, replayed
from firmware_bridge.chips.stack import Stack
from tests.unit.firmware_bridge.test_chips_stack import UIDS, after, over

RED = Enrolment(Wanted("red-5", "first", 20))


def stable(uids: list[str]) -> Stack:
    return after(*[uids] * 12)


def known(uid: str, chip_type: str, state: ChipState = ChipState.ACTIVE, reason: str = "") -> dict[str, Chip]:
    return {uid: Chip(uid, chip_type, state, reason=reason)}


def test_a_stable_stack_of_new_chips_is_enrolled_with_type_batch_and_kind() -> None:
    chips = replayed(RED.changes(stable(UIDS), {}, 5, "ann"))
    assert set(chips) == set(UIDS)
    assert set(chips.values()) == {
        Chip(uid, "red-5", batch="first", kind="iso15693", enrolled_ms=5, enrolled_by="ann") for uid in UIDS
    }


def test_chips_that_have_the_type_already_are_counted_and_not_enrolled_again() -> None:
    before = known(UIDS[3], "red-5")
    changes = RED.changes(stable(UIDS), before, 5, "ann")
    assert {change.uid for change in changes} == set(UIDS) - {UIDS[3]}
    assert "19 new, 1 already red-5" in RED.progress(stable(UIDS), before)


@pytest.mark.parametrize(
    ("foreign", "words"),
    [
        (known(UIDS[3], "blue-10"), f"blue-10 {UIDS[3]}"),
        (known(UIDS[3], "red-5", ChipState.RETIRED, "worn"), f"red-5 {UIDS[3]}, retired \\(worn\\)"),
        (known(UIDS[3], "red-5", ChipState.HOT), f"red-5 {UIDS[3]}, hot"),
    ],
)
def test_a_foreign_chip_is_named_and_nothing_of_its_stack_is_enrolled(foreign: dict[str, Chip], words: str) -> None:
    with pytest.raises(RegisterError, match=words):
        RED.changes(stable(UIDS), foreign, 5, "ann")


@pytest.mark.parametrize(
    ("stack", "words"),
    [
        (after(*[UIDS] * 3), "Not stable yet"),
        (stable(UIDS[:19]), "19 chips lie on the reader, 20 were expected"),
        (Stack(), "No chip lies on the reader"),
        (after(*[UIDS if number % 3 == 0 else UIDS[:19] for number in range(20)]), "Not sure of 1 chip"),
        (stable(UIDS).after(over(UIDS, "rf_warning")), "Not stable yet"),
    ],
)
def test_what_is_not_sure_is_not_enrolled(stack: Stack, words: str) -> None:
    with pytest.raises(RegisterError, match=words):
        RED.changes(stack, {}, 5, "ann")


def test_a_stack_that_is_all_there_already_is_told_and_writes_nothing() -> None:
    chips = {uid: Chip(uid, "red-5") for uid in UIDS}
    with pytest.raises(RegisterError, match="All 20 are red-5 already"):
        RED.changes(stable(UIDS), chips, 5, "ann")


def test_undo_takes_out_the_last_stack_only_and_that_once() -> None:
    chips = replayed(RED.changes(stable(UIDS), {}, 5, "ann"))
    both = RED.with_stack(tuple(chips[uid] for uid in UIDS[:10])).with_stack(tuple(chips[uid] for uid in UIDS[10:]))
    assert both.count == 20
    assert {change.uid for change in both.undoing(6, "ann")} == set(UIDS[10:])
    assert both.without_last().count == 10
    with pytest.raises(RegisterError, match="nothing to undo"):
        both.without_last().without_last().undoing(7, "ann")


@given(
    st.lists(
        st.tuples(st.sampled_from(["red-5", "blue-10"]), st.lists(st.sampled_from(UIDS), min_size=1, unique=True)),
        max_size=8,
    )
)
def test_stacks_in_any_order_never_give_one_uid_two_types(stacks: list[tuple[str, list[str]]]) -> None:
    chips: dict[str, Chip] = {}
    for chip_type, uids in stacks:
        enrolment = Enrolment(Wanted(chip_type))
        before = dict(chips)
        try:
            chips |= replayed(enrolment.changes(stable(uids), chips, 5, "ann"))
        except RegisterError:
            assert chips == before
        assert all(chips[uid].chip_type == chip.chip_type for uid, chip in before.items())
