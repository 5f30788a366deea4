"""What a correction or the floor's override rules otherwise: each act with its old ruling and its new one (R-049)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from betline.steps import CorrectRecord
from table_controller.rulings.values.ruling import ILLEGAL_SIZE, Ruling, RulingKind, Settled
from table_controller.rulings.values.sentences import verb
from table_controller.rulings.values.state import State


class Told(NamedTuple):
    """A step of a hand as it was told: what it came to, and the held acts that it settled."""

    street: str
    seat: int | None
    """Whose act it is."""
    ruling: Ruling | None
    settled: tuple[Settled, ...]
    decides: bool
    """It is the floor's decision on an act before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledOtherwise:
    """An act of the hand that is ruled otherwise now; the new ruling has what its seat must still put in, or gets."""

    place: int
    """Which step it is, counted from the one that was put right, which is 0; below 0 an act that was held before."""
    street: str
    was: Ruling
    now: Ruling

    @property
    def sentence(self) -> str:
        """Both rulings in words."""
        as_put = ", an illegal size that stands" if ILLEGAL_SIZE in self.now.alerts else ""
        text = f"{self.street.capitalize()}: seat {self.now.seat} {verb(self.now)}{as_put} (before: {verb(self.was)})"
        for amount, what in ((self.now.owes, "more to put in"), (self.now.returned, "goes back")):
            text += f"; {amount} {what}" if amount else ""
        return f"{text}."


def otherwise(
    was: Sequence[Told | None], now: Sequence[Told | None], moves: Mapping[int, int]
) -> tuple[RuledOtherwise, ...]:  # fmt: skip
    """The acts of two tellings of a hand that differ by what they count as; a step left out of one is None there.

    `moves` has for each seat what it must put in, or below 0 gets back: that stands with its last act that differs.
    """
    old, new = _decided(was), _decided(now)
    found: list[RuledOtherwise] = []
    for place in sorted(old.keys() & new.keys()):
        (street, before), (_, after) = old[place], new[place]
        if _gist(before) != _gist(after):
            found.append(RuledOtherwise(place=place, street=street, was=before, now=replace(after, owes=0, returned=0)))
    last = {one.now.seat: number for number, one in enumerate(found)}
    for seat, number in last.items():
        amount = moves.get(seat or 0, 0)
        one = found[number]
        found[number] = replace(one, now=replace(one.now, owes=max(amount, 0), returned=max(-amount, 0)))
    return tuple(found)


def moved(before: State, after: State, now: Sequence[Told | None], lies_there: CorrectRecord | None) -> dict[int, int]:
    """What each seat must put in, or below 0 gets back, for its stack to be the one after and not the one before.

    Of the seat of a record that was put right it is known what lies there. Chips of acts that are held lie aside; those
    that a question to the floor is about lie in front of their seat.
    """
    stacks = after.stacks
    found = {seat: stack - stacks.get(seat, stack) for seat, stack in before.stacks.items()}
    for state, sign in ((before, -1), (after, 1)):
        question = state.floor
        if question is not None and question.act.seat == question.seat:
            act = question.act
            lies = sum(act.pushed) + sum(act.splashes) - sum(act.takes_back)
            found[question.seat] = found.get(question.seat, 0) + sign * lies
    if lies_there is not None and now[0] is not None and now[0].ruling is not None:
        found[lies_there.seat] = now[0].ruling.to - lies_there.to
    aside = [held.act.seat for held in after.held]
    return {seat: amount for seat, amount in found.items() if amount and seat not in aside}


def moves_in_words(seat: int, amount: int) -> str:
    """What a seat must put in, or gets, in a sentence."""
    return f"Seat {seat} puts in {amount} more." if amount > 0 else f"Seat {seat} gets {-amount}."


def _decided(told: Iterable[Told | None]) -> dict[int, tuple[str, Ruling]]:
    """What every act came to in the end, by the place of its step: when it was settled, or the floor had decided."""
    found: dict[int, tuple[str, Ruling]] = {}
    acted: dict[int | None, int] = {}
    asked: dict[int | None, int] = {}
    for place, step in enumerate(told):
        if step is None:
            continue
        ruling = step.ruling
        if ruling is not None and step.decides:
            found[asked.pop(ruling.seat, place)] = (step.street, ruling)
        elif ruling is not None and ruling.seat == step.seat:
            found[place] = (step.street, ruling)
            acted[step.seat] = place
            asked[step.seat] = place
        for settled in step.settled:
            withdrawn = Ruling(ruling=RulingKind.NONE, seat=settled.seat)
            found[acted.get(settled.seat, -settled.seat)] = (step.street, settled.ruling or withdrawn)
    return found


def _gist(ruling: Ruling) -> tuple[object, ...]:
    """What of a ruling players pay or lose by; what lies in front of them is told in money."""
    return ruling.ruling, ruling.seat, ruling.to, ruling.all_in, ruling.offers, ILLEGAL_SIZE in ruling.alerts
