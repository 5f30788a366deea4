"""A pile that is still being counted: what has been heard of it so far is an act, whatever of it is still to come.

A round of 50 chips takes half a second and one of 300 takes 2.4, so the amount is known some three or eight seconds
after they came to rest. That it is a raise, or all of the stack, is known much sooner, and a chip that is still unheard
can only add to it.

A chip that answered once may be overheard. So the first round of a pile counts only once the zones beside have been all
through a round since: chips that lie there are heard there too. Where chips come there that are not heard here, they
are strays of the pile, or the pile has as many strays of theirs at most: so many of its largest chips do not count.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.sensing import other_hand
from table_controller.sensing.account import Account
from table_controller.sensing.acts import Act, motions_of
from table_controller.sensing.amounts import without
from table_controller.sensing.belief import ALIVE_MISSES, Standing, Track, ZoneBelief
from table_controller.sensing.observations import Pile
from table_controller.sensing.state import SensingState
from table_controller.sensing.verdicts import verdict_on

FEW = 4
"""The chips that come beside a pile must be fewer than one for so many of its own, or nobody can say whose it is."""
PILE_CHIPS = 12
"""Fewer chips are counted so soon that a word before it would only be in the way."""
ROUND_MS = 4_000
"""A round of more chips than lie before any seat is over within this time: a pile that was heard stays until then."""


def counted(sensing: SensingState, now_ns: int) -> Pile | None:
    """The pile of the seat to act as far as it has been heard; None where none lies there, or a hand is still over it,
    or it is in doubt whether its chips are an act.
    """
    hand = sensing.hand
    account = None if hand.to_act is None else sensing.accounts.get(hand.to_act)
    if hand.phase != "betting" or hand.hold or account is None:
        return None
    seat = account.seat
    belief = sensing.belief(seat)
    known = sensing.pile is not None and sensing.pile.seat == seat
    if not belief.fresh(now_ns, ROUND_MS if known else sensing.setup.thresholds.stale_ms):
        return None
    account = _with_first_round(sensing, account, belief, now_ns, known)
    if len(account.new) < PILE_CHIPS:
        return None
    if account.held or account.gone or account.unknown or account.moved_here or sensing.questions:
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


def _with_first_round(sensing: SensingState, account: Account, belief: ZoneBelief, now_ns: int, known: bool) -> Account:
    """The account with the chips that are heard but not believed yet, where they can be nobody else's: those of a pile
    that is `known` were compared when it was first told.
    """
    came = [
        track
        for uid, track in belief.tracks.items()
        if track.standing is Standing.CANDIDATE
        and track.missed == 0
        and uid not in account.base
        and uid not in account.counted
        and not _heard_elsewhere(sensing, belief, track)
    ]
    if len(came) < PILE_CHIPS or not account.based:
        return account
    beside = _come_beside(sensing, belief)
    if not known and (FEW * len(beside) > len(came) or not _neighbours_were_read(sensing, belief, came, now_ns)):
        return account
    told = 0 if sensing.pile is None else len(sensing.pile.pushed) - len(account.new)
    came = sorted(came, key=lambda track: (track.value or 0, track.uid))[: max(len(came) - len(beside), told)]
    new = {**account.new, **{track.uid: track.value for track in came}}
    return replace(account, new=new, moved_ns=now_ns)


def _heard_elsewhere(sensing: SensingState, belief: ZoneBelief, track: Track) -> bool:
    return any(track.uid in zone.tracks for zone in sensing.zones.values() if zone is not belief)


def _neighbours(sensing: SensingState, belief: ZoneBelief) -> list[ZoneBelief]:
    return [sensing.zones[name] for name in sensing.setup.beside(belief.zone) if name in sensing.zones]


def _neighbours_were_read(sensing: SensingState, belief: ZoneBelief, came: list[Track], now_ns: int) -> bool:
    """Whether the zones beside have been all through a round since these chips were heard."""
    since_ns = max(track.since_ns for track in came)
    stale_ms = sensing.setup.thresholds.stale_ms
    return all(zone.heard(now_ns, stale_ms) and zone.earlier_ns >= since_ns for zone in _neighbours(sensing, belief))


def _come_beside(sensing: SensingState, belief: ZoneBelief) -> set[str]:
    """Chips that come to the zones beside, as these have just heard, and are not heard in this one."""
    return {
        uid
        for zone in _neighbours(sensing, belief)
        for uid, track in zone.tracks.items()
        if track.standing is Standing.CANDIDATE and track.missed <= ALIVE_MISSES and uid not in belief.tracks
    }
