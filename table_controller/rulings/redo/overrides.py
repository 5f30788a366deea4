"""The floor's override of a ruling: what was done stays, what it counts as is what the floor says (TDA 1; R-291)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from betline.steps import Act, ClockExpired, FloorDecision, KillHand, Override, Step
from table_controller.betting import Action, ActionKind, Hand, Illegal
from table_controller.rulings.acts import acts
from table_controller.rulings.values import situation
from table_controller.rulings.values.ruling import NOTHING_STANDING, Ruling, RulingKind, Verdict
from table_controller.rulings.values.sentences import sentence
from table_controller.rulings.values.state import Effect, Held, State

CITES = ("TDA-1",)
WAGERS = ("bet", "raise", "complete")
LIVE = "live"
_NOT_DONE = ("withdraw", LIVE)


@dataclass(frozen=True, slots=True)
class Decreed:
    """A step of a hand that is told again: what was done, and what it counts as by the floor's word."""

    done: Step | Decreed
    decision: Override

    @property
    def seat(self) -> int:
        """Whose act it was."""
        return self.decision.seat


Told = tuple[State, Step | Decreed]


def find(story: Sequence[Told], now: State, decision: Override) -> int:
    """Which step of the hand the floor means: the last one on the street that ruled on the seat.

    Raises Illegal (`not-open`) where there is none.
    """
    street = decision.street or acts.hand_of(now).street
    found = [number for number, (before, done) in enumerate(story) if _is_about(done, before, decision.seat, street)]
    if not found:
        raise Illegal("not-open", f"Nothing that seat {decision.seat} did on the {street} was ruled on.")
    return found[-1]


def decreed(state: State, step: Decreed) -> Effect:
    """An act as the floor rules on it, within what the engine can play; raises Illegal where it cannot."""
    decision, hand = step.decision, acts.hand_of(state)
    seat, act = decision.seat, _act(state, hand, step)
    if state.floor is not None and state.floor.seat == seat:
        state = state._replace(floor=None)
    if decision.ruling in _NOT_DONE:
        ruling = Ruling(ruling=RulingKind.NONE, seat=seat, to=hand.bet(seat), returned=_pushed(act), cites=CITES)
        what = "the hand is live" if decision.ruling == "live" else "the act does not count"
        return acts.settle(Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, _why(decision, what)))))
    if decision.ruling == "fold" and decision.to is None:
        return acts.settle(_folded(state, hand, act, decision))
    if state.floor is not None or hand.next_seat != seat:
        return acts.settle(_bound_to_come(state, hand, act, decision))
    return acts.settle(_acted(state, hand, act, decision))


def is_answered(state: State, step: Step | Decreed) -> bool:
    """Whether a hand waits for the floor to say that it is live, who has just said so."""
    if not isinstance(step, Decreed) or step.decision.ruling not in _NOT_DONE or state.floor is None:
        return False
    return state.floor.seat == step.seat and LIVE in state.floor.verdict.offers


def reopened(state: State, decision: Override) -> Effect:
    """The betting is open again to the seat to act: it may raise, whatever it said and however short the raise."""
    hand, seat = acts.hand_of(state), decision.seat
    if state.floor is not None:
        raise Illegal("action-pending", f"The floor's decision on seat {state.floor.seat} comes first.")
    if hand.next_seat != seat:
        raise Illegal("not-open", f"Seat {seat} is not to act: betting is reopened when its turn has come.")
    again = hand.reopened()
    standing = replace(state.standing, no_raise=False, why_no_raise="")
    after = state._replace(hand=again, standing=standing)
    if after.raise_range is None:
        _, why = again.why_not(again.wager_kind) or ("", "It may not raise.")
        raise Illegal("not-open", f"Seat {seat} cannot raise all the same. {why}")
    ruling = Ruling(ruling=RulingKind.NONE, seat=seat, to=hand.bet(seat), cites=CITES)
    why = _why(decision, "the betting is open to it again")
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, why)))


def _acted(state: State, hand: Hand, act: Act, decision: Override) -> Effect:
    """The act of the seat whose turn it was, as what the floor says."""
    if decision.ruling in WAGERS and hand.raise_range is None:
        hand = hand.reopened()
    state = state._replace(hand=hand, standing=replace(NOTHING_STANDING, taken_back=state.standing.taken_back))
    looked = situation.look(state, hand, act)
    match decision.ruling:
        case "check":
            kind = RulingKind.CHECK
        case "call":
            kind = RulingKind.CALL if hand.to_call else RulingKind.CHECK
        case "fold":
            kind = RulingKind.FOLD
        case _:
            kind = RulingKind.BET
    to = decision.to or 0
    forfeits = 0
    if kind is RulingKind.BET and not to:
        raise Illegal("not-open", f"Say to how much seat {decision.seat} makes it.")
    if kind is RulingKind.FOLD:
        forfeits = to - hand.bet(decision.seat)
        if not 0 < forfeits <= (hand.to_call or 0):
            raise Illegal("not-open", f"A fold leaves more than {looked.bet} in the pot, and at most {looked.match}.")
    verdict = Verdict(kind=kind, to=to, why=_why(decision), cites=CITES, forfeits=forfeits, as_put=True)
    return acts.take(state, looked, verdict)


def _folded(state: State, hand: Hand, act: Act, decision: Override) -> Effect:
    """A fold at any time: what was pushed with it goes back."""
    folded = hand.fold(decision.seat)
    held = tuple([held for held in state.held if held.act.seat != decision.seat])
    ruling = Ruling(
        ruling=RulingKind.FOLD, seat=decision.seat, to=hand.bet(decision.seat), returned=_pushed(act), cites=CITES
    )  # fmt: skip
    after = state.with_hand(folded)._replace(held=held)
    if folded.next_seat == hand.next_seat:
        after = after._replace(standing=state.standing)
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, _why(decision))))


def _bound_to_come(state: State, hand: Hand, act: Act, decision: Override) -> Effect:
    """An act out of turn that binds as the floor says when its turn comes, however the action has changed by then."""
    seat = decision.seat
    if hand.next_seat is None or seat not in hand.in_hand - hand.all_in:
        raise Illegal("not-open", f"Seat {seat} could not act then.")
    if decision.ruling == "fold" or (decision.ruling in WAGERS and decision.to is None):
        raise Illegal("not-open", f"Say to how much seat {seat} makes it; a fold out of turn leaves nothing behind.")
    words = decision.ruling if decision.ruling in ("check", "call") else f"raise to {decision.to}"
    held = Held(replace(act, says=words, first="says", gesture=None), hand.aggressive_acts, binds_anyway=True)
    others = tuple([other for other in state.held if other.act.seat != seat])
    ruling = Ruling(ruling=RulingKind.NONE, seat=seat, to=hand.bet(seat), cites=CITES)
    why = _why(decision, f"out of turn it said {words}, which binds")
    return Effect(
        state=state._replace(held=(*others, held)), ruling=replace(ruling, sentence=sentence(ruling, why))
    )  # fmt: skip


def _act(state: State, hand: Hand, step: Decreed) -> Act:
    """The physical act that the floor rules on: what the question was about, where it had decided one."""
    done = step.done
    while isinstance(done, Decreed):
        done = done.done
    if isinstance(done, FloorDecision) and state.floor is not None:
        done = state.floor.act
    if not isinstance(done, Act) or done.seat != step.seat:
        return Act(seat=step.seat)
    return done if done.action is None else _in_chips(hand, done)


def _in_chips(hand: Hand, keyed: Act) -> Act:
    """An act that was keyed: what it put in lies there."""
    acted = hand.act(Action(ActionKind(keyed.action or ""), keyed.to), keyed.seat, accepted=keyed.accepted).last_act
    added = 0 if acted is None else acted.added
    return Act(seat=keyed.seat, motions=((added,),) if added else ())


def _is_about(done: Step | Decreed, before: State, seat: int, street: str) -> bool:
    if before.hand is None or before.hand.street != street:
        return False
    if isinstance(done, FloorDecision):
        return before.floor is not None and before.floor.seat == seat
    if isinstance(done, Act) and before.is_payment(done):
        return False
    ruled_on = isinstance(done, Act | ClockExpired | KillHand | Decreed)
    dead = isinstance(done, Override) and done.ruling == "dead"
    return (ruled_on or dead) and getattr(done, "seat", None) == seat


def _pushed(act: Act) -> int:
    return sum(act.pushed) + sum(act.splashes)


def _why(decision: Override, what: str = "") -> str:
    return f"the floor rules{f' that {what}' if what else ''}, {decision.why}"
