"""The turn as an audience may see it: in words and in amounts, which never differ."""

from __future__ import annotations

from typing import Final, Literal

from betline.messages.views import TurnView
from table_controller.announce import phrases
from table_controller.announce.phrases import Turn
from table_controller.audience.tells import Tells

Wager = Literal["", "bet", "raise", "complete"]
_WAGERS: Final[dict[str, Wager]] = {"bet": "bet", "raise": "raise", "complete": "complete"}


def turn_view(turn: Turn, tells: Tells) -> TurnView:
    """The turn without what is told on request only (R-160, R-247, R-290)."""
    shows = phrases.Shows(
        stacks=tells.stacks or (turn.facing_all_in and tells.stack_of_caller),
        all_ins=tells.all_ins,
        pot=tells.pot,
        pot_bet=tells.pot_bet,
    )
    told = phrases.amounts(turn, shows)
    return TurnView(
        seat=turn.seat,
        text=phrases.displayed(turn, shows),
        call=told.call,
        min_raise_to=told.least,
        max_raise_to=told.most,
        pot_bet=turn.pot_bet if told.most is not None else None,
        wager=_WAGERS.get(turn.wager, "") if turn.least is not None else "",
        option=turn.option,
    )
