"""Corrections: an act of the hand is put right, and all after it is replayed (TDA 52; R-049)."""

from __future__ import annotations

from collections.abc import Sequence

from betline.steps import Act, CorrectBet, CorrectRecord, Count, FloorDecision, Step
from table_controller.betting import Hand, Illegal, Limit
from table_controller.rulings.redo.overrides import Decreed
from table_controller.rulings.values.ruling import Ruling, RulingKind
from table_controller.rulings.values.state import AGGRESSIVE, State, puts_chips

Chapter = tuple[State, Step | Decreed, Ruling | None]
"""A step of the hand, the state before it, and how it was ruled where it was an act."""


def find(story: Sequence[Chapter], now: State, step: CorrectBet | CorrectRecord) -> int:
    """Which step of the hand is meant: the seat's last act of the street that put chips in.

    The record of an act that put none in can be put right too, where the seat has no other on that street. Raises
    Illegal: `too-late` where the rules let the error stand, `not-open` where the seat has no such act.
    """
    hand = now.hand
    if hand is None:
        raise Illegal("not-open", "No hand is in progress.")
    if isinstance(step, CorrectBet) and hand.hand_over:
        raise Illegal("too-late", "Leave it: the pots have been paid, so the error stands (TDA 52).")
    street = step.street if isinstance(step, CorrectRecord) else hand.street
    of_the_seat = [
        number for number, (before, done, _) in enumerate(story)
        if isinstance(done, Act | Decreed) and done.seat == step.seat and _on(before, street)
    ]  # fmt: skip
    found = [number for number in of_the_seat if _puts(story[number])]
    if isinstance(step, CorrectRecord):
        found = found or of_the_seat
    if not found:
        sentence = f"Seat {step.seat} has put in no chips on the {street}, and an error of an earlier street stands."
        if isinstance(step, CorrectRecord):
            sentence = f"Seat {step.seat} has not acted on the {street}."
        raise Illegal("too-late" if isinstance(step, CorrectBet) else "not-open", sentence)
    if isinstance(step, CorrectBet):
        _check_window(story, found[-1], now, step)
    return found[-1]


def put_right(before: State, done: Step | Decreed, step: CorrectBet | CorrectRecord) -> Act:
    """The act as it should have been; what the chips are is no question any more."""
    hand = before.hand
    if not isinstance(done, Act | Decreed) or hand is None:
        raise Illegal("not-open", "Only an act can be corrected.")
    if hand.next_seat != done.seat:
        raise Illegal("not-open", f"Undo the steps instead: seat {done.seat} acted out of turn there.")
    if isinstance(step, CorrectRecord) and hand.to_call and step.to <= hand.bet(done.seat):
        return Act(seat=done.seat, action="fold")
    act = _made_to(hand, done.seat, step.to)
    if act.to is None and step.to > hand.bet(done.seat) + (hand.to_call or 0):
        raise Illegal("not-open", f"Seat {done.seat} was not allowed to bet or raise there.")
    return act


def as_ruled(before: State, now: State, done: Step | Decreed, ruling: Ruling | None) -> Step | Decreed:
    """An act behind a corrected one as it was ruled: who called calls the corrected bet (TDA 52-A).

    Where its turn has not come in the hand as it is replayed, it is what was said and put out, out of turn.
    """
    if not isinstance(done, Act) or ruling is None or before.hand is None or now.hand is None:
        return done
    if before.hand.next_seat != done.seat or ruling.seat != done.seat:
        return done
    if now.hand.next_seat != done.seat:
        return done if done.action is None else _said(done, ruling)
    match ruling.ruling:
        case RulingKind.FOLD:
            return Act(seat=done.seat, action="fold")
        case RulingKind.CHECK | RulingKind.CALL:
            return Act(seat=done.seat, action="call" if now.hand.to_call else "check")
        case RulingKind.BET | RulingKind.RAISE | RulingKind.COMPLETE:
            return _made_to(now.hand, done.seat, ruling.to)
    return done


def stays_counted(before: State, done: Count, lies_there: CorrectRecord | None) -> bool:
    """Whether what was counted behind a corrected act is so whatever the correction makes of the hand.

    It is what was found behind an all-in, which is no part of the bet (TDA 62); and where only the record was wrong,
    for the seat whose record it is and once the pots were paid. A bet that was counted says what lay there before the
    correction moved chips.
    """
    if lies_there is not None and (done.stack is None or done.seat == lies_there.seat or before.between_hands):
        return True
    return done.stack is not None and not before.stacks[done.seat]


def was_off(before: State, done: Count) -> int:
    """How much more than the book said was counted behind; below 0 less. Of a bet 0: the record follows its count."""
    return 0 if done.stack is None else done.stack - before.stacks[done.seat]


def _said(keyed: Act, ruling: Ruling) -> Act:
    """An act that was keyed in turn, as its player did it."""
    sized = keyed.action not in ("check", "call", "fold")
    words = f"raise to {ruling.to}" if sized else keyed.action
    return Act(seat=keyed.seat, says=words, motions=((ruling.adds,),) if ruling.adds > 0 else ())


def is_decided(now: State, done: Step | Decreed) -> bool:
    """Whether a decision of the floor has nothing to decide in the hand as it is replayed: no ruling waits for it.

    Where another one waits than that which it chose from, it waits for the floor again.
    """
    if not isinstance(done, FloorDecision):
        return False
    return now.floor is None or done.choice not in now.floor.verdict.offers


def _made_to(hand: Hand, seat: int, to: int) -> Act:
    """A bet or raise to an amount, whatever its size; a call where it is no more than that."""
    kind = next(iter(hand.may & AGGRESSIVE), None)
    if kind is None or to <= hand.bet(seat) + (hand.to_call or 0):
        return Act(seat=seat, action="call" if hand.to_call else "check")
    return Act(seat=seat, action=kind.value, to=to, accepted=True)


def _check_window(story: Sequence[Chapter], number: int, now: State, step: CorrectBet) -> None:
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
            raise Illegal(
                "too-late", "Leave it: there has been substantial action since the bet, so it stands (TDA 52-B)."
            )
        return
    overbet = now.house.pot_limit_overbet
    if (overbet == "stands" and acts) or (overbet == "stands-when-all-acted" and hand.round_over):
        raise Illegal("too-late", "Leave it: others have acted on the bet, so it stands (R-153).")


def _on(before: State, street: str) -> bool:
    return before.hand is not None and before.hand.street == street


def _puts(chapter: Chapter) -> bool:
    """Whether an act put chips in, or was to: one that was held, or that the floor had to rule on, as well."""
    before, done, ruling = chapter
    if ruling is None or (isinstance(done, Act) and before.is_payment(done)):
        return False
    if ruling.ruling is RulingKind.NONE:
        return isinstance(done, Act) and before.next_seat != done.seat and puts_chips(done)
    return ruling.ruling not in (RulingKind.CHECK, RulingKind.FOLD)
