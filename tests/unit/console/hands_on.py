"""Two pairs of hands at the console, one that only presses keys and one that only clicks; both count what they do."""

import re
from abc import ABC, abstractmethod

from textual.events import Key
from textual.keys import key_to_character

from table_controller.console.hints import key_action
from table_controller.console.keys import key_of
from table_controller.console.screens.dialog import Dialog
from table_controller.console.screens.table import TableScreen
from table_controller.console.widgets.drawn import Drawn

NAMES = {" ": "space", "/": "slash", "'": "apostrophe", ",": "comma", ".": "full_stop", ":": "colon", "-": "minus"}


class Hands(ABC):
    """What a dealer does at the console, in words; how it is done is the matter of the pair of hands."""

    def __init__(self, pilot, controller, clock):
        self.pilot, self.controller, self.clock = pilot, controller, clock
        self.done = []
        """What was pressed or clicked, one entry each."""

    # --- the keys that need nothing else

    async def next_hand(self):
        await self.obeyed("next-hand")

    async def deal(self):
        await self.obeyed("deal")

    async def straddle(self):
        await self.obeyed("straddle")

    async def passive(self):
        await self.obeyed("passive")

    async def call(self):
        await self.obeyed("call")

    async def fold(self):
        await self.obeyed("fold")

    async def rest_folds(self):
        await self.obeyed("rest-folds")

    async def undo(self):
        return await self.obeyed("undo")

    async def redo(self):
        return await self.obeyed("redo")

    # --- what asks for more

    @abstractmethod
    async def raise_to(self, amount):
        """How much the player in turn makes it."""

    @abstractmethod
    async def sit(self, first, last):
        """Players sit down from one seat to another with the starting stack."""

    @abstractmethod
    async def says(self, seat, words):
        """A player says something, in turn or out of it."""

    async def all_in(self):
        await self.press("all-in")
        await self.obeyed("enter", key=True)

    async def award(self, *pots):
        """Winners by pot, and of each by board: `34` splits it, `1/3` is high and low."""
        await self.press("award")
        for winners in pots:
            await self.type(winners)
            await self.key("enter")
        await self.settled()

    async def of_the_table(self, letter, line=None, *, sure=False):
        """An entry of the table's menu, with a line of words or a last question where it has one."""
        await self.press("menu")
        return await self._chosen(letter, line, sure=sure)

    async def of_the_seat(self, seat, letter, line=None, *, sure=False):
        """An entry of a seat's menu."""
        await self.open_seat(seat)
        return await self._chosen(letter, line, sure=sure)

    async def _chosen(self, letter, line, *, sure):
        await self.choose(letter)
        if line is not None:
            await self.type(line)
        if line is not None or sure:
            await self.key("enter")
        return await self.settled()

    async def floor_decides(self, place):
        """The offer of that place, for the ruling that waits."""
        await self.press("floor")
        await self.choose(str(place))
        return await self.settled()

    async def floor_rules_otherwise(self, act, ruling, to, by, why):
        """The act and the ruling by their places in the lists, then how much, who and why from theirs."""
        await self.press("floor")
        await self.choose(str(act))
        await self.choose(str(ruling))
        await self.type(str(to))
        await self.key("enter")
        await self.choose(str(by))
        await self.choose(str(why))
        return await self.settled()

    async def checks_down(self):
        """Nobody bets any more: checks and streets to the river."""
        state = self.state
        while state.phase in ("betting", "round-over"):
            await (self.deal() if state.phase == "round-over" else self.passive())
            state = self.state

    async def streets(self, count):
        for _ in range(count):
            await self.deal()

    # --- what is seen

    @property
    def state(self):
        return self.controller.session.table_state(0, 1, "0")

    @property
    def text(self):
        """All characters on the screen."""
        screen = self.pilot.app.screen
        width, height = screen.size
        lines = screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in line)[:width] for line in lines[:height])

    async def obeyed(self, what, *, key=False):
        """A key or its button; the command that it sends is accepted."""
        await (self.key(what) if key else self.press(what))
        return await self.settled()

    async def settled(self):
        """The last command was obeyed, and the table is on the screen again; its answer."""
        await self._until(lambda: len(self._replies) > self._heard)
        reply, count = self._replies[-1], len(self._replies)
        assert count > self._heard, f"nothing was sent:\n{self.text}"
        assert reply.ok, f"{reply.verb}: {reply.sentence}\n{self.text}"
        self._heard = count
        await self._a_moment()
        await self._until(lambda: isinstance(self.pilot.app.screen, TableScreen))
        assert isinstance(self.pilot.app.screen, TableScreen), self.text
        return reply.sentence

    async def refused(self, action):
        """The key or its button is refused, by the console or by the controller; what it says."""
        await self.press(action)
        await self._until(lambda: "✖" in self.text)
        self._heard = len(self._replies)
        await self._a_moment()
        shown = self.text
        while isinstance(self.pilot.app.screen, Dialog):
            await self.key("escape")
        self.clock.now_s += 2.0
        return next(line.strip() for line in shown.splitlines() if "✖" in line)

    _heard = 0

    @property
    def _replies(self):
        """The answers but those that only look into the journal."""
        return [one for one in self.controller.replies if one.verb != "recall"]

    async def _until(self, holds):
        """What was pressed takes its rounds through the console; a busy machine needs more of them."""
        for _ in range(200):
            await self.pilot.pause()
            if holds():
                return

    async def _a_moment(self):
        self.clock.now_s += 1.0
        await self.pilot.pause()

    # --- the pair of hands

    @abstractmethod
    async def press(self, action, number=None):
        """A key of the table."""

    @abstractmethod
    async def key(self, name):
        """A key of a dialog, by Textual's name."""

    @abstractmethod
    async def open_seat(self, seat):
        """The menu of a seat."""

    @abstractmethod
    async def choose(self, letter):
        """A row of a menu or a list."""

    async def type(self, text):
        """Digits or words into the dialog that is open."""
        for char in text:
            await self.key(NAMES.get(char, char))


class KeysOnly(Hands):
    """Never touches a mouse, and types ahead: all keys of a command are there before the console has read the first."""

    async def key(self, name):
        self.done.append(name)
        app = self.pilot.app
        event = Key(name, key_to_character(name))
        event.set_sender(app)
        app._driver.send_message(event)

    async def press(self, action, number=None):
        for char in "" if number is None else str(number):
            await self.key(NAMES.get(char, char))
        await self.key(key_of(action).binding.split(",")[0])

    async def raise_to(self, amount):
        await self.press("raise", amount)
        await self.settled()

    async def sit(self, first, last):
        await self.press("seating", f"{first}-{last}")
        await self.settled()

    async def says(self, seat, words):
        await self.press("says", None if seat == self.state.to_act else seat)
        await self.type(words)
        await self.key("enter")
        return await self.settled()

    async def open_seat(self, seat):
        await self.press("seating", seat)

    async def choose(self, letter):
        await self.key(letter.lower())


class MouseOnly(Hands):
    """Never touches a key: clicks where the screen has something that answers to clicks."""

    async def press(self, action, number=None):
        if number is not None:
            await self._click("press('number')")
            await self.type(str(number))
            await self.key("enter")
        if self._place(f"press('{action}')") is None:
            await self._click("press('help')")
            await self._click(f"app.press_key('{action}')", turns="pagedown")
        else:
            await self._click(f"press('{action}')")

    async def key(self, name):
        if len(name) == 1 and name.isupper():
            await self._click("⇧")
        await self._click(key_action(name))

    async def raise_to(self, amount):
        await self.press("raise")
        await self.type(str(amount))
        await self.obeyed("enter", key=True)

    async def sit(self, first, last):
        for seat in range(first, last + 1):
            await self.open_seat(seat)
            await self.obeyed("enter", key=True)

    async def says(self, seat, words):
        await self.press("says", None if seat == self.state.to_act else seat)
        await self.type(words)
        await self.obeyed("enter", key=True)

    async def open_seat(self, seat):
        await self._click(f"press('seating', {seat})")

    async def choose(self, letter):
        await self._click(key_action(letter.lower()), turns="pagedown")

    async def _click(self, action, *, turns=""):
        """Clicks the words that answer with an action; ``turns`` is the key that shows more of them."""
        while (place := self._place(action)) is None:
            assert turns, f"nothing answers with {action}:\n{self.text}"
            before = self.text
            await self._click(key_action(turns))
            assert self.text != before, f"nothing answers with {action}:\n{before}"
        x, y, width, height = place
        words = self.text.splitlines()[y + height // 2][x : x + width].strip()
        self.done.append(re.sub(r"\s+", " ", words))
        await self.pilot.click(offset=(x + width // 2, y + height // 2))
        await self.pilot.pause()

    def _place(self, action):
        """Where on the screen something answers with that action: column, row, width, height; or None."""
        screen = self.pilot.app.screen
        for widget in screen.query(Drawn):
            if not widget.display or not widget.size.height:
                continue
            region = widget.region
            for target in widget._canvas.targets:
                if target.action == action and target.y < region.height:
                    return region.x + target.x, region.y + target.y, target.width, target.height
        return None
