"""Hand histories played through the betting engine, to the stacks with which they end.

The engine bets; PokerKit only ranks the hands that are shown, and, where a file names no finishing stacks, replays the
whole hand by itself as the oracle.
"""

from table_controller.tools.replay.games import GAMES, Game, posts_of, structure_of
from table_controller.tools.replay.result import ReplayResult, replay, replay_file, replay_files, replay_line

__all__ = [
    "GAMES",
    "Game",
    "ReplayResult",
    "posts_of",
    "replay",
    "replay_file",
    "replay_files",
    "replay_line",
    "structure_of",
]
