"""Who sits at the table between two hands, and who is dealt in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    won_short: bool = False
    """It was all-in and won less than the least buy-in: at open stakes it adds a full one or nothing (R-283)."""
    must_rebuy: bool = False
    """Its chips did not cover what the big blind asks for: it is dealt in when it has bought chips (R-203)."""


def dealt_in(players: Mapping[int, Player], house: HouseRules) -> tuple[int, ...]:
    """The seats that could be dealt in: with chips, and present unless absent players are dealt in (R-194, R-306)."""
    return tuple(
        [
            seat for seat, player in sorted(players.items())
            if player.stack and not player.must_rebuy and (not player.away or house.absent_players == "dealt-in")
        ]
    )  # fmt: skip


def seat_players(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player]
) -> Positions:  # fmt: skip
    """Button, blinds and posts of the next hand, with those who come and return (R-191 to R-194).

    Raises Illegal (`not-open`) without two players, Unsupported for what is not honoured yet.
    """
    seats = dealt_in(players, house)
    behind_button = [seat for seat in seats if _sits_out_for_the_button(players[seat], house)]
    if behind_button:
        return _seat_behind_the_button(house, structure, options, last, players, behind_button)
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
        posts += _made_up(players[seat], seat, house, structure)
        if _posts(players[seat], house, structure):
            posts += (Post(seat, structure.big_blind, PostKind.LIVE),)
    return replace(placed, posts=posts)


def _sits_out_for_the_button(player: Player, house: HouseRules) -> bool:
    return player.arrival is not None and player.arrival.replaces and house.replacement == "sit-out"


def _seat_behind_the_button(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player],
    replacing: Sequence[int],
) -> Positions:  # fmt: skip
    """Who took a leaver's seat is dealt in when the button has passed it; till then the seat is empty (R-191)."""
    others = {seat: player for seat, player in players.items() if seat not in replacing}
    placed = seat_players(house, structure, options, last, others)
    passed = [seat for seat in replacing if seat != last.button and seat in _arc(last.button, placed.button)]
    return replace(placed, seats=placed.seats | set(passed))


def cannot_cover_the_big_blind(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player]
) -> int | None:  # fmt: skip
    """The seat that is due the big blind and cannot cover what the house asks for it, the small blind or more (R-203).

    Raises as `seat_players` does.
    """
    if house.big_blind_must_cover == "none" or len(structure.blinds) < 2:
        return None
    least = structure.blinds[-2] + (structure.ante if house.big_blind_must_cover == "small-blind-and-ante" else 0)
    seat = seat_players(house, structure, options, last, players).big_blind
    return seat if seat is not None and players[seat].stack < least else None


def still_missed(house: HouseRules, player: Player, seat: int, placed: Positions) -> tuple[int, ...]:
    """The missed blinds that a seat which is dealt in owes after its posts of this hand (R-193)."""
    if house.missed_blinds != "one-per-hand" or seat == placed.big_blind:
        return ()
    posted = any(post.seat == seat and post.kind is PostKind.LIVE for post in placed.posts)
    return player.missed[1:] if posted else player.missed


def _made_up(player: Player, seat: int, house: HouseRules, structure: Structure) -> tuple[Post, ...]:
    """How missed blinds are made up, in the amounts at which they were missed (R-193)."""
    if player.arrival is not None or not player.missed:
        return ()
    largest, others = player.missed[0], player.missed[1:]
    match house.missed_blinds:
        case "one-per-hand":
            return (Post(seat, largest, PostKind.LIVE),)
        case "single-big":
            return (Post(seat, structure.big_blind, PostKind.LIVE),) if structure.big_blind else ()
        case "big-live-small-dead":
            live = (Post(seat, largest, PostKind.LIVE if largest >= structure.big_blind else PostKind.DEAD),)
            return live + tuple([Post(seat, amount, PostKind.DEAD) for amount in others])
    return ()


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
    arrival = player.arrival or player.returns
    if seat == placed.big_blind or arrival is None:
        return False
    if arrival.buys_button:
        raise Unsupported("buys_button", f"seat {seat} wants to buy the button.")
    in_blinds = placed.big_blind is not None and seat in _arc(placed.button, placed.big_blind)
    return in_blinds or not arrival.post or (player.arrival is not None and house.new_player == "wait")


def _posts(player: Player, house: HouseRules, structure: Structure) -> bool:
    """Whether a new player posts a live big blind (R-191, R-192)."""
    if player.arrival is not None and player.arrival.replaces and house.replacement == "live-big-blind":
        return structure.big_blind > 0
    in_limit = structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT)
    posts = house.new_player == "post" or (house.new_player == "post-in-limit" and in_limit)
    return posts and player.arrival is not None and structure.big_blind > 0


def _arc(low: int, high: int) -> frozenset[int]:
    """All seat numbers from `low` up to, but without, `high`, clockwise."""
    found = set()
    seat = low
    while seat != high:
        found.add(seat)
        seat = seat % 10 + 1
    return frozenset(found)
