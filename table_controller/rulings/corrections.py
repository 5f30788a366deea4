"""Corrections: an act of the hand is put right, and all after it is told again (TDA 52; R-049)."""

from __future__ import annotations

from collections.abc import Sequence

from betline.steps import Act, Corrects, Records, Step
from table_controller.betting import Hand, Illegal, Limit
from table_controller.rulings.ruling import Ruling, RulingKind
from table_controller.rulings.state import AGGRESSIVE, State

Told = tuple[State, Step]
"""A step of the hand, and the state before it."""


def find(story: Sequence[Told], now: State, step: Corrects | Records) -> int:
    """Which step of the hand is meant: the seat's last act of the street that put chips in.

    Raises Illegal: `too-late` where the rules let the error stand, `not-open` where the seat has no such act.
    """
    hand = now.hand
    if hand is None:
        raise Illegal("not-open", "No hand is in progress.")
    if isinstance(step, Corrects) and hand.hand_over:
        raise Illegal("too-late", "The pots have been paid: the error stands (TDA 52).")
    street = step.street if isinstance(step, Records) else hand.street
    found = [
        number for number, (before, done) in enumerate(story)
        if isinstance(done, Act) and done.seat == step.seat and _on(before, street) and _puts(done)
    ]  # fmt: skip
    if not found:
        sentence = f"Seat {step.seat} has put in no chips on the {street}; an earlier street's error stands."
        raise Illegal("too-late" if isinstance(step, Corrects) else "not-open", sentence)
    if isinstance(step, Corrects):
        _check_window(story, found[-1], now, step)
    return found[-1]


def put_right(before: State, done: Step, step: Corrects | Records) -> Act:
    """The act as it should have been; what the chips are is no question any more."""
    hand = before.hand
    if not isinstance(done, Act) or hand is None:
        raise Illegal("not-open", "Only an act can be put right.")
    if hand.next_seat != done.seat:
        raise Illegal("not-open", f"Seat {done.seat} acted out of turn then: take the steps back with undo.")
    act = _made_to(hand, done.seat, step.to)
    if act.to is None and step.to > hand.bet(done.seat) + (hand.to_call or 0):
        raise Illegal("not-open", f"Seat {done.seat} might not bet or raise there.")
    return act


def as_ruled(before: State, now: State, done: Step, ruling: Ruling | None) -> Step:
    """An act behind a corrected one as it was ruled: who called calls the corrected bet (TDA 52-A)."""
    if not isinstance(done, Act) or ruling is None or before.hand is None or now.hand is None:
        return done
    if before.hand.next_seat != done.seat or ruling.seat != done.seat or now.hand.next_seat != done.seat:
        return done
    match ruling.ruling:
        case RulingKind.FOLD:
            return Act(seat=done.seat, action="fold")
        case RulingKind.CHECK | RulingKind.CALL:
            return Act(seat=done.seat, action="call" if now.hand.to_call else "check")
        case RulingKind.BET | RulingKind.RAISE | RulingKind.COMPLETE:
            return _made_to(now.hand, done.seat, ruling.to)
    return done


def _made_to(hand: Hand, seat: int, to: int) -> Act:
    """A bet or raise to an amount, whatever its size; a call where it is no more than that."""
    kind = next(iter(hand.may & AGGRESSIVE), None)
    if kind is None or to <= hand.bet(seat) + (hand.to_call or 0):
        return Act(seat=seat, action="call" if hand.to_call else "check")
    return Act(seat=seat, action=kind.value, to=to, accepted=True)


def _check_window(story: Sequence[Told], number: int, now: State, step: Corrects) -> None:
    """How long the rules let an error of this street be corrected (TDA 52; R-153).

    Anywhere on the street; but in pot-limit too little only until substantial action behind it, and too much as the
    house says.
    """
    put_in = story[number + 1][0].hand if number + 1 < len(story) else now.hand
    hand = now.hand
    if put_in is None or hand is None or now.structure.limit is not Limit.POT_LIMIT:
        return
    acts = hand.acts - put_in.acts
    if step.to > put_in.bet(step.seat):
        with_chips = hand.acts_with_chips - put_in.acts_with_chips
        if acts >= 3 or (acts >= 2 and with_chips >= 1):
            raise Illegal("too-late", "There has been substantial action behind the bet: it stands (TDA 52-B).")
        return
    overbet = now.house.pot_limit_overbet
    if (overbet == "stands" and acts) or (overbet == "stands-when-all-acted" and hand.round_over):
        raise Illegal("too-late", "The others have acted on the bet: it stands (R-153).")


def _on(before: State, street: str) -> bool:
    return before.hand is not None and before.hand.street == street


def _puts(act: Act) -> bool:
    passive = act.action in ("check", "fold") or act.gesture is not None
    return not passive
