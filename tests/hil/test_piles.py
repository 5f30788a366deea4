"""A pile through a real port, bridge, broker and controller: it is read in its first round, and nobody is alarmed."""

from __future__ import annotations

import time

import pytest

from virtual_table.pytest_plugin import Table
from virtual_table.pytest_plugin.setting import Setting, setting_of
from virtual_table.table.holdings import stack_place

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240), pytest.mark.nightly]
PILE = 300
RULED_S = 40.0


@pytest.fixture
def betline_setting() -> Setting:
    """Seat 4 has 300, which will be as many chips; the others can call it."""
    seats = {number: PILE if number == 4 else 3 * PILE for number in range(1, 7)}
    game = {"limit": "no-limit", "blinds": (1, 2)}
    return setting_of({"live": True, "camera": False, "noise": True, "chips": "home", "game": game, "seats": seats})


def test_an_all_in_of_300_chips_is_announced_and_ruled_without_a_false_alarm(virtual_table: Table) -> None:
    table, world = virtual_table, virtual_table.world
    ones = world.holdings.withdraw({min(world.chip_set.chips, key=lambda kind: kind.value).key: PILE})
    world.clear_stack(4, time.monotonic())
    world.put_down(ones, stack_place(4), time.monotonic())
    table.next_hand(button=1)
    link = table._way.link
    alarms: set[str] = set()

    def ruled() -> bool:
        alarms.update(f"{alert.code}: {alert.sentence}" for alert in table.state.alerts)
        return bool(table.rulings)

    before = len(link.announcements())
    table.seat(4).pushes([1] * PILE)
    assert table.clock.until(ruled, within_s=RULED_S)

    table.expect(ruling="raise", to=PILE, next=5, announce="call 300")
    alarms.update(f"{alert.code}: {alert.sentence}" for alert in table.state.alerts)
    assert alarms == set()
    said = [one.body.text for one in link.announcements()[before:]]
    assert said[0] in ("Seat 4: raise, counting", "Seat 4: all-in, counting")
    assert all("counting" in text for text in said[:-1]), "nothing is taken back while it is counted"
