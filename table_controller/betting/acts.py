"""What a player does: the action asked for, the act that it became, and the refusal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ActionKind(StrEnum):
    """The actions of poker, as a dealer would key them."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    COMPLETE = "complete"
    FOLD = "fold"
    ALL_IN = "all-in"


# Looking up the member of an enumeration costs as much as the rest of a small function: the hot paths use these names.
CHECK, CALL, BET, RAISE = ActionKind.CHECK, ActionKind.CALL, ActionKind.BET, ActionKind.RAISE
COMPLETE, FOLD, ALL_IN = ActionKind.COMPLETE, ActionKind.FOLD, ActionKind.ALL_IN


@dataclass(frozen=True, slots=True)
class Action:
    """An unambiguous action; `to` is the seat's total of this round and may be left out where one size is legal."""

    kind: ActionKind
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """An action as it was taken: `kind` is never all-in but what the all-in amounted to.

    `to` is the seat's bet of this round afterwards, `added` what left its stack. Neither is reduced by the return of an
    uncalled part, which the hand's payouts tell.
    """

    seat: int
    kind: ActionKind
    to: int
    added: int
    all_in: bool


class Illegal(Exception):
    """The table refuses: a stable `code` (docs/case-format.md, "Codes"; `setup`: no hand can begin) and a sentence.

    `cites` are the rules that forbid it, the one that a player will ask for first.
    """

    def __init__(self, code: str, sentence: str, *, cites: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.cites = cites
