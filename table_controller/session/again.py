"""Commands that come again: their own sender's, which is answered as before, and those that somebody has played back.

A sender asks again where it has had no answer: under the same id, in the same life of its program, for the same thing,
and before it is void. Everything else under an id that was used is a replay. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from betline.messages.common import Reply
from betline.steps import Command
from table_controller.session.inputs import Keyed

REMEMBERED: Final = 500
"""Ids of which it is known who asked first. The journal knows the sender of each command that was obeyed."""
REPLAYED: Final = "replayed"
EXPIRED: Final = "expired"


@dataclass(frozen=True, slots=True)
class _First:
    sender: str
    life: str
    asks: Command
    recalls: int = field(default=0, compare=False)
    """So many of the last hands were promised."""


@dataclass(frozen=True, slots=True)
class Askers:
    """Who asked first under each of the last ids, in this life of the controller."""

    _first: Mapping[str, _First] = field(default_factory=dict)

    def with_one(self, given: Keyed, recalls: int = 0) -> Askers:
        """The same with this command, for which so many hands were promised, unless its id is known."""
        if given.id in self._first:
            return self
        kept = {**self._first, given.id: _First(given.sender, given.life, given.asks, recalls)}
        for oldest in list(kept)[: max(0, len(kept) - REMEMBERED)]:
            del kept[oldest]
        return replace(self, _first=kept)

    def knows(self, given: Keyed) -> bool:
        """Whether its id was used before."""
        return given.id in self._first

    def recalled(self, given: Keyed) -> int:
        """How many hands the first of that id was promised."""
        first = self._first.get(given.id)
        return 0 if first is None else first.recalls

    def is_replay(self, given: Keyed, done: Mapping[str, str] | None, now_ns: int) -> bool:
        """Whether a command is not its first sender's; `done` is what the journal has of its id, if it was obeyed."""
        first = self._first.get(given.id)
        if first is not None and first != _First(given.sender, given.life, given.asks):
            return True
        if done is None:
            return False
        return done["sender"] != given.sender or (given.expires_ns < now_ns and not given.repeated)


def sentence(given: Keyed) -> str:
    """Why it is refused, and what to do."""
    return f"{given.verb} was asked for before under this id: nothing is done twice. Look, then key it anew."


def hands_follow(given: Keyed, hands: int) -> Reply:
    """The answer to who asks for so many of the last hands; they come on a topic of their own."""
    sentence = f"The last {hands} hands follow." if hands > 1 else "The last hand follows."
    return Reply(command_id=given.id, verb=given.verb, ok=True, code="ok", sentence=sentence)
