"""What could be done now: who may straddle, and which commands would be refused whatever their arguments, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from betline import steps
from betline.steps import Step, verb_of
from table_controller.betting import Illegal
from table_controller.positions import StraddleKind
from table_controller.positions.straddles import least_straddle
from table_controller.rulings.acts.dealer import may_straddle
from table_controller.rulings.acts.run_out import check_runs
from table_controller.rulings.between.hands import fouled_hand, misdealt
from table_controller.rulings.table import Table
from table_controller.rulings.values.state import BOMB_POT_STREET, State

Straddles: TypeAlias = tuple[tuple[int, StraddleKind, int], ...]
NO_TABLE = "No table is set up yet: players sit down first."
NO_HAND = "No hand is in progress."
HAND_ON = "The hand is not over yet."
TABLE_STAKES = "Money behind plays when it is announced before the hand (table stakes)."
BOMB_POT = "bomb-pot"
"""The next hand as a bomb pot: no verb of its own, but closed by itself."""
_TRIED: tuple[Step, ...] = (steps.ChopBlinds(), steps.ReopenAward())
_CHECKED: dict[type[Step], Callable[[State], object]] = {steps.Misdeal: misdealt, steps.FouledDeck: fouled_hand}
"""A hand that is dealt again takes longer than to know whether it may be."""
_NEED_TABLE: tuple[type[Step], ...] = (
    *(type(step) for step in _TRIED),
    *_CHECKED,
    steps.Straddle, steps.BringIn, steps.CorrectButton, steps.KillHand, steps.ClockExpired, steps.Count,
    steps.MoneyBehind, steps.Borrow, steps.Penalty, steps.MoveChips, steps.ColorUp, steps.TakeRock, steps.KillPot,
    steps.CorrectBet, steps.CorrectRecord, steps.Override, steps.RunIt,
)  # fmt: skip
_NEED_PLAYERS: tuple[type[Step], ...] = (steps.Count, steps.Penalty, steps.MoveChips)


def closed_commands(table: Table | None, straddles: Straddles) -> dict[str, str]:
    """The reason of each command, by its verb, that is not possible now; the others may be, by their arguments.

    ``straddles`` are those that `open_straddles` finds.
    """
    if table is None:
        return dict.fromkeys((*map(verb_of, _NEED_TABLE), BOMB_POT), NO_TABLE)
    state = table.state
    checks: dict[type[Step], str] = {
        **{type(step): _refusal(table, step) for step in _TRIED},
        **{cls: _checked(check, state) for cls, check in _CHECKED.items()},
        steps.RunIt: NO_HAND if state.hand is None else _checked(check_runs, state),
        steps.Straddle: "" if straddles else _no_straddle(state),
        steps.BringIn: _bring_in(state),
        steps.CorrectButton: _button(table),
        steps.KillHand: NO_HAND if state.between_hands else "",
        steps.CorrectBet: NO_HAND if state.between_hands else "",
        steps.CorrectRecord: NO_HAND if state.hand is None else "",
        steps.Override: NO_HAND if state.hand is None else "",
        steps.ClockExpired: "" if state.next_seat is not None else "Nobody is to act: no clock runs.",
        steps.MoneyBehind: "" if state.between_hands else TABLE_STAKES,
        steps.Borrow: _borrows(state),
        steps.ColorUp: ""
        if state.between_hands
        else "Wait for the end of the hand: chips are raced off between hands.",
        steps.TakeRock: _rock(state),
        steps.KillPot: HAND_ON if not state.between_hands else _kill(state),
        **({} if state.players else dict.fromkeys(_NEED_PLAYERS, "Nobody sits at the table.")),
    }
    found = {verb_of(cls): why for cls, why in checks.items() if why}
    bomb_pot = _bomb_pot(state)
    return {**found, BOMB_POT: bomb_pot} if bomb_pot else found


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
        return "Give it back: there are no straddles in a tournament (R-294)."
    nothing = state.house.straddle_positions == "none" and not state.house.sleepers
    return "Give it back: this house takes no straddles (R-195)." if nothing else "Nobody may straddle in this hand."


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
        return "Call all-in or fold: no chips are borrowed at table stakes."
    return "A seat borrows while it is in a hand." if state.between_hands else ""


def _rock(state: State) -> str:
    if not state.between_hands:
        return HAND_ON
    return "" if state.house.rock else "Leave it: this house plays no rock (R-200)."


def _kill(state: State) -> str:
    return "" if state.house.kill is not None else "Leave it: this house plays no kill pots (R-127)."


def _bomb_pot(state: State) -> str:
    if state.house.bomb_pot is None:
        return "This house plays no bomb pots (R-303)."
    if BOMB_POT_STREET not in state.structure.streets:
        return "A bomb pot needs a game with a flop."
    return "" if state.between_hands else HAND_ON
