"""The plan of taking in the bets and of paying out, ticked off as the readers see the chips arrive (R-305).

A step is ticked only where readers show it: the chips have gone from before the seat, and lie in the pot where that is
read; the pot has become smaller by what was pushed. Without readers nothing is ticked, and nothing waits for a tick.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_controller.betting import Hand, Pull
from table_controller.rulings.values.payouts import Push
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState

POT = "pot"


def pulls_done(hand: Hand, pulls: Sequence[Pull], sensing: SensingState) -> tuple[bool, ...]:
    """For each step whether its chips have been taken in."""
    into = sum(pull.amount for pull in pulls if pull.pot is not None)
    lies = sensing.shown.get(POT)
    room = None if lies is None else lies - (hand.pot - into)
    left = {pull.seat: _gone_from(sensing, pull.seat) for pull in pulls}
    found = []
    for pull in pulls:
        done = left[pull.seat] >= pull.amount and (pull.pot is None or room is None or room >= pull.amount)
        if done:
            left[pull.seat] -= pull.amount
            room = room if room is None or pull.pot is None else room - pull.amount
        found.append(done)
    return tuple(found)


def pushes_done(pushes: Sequence[Push], sensing: SensingState) -> tuple[bool, ...]:
    """For each step whether it has been pushed, in the order of the plan, as far as the pot is read."""
    lies, cleared = sensing.shown.get(POT), not any(_lies(sensing, seat) for seat in sensing.accounts)
    to_push = sum(push.amount for push in pushes if push.pot is not None)
    gone = 0 if lies is None or not cleared else to_push - lies
    found = []
    for push in pushes:
        done = push.pot is not None and gone >= push.amount
        gone = gone - push.amount if done else (gone if push.pot is None else 0)
        found.append(done)
    return tuple(found)


def _gone_from(sensing: SensingState, seat: int) -> int:
    """How much of its bet has gone from before a seat; 0 where no reader can tell."""
    account = sensing.accounts.get(seat)
    if account is None or not account.based or sensing.shown.get(zone_of(seat)) is None:
        return 0
    return account.gathered + sum(account.gone.values())


def _lies(sensing: SensingState, seat: int) -> int:
    """What of the chips that the seat has put out in this round still lies there."""
    account = sensing.accounts[seat]
    return sum(value for uid, value in account.counted.items() if uid not in account.gone)
