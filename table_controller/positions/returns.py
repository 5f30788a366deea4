"""Blinds that absent players miss, and how they are made up on return (R-193, R-194)."""

from __future__ import annotations

from dataclasses import replace

from betline.settings import HouseRules
from table_controller.betting import Post, PostKind, Structure
from table_controller.positions.places import Positions, is_past
from table_controller.positions.players import Arrival, Player

PICK_UP_ROUNDS = 2
PICK_UP_MINUTES = 60


def made_up(player: Player, seat: int, house: HouseRules, structure: Structure) -> tuple[Post, ...]:
    """How missed blinds are made up, in the amounts at which they were missed (R-193).

    No more of them is live than the big blind of the present game.
    """
    most = structure.big_blind
    if player.arrival is not None or not player.missed or not most:
        return ()
    largest, others = player.missed[0], player.missed[1:]
    match house.missed_blinds:
        case "one-per-hand":
            return _live(seat, largest, most)
        case "single-big":
            return (Post(seat, most, PostKind.LIVE),)
        case "big-live-small-dead":
            was_big = bool(others) or len(structure.blinds) == 1 or largest >= most
            first = _live(seat, largest, most) if was_big else (Post(seat, largest, PostKind.DEAD),)
            return first + tuple([Post(seat, amount, PostKind.DEAD) for amount in others])
    return ()


def _live(seat: int, amount: int, most: int) -> tuple[Post, ...]:
    rest = (Post(seat, amount - most, PostKind.DEAD),) if amount > most else ()
    return (Post(seat, min(amount, most), PostKind.LIVE), *rest)


def dealt_in_again(player: Player, seat: int, house: HouseRules, placed: Positions, structure: Structure) -> Player:
    """A player who is dealt in: what it still owes after its posts of this hand."""
    missed: tuple[int, ...] = ()
    if seat != placed.big_blind and house.missed_blinds != "none" and player.arrival is None:
        if not structure.blinds:
            missed = player.missed
        elif house.missed_blinds == "one-per-hand":
            posted = any(post.seat == seat and post.kind is PostKind.LIVE for post in placed.posts)
            missed = player.missed[1:] if posted else player.missed
    straddle = 0 if structure.blinds else player.missed_straddle
    return replace(
        player, arrival=None, returns=None, missed=missed, missed_straddle=straddle, rounds_missed=0, out_since=None,
        pick_up=False,
    )  # fmt: skip


def left_out(
    player: Player, seat: int, last: Positions | None, placed: Positions, structure: Structure, minute: int = 0
) -> Player:  # fmt: skip
    """A player who is not dealt in: it misses the blinds when they go past the seat (R-193, R-194).

    One set is all that can be missed: when the big blind comes round again it takes the place of the older one. A new
    player and one without chips owe nothing.
    """
    if player.arrival is not None and player.arrival.moved:
        return _waited(player, player.arrival)
    if player.arrival is not None or not player.stack:
        return player
    player = replace(player, out_since=minute if player.out_since is None else player.out_since)
    base = None if last is None else last.frozen_from or last
    if base is not None and base.blinds and structure.blinds:
        if is_past(base.trail[-1], seat, placed.trail[-1]):
            missed = tuple(sorted([blind for blind in structure.blinds if blind], reverse=True))
            player = replace(player, missed=missed, rounds_missed=player.rounds_missed + 1)
        elif not player.missed and (owed := base.owed.get(seat, 0)):
            smaller = structure.blinds[: len(structure.blinds) - 1][:owed]
            player = replace(player, missed=tuple(sorted([blind for blind in smaller if blind], reverse=True)))
    long = player.out_since is not None and minute - player.out_since >= PICK_UP_MINUTES
    return replace(player, pick_up=player.pick_up or player.rounds_missed >= PICK_UP_ROUNDS or long)


def _waited(player: Player, moved: Arrival) -> Player:
    """One hand less to wait for who has moved away from the big blind; after the last one it is in as before."""
    return replace(player, arrival=replace(moved, moved=moved.moved - 1) if moved.moved > 1 else None)


def with_missed_straddle(player: Player, amount: int) -> Player:
    """A mandatory straddle went past a player who was not dealt in: one is owed, however many were missed (R-201)."""
    if player.arrival is not None or not player.stack:
        return player
    return replace(player, missed_straddle=max(player.missed_straddle, amount))


def with_deferred(placed: Positions, seat: int, deferred: tuple[int, ...]) -> Positions:
    """The positions with blinds that a kill has put off: the largest of all the seat owes is live, the rest dead."""
    own = [post for post in placed.posts if post.seat == seat and post.kind in (PostKind.BLIND, PostKind.LIVE)]
    due = [Post(seat, amount, PostKind.DEAD) for amount in sorted(deferred, reverse=True)]
    if due[0].amount > max([post.amount for post in own], default=0):
        due[0] = replace(due[0], kind=PostKind.LIVE)
        dead = {post: replace(post, kind=PostKind.DEAD) for post in own}
        return replace(placed, posts=(*[dead.get(post, post) for post in placed.posts], *due))
    return replace(placed, posts=(*placed.posts, *due))
