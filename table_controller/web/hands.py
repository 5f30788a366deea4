"""The last hands of each seat, from what the board was shown: nothing that the board was not. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from betline.messages.views import SeatView, TableView

Outcome = Literal["won", "folded", "lost"]
KEPT: Final = 10
_PLAYED: Final = ("in", "folded", "all-in")


@dataclass(frozen=True, slots=True)
class SeatHand:
    """One hand of one seat, once it is over."""

    hand_no: int
    outcome: Outcome
    change: int | None
    """What the stack has gained or lost; None where stacks are not shown, or the beginning was not seen."""
    cards: str
    """Its own, where they lay face up and the house keeps cards; empty elsewhere."""
    board: tuple[str, ...]
    """The board street by street, where the house keeps cards."""
    made: str
    """What it won with, as `two-pair`; empty where that is not known."""

    def as_json(self) -> dict[str, Any]:
        """For the page."""
        return {name: getattr(self, name) for name in ("hand_no", "outcome", "change", "cards", "board", "made")}


@dataclass(frozen=True, slots=True)
class Hands:
    """The last hands of each seat, newest first, and the stacks with which the present hand began."""

    hand_no: int | None = None
    stacks: Mapping[int, int] = field(default_factory=dict)
    """What each seat had before it when the board was last shown, its bet included."""
    began: Mapping[int, int] = field(default_factory=dict)
    """The same before this hand took its antes and blinds; of a hand that was seen from its beginning."""
    names: Mapping[int, str] = field(default_factory=dict)
    of: Mapping[int, tuple[SeatHand, ...]] = field(default_factory=dict)

    def seen(self, view: TableView) -> Hands:
        """After the board was shown something. A hand that is taken up again, or decided otherwise, is told anew."""
        hands = self._for_who_sits_there(view)
        stacks = {seat.seat: stack for seat in view.seats if (stack := _whole(seat)) is not None}
        if view.hand_no != hands.hand_no:
            begins = view.phase in ("posting", "betting") and hands.hand_no is not None
            # More than before: chips were bought in the same moment, and what the hand has taken is not known.
            began = {one: had for one, had in hands.stacks.items() if begins and had >= stacks.get(one, had + 1)}
            hands = replace(hands, hand_no=view.hand_no, began=began)
        told = dict(hands.of)
        if view.phase != "idle":
            told = {seat: tuple(one for one in past if one.hand_no != view.hand_no) for seat, past in told.items()}
        if view.phase == "hand-over":
            for seat in view.seats:
                if seat.status in _PLAYED:
                    told[seat.seat] = (hands._hand(view, seat), *told.get(seat.seat, ()))[:KEPT]
        return replace(hands, of=told, stacks=stacks)

    def _for_who_sits_there(self, view: TableView) -> Hands:
        """Without the hands of who has left a seat."""
        names = {seat.seat: seat.name for seat in view.seats if seat.status != "empty"}
        same = {seat for seat, name in names.items() if self.names.get(seat, name) == name}
        return replace(self, names=names, of={seat: past for seat, past in self.of.items() if seat in same})

    def _hand(self, view: TableView, seat: SeatView) -> SeatHand:
        whole, began = _whole(seat), self.began.get(seat.seat)
        own = next((one.cards for one in view.cards if one.seat == seat.seat), "")
        made = next((one.kind for one in view.won_with if one.seat == seat.seat), "")
        return SeatHand(
            hand_no=view.hand_no,
            outcome="won" if seat.seat in view.winners else "folded" if seat.status == "folded" else "lost",
            change=None if whole is None or began is None else whole - began,
            cards=own,
            board=tuple(one.cards for one in view.cards if one.seat is None),
            made=made,
        )


def _whole(seat: SeatView) -> int | None:
    """What a seat has before it with its bet; None where that is not shown."""
    return None if seat.stack is None or seat.bet is None else seat.stack + seat.bet
