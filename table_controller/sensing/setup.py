"""What is where: seats, antenna zones, camera, thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When evidence is believed; the defaults are worked out in `presence`, the service fills this from the table file.

    Rounds are inventory rounds of one zone; times are milliseconds.
    """

    window_rounds: int = 8
    """How many rounds a chip's hit count looks back."""
    present_hits: int = 3
    """Hits from which a chip can lie there at all."""
    present_share: float = 0.5
    """Share of the rounds since its first hit from which it does."""
    contested_hits: int = 5
    """Hits from which a chip that another zone hears too can lie there, in at least `settled_share` of the rounds."""
    settled_share: float = 0.75
    """Share of hits of all chips that lie in a zone, below which the set is not believed."""
    absent_rounds: int = 6
    """Rounds without any hit before a chip that lay there has gone."""
    settle_rounds: int = 5
    """Rounds that a chip must have had to be heard before the set is believed to be whole."""
    weak_share: float = 0.15
    """Share of missed reads from which people are told: a set then takes 8 rounds in place of 5 to be believed."""
    unreliable_share: float = 0.25
    """Share of missed reads from which nothing is ruled from a zone: a chip is then forgotten 15 times as often as the
    one in a million that is accepted (`quality`). At 20 % it is 2.6 times as often."""
    better_share: float = 0.03
    """By how much the share must be below these again before they no longer hold; the figure itself moves by 0.01."""
    owner_margin: float = 0.2
    """By how much one of two zones that hear the same chip must hear it better to own it."""
    stale_ms: int = 1500
    """Age from which a silent sensor is stale."""
    hand_ask_ms: int = 4000
    """How long a hand may rest on settled chips before the dealer is asked. Nothing is ruled while it is there."""
    implied_wait_ms: int = 3000
    """How long an act waits for seats before it that nobody heard of; a dealer keys folds up to 2.5 s late."""
    amend_ms: int = 2000
    """A chip this late, without a new visit of the hand, belongs to the act before."""
    again_ms: int = 3000
    """A seat that moves chips so soon after its act, out of turn, has moved a second time."""
    change_gap_ms: int = 1500
    """How long a half-made change may lie before it is judged as it lies."""
    taken_back_ms: int = 2000
    """How long believed-gone chips stay unexplained before the dealer is alerted."""
    out_of_turn_ms: int = 1000
    """How long chips lie out of turn before the dealer is told to hold them; most folds before are keyed by then."""
    unsure_ms: int = 3000
    """How long a zone without a hand in it may stay unsettled before the dealer is alerted."""

    def __post_init__(self) -> None:
        if self.absent_rounds > self.window_rounds:
            raise ValueError(
                f"absent_rounds is {self.absent_rounds}: a chip that is out of the window of {self.window_rounds} "
                "rounds is forgotten, so it must not be more"
            )


@dataclass(frozen=True, slots=True)
class Setup:
    """The table as sensing must know it."""

    seats: tuple[int, ...]
    zones: frozenset[str]
    """Zones that an antenna serves: seat-1 to seat-10, pot, tray, stack-1 to stack-10."""
    camera: bool
    """Whether a camera watches the betting line."""
    thresholds: Thresholds = field(default_factory=Thresholds)

    def beside(self, zone: str) -> tuple[str, ...]:
        """The seats' zones whose chips an antenna may overhear: of a seat the two beside it, of any other zone all."""
        seat = seat_of(zone)
        if seat not in self.seats:
            return tuple(zone_of(one) for one in self.seats)
        place = self.seats.index(seat)
        near = dict.fromkeys((self.seats[place - 1], self.seats[(place + 1) % len(self.seats)]))
        return tuple(zone_of(one) for one in near if one != seat)


@cache
def zone_of(seat: int) -> str:
    """The name of a seat's zone."""
    return f"seat-{seat}"


@cache
def stack_zone_of(seat: int) -> str:
    """The name of the zone where a seat's stack stands; few tables have antennas there."""
    return f"stack-{seat}"


def seat_of(zone: str) -> int:
    """The seat of a bet zone, 0 for any other."""
    return int(zone[5:]) if zone.startswith("seat-") else 0


HOUSE_ZONES = ("pot", "tray")
