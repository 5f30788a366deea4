"""A ruling as a value: what an act counts as, the amounts, and the rules that say so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.betting import ActionKind
from table_controller.rulings.values.reckoning import Reckoning

ILLEGAL_SIZE = "illegal-size"
"""The alert of a bet that nobody noticed to be too small or too large: it stands as put until it is corrected."""


class RulingKind(StrEnum):
    """How an act counts (docs/case-format.md, `expect`)."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    COMPLETE = "complete"
    FOLD = "fold"
    POST = "post"
    FLOOR = "floor"
    """A human must decide."""
    NONE = "none"
    """No action yet: chips or words that do not act."""
    ILLEGAL = "illegal"
    """Refused: the table is unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What an act counts as; amounts in whole chips of the smallest unit."""

    ruling: RulingKind
    seat: int | None = None
    to: int = 0
    """The seat's bet of this round after the ruling."""
    adds: int = 0
    """What left the seat's stack for good in this act."""
    returned: int = 0
    """Chips pushed back to the seat out of what it pushed in this act."""
    owes: int = 0
    """What the seat must still put over the line to make the ruling good."""
    all_in: bool = False
    cites: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    """With `floor`, the rulings that the floor may choose from."""
    sentence: str = ""
    rule: str = ""
    """The name of the rule that decided, in the rule table; empty where it is no ruling of the table."""
    reckoning: Reckoning = ()
    """The arithmetic that led to it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a step was refused: a stable code (docs/case-format.md, "Codes") and a sentence that says what to do."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A held act whose turn has come: whether it bound, and the ruling that applied it where it did."""

    seat: int
    binding: bool
    ruling: Ruling | None = None
    reckoning: Reckoning = ()
    """Why it bound or did not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the seat to act has done so far without acting."""

    declared: str | None = None
    """It said `bet` or `raise` and no amount yet (R-025)."""
    no_raise: bool = False
    """It said "check" facing a bet, or tapped (R-026), or has otherwise lost the right to raise."""
    no_raise_by: str = "TDA-55"
    """The rule that took the right to raise."""
    why_no_raise: str = ""
    """Why it may not, as the end of a sentence: "it checked facing a bet"."""
    no_fold: bool = False
    """It pulled chips back facing a raise (R-062)."""
    taken_back: int = 0
    """What it has pulled back so far."""


NOTHING_STANDING = Standing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a rule decides before the engine has put it into chips.

    A check, call or fold needs no amount; a bet, raise or completion (`bet` stands for all three) has `to`, the total
    that the rule calls for. `why` is the reason in half a sentence.
    """

    kind: RulingKind
    to: int = 0
    why: str
    cites: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    forfeits: int = 0
    """What a floor fold would leave in the pot (TDA 51-B)."""
    as_put: bool = False
    """The size stands whatever the rules allow: the floor says so."""
    standing: Standing = NOTHING_STANDING
    """With `none`, what the seat has done so far."""
    rule: str = ""
    """The name of the rule that answered."""
    reckoning: Reckoning = ()


RULING_OF = {
    ActionKind.CHECK: RulingKind.CHECK,
    ActionKind.CALL: RulingKind.CALL,
    ActionKind.BET: RulingKind.BET,
    ActionKind.RAISE: RulingKind.RAISE,
    ActionKind.COMPLETE: RulingKind.COMPLETE,
    ActionKind.FOLD: RulingKind.FOLD,
}
