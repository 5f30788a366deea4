"""Twelve hands by keys alone and by mouse alone: the books agree after each, within a budget of keys and clicks."""

from contextlib import asynccontextmanager

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus, MemoryHub
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS
from table_controller.console.app import ConsoleApp
from tests.unit.console.controller import Controller
from tests.unit.console.hands_on import KeysOnly, MouseOnly
from tests.unit.console.table import FrozenClock
from tests.unit.console.twelve_hands import TABLE, Evening, terms

BUDGET = {
    "a straddle": (16, 18),
    "a string bet and a short all-in": (47, 51),
    "a raise out of turn": (28, 32),
    "a dispute, an override, an undo": (58, 67),
    "three side pots": (23, 23),
    "a rebuy": (16, 18),
    "run it twice": (29, 30),
    "a seat change": (11, 11),
    "a misdeal": (8, 10),
    "a level change": (13, 14),
    "the blinds chop": (8, 9),
    "high and low": (30, 31),
}
"""What each hand may take: keys at 80x24, clicks on a touch screen of ten inches. Spoken words count by letters."""


@asynccontextmanager
async def at_the_console(kind, size):
    hub, namespace, clock = MemoryHub(), Namespace("home", TABLE.name), FrozenClock()
    controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS)), terms())
    consoles = HostClock(wall_ns=lambda: clock.wall_ms() * NS_PER_MS)
    app = ConsoleApp(MemoryBus(hub, namespace, "console", clock=consoles), TABLE, clock)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield kind(pilot, controller, clock)


async def dealt(kind, size):
    """What each of the twelve hands took, by what it is about."""
    async with at_the_console(kind, size) as hands:
        evening = Evening(hands)
        await evening.deal()
    for one in evening.played:
        print(f"{one.number} {one.about}: {len(one.done)}: {' '.join(one.done)}")
    return {one.about: len(one.done) for one in evening.played}


def over(taken, allowed):
    """The hands that took more than they may."""
    return {about: (count, allowed[about]) for about, count in taken.items() if count > allowed[about]}


@pytest.mark.nightly
async def test_twelve_hands_are_dealt_by_keys_alone():
    taken = await dealt(KeysOnly, (80, 24))
    assert over(taken, {about: keys for about, (keys, _) in BUDGET.items()}) == {}


@pytest.mark.nightly
@pytest.mark.timeout(300)
async def test_twelve_hands_are_dealt_by_mouse_alone():
    taken = await dealt(MouseOnly, (106, 33))
    assert over(taken, {about: clicks for about, (_, clicks) in BUDGET.items()}) == {}
