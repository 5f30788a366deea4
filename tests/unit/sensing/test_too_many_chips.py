"""More chips than a reader can tell: it says so, and what it tells is never taken for all that lies there."""

from __future__ import annotations

import pytest

from tests.unit.sensing.felt import Felt
from tests.unit.sensing.test_acts import at_ease

TELLS = 8


def pushed_more_than_it_tells() -> Felt:
    felt = at_ease()
    felt.most_in["seat-1"], felt.missed_in["seat-1"] = TELLS, 0.0
    felt.push(1, [25] * (TELLS + 4))
    felt.run(6_000)
    return felt


def test_a_part_of_the_chips_is_not_ruled_and_the_dealer_is_told_to_count() -> None:
    felt = pushed_more_than_it_tells()

    assert not felt.acts
    assert felt.hand.to_act == 1
    assert len(felt.sensing.belief(1).present) == TELLS
    assert felt.sentence("too-many-chips", 1).startswith("Seat 1: count its chips by hand and key its act")
    assert ("unsure-chip", 1) not in felt.alerts()


def test_once_the_reader_tells_all_of_them_all_are_ruled() -> None:
    felt = pushed_more_than_it_tells()
    felt.most_in.clear()
    felt.run(4_000)

    assert [len(act.pushed) for act in felt.acts] == [TELLS + 4]
    assert ("too-many-chips", 1) not in felt.alerts()


def test_what_it_told_while_it_told_a_part_does_not_count_as_rounds_of_the_whole_set() -> None:
    felt = pushed_more_than_it_tells()
    for uid in sorted(felt.lying["seat-1"])[TELLS:]:
        del felt.lying["seat-1"][uid]
    felt.run(50)
    assert not felt.sensing.belief(1).partial
    assert not felt.sensing.belief(1).settled

    felt.run(2_000)
    assert felt.sensing.belief(1).settled


@pytest.mark.parametrize("zone", ["pot", "tray"])
def test_of_pot_and_tray_it_is_told_and_nothing_else_is_said_of_them(zone: str) -> None:
    felt = at_ease()
    before = felt.alerts()
    felt.most_in[zone] = TELLS
    felt.put(zone, felt.chips([25] * (TELLS + 4)))
    felt.run(6_000)

    assert felt.alerts() - before == {("too-many-chips", None)}
    assert felt.sentence("too-many-chips", None).startswith(f"{zone.capitalize()}: count by hand")
