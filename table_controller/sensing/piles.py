"""A pile that is still being counted: what has been heard of it so far is an act, whatever of it is still to come.

A round of 50 chips takes half a second, so the amount is known some three seconds after they came to rest. That it is a
raise, or all of the stack, is known much sooner, and a chip that is still unheard can only add to it.
"""

from __future__ import annotations

from table_controller.sensing import other_hand
from table_controller.sensing.acts import Act, motions_of
from table_controller.sensing.amounts import without
from table_controller.sensing.observations import Pile
from table_controller.sensing.state import SensingState
from table_controller.sensing.verdicts import verdict_on

PILE_CHIPS = 12
"""Fewer chips are counted so soon that a word before it would only be in the way."""


def counted(sensing: SensingState, now_ns: int) -> Pile | None:
    """The pile of the seat to act as far as it has been heard; None where none lies there, or a hand is still over it,
    or it is in doubt whether its chips are an act.
    """
    hand = sensing.hand
    account = None if hand.to_act is None else sensing.accounts.get(hand.to_act)
    if hand.phase != "betting" or hand.hold or account is None or len(account.new) < PILE_CHIPS:
        return None
    seat = account.seat
    belief = sensing.belief(seat)
    in_doubt = account.held or account.gone or account.unknown or account.moved_here or sensing.questions
    if in_doubt or not belief.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return None
    if sensing.hand_there(seat, now_ns) and not account.under_hand:
        return None
    verdict, own = verdict_on(sensing, account, now_ns)
    if not isinstance(verdict, Act) or (not own and other_hand.brought(sensing, account, now_ns) != "no"):
        return None
    chips = {uid: value for uid, value in account.new.items() if value is not None}
    if len(motions_of(chips, belief, sensing.seen(seat, now_ns))) > 1:
        return None  # how much of it counts depends on what came first
    return Pile(seat, without(tuple(chips.values()), verdict.pays))
