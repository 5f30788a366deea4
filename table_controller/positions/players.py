"""Who sits at the table between two hands, and who is dealt in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from betline.settings import HouseRules
from table_controller.betting import BettingOptions, Limit, Post, PostKind, Structure
from table_controller.positions.button import Positions, next_positions
from table_controller.positions.terms import Unsupported


@dataclass(frozen=True, slots=True)
class Arrival:
    """A player who has not been dealt in yet; `replaces` somebody who held the seat in the last hand."""

    post: bool = True
    buys_button: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A seat that is taken: its stack between hands, and what keeps it out of the next one."""

    stack: int
    away: bool = False
    arrival: Arrival | None = None
    missed: tuple[int, ...] = ()
    """Blinds that the seat owes on its return."""
    returns: Arrival | None = None
    """The player is back and says how the missed blinds are made up."""


def dealt_in(players: Mapping[int, Player], house: HouseRules) -> tuple[int, ...]:
    """The seats that could be dealt in: with chips, and present unless absent players are dealt in (R-194, R-306)."""
    return tuple(
        [
            seat for seat, player in sorted(players.items())
            if player.stack and (not player.away or house.absent_players == "dealt-in")
        ]
    )  # fmt: skip


def seat_players(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player]
) -> Positions:  # fmt: skip
    """Button, blinds and posts of the next hand, with those who come and return (R-191 to R-194).

    Raises Illegal (`not-open`) without two players, Unsupported for what is not honoured yet.
    """
    seats = dealt_in(players, house)
    placed = next_positions(house, structure, options, last, seats)
    new = [seat for seat in seats if _must_be_seated(players[seat], house)]
    waiting = [seat for seat in new if _waits(seat, placed, players[seat], house)]
    if waiting and len(seats) - len(waiting) >= 2:
        seats = tuple([seat for seat in seats if seat not in waiting])
        placed = next_positions(house, structure, options, last, seats)
    posts = placed.posts
    blinds = {post.seat for post in posts}
    for seat in new:
        if seat in waiting or seat in blinds:
            continue
        if players[seat].missed and house.missed_blinds != "none":
            raise Unsupported(f"missed_blinds {house.missed_blinds}", f"seat {seat} returns and owes missed blinds.")
        if _posts(players[seat], house, structure):
            posts += (Post(seat, structure.big_blind, PostKind.LIVE),)
    _check_big_blind_covers(house, structure, placed, players)
    return replace(placed, posts=posts)


def missing(player: Player, seat: int, last: Positions | None, placed: Positions, structure: Structure) -> Player:
    """A player who is not dealt in misses the blinds when the big blind goes past the seat (R-193)."""
    passed = (
        last is not None and last.big_blind is not None and placed.big_blind is not None
        and seat in _arc(last.big_blind, placed.big_blind) and seat != last.big_blind
    )  # fmt: skip
    if not passed or player.arrival is not None or player.missed:
        return player
    return replace(player, missed=tuple(sorted([blind for blind in structure.blinds if blind], reverse=True)))


def _must_be_seated(player: Player, house: HouseRules) -> bool:
    """A new player, or one who returns owing blinds; who replaces a leaver may pay in their stead (R-191)."""
    if player.arrival is not None:
        return not (player.arrival.replaces and house.replacement == "pay-in-stead")
    return bool(player.missed)


def _waits(seat: int, placed: Positions, player: Player, house: HouseRules) -> bool:
    """Whether a new player is left out of this hand: between button and big blind, or waiting for it (R-192)."""
    if seat == placed.big_blind:
        return False
    arrival = player.arrival or player.returns or Arrival()
    if arrival.buys_button:
        raise Unsupported("buys_button", f"seat {seat} wants to buy the button.")
    if arrival.replaces and house.replacement == "sit-out":
        raise Unsupported("replacement sit-out", f"seat {seat} must sit out until the button has passed.")
    in_blinds = placed.big_blind is not None and seat in _arc(placed.button, placed.big_blind)
    return in_blinds or not arrival.post or (player.arrival is not None and house.new_player == "wait")


def _posts(player: Player, house: HouseRules, structure: Structure) -> bool:
    """Whether a new player posts a live big blind (R-191, R-192)."""
    if player.arrival is not None and player.arrival.replaces and house.replacement == "live-big-blind":
        return structure.big_blind > 0
    in_limit = structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT)
    posts = house.new_player == "post" or (house.new_player == "post-in-limit" and in_limit)
    return posts and player.arrival is not None and structure.big_blind > 0


def _check_big_blind_covers(
    house: HouseRules, structure: Structure, placed: Positions, players: Mapping[int, Player]
) -> None:  # fmt: skip
    """R-203: a big blind that cannot cover the small one (and the ante) is not dealt in."""
    if house.big_blind_must_cover == "none" or placed.big_blind is None or len(structure.blinds) < 2:
        return
    least = structure.blinds[-2] + (structure.ante if house.big_blind_must_cover == "small-blind-and-ante" else 0)
    if players[placed.big_blind].stack < least:
        raise Unsupported(
            f"big_blind_must_cover {house.big_blind_must_cover}",
            f"seat {placed.big_blind} is due the big blind and has less than {least}.",
        )


def _arc(low: int, high: int) -> frozenset[int]:
    """All seat numbers from `low` up to, but without, `high`, clockwise."""
    found = set()
    seat = low
    while seat != high:
        found.add(seat)
        seat = seat % 10 + 1
    return frozenset(found)
