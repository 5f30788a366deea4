"""What could be done now: who may straddle, and which commands would be refused whatever their arguments, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from betline import steps
from table_controller.betting import Illegal
from table_controller.positions import StraddleKind
from table_controller.positions.straddles import least_straddle
from table_controller.rulings.acts.dealer import may_straddle
from table_controller.rulings.between.hands import fouled_hand, misdealt
from table_controller.rulings.table import Table
from table_controller.rulings.values.state import BOMB_POT_STREET, State

Straddles: TypeAlias = tuple[tuple[int, StraddleKind, int], ...]
NO_TABLE = "No table is set up yet: players sit down first."
NO_HAND = "No hand is in progress."
HAND_ON = "The hand is not over yet."
_TRIED: dict[str, steps.Step] = {
    "chop": steps.ChopBlinds(),
    "reopens": steps.ReopenAward(),
}
_CHECKED: dict[str, Callable[[State], object]] = {"misdeal": misdealt, "fouled": fouled_hand}
"""A hand that is dealt again takes longer than to know whether it may be."""
_NEEDS_TABLE = (
    *("straddle", "bring-in", "chop", "button", "misdeal", "fouled", "kills", "expires", "reopens", "counts"),
    *("behind", "borrows", "penalty", "moves", "race", "bomb-pot", "rock", "kill", "corrects", "records", "overrides"),
)
"""The commands that are judged here; `bomb-pot` is the next hand as one."""


def closed_commands(table: Table | None, straddles: Straddles) -> dict[str, str]:
    """The reason of each command that is not possible now; the others may be, by their arguments.

    ``straddles`` are those that `open_straddles` finds.
    """
    if table is None:
        return dict.fromkeys(_NEEDS_TABLE, NO_TABLE)
    state = table.state
    found = {verb: why for verb, step in _TRIED.items() if (why := _refusal(table, step))}
    found |= {verb: why for verb, check in _CHECKED.items() if (why := _checked(check, state))}
    checks = {
        "straddle": "" if straddles else _no_straddle(state),
        "bring-in": _bring_in(state),
        "button": _button(table),
        "kills": NO_HAND if state.between_hands else "",
        "corrects": NO_HAND if state.between_hands else "",
        "records": NO_HAND if state.hand is None else "",
        "overrides": NO_HAND if state.hand is None else "",
        "expires": "" if state.next_seat is not None else "Nobody is to act: no clock runs.",
        "behind": "" if state.between_hands else "Money behind plays when it is told before the hand (table stakes).",
        "borrows": _borrows(state),
        "race": "" if state.between_hands else "Chips are raced off between hands.",
        "bomb-pot": _bomb_pot(state),
        "rock": HAND_ON if not state.between_hands else "" if state.house.rock else "This house plays no rock (R-200).",
        "kill": HAND_ON if not state.between_hands else _kill(state),
        **({} if state.players else dict.fromkeys(("counts", "penalty", "moves"), "Nobody sits at the table.")),
    }
    return found | {verb: why for verb, why in checks.items() if why}


def open_straddles(state: State | None) -> Straddles:
    """Who may straddle or sleep now, how, and for how much at least."""
    if state is None:
        return ()
    try:
        hand, placed = may_straddle(state)
    except Illegal:
        return ()
    found = []
    for seat in hand.seats:
        for kind in StraddleKind:
            try:
                least = least_straddle(state.house, state.structure, placed, seat, kind)
            except Illegal:
                continue
            if least <= hand.starting_stacks[seat]:
                found.append((seat, kind, least))
    return tuple(found)


def _refusal(table: Table, step: steps.Step) -> str:
    error = table.apply(step).error
    return "" if error is None else error.sentence


def _checked(check: Callable[[State], object], state: State) -> str:
    try:
        check(state)
    except Illegal as refusal:
        return refusal.sentence
    return ""


def _no_straddle(state: State) -> str:
    if state.between_hands:
        return NO_HAND
    try:
        may_straddle(state)
    except Illegal as refusal:
        return refusal.sentence
    if state.house.form == "tournament":
        return "There are no straddles in a tournament (R-294)."
    nothing = state.house.straddle_positions == "none" and not state.house.sleepers
    return "This house takes no straddles (R-195)." if nothing else "Nobody may straddle in this hand."


def _bring_in(state: State) -> str:
    hand = state.hand
    if not state.structure.bring_in:
        return "This game has no bring-in."
    if hand is None or hand.hand_over:
        return NO_HAND
    return "" if hand.awaiting_bring_in or not (hand.acts or hand.street != hand.structure.streets[0]) else (
        "Somebody has acted: the bring-in stands where it is."
    )  # fmt: skip


def _button(table: Table) -> str:
    """Whether the button can still be put elsewhere: what holds for one other seat holds for them all."""
    hand, placed = table.state.hand, table.state.placed
    if hand is None or placed is None or hand.hand_over:
        return NO_HAND
    other = next((seat for seat in hand.seats if seat != placed.button), None)
    return NO_HAND if other is None else _refusal(table, steps.CorrectButton(seat=other))


def _borrows(state: State) -> str:
    if state.house.stakes == "table":
        return "No chips are borrowed at table stakes."
    return "A seat borrows while it is in a hand." if state.between_hands else ""


def _kill(state: State) -> str:
    return "" if state.house.kill is not None else "This house plays no kill pots (R-127)."


def _bomb_pot(state: State) -> str:
    if state.house.bomb_pot is None:
        return "This house plays no bomb pots (R-303)."
    if BOMB_POT_STREET not in state.structure.streets:
        return "A bomb pot needs a game with a flop."
    return "" if state.between_hands else HAND_ON
