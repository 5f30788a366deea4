"""The betting engine: what a hand of poker asks of its players in chips, and nothing else.

Pure and immutable: a `Hand` is made by `Hand.start` or `Hand.resume`, an act makes a new one, and what is refused
raises `Illegal` and changes nothing. It knows no chips, no speech, no cards and no clock.
"""

from table_controller.betting.acts import Act, Action, ActionKind, Illegal
from table_controller.betting.forced import Post, PostKind, standard_posts
from table_controller.betting.hand import Hand
from table_controller.betting.pots import Parts, Payout, PayoutKind, Pot, Pull
from table_controller.betting.sizes import PotBet
from table_controller.betting.structure import STREETS, BettingOptions, Limit, Structure

__all__ = [
    "STREETS",
    "Act",
    "Action",
    "ActionKind",
    "BettingOptions",
    "Hand",
    "Illegal",
    "Limit",
    "Parts",
    "Payout",
    "PayoutKind",
    "Post",
    "PostKind",
    "Pot",
    "PotBet",
    "Pull",
    "Structure",
    "standard_posts",
]
