"""The announcement to the player to act: the line of docs/case-format.md, and as it is spoken and shown (R-290)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the seat to act may do; amounts are whole chips of the smallest unit."""

    seat: int
    call: int | None
    """What it must add to call; 0 where it may check, None where it said "bet" or "raise" and may do nothing else."""
    least: int | None
    """The least it may make it; None where it may not bet or raise."""
    most: int | None
    wager: str
    """What making it more is: a `bet`, `raise` or `complete`."""
    option: bool
    """Its own blind, post or straddle was not raised."""
    pot_bet: int | None
    """Pot-limit: what the seat may make it, bounded by its stack; None elsewhere or where it may not bet or raise."""
    most_is_pot: bool = False
    """The most is the pot bet itself, not the stack."""
    in_the_middle: int | None = None
    """The size of the pot, where a count is allowed and announced unasked (R-160)."""
    countable: int | None = None
    """The size of the pot, where a player may ask for it."""
    all_in_to_call: bool = False
    """The stack covers no more than the call."""
    least_is_all_in: bool = False
    """The least it may make it takes its whole stack."""
    facing_all_in: bool = False
    """Nobody who has chips left has put out what the seat must match."""
    why_no_wager: str = ""
    """Why it may not bet or raise, as part of a sentence; empty where it may, or has no chips for it."""


def announcement(turn: Turn) -> str:
    """The line of the case format: ``Seat N: call C, raise A to B, pot P, in the middle S``, as far as it applies."""
    parts = _passive(turn, str)
    if turn.least is not None and turn.most is not None:
        parts.append(f"{'bet' if turn.wager == 'bet' else 'raise'} {turn.least} to {turn.most}")
    if turn.pot_bet is not None:
        parts.append(f"pot {turn.pot_bet}")
    if turn.in_the_middle is not None:
        parts.append(f"in the middle {turn.in_the_middle}")
    return f"Seat {turn.seat}: {', '.join(parts)}"


def spoken(turn: Turn) -> str:
    """What is said and shown: ``Seat N: call 300, minimum raise to 600, maximum 9,000``, or why it may not raise."""
    parts = [*_passive(turn, _money), *_sizes(turn)]
    if turn.all_in_to_call:
        parts.append("all-in")
    if turn.in_the_middle is not None:
        parts.append(f"{_money(turn.in_the_middle)} in the middle")
    if turn.why_no_wager:
        parts.append(f"no {turn.wager}: {turn.why_no_wager}")
    return f"Seat {turn.seat}: {', '.join(parts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shows:
    """What the house lets a display show unasked."""

    stacks: bool
    """Amounts that give a stack away: a maximum, an all-in to call (R-247)."""
    all_ins: bool
    """The amount of an all-in that is faced (R-290)."""
    pot: bool = True
    """The size of the pot, where it may be counted (R-160)."""
    pot_bet: bool = True
    """What betting the pot comes to: whoever may bet the pot must know how much that is (R-150, R-160)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """The amounts of a turn that a display shows; None where there is none, or it is told on request only."""

    call: int | None
    least: int | None
    most: int | None
    in_the_middle: int | None


def amounts(turn: Turn, shows: Shows) -> Amounts:
    """What of the turn's amounts is shown."""
    hidden = _hides_all_in(turn, shows)
    most = turn.most if (shows.pot_bet if turn.most_is_pot else shows.stacks) and not hidden else None
    is_stack = turn.least_is_all_in and not turn.most_is_pot
    return Amounts(
        call=None if hidden or _hides_call(turn, shows) else turn.call,
        least=None if hidden or (is_stack and most is None) else turn.least,
        most=most,
        in_the_middle=turn.countable if shows.pot and not hidden else None,
    )


def displayed(turn: Turn, shows: Shows) -> str:
    """What a display shows of the turn: as it is spoken, without what is told on request only."""
    told = amounts(turn, shows)
    if _hides_all_in(turn, shows):
        parts = ["facing an all-in"]
    elif _hides_call(turn, shows):
        parts = ["all-in to call"]
    else:
        parts = [*_passive(turn, _money), *(["all-in"] if turn.all_in_to_call and turn.least is None else [])]
    parts += _shown_sizes(turn, told)
    if told.in_the_middle is not None:
        parts.append(f"{_money(told.in_the_middle)} in the middle")
    if turn.why_no_wager:
        parts.append(f"no {turn.wager}: {turn.why_no_wager}")
    return f"Seat {turn.seat}: {', '.join(parts)}"


def _hides_all_in(turn: Turn, shows: Shows) -> bool:
    return turn.facing_all_in and not shows.all_ins


def _hides_call(turn: Turn, shows: Shows) -> bool:
    return turn.all_in_to_call and not shows.stacks


def _shown_sizes(turn: Turn, told: Amounts) -> list[str]:
    if turn.least is None or turn.most is None:
        return []
    if told.most is not None:
        return _sizes(turn)
    if turn.least_is_all_in and not turn.most_is_pot:
        return [f"any {turn.wager} is all-in"]
    to = "" if turn.wager == "bet" else " to"
    return [] if told.least is None else [f"minimum {turn.wager}{to} {_money(told.least)}"]


def counting(seat: int, act: str) -> str:
    """What is said of a pile whose amount is not known yet: ``Seat N: all-in, counting``."""
    return f"Seat {seat}: {act}, counting"


def _passive(turn: Turn, money: Callable[[int], str]) -> list[str]:
    if turn.call is None:
        return []
    return [f"call {money(turn.call)}" if turn.call else "option" if turn.option else "check"]


def _sizes(turn: Turn) -> list[str]:
    if turn.least is None or turn.most is None:
        return []
    to = "" if turn.wager == "bet" else " to"
    pot = ["the pot"] if turn.most_is_pot else []
    if turn.least == turn.most:
        return [f"{turn.wager}{to} {_money(turn.most)}", *pot]
    return [f"minimum {turn.wager}{to} {_money(turn.least)}", f"maximum {_money(turn.most)}", *pot]


def _money(amount: int) -> str:
    return f"{amount:,}"
