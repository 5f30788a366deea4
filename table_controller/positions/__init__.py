"""Everything that is settled before anybody acts: where the button goes, who owes which blind, who is dealt in.

Pure: what the last hand left behind in, the forced bets of the next hand out.
"""

from table_controller.positions.button import first_positions, known_positions, next_positions
from table_controller.positions.kill import (
    KillRecord,
    WonHand,
    after_hand,
    is_due,
    kill_structure,
    put_off,
    with_kill,
)
from table_controller.positions.moves import moved_player
from table_controller.positions.places import Positions
from table_controller.positions.players import Arrival, Move, Player, dealt_in, penalty_again, penalty_served
from table_controller.positions.returns import dealt_in_again, left_out, with_deferred, with_missed_straddle
from table_controller.positions.seating import cannot_cover_the_big_blind, put_on_button, seat_players
from table_controller.positions.straddles import (
    StraddleKind,
    forced_straddle,
    is_rock_due,
    mandatory_straddler,
    missed_straddle,
    straddled,
    straddles,
    under_the_gun,
    without_straddles,
)
from table_controller.positions.terms import options_of, structure_of

__all__ = [
    "Arrival",
    "KillRecord",
    "Move",
    "Player",
    "Positions",
    "StraddleKind",
    "WonHand",
    "after_hand",
    "cannot_cover_the_big_blind",
    "dealt_in",
    "dealt_in_again",
    "first_positions",
    "forced_straddle",
    "is_due",
    "is_rock_due",
    "kill_structure",
    "known_positions",
    "left_out",
    "mandatory_straddler",
    "missed_straddle",
    "moved_player",
    "next_positions",
    "options_of",
    "penalty_again",
    "penalty_served",
    "put_off",
    "put_on_button",
    "seat_players",
    "straddled",
    "straddles",
    "structure_of",
    "under_the_gun",
    "with_deferred",
    "with_kill",
    "with_missed_straddle",
    "without_straddles",
]
