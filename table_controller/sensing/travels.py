"""Where the chips of a hand went: those that left a zone and lie in none, and from which zone the others came.

Stacks are read by no antenna as a rule, so a chip that lies nowhere may be in a stack, on its way, or gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from table_controller.sensing.account import Account
from table_controller.sensing.belief import ALIVE_MISSES, Standing, ZoneBelief
from table_controller.sensing.view import HandView

ELSEWHERE = ""
"""No zone of this table."""


def in_doubt(belief: ZoneBelief) -> bool:
    """Whether chips of a zone were not heard just now, or chips are coming."""
    return any(
        uid not in belief.present or track.missed > ALIVE_MISSES
        for uid, track in belief.tracks.items()
        if track.standing is not Standing.STRAY
    )


@dataclass(frozen=True, slots=True)
class Stay:
    """A chip's last move in this hand."""

    value: int
    from_zone: str
    """Where it lay before; `ELSEWHERE` where it was in no zone in this hand."""
    zone: str
    """Where it lies now; `ELSEWHERE` where it lies in none."""
    at_ns: int
    """When that was believed."""
    left_ns: int = -1
    """When it was last heard where it lay before; -1 where it was in no zone in this hand."""

    @property
    def on_its_way_ns(self) -> int:
        """How long it was on its way, from when it was last heard until it was believed to lie here."""
        return self.at_ns - self.left_ns


@dataclass(frozen=True, slots=True)
class Float:
    """The tray at the beginning of a hand, and what all players had by the books then."""

    chips: Mapping[str, int]
    in_play: int
    """The least since the hand before was over: chips bought since then may still lie in the tray."""


@dataclass(frozen=True, slots=True)
class Travels:
    """The last move of every chip that moved in this hand."""

    last: Mapping[str, Stay] = field(default_factory=dict)
    tray: Float | None = None
    """None until it was quiet."""
    bets: frozenset[str] = frozenset()
    """The chips of all bets when a round of betting was last over."""
    closed_ns: int = -1
    """When a round of betting was last over."""
    change: Mapping[int, int] = field(default_factory=dict)
    """By seat the change that was due then, also after a key has said that it was given."""
    over_ns: int = -1
    """When the hand was."""
    in_play: int | None = None
    """The least that all players had by the books since the hand before was over; None where no hand was."""
    stacks: Mapping[int, int] = field(default_factory=dict)
    """By seat the least that it had by the books since the hand was over: what was bought since may be on its way."""
    still: tuple[str, int, int] | None = None
    """Life of the tray's reader, its reading and the tray's last change when this hand's watch for a still tray began.
    """

    def floated(self, tray: ZoneBelief, hand: HandView) -> Travels:
        """With the tray as it is now, once nothing comes to it or goes from it any more."""
        if self.tray is not None or hand.phase not in ("posting", "betting"):
            return self
        epoch, since_ns, changed_ns = self.still or ("", 0, -1)
        if epoch != tray.epoch or changed_ns != tray.changed_ns:
            return replace(self, still=(tray.epoch, tray.at_ns, tray.changed_ns))
        # Each chip must have been heard in a round that began in this hand.
        if in_doubt(tray) or any(tray.tracks[uid].after_ns < since_ns for uid in tray.present):
            return self
        in_play = hand.in_play if self.in_play is None else self.in_play
        return replace(self, tray=Float({uid: value or 0 for uid, value in tray.present.items()}, in_play))

    def viewed(self, old: HandView, new: HandView, accounts: Iterable[Account], now_ns: int) -> Travels:
        """With what the books say now."""
        known = self if old.hand_no == new.hand_no else Travels(in_play=self.in_play)
        over = old.phase != new.phase and new.phase == "hand-over"
        if over:
            known = replace(known, in_play=new.in_play)
        elif known.tray is None and known.in_play is not None:
            known = replace(known, in_play=min(known.in_play, new.in_play))
        if over:
            known = replace(known, stacks={book.seat: book.stack for book in new.seats})
        elif new.phase == "hand-over":
            least = {book.seat: min(book.stack, known.stacks.get(book.seat, 0)) for book in new.seats}
            known = replace(known, stacks=least) if least != known.stacks else known
        if old.phase == new.phase:
            return known
        if old.phase == "betting":
            known = replace(
                known,
                closed_ns=now_ns,
                change={book.seat: book.change_due for book in new.seats if book.change_due},
                bets=frozenset(uid for account in accounts for uid in account.counted),
            )
        if new.phase == "hand-over":
            known = replace(known, over_ns=now_ns)
        return known

    def after(
        self, old: Mapping[str, ZoneBelief], new: Mapping[str, ZoneBelief], touched: list[str], now_ns: int
    ) -> Travels:
        """With what has come to these zones and gone from them."""
        came = {
            uid: (value, zone)
            for zone in touched
            for uid, value in new[zone].present.items()
            if uid not in old[zone].present
        }
        gone = {
            uid: (value, zone)
            for zone in touched
            for uid, value in old[zone].present.items()
            if uid not in new[zone].present
        }
        if not came and not gone:
            return self
        last = dict(self.last)
        for uid in chain(gone, came):
            value = (came.get(uid) or gone[uid])[0] or 0
            before = last.get(uid)
            from_zone, left_ns = (ELSEWHERE, -1) if before is None else (before.from_zone, before.left_ns)
            if uid in gone:
                from_zone = gone[uid][1]
                left_ns = old[from_zone].tracks[uid].heard_ns
            last[uid] = Stay(value, from_zone, came[uid][1] if uid in came else ELSEWHERE, now_ns, left_ns)
        return replace(self, last=last)

    def moved(self, from_zone: str, to_zone: str, since_ns: int = -1) -> dict[str, int]:
        """The chips, with their values, that lay there last and lie here now, and moved since then."""
        return {
            uid: stay.value
            for uid, stay in self.last.items()
            if stay.from_zone == from_zone and stay.zone == to_zone and stay.at_ns >= since_ns
        }

    def left_ns(self, uids: Iterable[str]) -> int:
        """When the last of these chips was last heard where it lay before."""
        return max((self.last[uid].left_ns for uid in uids if uid in self.last), default=-1)

    def newest_ns(self, zone: str) -> int:
        """When a chip last came to a zone or went from it; -1 where none has."""
        return max((stay.at_ns for stay in self.last.values() if zone in (stay.zone, stay.from_zone)), default=-1)
