"""The table screen: everything the dealer works with, and the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.events import Key, Resize
from textual.screen import Screen

from betline.settings import TableSettings
from table_controller.console import cards
from table_controller.console.clock import Clock
from table_controller.console.guard import Guard
from table_controller.console.intents import COMMANDING, Ask, Intent, Refused, intent, seat_range
from table_controller.console.keys import KEYS, bindings, cap
from table_controller.console.layout import LAYOUTS, layout_of
from table_controller.console.screens.amount import AmountDialog
from table_controller.console.screens.award import AwardDialog
from table_controller.console.screens.cards import CardsDialog
from table_controller.console.screens.choice import AllInDialog, FloorDialog
from table_controller.console.screens.menu import seat_dialog, table_dialog
from table_controller.console.screens.override import OverrideDialog
from table_controller.console.screens.stud import FirstDialog, bring_in_dialog
from table_controller.console.screens.words import says_dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.wants import Notice, Wanted
from table_controller.console.widgets.drawn import Drawn
from table_controller.console.widgets.oval import Oval
from table_controller.console.widgets.rows import (
    Attention,
    Board,
    Evening,
    Header,
    KeyLine,
    LastHands,
    MessageLine,
    Panel,
    Pots,
    Rulings,
    Sensors,
)

MAX_DIGITS = 9


class TableScreen(Screen[None]):
    """Keys become intents of the state that is shown; a number typed before a key belongs to that key."""

    BINDINGS: ClassVar = [
        *(Binding(bindings(key), f"press('{key.action}')", key.meaning, show=False, id=key.action) for key in KEYS),
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "0123456789"),
        Binding("minus", "to", show=False),
        Binding("backspace", "backspace", show=False),
        Binding("escape", "clear", show=False),
    ]

    def __init__(self, table: TableSettings, clock: Clock, look: Callable[[str], None]) -> None:
        super().__init__()
        self._table = table
        self._clock = clock
        self._look = look
        self._snapshot: Snapshot | None = None
        self._typed = ""
        self._guard = Guard()
        self._refusals = 0

    def compose(self) -> ComposeResult:
        """The widgets from top to bottom."""
        yield Header(id="header")
        yield Evening(id="evening")
        with Container(id="body"):
            yield Oval(self._table, id="oval")
            with Container(id="middle"):
                yield Pots(id="pots")
                yield Panel(id="panel")
            with Container(id="open"):
                yield Board(id="board")
                yield Attention(id="attention")
                yield Sensors(id="sensors")
            yield Rulings(id="rulings")
            yield LastHands(id="hands")
        yield MessageLine(id="message")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        if self._snapshot is not None:
            self.show(self._snapshot)

    def on_resize(self, resized: Resize) -> None:
        layout = layout_of(*resized.size)
        for one in LAYOUTS:
            self.set_class(one == layout, f"-{one}")

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        self._snapshot = snapshot
        self._guard = self._guard.shown(snapshot.state, self._clock.steady_s())
        if snapshot.refusals != self._refusals:
            self._refusals = snapshot.refusals
            self._refused()
        for widget in self.query(Drawn):
            widget.show(snapshot)

    # --- numbers ------------------------------------------------------------------------------------------------------

    def action_digit(self, digit: str) -> None:
        """One more digit of the number that belongs to the next key."""
        now_s = self._clock.steady_s()
        if self._guard.swallows(now_s):
            self._guard = self._guard.after_lost_digit(now_s)
            return
        self._type((self._typed + digit).lstrip("0")[:MAX_DIGITS] or "0")

    def action_to(self) -> None:
        """The number is the first seat of a range, the last one follows."""
        if self._typed and "-" not in self._typed:
            self._type(self._typed + "-")

    def action_backspace(self) -> None:
        """The last digit was wrong."""
        self._type(self._typed[:-1])

    def take_number(self, digits: str | None) -> None:
        """A number from elsewhere that belongs to the next key; None leaves what is typed."""
        if digits is not None:
            self._type(digits)

    def action_clear(self) -> None:
        """The whole number was wrong."""
        self._type("")

    def _type(self, digits: str) -> None:
        self._typed = digits
        hint = f"{digits}   {cap('jump')}: seat {digits} acts · {cap('raise')}: bet or raise to {digits} · Esc"
        if "-" in digits:
            hint = f"{digits}   {cap('seating')}: players sit down there with the starting stack · Esc"
        self.query_one(MessageLine).show_typed(hint if digits else "")

    # --- keys ---------------------------------------------------------------------------------------------------------

    def action_press(self, action: str, of_button: int | None = None) -> None:
        """A key of the key map, or its button; ``of_button`` is a number that belongs to the button."""
        now_s = self._clock.steady_s()
        if action == "answer-1" and self._guard.swallows(now_s):
            return
        if action == "answer-1" and of_button is None and self._guard.ends_number(now_s):
            self._guard = self._guard.after_key()
            enter = cap("answer-1")
            self.post_message(Notice(f"{enter} dropped: a number and its key need none. Press it again to answer."))
            return
        lost = of_button is None and action in COMMANDING and self._guard.lost_number(now_s)
        self._guard = self._guard.after_key()
        if lost:
            sentence = f"{cap(action)} dropped: its number came too soon after a refusal. Type both again."
            self.post_message(Notice(sentence))
            return
        typed = self._typed if of_button is None else str(of_button)
        number = int(typed) if typed and "-" not in typed else None
        if number is not None and of_button is None:
            self._guard = self._guard.after_number(now_s)
        if self._typed and action != "help":  # in the list of keys the key for the number can be clicked
            self._type("")
        if "-" in typed and action != "help":
            self._follow(_of_range(action, typed, self._snapshot))
        elif action not in COMMANDING:
            self._look(action)
        elif self._snapshot is not None:
            stopped = self._guard.stops(action, number, now_s)
            if stopped is not None:
                self.post_message(Notice(stopped.sentence))
            else:
                self._follow(intent(action, number, self._snapshot.state))

    def _follow(self, wanted: Intent) -> None:
        if self._snapshot is not None and self._snapshot.lost and not isinstance(wanted, Refused):
            wanted = Refused(f"Not sent: {self._snapshot.lost.lower()}. Press again when it is back.")
        match wanted:
            case Refused(sentence):
                self._refused()
                self.post_message(Notice(sentence))
            case Ask():
                self._ask(wanted)
            case command:
                self.post_message(Wanted(command))

    def _ask(self, ask: Ask) -> None:
        snapshot = self._snapshot
        if snapshot is None or snapshot.state is None:
            return
        match ask.dialog, ask.seat:
            case "amount", int(seat):
                self.app.push_screen(AmountDialog(seat, snapshot))
            case "all-in", int(seat):
                self.app.push_screen(AllInDialog(seat, snapshot))
            case "says", int(seat):
                self.app.push_screen(says_dialog(seat))
            case "seating", int(seat):
                self.app.push_screen(seat_dialog(seat, snapshot))
            case "award", _:
                self.app.push_screen(AwardDialog(snapshot))
            case "cards", seat:
                wanted = cards.wanted(seat, snapshot.cards, snapshot.state)
                if isinstance(wanted, Refused):
                    self._follow(wanted)
                else:
                    self.app.push_screen(CardsDialog(wanted, snapshot))
            case "floor", _:
                self.app.push_screen(FloorDialog(snapshot, self._table.floor))
            case "override", _:
                self.app.push_screen(OverrideDialog(snapshot, self._table.floor))
            case "menu", _:
                self.app.push_screen(table_dialog(snapshot))
            case "bring-in", _:
                self.app.push_screen(bring_in_dialog(snapshot))
            case "first", _:
                self.app.push_screen(FirstDialog(snapshot))

    def on_key(self, key: Key) -> None:
        """A key that means nothing here says so."""
        if key.is_printable and key.key not in self.active_bindings:
            self.post_message(Notice(f"{key.character} is no key here: {cap('help')} shows all keys."))

    def on_key_dropped(self) -> None:
        """What follows a key that was dropped belongs to it."""
        self._refused()
        self.post_message(Notice("Key dropped: the answer to the last one had not come. Press it again."))

    def _refused(self) -> None:
        """What is typed now belongs to the key that was refused, so it goes too."""
        self._guard = self._guard.after_refusal(self._clock.steady_s())
        if self._typed:
            self._type("")


def _of_range(action: str, typed: str, snapshot: Snapshot | None) -> Intent:
    """What a key makes of a range of seats: only that of the seats has a use for one."""
    if action != "seating":
        return Refused(f"{typed} is a range of seats: {cap('seating')} seats players there. Type the number again.")
    return seat_range(typed, snapshot.state if snapshot else None)
