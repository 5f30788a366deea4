"""A player changes seats: how much later the big blind comes there, and how the player comes in (R-192, R-193).

Nobody gains hands by moving. Who moves closer to the big blind is dealt in as before; who moves away from it posts one,
or waits for as many hands as it would have gained, and is then where it was. In a tournament the floor moves players,
and nobody posts for it.
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
    if player.arrival is not None or player.missed or player.away:
        return here
    if house.form == "tournament" or not structure.big_blind:
        return here
    gained = hands_gained(last, others, seat, move.to)
    if not gained:
        return here
    post = move.post and house.new_player != "wait"
    return replace(here, arrival=Arrival(post, move.buys_button, moved=gained))


def hands_gained(last: Positions | None, others: Collection[int], seat: int, to: int) -> int:
    """By how many hands the big blind comes later in another seat; 0 where it comes no later, or there is none."""
    base = None if last is None else last.frozen_from or last
    if base is None or base.big_blind is None or seat not in base.seats:
        return 0
    playing = [other for other in others if other in base.seats]
    return max(_hands_to(base.big_blind, to, playing) - _hands_to(base.big_blind, seat, playing), 0)


def _hands_to(big_blind: int, seat: int, playing: Collection[int]) -> int:
    """After how many hands the big blind is in a seat; in the seat that has just had it after a whole round."""
    distance = steps(big_blind, seat) or SEATS
    return 1 + sum(0 < steps(big_blind, other) < distance for other in playing)
