"""Who is dealt in to the next hand, and what those who come and return post (R-191 to R-194, R-201, R-203)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from betline.settings import HouseRules
from table_controller.betting import BettingOptions, Illegal, Limit, Post, PostKind, Structure
from table_controller.betting.structure import AnteBy
from table_controller.positions.button import first_positions, next_positions
from table_controller.positions.places import Positions, is_past, steps
from table_controller.positions.players import Arrival, Player, dealt_in
from table_controller.positions.returns import made_up


def seat_players(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player]
) -> Positions:  # fmt: skip
    """Button, blinds and posts of the next hand, with those who come and return (R-191 to R-194).

    Raises Illegal (`not-open`) without two players, `setup` where there are more blinds than players.
    """
    seats = dealt_in(players, house)
    behind_button = [seat for seat in seats if _sits_out_for_the_button(players[seat], house)]
    if behind_button and len(seats) - len(behind_button) >= 2:
        return _seat_behind_the_button(house, structure, options, last, players, behind_button)
    new = {seat for seat in seats if _must_be_seated(players[seat], house)}
    placed, waiting = _who_waits(house, structure, options, last, players, new)
    buyer = _buyer(house, placed, players, waiting)
    if buyer is not None:
        placed = _bought(structure, placed, buyer)
    return with_posts(house, structure, placed, players, new - {buyer})


def put_on_button(
    house: HouseRules, structure: Structure, options: BettingOptions, players: Mapping[int, Player], button: int,
    *, is_first: bool = False,
) -> Positions:  # fmt: skip
    """The positions of a hand whose button the dealer names; raises Illegal (`not-open`) where it cannot stand.

    In the first hand of an evening everybody is new and nobody posts for it.
    """
    seats = dealt_in(players, house)
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    if button not in seats:
        why = "has no chips" if button in players and not players[button].stack else "is not dealt in"
        raise Illegal("not-open", f"Seat {button} {why}: the button goes to a seat that is dealt in.")
    placed = first_positions(structure, options, seats, button)
    new = {seat for seat in seats if not is_first and _must_be_seated(players[seat], house)}
    return with_posts(house, structure, placed, players, new)


def with_posts(
    house: HouseRules, structure: Structure, placed: Positions, players: Mapping[int, Player], new: Iterable[int]
) -> Positions:  # fmt: skip
    """The positions with what new and returning players post; who is in a blind posts nothing else but a straddle."""
    posts = placed.posts
    blinds = {post.seat for post in posts}
    for seat in sorted(placed.seats):
        player = players[seat]
        if seat in new and seat not in blinds:
            posts += made_up(player, seat, house, structure)
            if _posts(player, house, structure):
                posts += (Post(seat, structure.big_blind, PostKind.LIVE),)
        if player.missed_straddle and structure.blinds:
            posts += (Post(seat, player.missed_straddle, PostKind.DEAD),)
    return replace(placed, posts=posts)


def cannot_cover_the_big_blind(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player]
) -> int | None:  # fmt: skip
    """A seat that is due a big blind and cannot cover what the house asks for it, the small blind or more (R-203).

    Where the button moves, several may be due one (R-187). Raises as `seat_players` does.
    """
    if house.big_blind_must_cover == "none" or len(structure.blinds) < 2:
        return None
    owes_ante = house.big_blind_must_cover == "small-blind-and-ante" and structure.ante_by is not AnteBy.BUTTON
    least = structure.blinds[-2] + (structure.ante if owes_ante else 0)
    placed = seat_players(house, structure, options, last, players)
    small, big = structure.blinds[-2:]
    posted = {post.seat for post in placed.posts if post.kind is PostKind.BLIND and post.amount == big > small}
    due = posted if placed.big_blind is None else {*posted, placed.big_blind}
    return min([seat for seat in due if players[seat].stack < least], default=None)


def _who_waits(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player],
    new: set[int],
) -> tuple[Positions, frozenset[int]]:  # fmt: skip
    """The hand without those who must wait, one by one: without the first another may be the big blind, or wait too."""
    seats = dealt_in(players, house)
    came = new if house.button_rule == "simplified" else new | (set(seats) - last.seats)
    waiting: frozenset[int] = frozenset()
    while True:
        placed = next_positions(house, structure, options, last, seats, came)
        more = [seat for seat in seats if _waits(seat, placed, players[seat], house, last, is_new=seat in new)]
        if not more or len(seats) == 2:
            return placed, waiting
        first = min(more, key=lambda seat: steps(placed.button, seat))
        waiting |= {first}
        seats = tuple([seat for seat in seats if seat != first])


def _must_be_seated(player: Player, house: HouseRules) -> bool:
    """A new player, or one who returns owing blinds; who replaces a leaver may pay in their stead (R-191)."""
    if player.arrival is not None:
        return not (player.arrival.replaces and house.replacement == "pay-in-stead")
    return bool(player.missed)


def _waits(
    seat: int, placed: Positions, player: Player, house: HouseRules, last: Positions, *, is_new: bool
) -> bool:  # fmt: skip
    """Whether a player is left out of this hand: between the button and the blinds, or waiting for the big blind.

    Where the big blind is on the button, there are as many blinds as players, and nobody waits.
    """
    if placed.big_blind is None or placed.big_blind in (seat, placed.button):
        return False
    arrival = player.arrival or player.returns
    behind = steps(placed.button, seat)
    between = behind < steps(placed.button, placed.big_blind)
    without_blind = between and behind > 0 and all(post.seat != seat for post in placed.posts)
    if not is_new or arrival is None:
        return without_blind and house.button_rule != "simplified" and seat not in last.seats
    if not arrival.post or (player.arrival is not None and not arrival.moved and house.new_player == "wait"):
        return True
    return without_blind if house.form == "tournament" else between


def _first_blind(placed: Positions) -> int:
    """Where the first blind that is not on the button is due."""
    return placed.trail[1]


def _buyer(
    house: HouseRules, placed: Positions, players: Mapping[int, Player], waiting: frozenset[int]
) -> int | None:  # fmt: skip
    """Who buys the button: the first seat left of it, before the blinds; elsewhere it cannot be bought (R-192)."""
    if house.form == "tournament" or placed.big_blind is None or placed.is_heads_up:
        return None
    for seat in sorted(waiting, key=lambda seat: (seat - placed.button) % 10):
        arrival: Arrival | None = players[seat].arrival or players[seat].returns
        if arrival is not None and arrival.buys_button and is_past(placed.button, seat, _first_blind(placed)):
            return seat
    return None


def _bought(structure: Structure, placed: Positions, buyer: int) -> Positions:
    """Who buys the button posts all blinds, the big one live and the rest dead, and nobody else posts one (R-192).

    The others are due theirs in the next hand, when the buyer has the button.
    """
    smaller = tuple([Post(buyer, amount, PostKind.DEAD) for amount in structure.blinds[:-1] if amount])
    trail = (placed.button, buyer, *placed.trail[1:-1])
    places = trail[2:]
    return replace(
        placed, small_blind=None, big_blind=buyer, posts=(*smaller, Post(buyer, structure.big_blind)), trail=trail,
        owed={seat: placed.blinds - 1 - number for number, seat in enumerate(reversed(places))},
        seats=placed.seats | {buyer},
    )  # fmt: skip


def _sits_out_for_the_button(player: Player, house: HouseRules) -> bool:
    arrival = player.arrival
    return arrival is not None and (arrival.deals_off or (arrival.replaces and house.replacement == "sit-out"))


def _seat_behind_the_button(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, players: Mapping[int, Player],
    replacing: Sequence[int],
) -> Positions:  # fmt: skip
    """Who took a leaver's seat, or has dealt off, is dealt in when the button has passed (R-191, R-192)."""
    others = {seat: player for seat, player in players.items() if seat not in replacing}
    placed = seat_players(house, structure, options, last, others)
    passed = {seat for seat in replacing if steps(last.button, seat) < steps(last.button, placed.button)}
    return replace(placed, seats=placed.seats | passed)


def _posts(player: Player, house: HouseRules, structure: Structure) -> bool:
    """Whether a new player posts a live big blind (R-191, R-192)."""
    if player.arrival is not None and player.arrival.moved:
        return True
    if player.arrival is not None and player.arrival.deals_off:
        return False
    if player.arrival is not None and player.arrival.replaces and house.replacement == "live-big-blind":
        return structure.big_blind > 0
    in_limit = structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT)
    posts = house.new_player == "post" or (house.new_player == "post-in-limit" and in_limit)
    return posts and player.arrival is not None and structure.big_blind > 0
