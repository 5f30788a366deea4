"""Who goes first, and who may be skipped: acts that wait for the seats before them (R-039, R-067).

Readers settle in any order; acts are reported in turn order. An act whose turn has not come waits for as long as a seat
before it moves chips or has its hand over its zone, and then for `implied_wait_ms` more, because a dealer keys folds
and checks late. Then the house decides whether the seats before it acted unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.setup import Thresholds
from table_controller.sensing.view import HandView


@dataclass(frozen=True, slots=True)
class Turn:
    """What the order of acts depends on besides the view."""

    awaiting: bool = False
    """Something that changes the books was reported, and the view has not come since."""
    passed: int = 0
    """How often the turn has passed on."""
    since_ns: int = -1
    """When it last did."""
    quiet_ns: int = -1
    """When the turn last passed on, or a seat before a waiting act last moved."""
    street_ns: int = -1
    """When the street began."""
    betting_ns: int = -1
    """When its betting did."""
    out_of_turn: int | None = None
    """The seat of which the dealer said that it acted out of turn."""
    implied: tuple[int, ...] = ()
    """The seats of which the dealer said that they acted unseen."""

    def after(self, old: HandView, new: HandView, now_ns: int) -> Turn:
        """The turn with what the books say now."""
        turn = replace(self, awaiting=False)
        if new.phase == "betting" and old.phase != "betting":
            turn = replace(turn, betting_ns=now_ns)
        passes = new.to_act != old.to_act
        if passes:
            turn = replace(turn, passed=self.passed + 1, since_ns=now_ns, quiet_ns=now_ns)
        return replace(turn, out_of_turn=None, implied=()) if passes or new.phase != "betting" else turn


@dataclass(frozen=True, slots=True)
class Waiting:
    """The act that is next in turn order but for seats not heard of."""

    seat: int
    before: tuple[int, ...]
    due: Literal["wait", "again", "ask", "assume", "skipped"]


def first_waiting(hand: HandView, accounts: Mapping[int, Account], turn: Turn, thresholds: Thresholds) -> int | None:
    """The seat nearest to the turn, not in turn itself, whose act is ready.

    A seat that has acted and that nobody has raised has no act to make.
    """
    for seat in hand.order:
        account = accounts.get(seat)
        if seat == hand.to_act or account is None or account.ready_ns < 0:
            continue
        if not hand.done(seat) or moved_again(account, turn, thresholds):
            return seat
    return None


def moved_again(account: Account, turn: Turn, thresholds: Thresholds) -> bool:
    """Whether the seat acted last itself, just now: its chips are a second movement (R-052)."""
    last = account.last_act
    soon_ns = thresholds.again_ms * NS_PER_MS
    return last is not None and turn.passed - last.passed <= 1 and account.moved_ns - last.ended_ns <= soon_ns


def waiting(
    hand: HandView,
    accounts: Mapping[int, Account],
    turn: Turn,
    moves: Callable[[int], bool],
    now_ns: int,
    thresholds: Thresholds,
) -> tuple[Turn, Waiting | None]:
    """The act that waits for seats before it, and what is to be done; the turn remembers when these last moved.

    A seat that acted last itself, just now, waits for nobody: it moved a second time. It may yet be half a change.
    """
    seat = first_waiting(hand, accounts, turn, thresholds)
    if seat is None:
        return turn, None
    before, account = hand.before(seat), accounts[seat]
    if moved_again(account, turn, thresholds):
        over = now_ns - account.ready_ns >= thresholds.change_gap_ms * NS_PER_MS
        return turn, Waiting(seat, before, "again" if over else "wait")
    if any(moves(one) for one in before):
        return replace(turn, quiet_ns=now_ns), Waiting(seat, before, "wait")
    if now_ns - max(account.ready_ns, turn.quiet_ns) < thresholds.implied_wait_ms * NS_PER_MS:
        return turn, Waiting(seat, before, "wait")
    return turn, Waiting(seat, before, hand.implied_passive)


def named(seats: tuple[int, ...]) -> str:
    """`Seat 4`, `Seats 4 and 5`, `Seats 4, 5 and 6`."""
    if len(seats) == 1:
        return f"Seat {seats[0]}"
    return f"Seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
