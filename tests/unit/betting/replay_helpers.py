"""Short ways to write a hand in the PHH format and to play it."""

from __future__ import annotations

from betline import phh
from table_controller.tools.replay import ReplayResult, replay


def hand_text(variant: str, stacks: list[int], actions: str, **amounts: object) -> str:
    """A hand of these stacks; actions are separated by commas. No antes, and the usual stakes, unless told."""
    if variant in ("F7S", "F7S/8", "FR"):
        stakes: dict[str, object] = {"antes": [1] * len(stacks), "bring_in": 2, "small_bet": 5, "big_bet": 10}
    else:
        blinds = [2, 4] + [0] * (len(stacks) - 2)
        fixed = variant.startswith("F")
        stakes = {"antes": [0] * len(stacks), "blinds_or_straddles": blinds}
        stakes |= {"small_bet": 4, "big_bet": 8} if fixed else {"min_bet": 4}
    keys = {"ante_trimming_status": True, **stakes, "starting_stacks": stacks, **amounts}
    lines = [f'variant = "{variant}"']
    lines += [f"{key} = {str(value).lower() if isinstance(value, bool) else value}" for key, value in keys.items()]
    lines.append(f"actions = {[action.strip() for action in actions.split(',') if action.strip()]}")
    return "\n".join(lines)


def replayed(variant: str, stacks: list[int], actions: str, **amounts: object) -> ReplayResult:
    """The hand, played; where no `finishing_stacks` are given, PokerKit's are the truth."""
    return replay(phh.parse(hand_text(variant, stacks, actions, **amounts), "one.phh"))


def checked(player_order: str, *boards: str) -> str:
    """Each board in turn, then every player in the order checks: `checked("12", "2c3d4h")`."""
    acts = ", ".join([f"p{player} cc" for player in player_order])
    return ", ".join([f"d db {board}, {acts}" for board in boards])
