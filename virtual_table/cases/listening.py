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
CATCH_UP_S = 10.0
"""So long the state of a ruling may take on a machine with much else to do."""


class CaseLink(ControllerLink):
    """A link that knows which state came after which reply."""

    def __init__(self, bus: Bus, clock: Clock, new_command: Callable[[], str] = new_command) -> None:
        self._seen = 0
        self._seen_at: dict[str, int] = {}
        super().__init__(bus, clock, new_command)

    def obeyed(self, command: Command) -> Reply:
        """Asks the controller, and waits for the state after its answer."""
        mark = self.mark()
        reply = self.command(command)
        seen = self._seen_at.pop(reply.command_id, self._seen)
        if reply.ok and not self.wait(lambda: self._seen > seen, FOLLOWS_S):
            self.catch_up(mark)
        return reply

    def catch_up(self, mark: tuple[int, int]) -> None:
        """Waits until the state knows the newest ruling that was heard since, where there is one."""
        rulings, _ = self.since(mark)
        if rulings:
            newest = rulings[-1].hand_no, rulings[-1].act_no
            self.wait(lambda: _knows(self.now, newest), CATCH_UP_S)

    @property
    def now(self) -> TableState:
        """The newest state; there is one once the controller is there."""
        state = self.state
        assert state is not None
        return state

    def mark(self) -> tuple[int, int]:
        """How many rulings and alerts have been heard."""
        return self.marks()[0], self.alerts_heard()

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


def _knows(state: TableState, newest: tuple[int, int]) -> bool:
    """Whether a state came after a ruling, by the numbers of its hand and act."""
    return state.hand_no > newest[0] or newest in {(one.hand_no, one.act_no) for one in state.rulings}
