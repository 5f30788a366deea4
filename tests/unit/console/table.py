"""A console on a bus in memory with a controller beside it, for the tests of this folder."""

from contextlib import asynccontextmanager

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Reply
from betline.messages.table import PotView, PullView, PushView, SeatState, TableState
from betline.settings import load_table
from betline.topics import Namespace, topic
from table_controller.console.app import ConsoleApp

TABLE = load_table("casino-oval")
NAMESPACE = Namespace("home", "casino-oval")


class FrozenClock:
    """Time that passes only when a test says so."""

    def __init__(self):
        self.now_s = 100.0

    def steady_s(self):
        return self.now_s

    def wall_ms(self):
        return 1_000_000

    def time_of_day(self):
        return "12:00:00"


def state(**changes):
    """Four seats before the flop; seat 4 faces the big blind of 10 with everything open to it."""
    plain = {
        "version": 1,
        "journal_seq": 1,
        "journal_head": "0",
        "phase": "betting",
        "hand_no": 3,
        "game": "No-limit hold'em 5/10",
        "street": "preflop",
        "button": 1,
        "small_blind": 2,
        "big_blind": 3,
        "seats": (
            SeatState(seat=1, name="Ann", stack=1000, status="in"),
            SeatState(seat=2, name="Bob", stack=995, bet=5, status="in"),
            SeatState(seat=3, name="Cleo", stack=990, bet=10, status="in"),
            SeatState(seat=4, name="Dan", stack=1000, status="in"),
            *(SeatState(seat=number, stack=0, status="empty") for number in range(5, 11)),
        ),
        "to_act": 4,
        "call": 10,
        "min_raise_to": 20,
        "max_raise_to": 1000,
        "may": ("call", "raise", "fold"),
        "pot": 15,
        "pots": (),
        "rulings": (),
    }
    return TableState(**{**plain, **changes})


def showdown(*pots):
    """The betting is over and these pots wait for their winners."""
    views = tuple(PotView(amount=a, seats=s) for a, s in pots)
    return state(
        phase="showdown",
        to_act=None,
        call=None,
        min_raise_to=None,
        max_raise_to=None,
        may=(),
        pot=sum(amount for amount, _ in pots),
        pots=views,
        pots_now=views,
    )


def three_pots():
    """Everybody is all-in for another stack: three pots, and 200 that nobody called."""
    over = showdown((100, (1, 2, 3, 4)), (75, (1, 2, 4)), (100, (1, 4)))
    moved = ((2, 25, 0), (2, 25, 1), (3, 25, 0), (4, 25, 0), (4, 25, 1), (4, 50, 2), (4, 200, None))
    moved = ((1, 25, 0), (1, 25, 1), (1, 50, 2), *moved)
    all_in = {"stack": 0, "status": "all-in"}
    return over.model_copy(
        update={
            "pulls": tuple(PullView(seat=seat, amount=amount, pot=pot) for seat, amount, pot in moved),
            "seats": (
                SeatState(seat=1, name="Ann", bet=100, can_win=275, **all_in),
                SeatState(seat=2, name="Bob", bet=50, can_win=175, **all_in),
                SeatState(seat=3, name="Cleo", bet=25, can_win=100, **all_in),
                SeatState(seat=4, name="Dan", bet=100, can_win=275, status="in", stack=200, change_due=200),
                *(SeatState(seat=number, stack=0, status="empty") for number in range(5, 11)),
            ),
        }
    )


def paid_out():
    """A split main pot and a side pot were awarded, and the house took its part."""
    over = {"phase": "hand-over", "to_act": None, "call": None, "min_raise_to": None, "max_raise_to": None, "may": ()}
    pushes = (
        PushView(to=2, pot=1, amount=100),
        PushView(to="rake", pot=0, amount=4),
        PushView(to="kitty", pot=0, amount=1),
        PushView(to=1, pot=0, amount=20),
        PushView(to=2, pot=0, amount=19),
    )
    seats = tuple(one.model_copy(update={"bet": 0}) for one in state().seats)
    return state(**over, pot=0, payouts=pushes, seats=seats)


def coming_and_going():
    """Before the cards: a straddle, a kill, the rock; players who wait, owe, are away; the button on an empty seat."""
    changed = {
        4: {"name": "Dan", "stack": 980, "bet": 20, "straddle": 20, "status": "in"},
        5: {"name": "Eve", "stack": 400, "status": "out", "comes": "waits"},
        6: {"name": "Finn", "stack": 300, "status": "out", "away": True, "missed": (10, 5), "pick_up": True},
        7: {"name": "Gus", "stack": 760, "status": "out", "penalty": 2},
        8: {"name": "Hana", "stack": 500, "status": "in", "rock": True},
        9: {"name": "Ivo", "stack": 480, "bet": 20, "status": "in", "kill": 20},
    }
    seats = tuple(one.model_copy(update=changed.get(one.seat, {})) for one in state().seats)
    return state(phase="posting", button=10, to_act=8, call=20, min_raise_to=40, pot=55, seats=seats)


class Table:
    """The console under test, and a controller that only remembers what it is asked."""

    def __init__(self, hub, clock, **ends):
        self.hub = hub
        self.clock = clock
        self.commands = []
        self.controller = MemoryBus(hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        self.controller.subscribe(topics.COMMAND, self.commands.append)
        self.app = ConsoleApp(MemoryBus(hub, NAMESPACE, "console"), TABLE, clock, **ends)
        self.pilot = None

    @property
    def asked(self):
        """The commands so far: verb and arguments."""
        return [(received.topic.name, received.body.args) for received in self.commands]

    @property
    def done(self):
        """The same without what only looks into the journal."""
        return [one for one in self.asked if one[0] != "recall"]

    async def tells(self, new):
        """The controller publishes a state, and the console has drawn it."""
        self.controller.publish(topic(topics.STATE), new)
        await self.draws()

    async def answers(self, *, ok=True, code="ok", sentence=""):
        """The controller answers the newest command."""
        command = self.commands[-1]
        body = Reply(command_id=command.body.id, verb=command.topic.name, ok=ok, code=code, sentence=sentence)
        self.controller.publish(topic(topics.REPLY, command.body.id), body)
        await self.draws()

    async def draws(self):
        """Time for the next redraw passes."""
        self.clock.now_s += 1.0
        await self.pilot.pause()

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, words, *, nth=0, within="", at=0):
        """A click on words of the screen; ``within`` names a widget to look in, ``at`` a letter of the words."""
        region = self.app.screen.query_one(within).region if within else self.app.screen.region
        found = [
            (x, y)
            for y, line in enumerate(self.text.splitlines())
            for x in range(len(line))
            if line.startswith(words, x) and region.contains(x, y)
        ]
        assert len(found) > nth, f"{words!r} is not on the screen:\n{self.text}"
        x, y = found[nth]
        await self.pilot.click(offset=(x + at, y))
        await self.pilot.pause()
        await self.pilot.pause()  # a dialog that the click opens is there after the next round

    @property
    def text(self):
        """All characters on the screen."""
        screen = self.app.screen
        width, height = screen.size
        lines = screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in line)[:width] for line in lines[:height])


@asynccontextmanager
async def playing(first=None, *, size=(80, 24), controller=True, **ends):
    """A console at a table in a state; without a controller nothing but the console is there.

    ``ends`` says what ends with the console, as ConsoleApp has it.
    """
    table = Table(MemoryHub(), FrozenClock(), **ends)
    if not controller:
        table.controller.drop()
    async with table.app.run_test(size=size) as pilot:
        table.pilot = pilot
        if first is not None:
            await table.tells(first)
        yield table
