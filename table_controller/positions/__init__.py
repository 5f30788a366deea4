"""Everything that is settled before anybody acts: where the button goes, who owes which blind, who is dealt in.

Pure: what the last hand left behind in, the forced bets of the next hand out.
"""

from table_controller.positions.button import Positions, first_positions, next_positions
from table_controller.positions.players import Arrival, Player, dealt_in
from table_controller.positions.straddles import (
    StraddleKind,
    forced_straddle,
    straddled,
    straddles,
    under_the_gun,
    without_straddles,
)
from table_controller.positions.terms import Unsupported, options_of, structure_of

__all__ = [
    "Arrival",
    "Player",
    "Positions",
    "StraddleKind",
    "Unsupported",
    "dealt_in",
    "first_positions",
    "forced_straddle",
    "next_positions",
    "options_of",
    "straddled",
    "straddles",
    "structure_of",
    "under_the_gun",
    "without_straddles",
]
