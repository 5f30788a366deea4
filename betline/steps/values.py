"""The steps as values: one frozen class a kind of step.

A class says all that there is to know of its step's form: the kinds of its fields by their annotations
(`betline.steps.kinds`), its key in a case file by ``CASE``, and in ``check`` what of its fields goes together. Its verb
on the bus is its name (`betline.steps.commands`).
"""

from __future__ import annotations

from typing import TypeAlias

from betline.steps.cards import LayCards
from betline.steps.floor import (
    ClockExpired,
    CorrectBet,
    CorrectButton,
    CorrectRecord,
    Count,
    FloorDecision,
    KillHand,
    Override,
    Penalty,
    ReopenAward,
    Undo,
)
from betline.steps.play import (
    Act,
    Award,
    BringIn,
    ChopBlinds,
    Deal,
    FouledDeck,
    KillPot,
    Misdeal,
    NextHand,
    PassOut,
    RunIt,
    Straddle,
    TakeRock,
)
from betline.steps.seats import (
    AfterMinutes,
    Borrow,
    ChangeSeat,
    ColorUp,
    KeepSeat,
    LastTwo,
    Leave,
    MoneyBehind,
    MoveChips,
    NamePlayer,
    Rebuy,
    Return,
    SitDown,
    SitOut,
)

Step: TypeAlias = (
    Act | Deal | BringIn | Straddle | Award | NextHand | SitDown | Leave | SitOut | Return | Rebuy | Borrow | Undo
    | CorrectRecord | ReopenAward | Count | MoveChips | MoneyBehind | Misdeal | FouledDeck | PassOut | KillHand
    | ClockExpired | ColorUp | AfterMinutes | LastTwo | CorrectBet | FloorDecision | Override | ChopBlinds
    | CorrectButton | Penalty | TakeRock | KillPot | NamePlayer | ChangeSeat | KeepSeat
    | RunIt | LayCards
)  # fmt: skip
