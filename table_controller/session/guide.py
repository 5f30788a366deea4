"""What the dealer does next while nobody can bet any more: who turns the cards up, which street of which board."""

from __future__ import annotations

from typing import Any

from table_controller.betting import Illegal
from table_controller.rulings.acts.run_out import check_runs, streets_to_come
from table_controller.rulings.values.state import State


def run_out_view(state: State) -> dict[str, Any]:
    """The run-out as the state has it; only for a hand whose betting is over (R-008, R-268)."""
    hand, runs, to_come = state.hand, state.runs, streets_to_come(state)
    if hand is None:
        return {}
    just_over = bool(hand.acts) or hand.street == state.first_street
    shows = bool(to_come) and just_over and runs_not_dealt(state) and hand.structure.streets[0] != "predraw"
    return {
        "to_come": to_come,
        "board": 1 if runs is None else runs.board,
        "runs": 1 if runs is None else runs.times,
        "may_run": state.house.run_it if _may_run(state) else 1,
        "turn_up": tuple(sorted(hand.in_hand)) if shows else (),
        "must_turn_up": shows and state.house.all_in_hands_open == "required",
    }


def runs_not_dealt(state: State) -> bool:
    """Whether no street of an agreed run has been dealt."""
    return state.runs is None or not state.runs.dealt


def _may_run(state: State) -> bool:
    try:
        check_runs(state)
    except Illegal:
        return False
    return True
