"""Who goes first, and who may be skipped: acts that wait for the seats before them (R-039, R-067).

Readers settle in any order; acts are told in turn order. An act whose turn has not come waits for as long as a seat
before it moves chips or has its hand over its zone, and then for `implied_wait_ms` more, because a dealer keys folds
and checks late. Then the house decides whether the seats before it acted unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from table_controller.sensing.account import Account
from table_controller.sensing.observations import Asked
from table_controller.sensing.thresholds import Thresholds
from table_controller.sensing.view import HandView
from table_controller.sensing.witness import NS_A_MS


@dataclass(frozen=True, slots=True)
class Turn:
    """What the order of acts depends on besides the view."""

    awaiting: bool = False
    """The service was told something that changes the books and has not told the view since."""
    quiet_ns: int = -1
    """When the turn last passed on, or a seat before a waiting act last moved."""
    street_ns: int = -1
    """When the street began."""
    over_ns: int = -1
    """When the betting of the last round was over."""
    out_of_turn: int | None = None
    """The seat of which the dealer said that it acted out of turn."""
    implied: tuple[int, ...] = ()
    """The seats of which the dealer said that they acted unseen."""


Due = Literal["wait", "ask", "assume", "skipped"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The act that is next in turn order but for seats not heard of."""

    seat: int
    before: tuple[int, ...]
    due: Due


def first_waiting(hand: HandView, accounts: Mapping[int, Account]) -> int | None:
    """The seat nearest to the turn, not in turn itself, whose act is ready."""
    for seat in hand.order:
        account = accounts.get(seat)
        if seat != hand.to_act and account is not None and account.ready_ns >= 0:
            return seat
    return None


def waiting(
    hand: HandView,
    accounts: Mapping[int, Account],
    turn: Turn,
    moves: Callable[[int], bool],
    now_ns: int,
    use: Thresholds,
) -> tuple[Turn, Waiting | None]:
    """The act that waits for seats before it, and what is to be done; the turn remembers when these last moved.

    Where the house skips nobody silently, acts are still told in turn order.
    """
    seat = first_waiting(hand, accounts)
    if seat is None:
        return turn, None
    before = hand.before(seat)
    if any(moves(one) for one in before):
        return replace(turn, quiet_ns=now_ns), Waiting(seat, before, "wait")
    since = max(accounts[seat].ready_ns, turn.quiet_ns)
    if now_ns - since < use.implied_wait_ms * NS_A_MS:
        return turn, Waiting(seat, before, "wait")
    return turn, Waiting(seat, before, hand.implied_passive)


def unreported(hand: HandView, one: Waiting) -> Asked:
    """The question whether the seats before a waiting act have acted unseen."""
    return Asked(
        f"unreported-{hand.hand_no}-{hand.street}-{one.before[0]}-{one.seat}",
        "unreported",
        one.before,
        f"{named(one.before)} checked or folded before seat {one.seat}?",
        ("passive", "out-of-turn"),
    )


def named(seats: tuple[int, ...]) -> str:
    """`Seat 4`, `Seats 4 and 5`, `Seats 4, 5 and 6`."""
    if len(seats) == 1:
        return f"Seat {seats[0]}"
    return f"Seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
