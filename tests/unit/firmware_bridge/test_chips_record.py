"""The register follows from its history: single changes, random ones, and what does not follow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.chips.record import (
    Change,
    Chip,
    ChipState,
    RegisterError,
    after,
    enrolled,
    removed,
    replayed,
    set_name,
    set_state,
)

RED = Chip("E004010000000001", "red-5", batch="first", kind="iso15693")
BLUE = Chip("E004010000000002", "blue-10")


def applied(chips: dict[str, Chip], changes: list[Change]) -> dict[str, Chip]:
    chips = dict(chips)
    for change in changes:
        chip = after(chips.get(change.uid), change)
        if chip is None:
            del chips[change.uid]
        else:
            chips[change.uid] = chip
    return chips


def test_an_enrolled_chip_has_what_it_was_enrolled_with_and_who_did_it_when() -> None:
    chips = applied({}, list(enrolled({}, [RED], 1000, "ann")))
    assert chips == {
        RED.uid: Chip(RED.uid, "red-5", batch="first", kind="iso15693", enrolled_ms=1000, enrolled_by="ann")
    }


@pytest.mark.parametrize(
    ("chip", "words"),
    [
        (Chip(RED.uid, "blue-10"), "registered as red-5 already"),
        (Chip("e004", "red-5"), "no UID"),
        (Chip("E0" * 33, "red-5"), "no UID"),
        (Chip(BLUE.uid, "Red 5"), "no chip type"),
    ],
)
def test_what_cannot_be_enrolled_is_refused(chip: Chip, words: str) -> None:
    with pytest.raises(RegisterError, match=words):
        list(enrolled({RED.uid: RED}, [chip], 1, "ann"))


def test_a_uid_that_comes_twice_at_once_is_refused() -> None:
    with pytest.raises(RegisterError, match="a chip has one type"):
        list(enrolled({}, [BLUE, Chip(BLUE.uid, "red-5")], 1, "ann"))


def test_a_uid_of_64_digits_is_fit() -> None:
    long = Chip("30" * 32, "red-5")
    assert applied({}, list(enrolled({}, [long], 1, "ann"))).keys() == {long.uid}


def test_state_reason_and_name_change_one_by_one_with_old_and_new() -> None:
    changes = [*set_state(RED, ChipState.HOT, "stolen", 5, "bob"), *set_name(RED, "lucky", 6, "bob")]
    assert [(one.element, one.old, one.new, one.at_ms, one.user) for one in changes] == [
        ("state", "active", "hot", 5, "bob"),
        ("reason", "", "stolen", 5, "bob"),
        ("name", "", "lucky", 6, "bob"),
    ]
    assert applied({RED.uid: RED}, changes)[RED.uid].title == 'red-5 "lucky" E004010000000001'
    assert list(set_state(RED, ChipState.ACTIVE, "", 7, "bob")) == list(set_name(RED, "", 7, "bob")) == []


@pytest.mark.parametrize(
    "change",
    [
        Change(RED.uid, "chip_type", None, "blue-10", 1, "eve"),
        Change(BLUE.uid, "chip_type", "blue-10", None, 1, "eve"),
        Change(BLUE.uid, "name", "", "mine", 1, "eve"),
        Change(RED.uid, "state", "hot", "active", 1, "eve"),
        Change(RED.uid, "state", "active", "lost", 1, "eve"),
        Change(RED.uid, "uid", RED.uid, BLUE.uid, 1, "eve"),
    ],
)
def test_a_change_that_does_not_follow_is_refused(change: Change) -> None:
    with pytest.raises(RegisterError, match="does not follow"):
        after({RED.uid: RED}.get(change.uid), change)


UIDS = [f"E00401000000000{number}" for number in range(6)]
TYPES = ["red-5", "blue-10", "black-100"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("enrol"), st.lists(st.sampled_from(UIDS), min_size=1, max_size=4), st.sampled_from(TYPES)),
        st.tuples(st.just("remove"), st.lists(st.sampled_from(UIDS), min_size=1, max_size=3, unique=True), st.none()),
        st.tuples(st.sampled_from(list(ChipState)), st.lists(st.sampled_from(UIDS), max_size=2), st.text(max_size=5)),
        st.tuples(st.just("name"), st.lists(st.sampled_from(UIDS), max_size=2), st.text(max_size=5)),
    ),
    max_size=30,
)


@given(STEPS)
def test_the_history_replays_to_the_register_and_no_uid_has_two_types(
    steps: list[tuple[str, list[str], str | None]],
) -> None:
    chips: dict[str, Chip] = {}
    history: list[Change] = []
    for at_ms, (what, uids, text) in enumerate(steps):
        changes: list[Change] = []
        try:
            if what == "enrol":
                changes = list(enrolled(chips, [Chip(uid, str(text)) for uid in uids], at_ms, "ann"))
            elif what == "remove":
                changes = list(removed([chips[uid] for uid in uids if uid in chips], at_ms, "ann"))
            else:
                for uid in dict.fromkeys(uids):
                    chip = chips.get(uid)
                    if chip is not None and what == "name":
                        changes += set_name(chip, str(text), at_ms, "ann")
                    elif chip is not None:
                        changes += set_state(chip, ChipState(what), str(text), at_ms, "ann")
        except RegisterError:
            assert what == "enrol"
            assert len(set(uids)) < len(uids) or any(uid in chips for uid in uids)
            continue
        before = chips
        chips = applied(chips, changes)
        history += changes
        assert all(chips[uid].chip_type == before[uid].chip_type for uid in chips.keys() & before.keys())

    assert replayed(history) == chips
