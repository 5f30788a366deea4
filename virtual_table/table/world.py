"""One virtual poker table in millimetres: chips, cards and hands, moved by scheduled motions.

The world has no clock: each motion is scheduled from a time that the caller gives, and what is where can be asked for
any time since the last but one gathering of bets (see `World.forget`). What `stack`, `bets`, `pot` and `tray` answer
is the state after everything scheduled so far. The same seed and the same calls make the same world to the last
tremor. Readers, camera and players may call from threads of their own.
"""

from __future__ import annotations

from virtual_table.table.dealer_motions import DealerMotions
from virtual_table.table.player_motions import PlayerMotions
from virtual_table.table.rare_motions import RareMotions


class World(PlayerMotions, RareMotions, DealerMotions):
    """One table and everything on it.

    Methods that are asked for the impossible raise `WorldError` and change nothing.
    """
