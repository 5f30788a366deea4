"""Chips in one seat's zone that another seat's hand brought: two readers are swapped, or one bets for the other.

Only a camera can tell. It must have seen the other hand bet just then, and the other seat's own reader must have heard
nothing new: else two seats bet at the same time, and the camera missed one of the hands.
"""

from __future__ import annotations

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.presence import Standing
from table_controller.sensing.rounds import HAND_BEFORE_NS
from table_controller.sensing.state import SensingState

BET_SEEN_NS = 800 * NS_PER_MS
"""The camera says of a bet so much later that it has settled."""


def that_brought(sensing: SensingState, account: Account, now_ns: int) -> int | None:
    """The other seat whose hand brought the new chips of a seat that its own hand did not; None where there is none."""
    belief = sensing.belief(account.seat)
    came = [belief.tracks[uid].since_ns for uid in account.new if uid in belief.tracks]
    if not came or not sensing.camera_live(now_ns) or account.new.keys() <= sensing.origins.bets:
        return None
    return next((seat for seat in sensing.setup.seats if _bet_there(sensing, account, seat, min(came), now_ns)), None)


def may_have_brought(sensing: SensingState, account: Account, now_ns: int) -> bool:
    """Whether another hand was there when the chips came, and the camera may still say that it bet."""
    belief = sensing.belief(account.seat)
    came = [belief.tracks[uid].since_ns for uid in account.new if uid in belief.tracks]
    if not came or not sensing.camera_live(now_ns) or now_ns - min(came) >= BET_SEEN_NS:
        return False
    visits = [sensing.witness.seat(seat).brought(min(came)) for seat in sensing.setup.seats if seat != account.seat]
    return any(visit is not None and min(came) - visit[1] <= HAND_BEFORE_NS for visit in visits)


def _bet_there(sensing: SensingState, account: Account, seat: int, first_ns: int, now_ns: int) -> bool:
    if seat == account.seat:
        return False
    seen, other, zone = sensing.witness.seat(seat), sensing.accounts[seat], sensing.belief(seat)
    visit = seen.brought(first_ns)
    if visit is None or first_ns - visit[1] > HAND_BEFORE_NS or seen.bet_ns < visit[0]:
        return False
    if not zone.fresh(now_ns, sensing.setup.thresholds.stale_ms) or other.moved_ns >= visit[0]:
        return False
    return all(track.standing is not Standing.CANDIDATE for track in zone.tracks.values())
