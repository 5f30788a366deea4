"""A reader that says that it does not tell all: what it tells is never taken for all that lies there."""

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
    assert felt.sentence("reader-partial", 1).startswith("Seat 1: count its chips by hand and key its act")
    assert ("unsure-chip", 1) not in felt.alerts()


def test_once_the_reader_tells_all_of_them_all_are_ruled() -> None:
    felt = pushed_more_than_it_tells()
    felt.most_in.clear()
    felt.run(4_000)

    assert [len(act.pushed) for act in felt.acts] == [TELLS + 4]
    assert ("reader-partial", 1) not in felt.alerts()


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

    assert felt.alerts() - before == {("reader-partial", None)}
    assert felt.sentence("reader-partial", None).startswith(f"{zone.capitalize()}: count by hand")


def test_a_crowd_that_is_told_in_parts_for_a_moment_is_ruled_whole_and_nobody_is_called() -> None:
    felt = at_ease()
    felt.most_in["seat-1"], felt.missed_in["seat-1"] = TELLS, 0.0
    before = felt.alerts()
    felt.push(1, [25] * (TELLS + 4))
    felt.run(600)
    assert felt.sensing.belief(1).partial
    assert felt.alerts() == before
    felt.most_in.clear()
    felt.run(4_000)

    assert [len(act.pushed) for act in felt.acts] == [TELLS + 4]
    assert felt.alerts() == before


def test_where_it_tells_a_part_in_every_other_round_nothing_is_ruled_and_its_antenna_is_not_called_weak() -> None:
    felt = at_ease()
    felt.missed_in["seat-1"] = 0.0
    felt.push(1, [25] * (TELLS + 4))
    told: list[set[str]] = []
    for number in range(120):
        felt.most_in["seat-1"] = TELLS if number % 2 else TELLS + 4
        felt.run(50)
        told.append({code for code, seat in felt.alerts() if seat == 1})

    assert not felt.acts
    changes = [one for one, before in zip(told[1:], told, strict=False) if one != before]
    assert changes == [{"unsure-chip"}]
