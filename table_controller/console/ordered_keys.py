"""Keys one after the other: a key that is pressed before the last one was dealt with waits for it.

Textual gives a key to what has the focus when the key comes. Whoever types faster than a dialog opens would type the
first letters of a name into the table below it.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from textual.app import App
from textual.events import Event, Key
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer
from typing_extensions import override

from betline.options import DONE
from betline.stopping import on_sigterm

PATIENCE_S = 0.5
"""After so long the next key is no longer kept waiting for the last one."""


class Taken(Message):
    """Goes the way of a key: once behind the key itself, and once behind what the key has sent, such as a line."""

    def __init__(self, number: int, target: MessagePump, *, behind: Literal["key", "sent"] = "key") -> None:
        super().__init__()
        self.number, self.target, self.behind = number, target, behind


class OrderedKeys(App[int]):
    """An application in which no key overtakes the dialog that the key before it opens."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: deque[Key] = deque()
        self._number = 0
        """Of the key that is dealt with; 0 where none is."""
        self._last = 0
        self._patience: Timer | None = None
        self._screen: Screen[object] | None = None
        """The one that was shown when the key came."""

    def on_load(self) -> None:
        """Before the terminal is changed: SIGTERM is to put it right."""
        on_sigterm(lambda: self.exit(DONE))

    @override
    async def on_event(self, event: Event) -> None:
        if not isinstance(event, Key) or event.is_forwarded:
            await super().on_event(event)
            return
        self._keys.append(event)
        if not self._number:
            await self._next_key()

    def meant(self, key: Key) -> Key:
        """The key that a pressed one stands for where it has come to; itself, if nothing else is said."""
        return key

    async def _next_key(self) -> None:
        self._number = 0
        if not self._keys:
            return
        self._last += 1
        number = self._number = self._last
        self._screen, target = self.screen, self.focused or self.screen
        self._patience = self.set_timer(PATIENCE_S, lambda: self._go_on(number))
        await super().on_event(self.meant(self._keys.popleft()))
        if not target.post_message(Taken(number, target)):
            self._dealt_with(number)

    def on_taken(self, taken: Taken) -> None:
        """The key, or what it has sent, has come all the way up."""
        sent = Taken(taken.number, taken.target, behind="sent")
        if taken.behind == "sent" or not taken.target.post_message(sent):
            self._dealt_with(taken.number)

    def _dealt_with(self, number: int) -> None:
        """A dialog that the key has opened must be there and have the focus before the next key comes."""
        if self.screen is self._screen or not self.screen.call_after_refresh(self.call_later, self._go_on, number):
            self.call_later(self._go_on, number)

    async def _go_on(self, number: int) -> None:
        if number != self._number:
            return
        if self._patience is not None:
            self._patience.stop()
        await self._next_key()
