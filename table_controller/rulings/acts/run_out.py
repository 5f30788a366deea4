"""The run-out: the rest of the board once nobody can bet any more, dealt once or for several boards (R-268)."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import Deal, RunIt
from table_controller.betting import Illegal
from table_controller.rulings.acts import acts
from table_controller.rulings.values.run_out import BOARD, Runs
from table_controller.rulings.values.state import Effect, State


def run_it(state: State, step: RunIt) -> Effect:
    """All in the pot agree to deal the rest of the board more than once; the pots are parted by board (R-268)."""
    check_runs(state)
    most = state.house.run_it
    if step.times > most:
        raise Illegal("not-open", f"This house runs it {most} times at most, not {step.times} times (R-268).")
    return Effect(state=state._replace(runs=Runs(step.times, streets_to_come(state))))


def check_runs(state: State) -> None:
    """Raises Illegal where the rest of the board cannot be dealt more than once now, whatever the number."""
    hand = acts.hand_of(state)
    if state.house.run_it == 1:
        raise Illegal("not-open", "This house runs the board once (R-268).")
    if BOARD not in state.structure.streets:
        raise Illegal("not-open", "This game has no board that could be run more than once (R-268).")
    if hand.hand_over:
        raise Illegal("too-late", "The pots have been paid.")
    if state.runs is not None:
        raise Illegal("not-open", f"It is run {state.runs.times} times already: U takes that back.")
    if not hand.betting_over:
        raise Illegal("action-pending", "It is run more than once when nobody can bet any more (R-268).")
    if not streets_to_come(state):
        raise Illegal("too-late", "The whole board lies there: nothing is left to run (R-268).")


def streets_to_come(state: State) -> tuple[str, ...]:
    """The streets still to be dealt in this hand, those of further boards too."""
    if state.runs is not None:
        return state.runs.to_come
    hand = state.hand
    return () if hand is None else hand.structure.streets[hand.structure.streets.index(hand.street) + 1 :]


def deal_run(state: State, runs: Runs, step: Deal) -> Effect:
    """The next street of a board; only the first board moves the hand on, the others repeat its streets (R-303)."""
    hand = acts.hand_of(state)
    if not runs.to_come:
        raise Illegal("too-late", "All boards are out: award the pots.")
    expected = runs.to_come[0]
    if step.street != expected:
        raise Illegal("not-open", f"Board {runs.board} gets the {expected} next, not the {step.street}.")
    first = runs.dealt < len(runs.streets)
    after = state.with_hand(hand.deal(step.street)) if first else state
    return acts.settle(Effect(state=after._replace(runs=replace(runs, dealt=runs.dealt + 1))))
