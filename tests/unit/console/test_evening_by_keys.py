"""An evening played by keys only: the console on a bus with the true session behind it."""

from contextlib import asynccontextmanager

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus, MemoryHub
from betline.steps import read_command
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS
from table_controller.console.app import ConsoleApp
from table_controller.console.screens.dialog import Dialog
from table_controller.session import Keyed, Now
from table_controller.session.fold import resume
from tests.unit.console.controller import TABLE, Controller
from tests.unit.console.table import FrozenClock
from tests.unit.session.desk import Pages


class Dealer:
    """Hands on the keys, eyes on the state."""

    def __init__(self, pilot, controller, clock):
        self.pilot, self.controller, self.clock = pilot, controller, clock
        self.brought = 0

    @property
    def state(self):
        return self.controller.session.table_state(0, 1, "0")

    def seat(self, number):
        return next(one for one in self.state.seats if one.seat == number)

    async def keys(self, *words):
        """Presses keys; a word is typed letter by letter. The last command must be obeyed."""
        for word in words:
            keys = [word] if word in ("enter", "space", "escape") else ["space" if key == " " else key for key in word]
            await self.pilot.press(*keys)
        self.clock.now_s += 1
        await self.pilot.pause()
        reply = self.controller.replies[-1]
        assert reply.ok, f"{words}: {reply.sentence}"
        assert self.chips == self.brought, words
        return reply.sentence

    async def refused(self, *words):
        for word in words:
            await self.pilot.press(*([word] if word in ("enter", "space", "escape") else word))
        self.clock.now_s += 1
        await self.pilot.pause()
        assert not self.controller.replies[-1].ok
        while isinstance(self.pilot.app.screen, Dialog):
            await self.pilot.press("escape")
        return self.controller.replies[-1].sentence

    @property
    def chips(self):
        table = self.controller.session.book.table.state
        pot = 0 if table.hand is None or table.hand.hand_over else table.hand.pot
        return sum(table.stacks.values()) + pot + sum(table.house_money.values())

    async def checks_down(self):
        """Everybody checks to the river, and nobody bets."""
        while self.state.phase in ("betting", "round-over"):
            await self.keys("d" if self.state.phase == "round-over" else "space")

    async def wins(self, seat):
        await self.keys("w", str(seat), "enter")


@asynccontextmanager
async def evening():
    hub, namespace, clock = MemoryHub(), Namespace("home", TABLE.name), FrozenClock()
    controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS)))
    consoles = HostClock(wall_ns=lambda: clock.wall_ms() * NS_PER_MS)
    app = ConsoleApp(MemoryBus(hub, namespace, "console", clock=consoles), TABLE, clock)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        yield Dealer(pilot, controller, clock)


@pytest.mark.nightly
async def test_an_evening_by_keys_only_conserves_every_chip():
    async with evening() as dealer:
        for seat, name in ((1, "Ann"), (2, "Bob"), (3, "Cleo"), (4, "Dan")):
            dealer.brought += 1000
            await dealer.keys(str(seat), "e", "s", f"1000 {name}", "enter")
        await dealer.keys("n")
        assert (dealer.state.button, dealer.state.phase) == (1, "posting")

        # a straddle, and all but the straddler fold to it
        await dealer.keys("g")
        assert dealer.seat(4).straddle == 20
        await dealer.keys("d")
        assert dealer.state.to_act == 1
        await dealer.keys("b", "70", "enter")
        await dealer.keys("x")
        assert [dealer.seat(seat).stack for seat in (1, 2, 3, 4)] == [1035, 995, 990, 980]

        # the blinds chop
        await dealer.keys("n")
        await dealer.keys("d")
        assert dealer.state.to_act == 1
        await dealer.keys("f")
        await dealer.keys("f")
        assert "chopped" in await dealer.keys("m", "c", "enter")
        assert (dealer.state.pot, dealer.state.phase) == (0, "idle")

        # seat 2 goes away, misses its blinds, comes back and posts
        await dealer.keys("2", "e", "o")
        for _ in range(4):
            await dealer.keys("n")
            await dealer.keys("d")
            await dealer.keys("x")
        assert dealer.seat(2).missed == (10, 5)
        before = dealer.seat(2).stack
        await dealer.keys("2", "e", "s")
        for _ in range(3):
            if dealer.seat(2).status == "in":
                break
            await dealer.keys("n")
            if dealer.seat(2).status != "in":
                await dealer.keys("d")
                await dealer.keys("x")
        assert dealer.seat(2).status == "in"
        posts = dealer.controller.session.book.table.state.posts[2]
        assert before - dealer.seat(2).stack == sum(posts)
        assert dealer.seat(2).missed == ()

        # a misdeal: every chip back, and the same hand again; an undo takes the misdeal back
        button = dealer.state.button
        await dealer.keys("m", "x", "enter")
        assert (dealer.state.again, dealer.state.pot) == (True, 15)
        await dealer.keys("u")
        assert dealer.state.pot
        await dealer.keys("m", "x", "enter")
        await dealer.keys("n")
        assert dealer.state.button == button
        assert dealer.controller.session.book.table.state.posts[2] == posts
        await dealer.keys("d")
        await dealer.keys("x")

        # chips are bought between hands only; a bomb pot; the pot is awarded and the award taken back
        dealer.brought += 200
        await dealer.keys("3", "e", "a", "200", "enter")
        await dealer.keys("m", "o", "enter")
        assert (dealer.state.street, dealer.state.pot) == ("flop", 80)
        assert "table stakes" in await dealer.refused("3", "e", "a", "200", "enter")
        await dealer.keys("d")
        await dealer.checks_down()
        await dealer.wins(1)
        won = dealer.seat(1).stack
        await dealer.keys("m", "a", "enter")
        assert dealer.state.phase == "showdown"
        await dealer.wins(4)
        assert dealer.seat(1).stack == won - 80

        # a tip, a penalty, and somebody leaves with what is left
        await dealer.keys("4", "e", "t", "5", "enter")
        assert dealer.state.house_money == {"tray": 5}
        await dealer.keys("1", "e", "p", "1", "enter")
        await dealer.keys("n")
        assert dealer.seat(1).status == "out"
        await dealer.keys("d")
        await dealer.keys("x")
        dealer.brought -= dealer.seat(4).stack
        await dealer.keys("4", "e", "l", "enter")
        assert dealer.seat(4).status == "empty"
        await dealer.keys("n")
        assert {one.seat for one in dealer.state.seats if one.status == "in"} == {1, 2, 3}

        again = resume(dealer.controller.session.terms, Pages(dealer.controller.entries), Now(1_000_000, 0))
        assert again.session.book == dealer.controller.session.book


@pytest.mark.nightly
async def test_a_stud_hand_by_keys_names_who_brings_it_in_and_who_opens():
    async with evening() as dealer:
        stud = {"limit": "fixed-limit", "streets": "stud", "blinds": [], "bets": [10, 10, 20, 20, 20], "bring_in": 5,
                "ante": 1}  # fmt: skip
        args = {"game": stud, "seats": {"1": 200, "2": 200, "3": 200}, "button": 1}
        keyed = Keyed("setup-1234", read_command("setup", args), "dealer", 2_000_000, {})
        dealer.controller.session = dealer.controller.session.handle(keyed, Now(1_000_000, 0)).session
        dealer.controller.publish()
        dealer.clock.now_s += 1
        await dealer.pilot.pause()
        dealer.brought = 600
        assert "bring-in" in await dealer.keys("i", "2")
        await dealer.keys("b", "10", "enter")
        await dealer.keys("c")
        await dealer.keys("c")
        await dealer.keys("d", "3")
        assert (dealer.state.street, dealer.state.to_act) == ("fourth", 3)
        for opener in ("1", "2", "3"):
            while dealer.state.phase == "betting":
                await dealer.keys("space")
            await dealer.keys(opener, "d")
            assert dealer.state.to_act == int(opener)
        while dealer.state.phase == "betting":
            await dealer.keys("space")
        await dealer.wins(2)
        assert dealer.seat(2).stack == 200 + 2 * 11
