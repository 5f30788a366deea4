"""One stored picture of every screen and dialog; time stands still and nothing blinks.

A change that is meant is stored with ``--snapshot-update`` after it was looked at.
"""

from pathlib import Path

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.topics import topic
from table_controller.console import picture
from table_controller.console.app import ConsoleApp
from table_controller.console.sample import sample_state
from tests.unit.console.table import (
    NAMESPACE,
    TABLE,
    FrozenClock,
    coming_and_going,
    paid_out,
    showdown,
    state,
    three_pots,
)

PICTURE = Path(__file__).parents[3] / "docs" / "console.svg"


@pytest.fixture
def console(monkeypatch):
    """Makes a console that shows a state; the controller may have gone."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")

    def make(shown, *, controller=True):
        hub = MemoryHub()
        bus = MemoryBus(hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        bus.publish(topic(topics.STATE), shown)
        if not controller:
            bus.drop()
        return ConsoleApp(MemoryBus(hub, NAMESPACE, "console"), TABLE, FrozenClock())

    return make


WIDE, NARROW = (120, 40), (80, 24)
MEDIUM, TOUCH, LARGE = (100, 30), (106, 33), (200, 50)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "size", [WIDE, NARROW, MEDIUM, TOUCH, LARGE], ids=["wide", "narrow", "medium", "touch", "large"]
)
def test_table(snap_compare, console, size):
    assert snap_compare(console(sample_state(TABLE)), terminal_size=size)


def test_table_in_high_contrast(snap_compare, console):
    assert snap_compare(console(sample_state(TABLE)), press=["h"], terminal_size=WIDE)


def test_no_controller(snap_compare, console):
    assert snap_compare(console(sample_state(TABLE), controller=False), terminal_size=NARROW)


@pytest.mark.parametrize("key", ["question_mark", "l", "v", "k"], ids=["help", "log", "sensors", "camera"])
def test_page(snap_compare, console, key):
    assert snap_compare(console(sample_state(TABLE)), press=[key], terminal_size=NARROW)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "keys",
    [["b", *"1234"], ["a"], ["s", *"pot"], ["8", "e"], ["9", "e"], ["8", "e", "s", *"400 Ann"], ["m"], ["y"], ["q"]],
    ids=["amount", "all-in", "says", "seat-empty", "seat-taken", "sits", "menu", "overrides", "quit"],
)
def test_dialog(snap_compare, console, keys):
    assert snap_compare(console(sample_state(TABLE)), press=keys, terminal_size=NARROW)


def test_award(snap_compare, console):
    pots = showdown((400, (3, 4, 10)), (120, (3, 4)))
    assert snap_compare(console(pots), press=["w", "3", "0"], terminal_size=NARROW)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_taking_in(snap_compare, console, size):
    assert snap_compare(console(three_pots()), terminal_size=size)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_paying_out(snap_compare, console, size):
    assert snap_compare(console(paid_out()), terminal_size=size)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_comings_and_goings(snap_compare, console, size):
    assert snap_compare(console(coming_and_going()), terminal_size=size)


def test_between_hands(snap_compare, console):
    idle = state(phase="idle", hand_no=0, to_act=None, call=None, min_raise_to=None, max_raise_to=None, may=(), pot=0)
    assert snap_compare(console(idle), terminal_size=NARROW)


async def test_the_picture_of_the_documents_is_the_console_of_today(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert PICTURE.read_text(encoding="utf-8") == await picture.picture()


def test_the_documents_have_a_picture_of_every_screen_and_size():
    card = (PICTURE.parent / "console.md").read_text(encoding="utf-8")
    there = {file.stem for file in (PICTURE.parent / picture.FOLDER).glob("*.svg")}
    assert there == set(picture.SHOTS)
    assert [name for name in picture.SHOTS if f"({picture.FOLDER}/{name}.svg)" not in card] == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["as-it-was", "amount-touch"])
async def test_a_picture_is_the_same_whenever_it_is_taken(name, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    shot = picture.SHOTS[name]
    assert await picture.picture(shot.size, shot.keys) == await picture.picture(shot.size, shot.keys)
