"""Who sees what: the one place that decides what of the table a player, the board, a stream, dealer and floor get."""

from table_controller.audience.tells import Tells
from table_controller.audience.turn import turn_view
from table_controller.audience.view import view_for

__all__ = ["Tells", "turn_view", "view_for"]
