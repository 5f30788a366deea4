"""Around the hands: the clocks of the levels and of a player's turn, the games in turn, the bet sizes of each level,
and by what a table is held between two hands.

Pure: time comes in with every question, and a change makes a new value. The game of a hand is given to the table by
`NextHand.game`; nothing here knows seats' chips or a bus.
"""

from table_controller.levels.bet_sizes import BetSizes, Situation, bet_sizes_of
from table_controller.levels.clock import LevelClock, Mark, Period, Reading, periods_of
from table_controller.levels.hold import Hold
from table_controller.levels.player_clock import PlayerClock
from table_controller.levels.rotation import Played, Turn, after_hand, due, following
from table_controller.levels.stakes import stakes

__all__ = [
    "BetSizes",
    "Hold",
    "LevelClock",
    "Mark",
    "Period",
    "Played",
    "PlayerClock",
    "Reading",
    "Situation",
    "Turn",
    "after_hand",
    "bet_sizes_of",
    "due",
    "following",
    "periods_of",
    "stakes",
]
