"""A pile through a real port, bridge, broker and controller: it is read in its first round, and nobody is alarmed."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from betline import topics
from betline.bus import Received
from betline.joining import join
from betline.messages.common import Presence
from betline.messages.table import Alert, Announcement, Ruling
from betline.topics import Namespace
from virtual_table.pytest_plugin import BrokerProgram, Table
from virtual_table.pytest_plugin.setting import Setting, setting_of
from virtual_table.table.holdings import stack_place
from virtual_table.table.player_motions import push

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240), pytest.mark.nightly]
PILE = 300


@pytest.fixture
def betline_setting() -> Setting:
    seats = {number: PILE if number == 4 else 3 * PILE for number in range(1, 7)}
    game = {"limit": "no-limit", "blinds": (1, 2)}
    return setting_of({"live": True, "camera": False, "noise": True, "chips": "home", "game": game, "seats": seats})


def test_an_all_in_of_300_chips_is_announced_ruled_and_no_alarm(virtual_table: Table, betline_broker: BrokerProgram) -> None:
    table, world = virtual_table, virtual_table.world
    ones = world.holdings.withdraw({min(world.chip_set.chips, key=lambda kind: kind.value).key: PILE})
    world.clear_stack(4, time.monotonic())
    world.put_down(ones, stack_place(4), time.monotonic())
    table.next_hand(button=1)
    heard: list[Received] = []
    with closing(join(betline_broker.address, NAMES, "listener")) as bus:
        for kind in (topics.RULING, topics.ALERT, topics.ANNOUNCEMENT, topics.DEVICE_STATUS):
            bus.subscribe(kind, heard.append)
        table.let(0.5)
        before = len(heard)
        push(world, 4, world.stack(4), table.clock_s)
        assert table.clock.until(lambda: any(isinstance(one.body, Ruling) for one in heard[before:]), within_s=40)

    said = [one.body for one in heard[before:]]
    [ruling] = [body for body in said if isinstance(body, Ruling)]
    assert (ruling.seat, ruling.ruling) == (4, "raise")
    assert "300, all-in" in ruling.sentence
    assert [body.sentence for body in said if isinstance(body, Alert)] == []
    assert {body.state for body in said if isinstance(body, Presence)} <= {"online"}
    announced = [body.text for body in said if isinstance(body, Announcement)]
    assert announced[0].startswith("Seat 4: ")
    assert announced[0].endswith(", counting")
