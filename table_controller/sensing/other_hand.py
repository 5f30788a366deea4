"""Chips in one seat's zone that another seat's hand brought: two readers are swapped, or one bets for the other.

Only a camera can tell. The other hand must have been in its own zone just then, and that seat's own reader must have
heard nothing new: else two seats bet at the same time, and the camera missed one of the hands. Where the camera saw
that hand bet, the chips are asked about at once; else as soon as it has had time to say so.
"""

from __future__ import annotations

from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.belief import Standing
from table_controller.sensing.rounds import HAND_BEFORE_NS
from table_controller.sensing.state import SensingState

BET_SEEN_NS = 800 * NS_PER_MS
"""The camera says of a bet so much later that it has settled."""
DATED_NS = 200 * NS_PER_MS
"""The camera dates a bet and the hand that made it to the same crossing of the line, each with its own error."""
JUST_LEFT_NS = 300 * NS_PER_MS
"""A reader first hears a chip so long after the hand has left at most, when it reads a seat that is not to act."""

Brought = Literal["no", "wait", "yes"]
"""Whether another seat's hand brought the chips; "wait": it may have, the next rounds and pictures will tell."""


def brought(sensing: SensingState, account: Account, now_ns: int) -> Brought:
    """Whether a hand of another seat brought the new chips of a seat whose own hand did not."""
    belief = sensing.belief(account.seat)
    came = [belief.tracks[uid].since_ns for uid in account.new if uid in belief.tracks]
    if not came or not sensing.camera_live(now_ns) or account.new.keys() <= sensing.origins.bets:
        return "no"
    found = {_by(sensing, seat, min(came), now_ns) for seat in sensing.setup.seats if seat != account.seat}
    return "yes" if "yes" in found else "wait" if "wait" in found else "no"


def _by(sensing: SensingState, seat: int, first_ns: int, now_ns: int) -> Brought:
    """Whether the hand of this seat brought chips to another zone, where they were first heard then."""
    seen, zone = sensing.witness.seat(seat), sensing.belief(seat)
    visit = seen.brought(first_ns)
    if visit is None:
        return "no"
    bet = seen.bet_ns >= visit[0] - DATED_NS
    too_soon = now_ns - first_ns < BET_SEEN_NS
    if first_ns - visit[1] > (HAND_BEFORE_NS if bet or too_soon else JUST_LEFT_NS):
        return "no"
    if not zone.fresh(now_ns, sensing.setup.thresholds.stale_ms) or sensing.accounts[seat].moved_ns >= visit[0]:
        return "no"
    heard_since = zone.earlier_ns > first_ns
    if not heard_since or any(track.standing is Standing.CANDIDATE for track in zone.tracks.values()):
        return "wait"
    return "yes" if bet or not too_soon else "wait"
