"""Who sits at the table between two hands, and who could be dealt in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from betline.settings import HouseRules


@dataclass(frozen=True, slots=True)
class Arrival:
    """A player who has not been dealt in yet; `replaces` somebody who held the seat in the last hand."""

    post: bool = True
    buys_button: bool = False
    replaces: bool = False
    moved: int = 0
    """Of who has moved away from the big blind: so many hands it waits where it does not post."""
    deals_off: bool = False
    """It had the button and has moved then: it comes in for nothing once the button has passed (RRoP 4)."""


@dataclass(frozen=True, slots=True)
class Move:
    """The seat that a player changes to, and how it comes in there."""

    to: int
    post: bool = True
    buys_button: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A seat that is taken: its stack between hands, and what keeps it out of the next one."""

    stack: int
    person: str = ""
    """Who it is, the same at every visit; empty where nobody has said so (R-282)."""
    away: bool = False
    penalty: int = 0
    """For so many hands more the floor has sent it away (R-294)."""
    short_bought: bool = False
    """It has made the one short buy that the house allows (R-281)."""
    arrival: Arrival | None = None
    missed: tuple[int, ...] = ()
    """Blinds that the seat owes on its return, largest first, in the amounts of then."""
    missed_straddle: int = 0
    """A mandatory straddle that went past the seat: dead money on its return (R-201)."""
    deferred: tuple[int, ...] = ()
    """Blinds that the seat did not post because it posted a kill: due in the next hand (R-128)."""
    returns: Arrival | None = None
    """The player is back and says how the missed blinds are made up."""
    rounds_missed: int = 0
    """How often the big blind has gone past since the seat was dealt in last (R-194)."""
    out_since: int | None = None
    """The minute of the first hand that the seat was not dealt in to."""
    pick_up: bool = False
    """It has been away so long that its chips may be picked up (R-194)."""
    won_short: bool = False
    """It was all-in and won less than the least buy-in: at open stakes it adds a full one or nothing (R-283)."""
    leaving: bool = False
    """It leaves when the hand is over; one whose hand is dealt again is dealt in once more (TDA 35-C)."""
    moving: Move | None = None
    """It changes seats when the hand is over."""
    must_rebuy: bool = False
    """Its chips did not cover what the big blind asks for: it is dealt in when it has bought chips (R-203)."""


def dealt_in(players: Mapping[int, Player], house: HouseRules) -> tuple[int, ...]:
    """The seats that could be dealt in: with chips, and present unless absent players are dealt in (R-194, R-306)."""
    return tuple(
        [
            seat for seat, player in sorted(players.items())
            if player.stack and not player.must_rebuy and (not player.away or house.absent_players == "dealt-in")
            and not (player.penalty and house.form == "cash")
        ]
    )  # fmt: skip


def penalty_served(player: Player, house: HouseRules) -> Player:
    """A hand of the penalty is dealt: who has sat out the last one is back, and makes up the blinds (R-193, R-294)."""
    if not player.penalty:
        return player
    back = player.penalty == 1 and house.form == "cash" and not player.away and player.returns is None
    return replace(player, penalty=player.penalty - 1, returns=Arrival() if back else player.returns)


def penalty_again(player: Player, was: Player) -> int:
    """The penalty after a hand that is dealt again: its hand counts once; one that the floor gave meanwhile stays."""
    return was.penalty if player.penalty == max(was.penalty - 1, 0) else player.penalty
