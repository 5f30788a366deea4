"""What houses disagree about in room work: options with a name and a default (docs/room.md), and payout tables."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from betline.settings import Settings

WHOLE: Final = 10_000
"""All of a prize pool, in hundredths of a percent."""


class PayoutRow(Settings):
    """How a pool is shared with so many entries: places from the first, in hundredths of a percent."""

    entries_to: int = Field(ge=1, description="the row is for up to so many entries; the last one for all beyond")
    shares: tuple[int, ...] = Field(min_length=1, description="of each paid place, the first one first")

    @model_validator(mode="after")
    def _is_a_whole(self) -> Self:
        if sum(self.shares) != WHOLE:
            raise ValueError(f"the shares must come to {WHOLE}, not {sum(self.shares)}")
        if list(self.shares) != sorted(self.shares, reverse=True) or self.shares[-1] < 1:
            raise ValueError("no place may be paid more than the one before it, and the last one something")
        return self


class RoomRules(Settings):
    """The house's options of room work."""

    balance_at: int = Field(
        default=3, ge=2, le=9, description="a player moves to a table that is so many short of the fullest (TDA 11-D)"
    )
    tight_tables: int = Field(default=4, ge=0, description="with so many tables left they are balanced more tightly")
    tight_at: int = Field(default=2, ge=2, le=9, description="`balance_at` from then on")
    halt_at: int = Field(
        default=3, ge=0, le=9, description="play halts at a full-ring table that is so many short; 0: never (TDA 11-D)"
    )
    halt_short_handed: int = Field(
        default=0, ge=0, le=9, description="`halt_at` for tables of six seats or fewer; 0: the director decides"
    )
    balance_from: Literal["breaking-order", "lot"] = Field(
        default="breaking-order", description="which of several fullest tables gives a player (TDA 11-C)"
    )
    late_seats: Literal["shortest", "any"] = Field(
        default="shortest", description="the pool of seats for late entries: of the shortest tables, or all (TDA 8)"
    )
    redraw_at: tuple[int, ...] = Field(
        default=(9,), description="with so many players left all draw seats anew; the smallest is the final table"
    )
    hand_for_hand_s: int = Field(default=120, ge=0, description="what a hand takes off the clock hand for hand")
    hold_s: int = Field(
        default=300, ge=30, le=3600, description="a table that is held plays on by itself when the room is away so long"
    )
    same_hand: Literal["stack", "tie"] = Field(
        default="stack", description="out in one hand at one table: by the stack at its start, or equal"
    )
    hand_for_hand_ties: bool = Field(
        default=True, description="out in one hand at several tables hand for hand: equal, else by stack"
    )
    payout_unit: int = Field(
        default=5, ge=1, description="prizes are whole multiples of it; the rest goes to one place"
    )
    payout_rest: Literal["first", "last"] = Field(default="first", description="which place has what rounding leaves")
    payouts: tuple[PayoutRow, ...] = Field(min_length=1, description="how the pool is shared by number of entries")
    lock_up_minutes: int = Field(default=10, ge=1, description="how long a seat is held for who was called")
    call_in_minutes: int = Field(default=60, ge=1, description="how long a name that was phoned in keeps its place")
    passes: int = Field(default=1, ge=0, description="how often a player may pass and keep the place in the list")
    must_move_refusal: Literal["leaves", "to-bottom"] = Field(
        default="leaves", description="who refuses to move to the main game leaves the game, or moves after the others"
    )
    push_minutes: int = Field(default=30, ge=5, description="how long a dealer deals at a table")
    most_pushes: int = Field(default=4, ge=1, description="after so many tables without a break one is overdue")

    @model_validator(mode="after")
    def _rows_rise(self) -> Self:
        ends = [row.entries_to for row in self.payouts]
        if ends != sorted(set(ends)):
            raise ValueError("entries_to must rise from one row of payouts to the next")
        if self.tight_at > self.balance_at:
            raise ValueError("tight_at may not be more than balance_at")
        return self

    def halt_short(self, seats: int) -> int:
        """At a table of so many seats: how many players short of the fullest play halts; 0: never by itself."""
        return self.halt_at if seats > 6 else self.halt_short_handed
