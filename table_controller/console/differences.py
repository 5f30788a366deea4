"""Where antenna and books differ: shown once it lasts, for while chips are put out they always do. Pure; seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from betline.messages.table import SeatState, TableState

LASTS_S = 2.0


@dataclass(frozen=True, slots=True)
class Differences:
    """By seat: what the books had when the difference began, and when that was."""

    since: Mapping[int, tuple[tuple[int, int, int], float]] = field(default_factory=dict)

    def shown(self, state: TableState | None, now_s: float) -> Differences:
        """After this state; whatever the books change at a seat begins anew there."""
        found = {}
        for seat in state.seats if state is not None else ():
            if differs(seat):
                books = seat.bet, seat.owes, seat.change_due
                before = self.since.get(seat.seat)
                found[seat.seat] = before if before is not None and before[0] == books else (books, now_s)
        return Differences(found)

    def passing(self, now_s: float) -> frozenset[int]:
        """The seats whose difference may still be chips that move."""
        return frozenset(seat for seat, (_, began_s) in self.since.items() if now_s - began_s < LASTS_S)


def differs(seat: SeatState) -> bool:
    """Whether the antenna reads what neither the ruled bet nor what is still to come or to go explains."""
    expected = seat.bet + seat.change_due - seat.owes
    return seat.on_felt is not None and seat.on_felt not in (seat.bet, expected) and not seat.hand_on_chips
