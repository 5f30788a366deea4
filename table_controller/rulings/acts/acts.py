"""Acts of players: in turn they are ruled on and put into the hand, out of turn they are held aside."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import Act, ClockExpired, FloorDecision
from table_controller.betting import Action, ActionKind, Hand, Illegal
from table_controller.rulings.acts import book, order
from table_controller.rulings.values import markers
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import (
    ILLEGAL_SIZE,
    RULING_OF,
    Ruling,
    RulingKind,
    Settled,
    Standing,
    Verdict,
)
from table_controller.rulings.values.sentences import sentence
from table_controller.rulings.values.situation import SIZED_BY, Situation, look
from table_controller.rulings.values.state import AGGRESSIVE, Effect, FloorQuestion, Held, State


def act(state: State, step: Act) -> Effect:
    """Rules on what a player did; raises Illegal where it is refused."""
    hand = hand_of(state)
    if step.seat not in hand.seats:
        raise Illegal("not-open", f"Seat {step.seat} is not in the hand.")
    if state.is_payment(step):
        return pays_what_is_owed(state, hand, step)
    if step.action is not None:
        _refuse_less_than_declared(state, hand, step)
        effect = _keyed(state, hand, step, Action(ActionKind(step.action), step.to))
    elif order.makes_more_of_the_bring_in(hand, step):
        effect = _keyed(state, hand, step, Action(hand.wager_kind))
    else:
        effect = order.out_of_turn(state, hand, step) or rule(state, hand, step)
    return settle(effect)


def pays_what_is_owed(state: State, hand: Hand, step: Act) -> Effect:
    """Chips that come a moment after the act which they belong to are no act of their own (TDA 50-A; R-036)."""
    owed, put_in = state.owed(step.seat), sum(step.pays) + sum(step.pushed)
    if not owed:
        raise Illegal("not-open", f"Give the chips back: seat {step.seat} owes nothing.")
    rest, over = max(owed - put_in, 0), max(put_in - owed, 0)
    amounts = (("owed", owed), ("put in", put_in))
    outcome = f"{rest} still owed" if rest else f"{over} back" if over else "paid"
    ruling = Ruling(
        ruling=RulingKind.NONE, seat=step.seat, to=hand.bet(step.seat), returned=over, owes=rest, cites=("TDA-50",),
        alerts=("chips-owed",) if rest else ("change-due",) if over else (), rule=pays_what_is_owed.__name__,
        reckoning=(Reckoned("R-036", "the chips", amounts, outcome),),
    )  # fmt: skip
    sentence_ = f"Seat {step.seat} pays {put_in - over} of the {owed} that it owes for its bet of {ruling.to}."
    laid = hand.bet(step.seat) - rest if rest else None
    return Effect(state=state.with_laid(step.seat, laid), ruling=replace(ruling, sentence=sentence_))


def expires(state: State, step: ClockExpired) -> Effect:
    """The clock has run out: a check where it is free, else a fold (TDA 29; R-288).

    Where the seat has bound itself to more than that, the floor decides as it does on a fold (TDA 46, 51).
    """
    hand = hand_of(state)
    asked = order.clock_of_a_bound_seat(state, hand, step.seat)
    if asked is not None:
        return asked
    kind = ActionKind.CHECK if hand.to_call == 0 else ActionKind.FOLD
    return settle(_keyed(state, hand, Act(seat=step.seat, action=kind.value), Action(kind), cites=("TDA-29",)))


def floor_decision(state: State, step: FloorDecision) -> Effect:
    """The floor chooses one of the rulings on offer; raises Illegal (`no-floor-pending`, `not-open`)."""
    question = state.floor
    if question is None:
        raise Illegal("no-floor-pending", "Override the act instead: no ruling waits for the floor.")
    choice = step.choice
    if choice not in question.verdict.offers:
        offers = ", ".join(question.verdict.offers)
        raise Illegal("not-open", f"{choice} is not on offer: choose {offers}, or give the reason for another ruling.")
    state = state._replace(floor=None)
    hand = hand_of(state)
    decided = order.decide_about_order(state, hand, question, choice)
    return settle(decided if decided is not None else _decided(state, hand, question, choice))


def hand_of(state: State) -> Hand:
    """The hand in progress; raises Illegal (`not-open`) where there is none."""
    if state.hand is None:
        raise Illegal("not-open", "No hand is in progress: begin the next one.")
    return state.hand


def rule(state: State, hand: Hand, step: Act, taken_while_held: int = 0) -> Effect:
    """An act in turn, or one that was held whose turn has come; its seat may have taken chips back meanwhile."""
    order.refuse_muck_of_a_called_hand(hand, step)
    if hand.next_seat is None:
        hand.act(Action(ActionKind.CHECK), step.seat)  # refuses, and says why nobody acts
    if step.changes is not None and sum(step.changes.gives) != sum(step.changes.takes):
        raise Illegal("not-open", "Give and take the same amount: the change does not balance.")
    situation = look(state, hand, step, taken_while_held)
    return take(state, situation, book.decide(situation))


def take(state: State, s: Situation, verdict: Verdict) -> Effect:
    """Puts a verdict into chips."""
    hand, seat = s.hand, s.seat
    pushed = sum(s.act.pushed) + sum(s.act.splashes) - s.taken_while_held
    if verdict.kind in (RulingKind.FLOOR, RulingKind.NONE):
        asked = FloorQuestion(seat, s.act, verdict, s.taken_while_held)
        floor = asked if verdict.kind is RulingKind.FLOOR else state.floor
        standing = verdict.standing if verdict.kind is RulingKind.NONE else state.standing
        ruling = Ruling(
            ruling=verdict.kind, seat=seat, to=s.bet, cites=verdict.cites, alerts=verdict.alerts,
            returned=pushed if verdict.kind is RulingKind.NONE else 0, owes=s.taken, offers=verdict.offers,
            rule=verdict.rule, reckoning=verdict.reckoning,
        )  # fmt: skip
        after = state._replace(floor=floor, standing=_merged(state.standing, standing))
        return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))
    if verdict.forfeits:
        acted = hand.forfeit(verdict.forfeits)
    else:
        acted = hand.act(_action(hand, verdict), seat, accepted=verdict.as_put)
    done = acted.last_act
    if done is None:
        raise AssertionError("an act leaves its trace")
    ruling = Ruling(
        ruling=RULING_OF[done.kind], seat=seat, to=done.to, adds=verdict.forfeits or done.added,
        returned=min(max(s.laid - done.to, 0), pushed), owes=max(done.to - s.laid, 0), all_in=done.all_in,
        cites=verdict.cites, alerts=verdict.alerts, rule=verdict.rule,
        reckoning=verdict.reckoning if s.laid == done.to else (*verdict.reckoning, _in_front(s.laid, done.to)),
    )  # fmt: skip
    after = markers.acted(state.with_hand(acted), done).with_laid(seat, s.laid if ruling.owes else None)
    if seat in after.in_front and (pushed or s.act.takes_back):
        after = after._replace(in_front={number: lies for number, lies in after.in_front.items() if number != seat})
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def settle(effect: Effect) -> Effect:
    """Acts that were held are settled as the action reaches their seats; absent players' hands are folded."""
    while True:
        state = effect.state
        absent = order.fold_absent(state)
        if absent is not state:
            effect = replace(effect, state=absent)
            continue
        turn = order.whose_turn_has_come(state)
        if turn is None:
            return effect
        held, binding, freed = turn
        now, ruling = hand_of(freed).aggressive_acts, None
        alerts: tuple[str, ...] = ()
        if binding:
            try:
                hand = hand_of(freed)
                bound = order.overtaken(freed, hand, held) or rule(freed, hand, held.act, held.taken_back)
            except Illegal:
                binding = False
            else:
                bets = hand_of(bound.state).aggressive_acts - hand_of(freed).aggressive_acts
                behind = order.seen_by_those_behind(bound.state.held, state.held.index(held), bets)
                freed, ruling = bound.state._replace(held=behind), bound.ruling
                alerts = ruling.alerts if ruling else ()
        why = _held_reckoned(held, now, binding=binding)
        settled = Settled(held.act.seat, binding, ruling, why)
        effect = replace(
            effect, state=freed, settled=(*effect.settled, settled), alerts=(*effect.alerts, *alerts)
        )  # fmt: skip


def _keyed(state: State, hand: Hand, step: Act, action: Action, cites: tuple[str, ...] = ()) -> Effect:
    """An unambiguous action: it must be legal and in turn."""
    if state.floor is not None:
        raise Illegal("action-pending", f"The floor's decision on seat {state.floor.seat} comes first.")
    if step.seat == hand.next_seat:
        _refuse_what_stands_against(state, hand, action)
    called, bounds = hand.to_call, hand.raise_range if action.kind in AGGRESSIVE else None
    acted = hand.act(action, step.seat, accepted=step.accepted)
    done = acted.last_act
    if done is None:
        raise AssertionError("an act leaves its trace")
    alerts: tuple[str, ...] = ()
    if done.kind is ActionKind.FOLD and called == 0:
        cites, alerts = ("TDA-58",), ("fold-without-bet",)
    elif step.accepted and bounds is not None and not bounds[0] <= done.to <= bounds[1]:
        alerts = (ILLEGAL_SIZE,)
    ruling = Ruling(
        ruling=RULING_OF[done.kind], seat=step.seat, to=done.to, adds=done.added, all_in=done.all_in, cites=cites,
        alerts=alerts, reckoning=_keyed_reckoned(hand, done.to, bounds),
    )  # fmt: skip
    after = markers.acted(state.with_hand(acted), done).with_laid(step.seat, None)
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, "")))


def _in_front(laid: int, to: int) -> Reckoned:
    """What goes back or is owed: what lies there against what counts (R-036)."""
    amounts = (("in front", laid), ("bet", to))
    outcome = f"{laid - to} goes back" if laid > to else f"{to - laid} is still owed"
    return Reckoned("R-036", "the chips", amounts, outcome)


def _keyed_reckoned(hand: Hand, to: int, bounds: tuple[int, int] | None) -> Reckoning:
    if bounds is None:
        return ()
    amounts = (("total", to), ("bet", hand.level), ("minimum", bounds[0]), ("maximum", bounds[1]))
    legal = bounds[0] <= to <= bounds[1]
    outcome = "a legal size" if legal else "an illegal size that nobody noticed: it stands until it is corrected"
    return (Reckoned(SIZED_BY[hand.structure.limit], "the size", amounts, outcome),)


def _held_reckoned(held: Held, now: int, *, binding: bool) -> Reckoning:
    """Whether the action to a seat has changed since it acted out of turn: by a bet or raise, no other act (TDA 53)."""
    amounts = (("bets and raises then", held.aggressive_acts), ("now", now))
    outcome = "the action has not changed: it binds" if binding else "it does not bind"
    return (Reckoned("TDA-53", "the act out of turn", amounts, outcome),)


def _refuse_what_stands_against(state: State, hand: Hand, action: Action) -> None:
    standing = state.standing
    raises = action.kind in AGGRESSIVE or (action.kind is ActionKind.ALL_IN and hand.raise_range is not None)
    if standing.no_raise and raises:
        why, rule = standing.why_no_raise, standing.no_raise_by.replace("-", " ")
        raise Illegal("not-open", f"Seat {hand.next_seat} may only call or fold: {why} ({rule}).")
    if standing.no_fold and action.kind is ActionKind.FOLD:
        raise Illegal("not-open", f"Seat {hand.next_seat} pulled chips back: it must call or raise (TDA 46).")


def _refuse_less_than_declared(state: State, hand: Hand, step: Act) -> None:
    """Who said "bet" or "raise" must make one; only where it may not is it a call (TDA 51-A)."""
    if state.standing.declared is None or step.seat != hand.next_seat or state.raise_range is None:
        return
    if step.action in ("check", "call", "fold"):
        raise Illegal(
            "not-open",
            f'Seat {step.seat} said "{state.standing.declared}" and must make it good: key the amount (TDA 51).',
        )


def _action(hand: Hand, verdict: Verdict) -> Action:
    match verdict.kind:
        case RulingKind.CHECK:
            return Action(ActionKind.CHECK)
        case RulingKind.CALL:
            return Action(ActionKind.CALL)
        case RulingKind.FOLD:
            return Action(ActionKind.FOLD)
        case _:
            return Action(hand.wager_kind, verdict.to)


def _merged(before: Standing, now: Standing) -> Standing:
    """What stands against a seat stays: a second word does not give back what the first took."""
    return Standing(
        declared=now.declared or before.declared,
        no_raise=now.no_raise or before.no_raise,
        no_raise_by=before.no_raise_by if before.no_raise else now.no_raise_by,
        why_no_raise=before.why_no_raise if before.no_raise else now.why_no_raise,
        no_fold=now.no_fold or before.no_fold,
        taken_back=max(now.taken_back, before.taken_back),
    )


def _decided(state: State, hand: Hand, question: FloorQuestion, choice: str) -> Effect:
    """The floor's choice on the seat that is to act."""
    name, _, amount = choice.partition(":")
    if name == "withdraw":
        pushed = sum(question.act.pushed) - question.taken_back
        ruling = Ruling(
            ruling=RulingKind.NONE, seat=question.seat, to=hand.bet(question.seat), returned=pushed,
            cites=question.verdict.cites,
        )  # fmt: skip
        why = "the floor gives the chips back, and all options are open"
        return Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, why)))
    kind, bounds = RulingKind.BET if amount else RulingKind(name), state.raise_range
    stands = bool(amount) and bounds is not None and int(amount) > bounds[1]
    verdict = Verdict(
        kind=kind, to=int(amount or 0), as_put=stands, why=f"the floor decides: {choice}", cites=question.verdict.cites,
        forfeits=question.verdict.forfeits if kind is RulingKind.FOLD else 0, rule=question.verdict.rule,
        reckoning=question.verdict.reckoning,
    )  # fmt: skip
    words = replace(question.act, says=None) if question.act.says and question.act.motions else question.act
    return take(state, look(state, hand, words, question.taken_back), verdict)
