"""Going through the last hands act by act, with the table as it was after each. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from betline.messages.recall import RecalledAct, RecalledHand, TableThen
from betline.messages.table import SeatState, TableState


@dataclass(frozen=True, slots=True)
class Stepping:
    """Where one is: the hand, from the newest on, and its act."""

    hands: tuple[RecalledHand, ...]
    hand: int = 0
    act: int = 0

    @property
    def here(self) -> RecalledHand | None:
        """The hand that is looked at; None where there is none."""
        return self.hands[self.hand] if self.hand < len(self.hands) else None

    @property
    def now(self) -> RecalledAct | None:
        """The act that is looked at."""
        return self.here.acts[self.act] if self.here is not None and self.act < len(self.here.acts) else None

    @property
    def table(self) -> TableThen | None:
        """The table after that act; an alert changes nothing, so the table of the act before it stands."""
        acts = self.here.acts[: self.act + 1] if self.here is not None else ()
        return next((one.table for one in reversed(acts) if one.source or one.table is not None), None)

    def known(self, hands: tuple[RecalledHand, ...]) -> Stepping:
        """With the hands that are known now; the same hand and act where they are still there."""
        before = self.here
        place = next((at for at, one in enumerate(hands) if before is not None and one.hand == before.hand), 0)
        kept = bool(hands) and before is not None and hands[place].hand == before.hand
        act = min(self.act, max(len(hands[place].acts) - 1, 0)) if kept else 0
        return Stepping(hands, place, act)

    def by_act(self, acts: int) -> Stepping:
        """So many acts on, or back; at the end of a hand the next one begins."""
        at = self.act + acts
        here = self.here
        if here is None:
            return self
        if at >= len(here.acts) and self.hand > 0:
            return replace(self, hand=self.hand - 1, act=0)
        if at < 0 and self.hand + 1 < len(self.hands):
            older = self.hands[self.hand + 1]
            return replace(self, hand=self.hand + 1, act=max(len(older.acts) - 1, 0))
        return replace(self, act=max(0, min(at, len(here.acts) - 1)))

    def by_hand(self, hands: int) -> Stepping:
        """So many hands on, or back, at their first act."""
        return replace(self, hand=max(0, min(self.hand - hands, len(self.hands) - 1)), act=0)


def state_then(then: TableThen, hand_no: int) -> TableState:
    """The table of that time as the drawing takes it."""
    return TableState(
        version=0, journal_seq=0, journal_head="", phase=then.phase, hand_no=hand_no, game=then.game,
        street=then.street, button=then.button, small_blind=then.small_blind, big_blind=then.big_blind,
        seats=tuple(
            SeatState(seat=one.seat, name=one.name, stack=one.stack, bet=one.bet, status=one.status)
            for one in then.seats
        ),
        to_act=then.to_act, call=None, min_raise_to=None, max_raise_to=None, pot=then.pot, pots=(), rulings=(),
    )  # fmt: skip
