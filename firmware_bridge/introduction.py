"""A dialogue that also asks its reader which one it is: once after the port was opened, before the second round.

The first round comes first, since players wait for it, and it leaves the reader awake and set up. A reader that does
not answer is asked `TRIES` times and then read all the same; what it says later is late to the dialogue within.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.protocols.family import (
    Ask,
    AsksWhetherBusy,
    Dialogue,
    Identity,
    Inventory,
    LineCounters,
    Listen,
    LooksAgain,
    Question,
    Step,
    TellsIdentity,
    TellsOfItself,
)

TIMEOUT_MS: Final = 300.0
TRIES: Final = 2


class Introduced:
    """Implements `family.Dialogue`, `TellsOfItself`, `TellsIdentity`, `LooksAgain` and `AsksWhetherBusy` with those of
    the one within.
    """

    def __init__(self, within: Dialogue, questions: tuple[Question, ...]) -> None:
        """Without questions the dialogue within tells, or nobody does."""
        self._within = within
        self._open = list(questions)
        self._said = Identity()
        self._heard = b""
        self._tries = 0
        self._asks = self._has_read = False
        self._antenna: int | None = None

    @property
    def identity(self) -> Identity | None:
        """What the reader said; None until it was asked all questions, or said it by itself."""
        if isinstance(self._within, TellsIdentity):
            return self._within.identity
        return self._said if self._has_read and not self._open else None

    @property
    def seat(self) -> int:
        return self._within.seat if isinstance(self._within, TellsOfItself) else 0

    @property
    def own_counters(self) -> Mapping[str, float]:
        return self._within.own_counters if isinstance(self._within, TellsOfItself) else {}

    @property
    def damaged(self) -> bool:
        return not self._asks and self._within.damaged

    @property
    def counters(self) -> LineCounters:
        return self._within.counters

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; the one after the first good one begins with the questions."""
        self._antenna = antenna
        return self._ask() if self._has_read and self._open else self._begin()

    def look_again(self) -> Step | None:
        return self._within.look_again() if isinstance(self._within, LooksAgain) else None

    def ask_whether_busy(self) -> Ask | Listen | None:
        within = self._within
        return within.ask_whether_busy() if isinstance(within, AsksWhetherBusy) and not self._asks else None

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        if not self._asks:
            return self._noted(self._within.feed(data, now_ms))
        self._heard += data
        said = self._open[0].read(self._heard)
        return None if said is None else self._next(said)

    def silence(self) -> Step | None:
        if not self._asks:
            return self._noted(self._within.silence())
        return self._ask() if self._tries < TRIES else self._next(Identity())

    def _ask(self) -> Step:
        self._asks = True
        self._tries += 1
        self._heard = b""
        return Ask(self._open[0].request, TIMEOUT_MS)

    def _next(self, said: Identity) -> Step:
        self._said |= said
        self._open.pop(0)
        self._tries = 0
        return self._ask() if self._open else self._begin()

    def _begin(self) -> Step:
        self._asks = False
        return self._within.inventory(self._antenna)

    def _noted(self, step: Step | None) -> Step | None:
        self._has_read = self._has_read or isinstance(step, Inventory)
        return step
