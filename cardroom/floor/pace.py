"""How fast a table plays, and for how much: hands an hour and the average pot of the last hour. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from betline.messages.table import TableState

HOUR_S: Final = 3600.0
LEAST_S: Final = 120.0
"""Before a table was watched for so long nothing is said of its hands an hour."""
MOST: Final = 120
"""So many hands are remembered; of a faster table the figures are those of a shorter time."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The hands that were seen to begin and to end. Times are seconds that only rise."""

    journal: str = ""
    begun: tuple[tuple[float, int], ...] = ()
    """When each hand was first seen, and its number."""
    pots: tuple[tuple[float, int], ...] = ()
    """When each hand was over, and its pot."""
    largest: int = 0
    """The most that lay in the middle in this hand so far, or its pot once it is over."""

    def after(self, state: TableState, at_s: float) -> Pace:
        """After one more state. Where states were missed the hands still count, for they have numbers."""
        if state.journal != self.journal:
            return Pace(state.journal)._begins(state, at_s)
        number = self.begun[-1][1] if self.begun else None
        if number == state.hand_no:
            return replace(self, largest=_pot(state, self.largest))
        if number is None or state.hand_no > number:
            return self._ends(at_s)._begins(state, at_s)
        back = tuple(one for one in self.begun if one[1] < state.hand_no)  # the beginning of a hand was taken back
        return replace(self, begun=back, pots=self.pots[: len(self.pots) - 1])._begins(state, at_s)

    def hands_an_hour(self, now_s: float) -> int | None:
        """By the hands of the last hour; None where it was not watched for long enough."""
        kept = self._of_the_hour(self.begun, now_s)
        if not kept or now_s - kept[0][0] < LEAST_S:
            return None
        (first_s, first), (_, last) = kept[0], kept[-1]
        return round((last - first) * HOUR_S / (now_s - first_s))

    def average_pot(self, now_s: float) -> int | None:
        """Of the hands that ended in the last hour; None where none did."""
        kept = [pot for _, pot in self._of_the_hour(self.pots, now_s)]
        return round(sum(kept) / len(kept)) if kept else None

    def _begins(self, state: TableState, at_s: float) -> Pace:
        begun = (*self.begun, (at_s, state.hand_no))[-MOST:]
        return replace(self, begun=begun, largest=_pot(state, 0))

    def _ends(self, at_s: float) -> Pace:
        return replace(self, pots=(*self.pots, (at_s, self.largest))[-MOST:]) if self.largest else self

    @staticmethod
    def _of_the_hour(times: tuple[tuple[float, int], ...], now_s: float) -> tuple[tuple[float, int], ...]:
        return tuple(one for one in times if now_s - one[0] <= HOUR_S)


NO_PACE: Final = Pace()
"""Nothing was seen yet."""


def _pot(state: TableState, before: int) -> int:
    """The pot of a hand that is over, as it is paid out; else the most that has lain there. No bet that goes back."""
    if state.phase in ("idle", "hand-over"):
        return sum(one.amount for one in state.payouts if one.pot is not None) or before
    return max(before, state.pot)
