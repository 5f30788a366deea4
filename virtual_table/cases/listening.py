"""The dealer's side of the bus for a player of cases: what was said since a moment, and the state after a command."""

from __future__ import annotations

from collections.abc import Callable

from betline.bus import Bus, Received
from betline.messages.common import Reply
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.steps import Command
from virtual_table.play.clock import Clock
from virtual_table.play.link import ControllerLink, new_command

FOLLOWS_S = 0.5
"""So long after a reply the state may come that it has led to; where nothing has changed none comes."""


class CaseLink(ControllerLink):
    """A link that knows which state came after which reply."""

    def __init__(self, bus: Bus, clock: Clock, new_command: Callable[[], str] = new_command) -> None:
        self._seen = 0
        self._seen_at: dict[str, int] = {}
        super().__init__(bus, clock, new_command)

    def obeyed(self, command: Command) -> Reply:
        """Asks the controller, and waits for the state after its answer."""
        reply = self.command(command)
        seen = self._seen_at.pop(reply.command_id, self._seen)
        if reply.ok:
            self.wait(lambda: self._seen > seen, FOLLOWS_S)
        return reply

    @property
    def now(self) -> TableState:
        """The newest state; there is one once the controller is there."""
        state = self.state
        assert state is not None
        return state

    def mark(self) -> tuple[int, int]:
        """How many rulings and alerts have been heard."""
        return len(self.rulings()), len(self.alerts())

    def since(self, mark: tuple[int, int]) -> tuple[tuple[Ruling, ...], tuple[Alert, ...]]:
        """The rulings and alerts since then."""
        return tuple(self.rulings(mark[0])), tuple(self.alerts(mark[1]))

    def announced(self) -> Announcement | None:
        """What was last said to a player who is to act."""
        said = [heard.body for heard in self.announcements() if not heard.body.counting]
        return said[-1] if said else None

    def _on_state(self, received: Received) -> None:
        self._seen += 1
        super()._on_state(received)

    def _on_reply(self, received: Received) -> None:
        assert isinstance(received.body, Reply)
        self._seen_at[received.body.command_id] = self._seen
        super()._on_reply(received)
