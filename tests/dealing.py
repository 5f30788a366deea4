"""A dealer of tests who keys whole hands at a real controller."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from betline.messages.common import Reply
from betline.messages.table import TableState

WAIT_S = 40.0


def until(holds: Callable[[], bool], what: str) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline_s, f"not in time: {what}"
        time.sleep(0.02)


class DealsHands(Protocol):
    """What the keys of a hand need: `key` and the states that were heard."""

    states: list[TableState]

    def key(self, verb: str, **args: Any) -> Reply: ...

    @property
    def state(self) -> TableState:
        return self.states[-1]

    @property
    def players(self) -> list[int]:
        return [one.seat for one in self.state.seats if one.status != "empty"]

    def begins(self) -> bool:
        """Whether the dealer's key for the next hand begins one."""
        reply = self.key("next-hand", **({} if self.state.button else {"button": self.players[0]}))
        if not reply.ok:
            assert reply.code == "held", reply.sentence
            return False
        until(lambda: self.state.phase == "posting", "the hand has begun")
        return True

    def folds_round(self) -> None:
        """The hand is played: all fold to the big blind."""
        assert self.key("cards-out").ok
        until(lambda: self.state.phase == "betting" and self.state.to_act is not None, "somebody is to act")
        while (seat := self.state.to_act) is not None:
            assert self.key("act", seat=seat, action="fold").ok
            until(lambda seat=seat: self.state.to_act != seat, "the act is ruled on")  # type: ignore[misc]
        until(lambda: self.state.phase == "hand-over", "the hand is over")
