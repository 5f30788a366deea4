"""Where the dealer's arm has been at a seat: whether it went on from the bet to the player's stacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class BelowDealer(NamedTuple):
    """What at a seat the dealer's arm is over: the bet zone; the stacks, as one that gives chips back there; or other
    places on the pot's side of the line, where that tells the two apart.
    """

    zone: bool = False
    stacks: bool = False
    elsewhere: bool = False


class Stay(NamedTuple):
    """When the arm came to a place, and when it was last seen there."""

    came_ns: int
    seen_ns: int


@dataclass(slots=True)
class DealersWay:
    """The arm's last stays at one seat, None before the first."""

    zone: Stay | None = None
    stacks: Stay | None = None
    elsewhere_ns: int | None = None

    @property
    def onward_ns(self) -> int | None:
        """When it last came on from the zone to the stacks, for more than a frame, and not over these to the zone."""
        if self.zone is None or self.stacks is None:
            return None
        came_ns, seen_ns = self.stacks
        return came_ns if seen_ns > came_ns > self.zone.came_ns else None

    @property
    def hid_ns(self) -> int | None:
        """Until when the arm that came on lay over the zone too, on its way to stacks beyond, and hid what is there."""
        onward_ns = self.onward_ns
        if self.zone is None or onward_ns is None or self.zone.seen_ns < onward_ns:
            return None
        return self.zone.seen_ns

    def note(self, t_ns: int, below: BelowDealer, pause_ns: int) -> None:
        """Takes a frame; an arm that is back after a pause never left."""
        if below.elsewhere:
            self.elsewhere_ns = t_ns
        if below.zone:
            self.zone = _stay(self.zone, t_ns, pause_ns)
        if not below.stacks or self.zone is None:
            return
        if self.elsewhere_ns is not None and self.elsewhere_ns > self.zone.seen_ns:
            return  # it took the bet to the pot, and is on its way home
        came_back = not below.zone and self.stacks is not None and self.zone.seen_ns > self.stacks.seen_ns
        self.stacks = _stay(None if came_back else self.stacks, t_ns, pause_ns)


def _stay(before: Stay | None, t_ns: int, pause_ns: int) -> Stay:
    stays = before is not None and t_ns - before.seen_ns <= pause_ns
    return Stay(before.came_ns if before is not None and stays else t_ns, t_ns)
