"""One table, seen by one audience."""

from __future__ import annotations

from typing import Any, Final

from betline.messages.table import SeatState, TableState
from betline.messages.views import Audience, SeatView, TableView, TurnView
from betline.settings.house_rules import HouseRules
from table_controller.announce.phrases import Turn
from table_controller.audience.acts import last_act
from table_controller.audience.tells import Tells
from table_controller.audience.turn import turn_view

_SAME: Final = (
    "version", "hand_no", "phase", "game", "street", "button", "small_blind", "big_blind", "cards", "won_with", "level",
    "player_clock",
)  # fmt: skip
"""What everybody sees as it stands in the state: it lies on the table, or the clock on the wall shows it."""


def view_for(
    audience: Audience,
    state: TableState,
    house: HouseRules,
    turn: Turn | TurnView | None = None,
    *,
    late: bool = False,
) -> TableView:
    """The table as `audience` may see it under the rules of the house (R-160, R-247, R-290).

    `turn` is that of the seat to act; a `TurnView`, without amounts, while its pile is still being counted. A stream
    that is `late` is so far behind that its amounts help nobody.
    """
    tells = Tells.to(audience, house, late=late)
    hides_all_in = not tells.all_ins and _faces_all_in(state, turn)
    tells_pot = (tells.uncounted_pot or (tells.pot and _is_counted(state, house))) and not hides_all_in
    over = state.phase == "hand-over"
    suspicions: dict[str, Any] = {}
    if tells.suspicions:
        suspicions = {"questions": state.questions, "alerts": state.alerts, "sensors": state.sensors}
    return TableView(
        audience=audience,
        **{name: getattr(state, name) for name in _SAME},
        seats=tuple(_seat(seat, tells, hides_all_in=hides_all_in) for seat in state.seats),
        turn=turn_view(turn, tells) if isinstance(turn, Turn) else turn,
        last_act=last_act(state.rulings, tells),
        pot=state.pot if tells_pot else None,
        pots=state.pots_now if tells_pot else (),
        winners=tuple(sorted({push.to for push in state.payouts if isinstance(push.to, int) and push.pot is not None}))
        if over
        else (),
        payouts=state.payouts if over and tells_pot else (),
        players=sum(_has_chips(seat) for seat in state.seats),
        average_stack=_average_stack(state) if tells.stacks or state.level is not None else None,
        **suspicions,
    )


def _seat(seat: SeatState, tells: Tells, *, hides_all_in: bool) -> SeatView:
    hidden = hides_all_in and seat.status == "all-in"
    return SeatView(
        seat=seat.seat,
        name=seat.name,
        status=seat.status,
        away=seat.away,
        stack=seat.stack if tells.stacks else None,
        bet=None if hidden else seat.bet,
    )


def _faces_all_in(state: TableState, turn: Turn | TurnView | None) -> bool:
    """Whether nobody who has chips left has matched an all-in yet."""
    if isinstance(turn, Turn):
        return turn.facing_all_in
    level = max((seat.bet for seat in state.seats), default=0)
    highest = {seat.status for seat in state.seats if seat.bet == level}
    return state.phase == "betting" and level > 0 and highest == {"all-in"}


def _is_counted(state: TableState, house: HouseRules) -> bool:
    """Whether the pot may be counted in this game (R-160)."""
    return house.pot_count == "always" or state.limit == "pot-limit"


def _has_chips(seat: SeatState) -> bool:
    return seat.status != "empty" and (seat.stack > 0 or seat.status in ("in", "all-in"))


def _average_stack(state: TableState) -> int | None:
    """All chips in play, those in the middle too, over the players who are left."""
    players = sum(_has_chips(seat) for seat in state.seats)
    in_the_middle = state.carried if state.phase == "hand-over" else state.pot
    return (sum(seat.stack for seat in state.seats) + in_the_middle) // players if players else None
