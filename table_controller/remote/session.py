"""One remote: a plain console on a thread of its own, what it shows as JSON, and what is typed for it.

Whoever has a key on the phone's page types a line of the plain console by it, so the remote can do what that can and
is refused what that is refused, in the same words.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from betline.bus import Bus
from betline.messages.table import TableState
from betline.settings import TableSettings
from table_controller.console.clock import Clock
from table_controller.console.plain.run import PlainConsole, Seen
from table_controller.console.plain.wording import understood

LINES: Final = 40
"""So many lines that were told are shown."""
MOST_WAITING: Final = 20
"""So many lines may wait for the one before them; more are refused."""
LONGEST_LINE: Final = 200
ESCAPE: Final = "cancel"
NOBODY: Final = "nobody signed in"
"""As a console says it."""
QUIT: Final = "quit"
"""A page is left by closing it."""
SIGN_OUT: Final = "sign in"
"""Without a name, that is what it does."""


class RemoteSession:
    """A console without a screen. ``shows`` gets its JSON on the console's thread as often as it changes."""

    def __init__(
        self, bus: Bus, table: TableSettings, shows: Callable[[str], object], clock: Clock | None = None
    ) -> None:
        self._shows = shows
        self._typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._told: deque[tuple[int, str]] = deque(maxlen=LINES)
        self._count = 0
        self._cleaning = False
        self._shown = ""
        self._console = PlainConsole(bus, table, self._tell, clock, self._look)
        self._thread = threading.Thread(target=self._run, daemon=True, name="remote")

    def start(self) -> None:
        """Begins to listen and to follow lines."""
        self._thread.start()

    def type(self, line: str) -> bool:
        """Takes a line; False where too many wait already, or it is too long, or more than one."""
        if len(line) > LONGEST_LINE or not line.isprintable() or self._typed.qsize() >= MOST_WAITING:
            return False
        self._typed.put(line)
        return True

    def end(self, within_s: float = 2.0) -> None:
        """Ends the console."""
        self._typed.put(None)
        self._thread.join(within_s)

    def clear(self) -> None:
        """Another browser gets it: nothing is shown until nobody is signed in and nothing is asked any more."""
        self._cleaning = True
        self._typed.put(ESCAPE)
        self._typed.put(SIGN_OUT)

    def _run(self) -> None:
        self._console.run(self._lines())

    def _lines(self) -> Iterator[str]:
        while (line := self._typed.get()) is not None:
            asked = understood(line)
            if asked is None or asked.action != QUIT:
                yield line

    def _tell(self, line: str) -> None:
        self._count += 1
        self._told.append((self._count, line))

    def _look(self) -> None:
        seen = self._console.seen()
        if self._cleaning:
            if seen.asks or seen.who not in ("", NOBODY) or not self._typed.empty():
                return
            self._cleaning = False
            self._told.clear()
            self._shown = ""
        shown = as_json(seen, tuple(self._told))
        if shown != self._shown:
            self._shown = shown
            self._shows(shown)


def as_json(seen: Seen, told: tuple[tuple[int, str], ...]) -> str:
    """What a remote's page shows; the newest line last."""
    return json.dumps(
        {
            "trouble": seen.trouble,
            "now": seen.now,
            "asks": seen.asks,
            "keys": [{"line": line, "words": words} for words, line in _keys(seen).items()],
            "who": seen.who,
            "people": seen.people,
            "lines": [{"number": number, "text": text} for number, text in told],
            "seats": _seats(seen.state),
            "pot": None if seen.state is None else seen.state.pot,
            "view": None if seen.state is None else {"version": seen.state.version},
        }
    )


def _keys(seen: Seen) -> dict[str, str]:
    """What can be pressed, with the line of each; what two lines do is there once."""
    keys: dict[str, str] = {}
    for line, words in seen.keys:
        if words != QUIT:
            keys.setdefault(words, line)
    return keys


def _seats(state: TableState | None) -> list[dict[str, object]]:
    if state is None:
        return []
    return [
        {
            "seat": one.seat,
            "name": one.name,
            "stack": one.stack,
            "bet": one.bet,
            "status": one.status,
            "acts": one.seat == state.to_act,
        }
        for one in state.seats
        if one.status != "empty"
    ]
