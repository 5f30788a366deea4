"""What a table shows to people who do not deal it: each audience gets a view with nothing in it that is not for it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from betline.messages.cards import CardsAt, HandMade
from betline.messages.common import Amount, Body, SeatNumber
from betline.messages.table import Alert, LevelState, PlayerClockState, PotView, PushView, Question, SensorState

Audience = Literal["player", "board", "stream", "dealer", "floor"]
"""Who looks: the player at a seat, whoever stands before the table's board, who watches its stream, dealer, floor."""


class TurnView(Body):
    """The turn of the seat to act; an amount that its audience may not be told is null, and the text is without it."""

    seat: SeatNumber
    text: str = Field(description="the turn in words")
    call: Amount | None = Field(default=None, description="what it must add to call, 0 where it may check")
    min_raise_to: Amount | None = None
    max_raise_to: Amount | None = None
    pot_bet: Amount | None = None
    wager: Literal["", "bet", "raise", "complete"] = Field(
        default="", description="what making it more is; empty where that is not open to the seat"
    )
    option: bool = False


class ActView(Body):
    """The last act of the hand; its amount is null where it has none, or it is told on request only."""

    seat: SeatNumber
    act: Literal["bet", "raise", "complete", "call", "check", "fold"]
    to: Amount | None = None
    all_in: bool = False
    text: str = Field(description="the act in words")


class SeatView(Body):
    """One seat; an amount that its audience may not be told is null."""

    seat: SeatNumber
    name: str = ""
    status: Literal["empty", "out", "in", "folded", "all-in"]
    away: bool = False
    stack: Amount | None = None
    bet: Amount | None = None


class TableView(Body):
    """The table as one audience may see it (retained)."""

    audience: Audience
    version: int
    hand_no: int
    phase: Literal["idle", "posting", "betting", "round-over", "showdown", "hand-over"]
    game: str
    street: str
    button: SeatNumber | None
    small_blind: SeatNumber | None
    big_blind: SeatNumber | None
    seats: tuple[SeatView, ...]
    turn: TurnView | None = None
    last_act: ActView | None = None
    pot: Amount | None = Field(default=None, description="null where its size is not told unasked (R-160)")
    pots: tuple[PotView, ...] = Field(default=(), description="main pot first; none where the size is not told")
    cards: tuple[CardsAt, ...] = Field(default=(), description="what lay face up, once the hand is over")
    winners: tuple[SeatNumber, ...] = Field(default=(), description="once the hand is over, in rising order")
    won_with: tuple[HandMade, ...] = ()
    payouts: tuple[PushView, ...] = Field(default=(), description="who gets what, where the pot's size is told")
    level: LevelState | None = None
    player_clock: PlayerClockState | None = None
    players: int = Field(default=0, ge=0, description="seats that have chips")
    average_stack: Amount | None = Field(
        default=None, description="chips in play over players, in an evening with levels or where stacks are shown"
    )
    questions: tuple[Question, ...] = Field(default=(), description="for dealer and floor")
    alerts: tuple[Alert, ...] = Field(default=(), description="for dealer and floor")
    sensors: tuple[SensorState, ...] = Field(default=(), description="for dealer and floor")
