"""What the table gives to sensing: whose turn it is and what each seat's bet was ruled to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Phase = Literal["idle", "posting", "betting", "round-over", "showdown", "hand-over"]
ImpliedPassive = Literal["ask", "assume", "skipped"]


@dataclass(frozen=True, slots=True)
class SeatBook:
    """What the table's books say of one seat; amounts in the table's smallest unit."""

    seat: int
    bet: int = 0
    """Its bet of this round, as ruled (what it owes is in it)."""
    owes: int = 0
    """What it must still put over the line to make the ruling good."""
    change_due: int = 0
    """What the dealer must still give back to it."""
    stack: int = 0
    live: bool = True
    """Whether it holds a hand; folded and empty seats do not."""
    acted: bool = False
    """Whether it has acted on this street; posting is not acting."""
    keyed: int | None = None
    """The bet of this round if the dealer keyed it or words made it, its chips perhaps still to come, else None."""
    all_in: bool = False
    put_in: int = 0
    """All that it has put into this hand, antes and dead posts too."""
    dead: int = 0
    """Its ante and dead blinds of this hand, as long as its first street lasts."""
    straddle: int = 0
    """The least straddle that it may still post; 0 where it may post none."""
    asked: bool = False
    """Whether a person is asked what its chips before the cards are."""
    inferred: int = 0
    """How many steps must be taken back to take back its fold, if that was inferred; else 0."""


@dataclass(frozen=True, slots=True)
class HandView:
    """The table as sensing must know it. Given anew after every change, and after every act that was reported."""

    phase: Phase = "idle"
    hand_no: int = 0
    street: str = ""
    to_act: int | None = None
    order: tuple[int, ...] = ()
    """The seats that can still act in this hand, in turn, beginning with the seat to act."""
    seats: tuple[SeatBook, ...] = ()
    implied_passive: ImpliedPassive = "ask"
    moved_last: int | None = None
    """The seat whose act in chips without words was the last thing that happened; None where nothing was, or a part of
    what it owes for that act has been paid since."""
    hold: bool = False
    """A person is asked what lies before a seat: until the answer nobody's chips are ruled on."""
    level: int = 0
    """The bet to match, though a blind may be short of it."""
    pot: int = 0
    """All chips of the hand that nobody has won, in the middle and in front of the seats."""
    in_play: int = 0
    """What all players have, with the pot."""
    back: Mapping[int, int] = field(default_factory=dict)
    """By seat what nobody matched and goes back to it."""
    won: Mapping[int, int] = field(default_factory=dict)
    """By seat what it gets out of the pots, once the hand is over."""
    taken: int = 0
    """What the house takes out of them."""
    contested: tuple[frozenset[int], ...] = ()
    """At the showdown: who can win each pot that must be awarded, main pot first; empty where there are more boards."""
    board_now: int = 0
    """How many cards the board has on this street."""
    board_next: int = 0
    """How many it has on the next one; 0 where none comes, or the game has no board or more than one."""
    next_seats: frozenset[int] = frozenset()
    """Once the hand is over: who is dealt into the next one; empty where none can begin by itself."""
    next_posts: Mapping[int, int] = field(default_factory=dict)
    """By seat the bet with which it begins."""
    next_dead: int = 0
    """What comes into the pot then with no bet: antes, dead blinds."""
    by_seat: dict[int, SeatBook] = field(init=False, repr=False, compare=False)
    most_bet: int = field(init=False, repr=False, compare=False)
    """What a seat must have put out to have called."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_seat", {book.seat: book for book in self.seats})
        object.__setattr__(self, "most_bet", max([self.level, *(book.bet for book in self.seats)]))

    def book(self, seat: int) -> SeatBook:
        """The books of a seat; a seat that the view does not name holds no hand."""
        return self.by_seat.get(seat) or SeatBook(seat, live=False)

    def call(self, seat: int) -> int:
        """What it costs a seat to call, as far as the books of the seats say."""
        return self.most_bet - self.book(seat).bet

    def done(self, seat: int) -> bool:
        """Whether the seat has acted and nobody has raised since: chips that it adds are no act."""
        return self.book(seat).acted and self.call(seat) <= 0

    def before(self, seat: int) -> tuple[int, ...]:
        """The seats whose turn comes before this seat's, the seat to act first."""
        return self.order[: self.order.index(seat)] if seat in self.order else ()
