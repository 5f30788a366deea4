"""Chips that lie before a seat and are no bet of it, as the people at the table know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from virtual_table.table.things import Chip
from virtual_table.table.world import World

FORGOTTEN_S = 3.0
"""So long after chips were taken up a question may still be about them: a reader has to miss them first."""


class NoBets:
    """Dead money that was not gathered yet, and chips with which somebody only toys."""

    def __init__(self, world: World, now: Callable[[], float]) -> None:
        self._world = world
        self._now = now
        self._lying: dict[int, tuple[Chip, ...]] = {}
        self._until_s: dict[int, float] = {}

    def lie(self, seat: int, chips: Sequence[Chip]) -> None:
        """These lie there from now on, until they are gone."""
        self._lying[seat] = (*self.lying(seat), *chips)
        self._until_s[seat] = float("inf")

    def lie_until(self, seat: int, until_s: float) -> None:
        """Chips lie there until then."""
        self._until_s[seat] = max(until_s, self._until_s.get(seat, 0.0))

    def gone(self, seat: int) -> None:
        """They have been taken up or gathered."""
        if self._lying.pop(seat, None) is not None:
            self._until_s[seat] = self._now()

    def all_gone(self) -> None:
        """The dealer has gathered all that lay on the felt."""
        for seat in tuple(self._lying):
            self.gone(seat)

    def lying(self, seat: int) -> tuple[Chip, ...]:
        """Those that lie there for long."""
        return self._lying.get(seat, ())

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats before which some lie for long."""
        return tuple(self._lying)

    def bets(self, seat: int) -> tuple[Chip, ...]:
        """The chips before a seat that are its bet."""
        none = self.lying(seat)
        return tuple([chip for chip in self._world.bets(seat) if chip not in none])

    def asked_about(self, seat: int) -> bool:
        """Whether chips before this seat that are asked about now are no bet."""
        return self._now() < self._until_s.get(seat, 0.0) + FORGOTTEN_S
