"""A player changes seats: how much later the big blind comes there, and how the player comes in (R-192, R-193).

Nobody gains hands by moving (Robert's Rules of Poker, section 4). Who moves closer to the big blind is
dealt in as before; who moves away from it posts one, or waits for as many hands as it would have gained, and is then
where it was; so does who is away, and several moves add up. Blinds that were missed stay owed. Who had the button in
the last hand may instead let the blinds pass the new seat once, and comes in behind the button for nothing. In a
tournament the floor moves players, and nobody posts for it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from betline.settings import HouseRules
from table_controller.betting import Structure
from table_controller.positions.places import SEATS, Positions, steps
from table_controller.positions.players import Arrival, Move, Player


def moved_player(
    player: Player, seat: int, move: Move, house: HouseRules, structure: Structure, last: Positions | None,
    others: Collection[int],
) -> Player:  # fmt: skip
    """The player in the new seat; `others` are the seats of all others, `last` the positions of the last hand."""
    here = replace(player, moving=None)
    came = player.arrival
    base = None if last is None else last.frozen_from or last
    if came is not None and not came.moved:
        return replace(here, arrival=replace(came, replaces=base is not None and move.to in base.seats))
    if player.missed or house.form == "tournament" or not structure.big_blind:
        return here
    post = move.post and house.new_player != "wait"
    if base is not None and seat == base.button and not (post or player.away):
        return replace(here, arrival=Arrival(post=False, deals_off=True))
    gained = _hands_gained(base, others, seat, move.to, 0 if came is None else came.moved)
    return replace(here, arrival=Arrival(post, move.buys_button, moved=gained) if gained else None)


def _hands_gained(base: Positions | None, others: Collection[int], seat: int, to: int, so_far: int) -> int:
    """By how many hands the big blind comes later in another seat than where the player was dealt in last.

    `so_far` are those that the player has gained by earlier moves and not waited for; 0 where it comes no later.
    """
    if base is None or base.big_blind is None or not (so_far or seat in base.seats):
        return 0
    playing = [other for other in others if other in base.seats]
    return max(so_far + _hands_to(base.big_blind, to, playing) - _hands_to(base.big_blind, seat, playing), 0)


def _hands_to(big_blind: int, seat: int, playing: Collection[int]) -> int:
    """After how many hands the big blind is in a seat; in the seat that has just had it after a whole round."""
    distance = steps(big_blind, seat) or SEATS
    return 1 + sum(0 < steps(big_blind, other) < distance for other in playing)
