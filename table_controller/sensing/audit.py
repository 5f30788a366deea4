"""What the house's zones and the stack zones should hold by the books, against what their readers say (R-073, R-074).

Pure sums over one state. A figure is compared only when nothing moves any more and the zone's reader has been round
twice since: chips on their way from a seat to the pot are in neither. Of the many chips of a tray one is always missed
just now, so a zone need not have settled here: what it holds must not have changed for a while, and nothing may be
coming. Nothing is ruled from a drift; a person is told of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from betline.units import NS_PER_MS
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.setup import stack_zone_of
from table_controller.sensing.state import SensingState

QUIET_NS = 1_500 * NS_PER_MS
"""Chips that were moved less long ago may still be on their way."""


@dataclass(frozen=True, slots=True)
class Drift:
    """A zone that does not hold what the books say: by them at least `least` and at most `most`, read were `read`."""

    zone: str
    least: int
    most: int
    read: int

    @property
    def short(self) -> int:
        """How much is missing; 0 where it is not."""
        return max(self.least - self.read, 0)

    @property
    def over(self) -> int:
        """How much is there too much; 0 where it is not."""
        return max(self.read - self.most, 0)


@dataclass(frozen=True, slots=True)
class Till:
    """The tray at a quiet moment: its chips' value, and what all players had by the books, in pots too."""

    tray: int
    in_play: int


def pot(sensing: SensingState, now_ns: int) -> Drift | None:
    """The pot zone against the books' pot, less the bets that still lie in front of their seats.

    A bet that no reader has seen, because its chips are still to come or its seat has no reader, may lie in front of
    its seat or in the pot: the books then only say between what and what. So it is with change that is due, once the
    chips that it is due for have left their seat: it may have been given.
    """
    if sensing.hand.phase in ("idle", "posting"):
        return None
    zone = _quiet(sensing, "pot", now_ns)
    if zone is None:
        return None
    most, unseen = sensing.hand.pot, 0
    stale_ms = sensing.setup.thresholds.stale_ms
    for seat, account in sensing.accounts.items():
        book = sensing.hand.book(seat)
        most += book.change_due - book.owes
        if sensing.belief(seat).fresh(now_ns, stale_ms) and account.based:
            lies = sum(value for uid, value in account.counted.items() if uid not in account.gone)
            most -= lies
            unseen += account.awaited
            unseen += book.change_due if lies < book.bet + book.change_due else 0
        else:
            unseen += book.bet
    return _drift(zone, max(most - unseen, 0), max(most, 0))


def tray(before: Till, now: Till) -> Drift | None:
    """The tray against what it held before: a rise of the money in play may have come out of it, a fall gone into it.

    Change leaves it as it was, and so do bets and pots, whoever wins them.
    """
    brought = now.in_play - before.in_play
    least, most = before.tray - max(brought, 0), before.tray + max(-brought, 0)
    return None if least <= now.tray <= most else Drift("tray", least, most, now.tray)


def till(sensing: SensingState, now_ns: int) -> Till | None:
    """The tray as it is now, for a later comparison; None while it is not believed or chips move."""
    zone = _quiet(sensing, "tray", now_ns)
    return None if zone is None else Till(zone.value, sensing.hand.in_play)


def stack(sensing: SensingState, seat: int, now_ns: int) -> Drift | None:
    """The stack zone of a seat, where an antenna serves one, against the stack in the books.

    Chips that were keyed in may still stand there, and those that the seat has won or bought may not, nor those that
    lie before it and are no bet: a chopped blind, a chip that protects cards.
    """
    zone = _quiet(sensing, stack_zone_of(seat), now_ns)
    if zone is None or seat not in sensing.hand.by_seat:
        return None
    book = sensing.hand.book(seat)
    to_come = book.change_due + sensing.hand.won.get(seat, 0) + sensing.hand.back.get(seat, 0)
    bet_zone = sensing.belief(seat)
    if bet_zone.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        to_come += max(bet_zone.value - book.bet, 0)
    most = book.stack + book.owes + sensing.accounts[seat].awaited
    surely = book.stack
    if sensing.hand.phase == "hand-over":
        surely = min(surely, sensing.travels.stacks.get(seat, 0))
    return _drift(zone, max(surely - to_come, 0), most)


def _drift(zone: ZoneBelief, least: int, most: int) -> Drift | None:
    return None if least <= zone.value <= most else Drift(zone.zone, least, most, zone.value)


def is_quiet(sensing: SensingState, name: str, now_ns: int) -> bool:
    """Whether a zone can be compared with the books now."""
    return _quiet(sensing, name, now_ns) is not None


def _quiet(sensing: SensingState, name: str, now_ns: int) -> ZoneBelief | None:
    """The zone, if every chip's worth in it is known and nothing has moved at the table lately."""
    zone, stale_ms = sensing.zones.get(name), sensing.setup.thresholds.stale_ms
    if zone is None or not zone.fresh(now_ns, stale_ms) or zone.unknown:
        return None
    moved = [zone.changed_ns, sensing.turn.street_ns, sensing.turn.since_ns]
    moved += [max(account.moved_ns, account.bet_told_ns) for account in sensing.accounts.values()]
    last_ns = max(moved)
    if now_ns - last_ns < QUIET_NS or zone.earlier_ns <= last_ns:
        return None
    if any(track.standing is Standing.CANDIDATE for track in zone.tracks.values()):
        return None
    if any(sensing.moves(seat, now_ns) or account.new for seat, account in sensing.accounts.items()):
        return None
    return zone
