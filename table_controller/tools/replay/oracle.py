"""What PokerKit makes of a history by itself, where its file names no finishing stacks."""

from __future__ import annotations

import warnings
from typing import Any

import pokerkit

from betline.phh import REQUIRED_AMOUNTS, HandHistory


class NoOracle(Exception):
    """PokerKit cannot replay the history, and why."""


def pokerkit_stacks(history: HandHistory) -> list[int]:
    """The stacks that PokerKit reaches, in the unit of the history. Raises NoOracle where it cannot."""
    amounts: dict[str, Any] = {
        "blinds_or_straddles": history.in_file_order(history.blinds),
        "bring_in": history.bring_in,
        "min_bet": history.min_bet,
        "small_bet": history.small_bet,
        "big_bet": history.big_bet,
    }
    taken = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            replayed = pokerkit.HandHistory(
                variant=history.variant,
                ante_trimming_status=history.ante_trimming,
                antes=history.in_file_order(history.antes),
                starting_stacks=list(history.starting_stacks),
                actions=[history.notation(action, scaled=True) for action in history.actions],
                **{key: amounts[key] for key in REQUIRED_AMOUNTS[history.variant]},
            )
            for state, action in replayed.state_actions:
                last = state
                taken += action is not None
    except Exception as error:  # its own assertions among them: whatever stops it, there is no oracle
        stop = min(taken, len(history.actions) - 1)
        raise NoOracle(f"it does not take action {stop + 1} ({history.notation(history.actions[stop])})") from error
    return [int(stack) for stack in last.stacks]
