"""Everything that is settled before anybody acts: where the button goes, who owes which blind, who is dealt in.

Pure: what the last hand left behind in, the forced bets of the next hand out.
"""

from table_controller.positions.button import Positions, first_positions, next_positions
from table_controller.positions.kill import KillRecord, WonHand, after_hand, is_due, kill_structure, with_kill
from table_controller.positions.players import Arrival, Player, dealt_in
from table_controller.positions.straddles import (
    StraddleKind,
    forced_straddle,
    is_rock_due,
    straddled,
    straddles,
    under_the_gun,
    without_straddles,
)
from table_controller.positions.terms import Unsupported, options_of, structure_of

__all__ = [
    "Arrival",
    "KillRecord",
    "Player",
    "Positions",
    "StraddleKind",
    "Unsupported",
    "WonHand",
    "after_hand",
    "dealt_in",
    "first_positions",
    "forced_straddle",
    "is_due",
    "is_rock_due",
    "kill_structure",
    "next_positions",
    "options_of",
    "straddled",
    "straddles",
    "structure_of",
    "under_the_gun",
    "with_kill",
    "without_straddles",
]
