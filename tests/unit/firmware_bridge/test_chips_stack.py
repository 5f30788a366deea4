"""Which tags are the stack: hits over rounds, strays, chips that come and go, warnings."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from firmware_bridge.chips.stack import STEADY_ROUNDS, Stack
from firmware_bridge.effects import RoundOver
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.schedule import Channel

UIDS = [f"E0040100000000{number:02X}" for number in range(20)]
STRAY = "E0040100000000FF"


def over(uids: Iterable[str], *warnings: str) -> RoundOver:
    tags = tuple(TagRead(uid, TagKind.ISO15693) for uid in uids)
    return RoundOver(Channel("stack"), tags, warnings, 30.0, 0)


def after(*rounds: Iterable[str]) -> Stack:
    stack = Stack()
    for uids in rounds:
        stack = stack.after(over(uids))
    return stack


def test_a_stack_is_stable_after_the_same_set_in_enough_rounds_and_not_before() -> None:
    settling = [after(*[UIDS] * count).stable for count in range(1, 12)]
    assert settling.index(True) == 3 + STEADY_ROUNDS - 1
    assert all(settling[settling.index(True) :])


def test_one_round_never_makes_a_stack() -> None:
    assert after(UIDS).tags == ()


def test_an_empty_field_is_no_stable_stack() -> None:
    assert not after(*[()] * 20).stable


def test_a_neighbours_chip_that_is_read_now_and_then_is_a_stray_and_not_of_the_stack() -> None:
    stack = after(*[UIDS] * 9, [*UIDS, STRAY], *[UIDS] * 4)
    assert STRAY not in stack.uids
    assert [tag.uid for tag in stack.strays] == [STRAY]


def test_a_chip_that_is_read_in_three_of_eight_rounds_keeps_the_stack_from_being_stable() -> None:
    rounds = [[*UIDS, STRAY] if number % 8 in (0, 3, 6) else UIDS for number in range(30)]
    stack = after(*rounds)
    assert not stack.stable
    assert [tag.uid for tag in stack.unsure] == [STRAY]


def test_a_chip_that_is_added_or_taken_makes_it_begin_again() -> None:
    added = after(*[UIDS[:19]] * 12, *[UIDS] * 2)
    assert not added.stable
    taken = after(*[UIDS] * 12, *[UIDS[:19]] * 4)
    assert not taken.stable
    assert after(*[UIDS] * 12, *[UIDS[:19]] * 16).uids == frozenset(UIDS[:19])


def test_a_warning_of_the_reader_makes_it_begin_again() -> None:
    stack = after(*[UIDS] * 12).after(over(UIDS, "rf_warning"))
    assert stack.warned
    assert (stack.stable, stack.steady) == (False, 0)


def test_the_kind_of_each_tag_is_kept() -> None:
    assert {tag.kind for tag in after(*[UIDS] * 12).tags} == {TagKind.ISO15693}


@pytest.mark.parametrize("seed", range(40))
def test_a_stable_stack_is_whole_and_has_no_stray_in_it(seed: int) -> None:
    """At 5 % missed reads, and a neighbour's stack of twenty that is read in 1 % of the rounds."""
    dice = random.Random(seed)
    beside = [f"E0040100000001{number:02X}" for number in range(20)]
    stack, rounds = Stack(), 0
    while not stack.stable:
        heard = [uid for uid in UIDS if dice.random() >= 0.05]
        stack = stack.after(over([*heard, *(uid for uid in beside if dice.random() < 0.01)]))
        rounds += 1
        assert rounds < 200
    assert stack.uids == frozenset(UIDS)
