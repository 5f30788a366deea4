"""Which zones are read as often as can be."""

from __future__ import annotations

import pytest

from betline.messages.table import TableState
from firmware_bridge.needs import Needs, awaited


def state(phase: str, to_act: int | None = None, blinds: tuple[int | None, int | None] = (2, 3)) -> TableState:
    return TableState.model_validate(
        {
            "version": 1,
            "journal_seq": 1,
            "journal_head": "",
            "phase": phase,
            "hand_no": 1,
            "game": "",
            "street": "preflop",
            "button": 1,
            "small_blind": blinds[0],
            "big_blind": blinds[1],
            "seats": (),
            "to_act": to_act,
            "call": 0,
            "min_raise_to": None,
            "max_raise_to": None,
            "pot": 0,
            "pots": (),
            "rulings": (),
        }
    )


@pytest.mark.parametrize(
    ("told", "zones"),
    [
        (state("betting", 4), {"seat-4"}),
        (state("betting"), set()),
        (state("idle"), set()),
        (state("posting"), {"seat-2", "seat-3"}),
        (state("posting", blinds=(None, 3)), {"seat-3"}),
        (state("posting", 5), {"seat-5"}),
        (state("round-over"), {"pot"}),
        (state("showdown"), {"pot"}),
        (state("hand-over"), {"pot"}),
    ],
)
def test_the_game_goes_on_where_somebody_acts_posts_or_the_pot_grows(told: TableState, zones: set[str]) -> None:
    assert awaited(told) == zones


def test_a_wish_holds_for_its_time_and_beside_the_game() -> None:
    needs = Needs(frozenset({"seat-1"})).wish("tray", 1000, 500).wish("pot", 1200, 500)
    assert needs.at(1300) == {"seat-1", "tray", "pot"}
    assert needs.at(1500) == {"seat-1", "pot"}
    assert needs.at(1700) == {"seat-1"}


def test_of_two_wishes_the_longer_holds_and_they_can_be_taken_back() -> None:
    needs = Needs().wish("tray", 0, 60_000).wish("tray", 0, 10)
    assert needs.at(20) == {"tray"}
    assert Needs().wish("tray", 0, 500).wish("tray", 1, 0).at(2) == frozenset()


def test_wishes_that_are_over_are_forgotten() -> None:
    needs = Needs()
    for number in range(1000):
        needs = needs.wish(f"zone-{number}", 10 * number, 5)
    assert len(needs.wanted_until_ns) == 1


def test_a_zone_where_an_act_is_awaited_and_that_somebody_wishes_for_is_urgent() -> None:
    needs = Needs(frozenset({"seat-1", "seat-2"})).wish("seat-1", 0, 500).wish("pot", 0, 500)
    assert needs.urgent(100) == {"seat-1"}
    assert not needs.urgent(500)
