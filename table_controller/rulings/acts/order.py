"""Whose turn it is: acts out of turn, skipped players, amounts still to come (TDA 50, 53, 59; R-034, R-220)."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import Act
from table_controller.betting import Hand, Illegal
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import NOTHING_STANDING, Ruling, RulingKind, Standing, Verdict
from table_controller.rulings.values.sentences import sentence
from table_controller.rulings.values.state import Early, Effect, FloorQuestion, Held, State, puts_chips
from table_controller.rulings.values.words import Verb, conditional, folds, heard, is_talk


class Alerting(Illegal):
    """A refusal that also raises alerts."""

    def __init__(self, code: str, sentence: str, *alerts: str) -> None:
        super().__init__(code, sentence)
        self.alerts = alerts


def out_of_turn(state: State, hand: Hand, act: Act) -> Effect | None:
    """What becomes of an act of a seat whose turn it is not; None where it is its turn, or nobody's."""
    if is_talk(act) and act.seat != state.next_seat:
        return talk(state, hand, act)
    held = next((held for held in state.held if held.act.seat == act.seat), None)
    if held is not None and act == Act(seat=act.seat, takes_back=act.takes_back):
        return taken_back_out_of_turn(state, hand, act, held)
    if state.floor is not None:
        return held_for_the_floor(state, hand, act, state.floor)
    if act.says is not None and conditional(act.says):
        return statement_about_future_action(state, hand, act)
    turn = hand.next_seat
    if turn is None and folds(act) and not hand.betting_over and not hand.awaiting_bring_in:
        return fold_out_of_turn(state, hand, act)
    if turn is None or act.seat == turn:
        return None
    _refuse_who_cannot_act(hand, act)
    if folds(act):
        return fold_out_of_turn(state, hand, act)
    if state.standing.declared is not None and _calls(act):
        return call_of_an_unknown_amount(state, hand, act)
    return act_out_of_turn(state, hand, act)


def makes_more_of_the_bring_in(hand: Hand, act: Act) -> bool:
    """The poster of the bring-in says that it comes in for a full bet, before anybody else has acted (R-202)."""
    if act.seat != hand.may_bring_in_for_more or act.seat == hand.next_seat or act.motions:
        return False
    return _verb(act) in (Verb.COMPLETE, Verb.RAISE)


def refuse_muck_of_a_called_hand(hand: Hand, act: Act) -> None:
    """A hand that is all-in or called may not be mucked before it is shown (TDA 16)."""
    if not folds(act) or act.seat not in hand.in_hand:
        return
    all_in_called = act.seat in hand.all_in and hand.next_seat != act.seat
    if all_in_called or (hand.betting_over and hand.all_in):
        sentence = f"Seat {act.seat} is all-in or called: its hand must be tabled (TDA 16)."
        raise Alerting("not-open", sentence, "must-table")


def whose_turn_has_come(state: State) -> tuple[Held, bool, State] | None:
    """A held act that is settled now, whether it binds, and the state without it; None where none is.

    It binds where the action to its seat has not changed: a check, call or fold of those before it changes nothing
    (TDA 53-A).
    """
    hand = state.hand
    if hand is None or state.floor is not None or state.standing.declared is not None:
        return None
    for held in state.held:
        reached = hand.next_seat == held.act.seat
        gone = hand.next_seat is None or held.act.seat not in hand.in_hand
        if not (reached or gone):
            continue
        binding = reached and (held.binds_anyway or held.aggressive_acts == hand.aggressive_acts)
        freed = state._replace(held=tuple([other for other in state.held if other is not held]))
        heads_up = hand.began_heads_up and state.house.out_of_turn == "wsop-heads-up"
        if reached and not binding and heads_up and (_calls(held.act) or _checks(held.act)):
            why = "it checked or called out of turn heads-up"
            barred = replace(freed.standing, no_raise=True, no_raise_by="TDA-53", why_no_raise=why)
            freed = freed._replace(standing=barred)
        return held, binding, freed
    return None


def overtaken(state: State, hand: Hand, held: Held) -> Effect | None:
    """A skipped hand that was ruled live has raised over an act that binds: the floor decides (TDA 53-B)."""
    unchanged = held.aggressive_acts == hand.aggressive_acts
    if unchanged or not held.past_skipped or not puts_chips(held.act):
        return None
    verdict = Verdict(
        kind=RulingKind.FLOOR, why="the skipped player has raised since", cites=("TDA-53",),
        offers=("call", "withdraw"), rule=overtaken.__name__, reckoning=(_changed(held, hand),),
    )  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.FLOOR, seat=held.act.seat, to=hand.bet(held.act.seat), cites=verdict.cites,
        offers=verdict.offers, rule=verdict.rule, reckoning=verdict.reckoning,
    )  # fmt: skip
    after = state._replace(floor=FloorQuestion(held.act.seat, held.act, verdict, held.taken_back))
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def _changed(held: Held, hand: Hand) -> Reckoned:
    amounts = (("bets and raises then", held.aggressive_acts), ("now", hand.aggressive_acts))
    return Reckoned(
        "TDA-53", "the action since the binding act", amounts, "it has changed, so the floor says for how much it binds"
    )


def seen_by_those_behind(held: tuple[Held, ...], place: int, bets: int) -> tuple[Held, ...]:
    """Held acts after a held bet or raise that bound: they were made in its knowledge, for them nothing changed."""
    if not bets:
        return held
    later = [replace(other, aggressive_acts=other.aggressive_acts + bets) for other in held[place:]]
    return (*held[:place], *later)


def decide_about_order(state: State, hand: Hand, question: FloorQuestion, choice: str) -> Effect | None:
    """The floor's choice where the question was one of order; None where it was about an act in turn."""
    if choice in ("live", "passive", "dead"):
        return _decided_hand(state, hand, question, choice)
    if question.seat == hand.next_seat:
        return None
    ruling = Ruling(ruling=RulingKind.NONE, seat=question.seat, cites=question.verdict.cites)
    if choice == "call":
        held = Held(question.act, hand.aggressive_acts, binds_anyway=True)
        state = state._replace(held=(*state.held, held))
        why = "the floor holds it to its call, whatever the amount will be"
    else:
        why = "the floor takes the act back"
    return Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, why)))


def clock_of_a_bound_seat(state: State, hand: Hand, seat: int) -> Effect | None:
    """The clock of a seat that said "bet" or "raise", or pulled chips back: the floor decides (TDA 29, 46, 51; R-288).

    None where the clock may check or fold for the seat.
    """
    standing, passive = state.standing, "fold" if hand.to_call else "check"
    if state.floor is not None or hand.next_seat != seat:
        return None
    if standing.declared is not None and state.raise_range is not None:
        bound, rule = f"{'raise' if hand.level else 'bet'}:{state.raise_range[0]}", "TDA-51"
        why = f"the clock ran out after it said {standing.declared} without an amount"
    elif standing.no_fold and passive == "fold":
        bound, rule, why = "call", "TDA-46", "the clock ran out after it pulled chips back"
    else:
        return None
    verdict = Verdict(
        kind=RulingKind.FLOOR, why=why, cites=("TDA-29", rule), offers=(bound, passive),
        rule=clock_of_a_bound_seat.__name__,
    )  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.FLOOR, seat=seat, to=hand.bet(seat), cites=verdict.cites, offers=verdict.offers,
        rule=verdict.rule,
    )  # fmt: skip
    after = state._replace(floor=FloorQuestion(seat, Act(seat=seat), verdict))
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def fold_absent(state: State) -> State:
    """Absent players who are dealt in: their hands are dead when the first seat acts, or could (TDA 30; R-194)."""
    hand = state.hand
    if hand is None or hand.hand_over or not state.absent:
        return state
    for seat in hand.seats:
        away = seat in state.absent and seat in hand.in_hand
        if away and len(hand.in_hand) > 1 and (hand.acts or hand.round_over or hand.next_seat == seat):
            return state.with_hand(hand.fold(seat))
    return state


def held_for_the_floor(state: State, hand: Hand, act: Act, question: FloorQuestion) -> Effect:
    """While a ruling waits for the floor acts of other seats are held, those of its own seat refused (R-048)."""
    if act.seat == question.seat:
        raise Illegal("action-pending", f"The floor decides on seat {act.seat} first.")
    _refuse_who_cannot_act(hand, act)
    _refuse_a_second_one(state, hand, act)
    waits = Reckoned("R-048", "the floor decides first", (("on seat", question.seat),), "the act waits")
    return _held(state, hand, act, rule=held_for_the_floor.__name__, reckoning=(waits,))


def act_out_of_turn(state: State, hand: Hand, act: Act) -> Effect:
    """An act out of turn is held aside until the action reaches its seat; its chips are in no pot (TDA 53-A; R-067)."""
    _refuse_a_second_one(state, hand, act)
    noted = _noted(state, hand, act)
    past = Reckoned(
        "TDA-53", "the act out of turn",
        (("seat to act", hand.next_seat or 0), ("bets and raises so far", hand.aggressive_acts)),
        "it waits, and binds if nobody has bet or raised when its turn comes",
    )  # fmt: skip
    if _is_skipped(noted):
        return skipped_hand(_with_held(noted, hand, act), hand, act, (past,))
    if _has_no_act_to_come(hand, act):
        return _given_back(noted, hand, act, past)
    return _held(
        noted, hand, act, alerts=("out-of-turn",), rule=act_out_of_turn.__name__, reckoning=(past, *_gone_past(noted))
    )  # fmt: skip


def _has_no_act_to_come(hand: Hand, act: Act) -> bool:
    """Whether the turn comes back to a seat only by a bet or raise, which changes the action: its chips never bind."""
    return puts_chips(act) and act.seat in hand.has_acted and hand.bet(act.seat) >= hand.level


def _given_back(state: State, hand: Hand, act: Act, past: Reckoned) -> Effect:
    """Chips that can never bind wait for nothing: they go back at once (TDA 53-A)."""
    ruling = Ruling(
        ruling=RulingKind.NONE, seat=act.seat, to=hand.bet(act.seat), returned=sum(act.pushed) + sum(act.splashes),
        cites=("TDA-53",), alerts=("out-of-turn",), rule=act_out_of_turn.__name__,
        reckoning=(past._replace(outcome="the seat has acted and nobody has raised, so it never binds"),),
    )  # fmt: skip
    why = "it has acted and nobody has raised, so its chips go back"
    return Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, why)))


def taken_back_out_of_turn(state: State, hand: Hand, act: Act, held: Held) -> Effect:
    """Chips of a held act taken back: the act stays held, and where it binds they are owed again (TDA 53-A)."""
    taken = sum(act.takes_back)
    if taken > sum(held.act.pushed) + sum(held.act.splashes) - held.taken_back:
        raise Illegal("not-your-turn", f"Leave the bet: seat {act.seat} may not take back more than it put out.")
    now = replace(held, taken_back=held.taken_back + taken)
    after = state._replace(held=tuple([now if other is held else other for other in state.held]))
    ruling = Ruling(
        ruling=RulingKind.NONE, seat=act.seat, to=hand.bet(act.seat), returned=taken, cites=("TDA-53",),
        rule=taken_back_out_of_turn.__name__,
    )  # fmt: skip
    why = "took back chips that it put out out of turn; if the action does not change, it must put them in again"
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, why)))


def _held(
    state: State, hand: Hand, act: Act, *, rule: str, reckoning: Reckoning, alerts: tuple[str, ...] = ()
) -> Effect:  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.NONE, seat=act.seat, to=hand.bet(act.seat), cites=("TDA-53",), alerts=alerts, rule=rule,
        reckoning=reckoning,
    )  # fmt: skip
    why = f"it is seat {state.next_seat}'s turn, so the act waits"
    return Effect(state=_with_held(state, hand, act), ruling=replace(ruling, sentence=sentence(ruling, why)))


def _with_held(state: State, hand: Hand, act: Act) -> State:
    held = Held(act, hand.aggressive_acts, binds_anyway=folds(act))
    return state._replace(held=(*state.held, held))


def _refuse_a_second_one(state: State, hand: Hand, act: Act) -> None:
    if any(held.act.seat == act.seat for held in state.held):
        raise Illegal(
            "not-your-turn", f"Wait for seat {hand.next_seat}: seat {act.seat} has already acted out of turn."
        )
    if act.takes_back:
        raise Illegal("not-your-turn", f"Leave the chips of seat {act.seat}: it is seat {hand.next_seat}'s turn.")


def _noted(state: State, hand: Hand, act: Act) -> State:
    """An act out of turn is remembered; a seat's last one counts."""
    turn = hand.next_seat or act.seat
    early = Early(act.seat, turn, puts_chips(act), hand.acts, hand.acts_with_chips)
    return state._replace(early=(*[other for other in state.early if other.seat != act.seat], early))


def _is_skipped(state: State) -> bool:
    """Substantial action out of turn has gone past the seat to act (TDA 36, 53-B)."""
    past = state.gone_past
    return state.is_substantial(len(past), sum(early.with_chips for early in past))


def _gone_past(state: State) -> Reckoning:
    """The finding of a skipped player: whether what has gone past the seat to act is substantial (TDA 36; R-222)."""
    past = state.gone_past
    amounts = (("acts out of turn", len(past)), ("of them with chips", sum(early.with_chips for early in past)))
    found = "substantial action" if _is_skipped(state) else "no substantial action yet"
    return (Reckoned("TDA-36", "the skipped player", amounts, found),)


def skipped_hand(state: State, hand: Hand, act: Act, reckoning: Reckoning = ()) -> Effect:
    """Substantial action out of turn binds, and the floor rules on the hand that was skipped (TDA 53-B)."""
    seat = hand.next_seat or act.seat
    verdict = Verdict(
        kind=RulingKind.FLOOR, why=f"substantial action out of turn has gone past seat {seat}", cites=("TDA-53",),
        alerts=("out-of-turn", "skipped-player"), offers=("live", "passive", "dead"), rule=skipped_hand.__name__,
        reckoning=(*reckoning, *_gone_past(state)),
    )  # fmt: skip
    held = tuple([replace(held, binds_anyway=True, past_skipped=True) for held in state.held])
    after = state._replace(held=held, floor=FloorQuestion(seat, act, verdict))
    ruling = Ruling(
        ruling=RulingKind.FLOOR, seat=seat, to=hand.bet(seat), cites=verdict.cites, alerts=verdict.alerts,
        offers=verdict.offers, returned=sum(act.pushed) if folds(act) else 0, rule=verdict.rule,
        reckoning=verdict.reckoning,
    )  # fmt: skip
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def _decided_hand(state: State, hand: Hand, question: FloorQuestion, choice: str) -> Effect:
    seat = question.seat
    state = state._replace(early=())
    if choice == "dead":
        state = state.with_hand(hand.fold(seat))
        ruling = Ruling(ruling=RulingKind.FOLD, seat=seat, to=hand.bet(seat), cites=("TDA-53",))
    else:
        passive = Standing(no_raise=True, no_raise_by="TDA-53", why_no_raise="the floor allows no aggressive action")
        state = state._replace(standing=passive if choice == "passive" else NOTHING_STANDING)
        ruling = Ruling(ruling=RulingKind.NONE, seat=seat, to=hand.bet(seat), cites=("TDA-53",))
    why = f"the floor rules the skipped hand {choice}"
    return Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, why)))


def fold_out_of_turn(state: State, hand: Hand, act: Act) -> Effect:
    """A fold out of turn is binding immediately (TDA 53-A, 58; R-221)."""
    refuse_muck_of_a_called_hand(hand, act)
    folded = hand.fold(act.seat)
    kept = tuple([held for held in state.held if held.act.seat != act.seat])
    standing = state.standing if folded.next_seat == hand.next_seat else NOTHING_STANDING
    ruling = Ruling(
        ruling=RulingKind.FOLD, seat=act.seat, to=hand.bet(act.seat), returned=sum(act.pushed),
        cites=("TDA-53", "TDA-58"), alerts=("out-of-turn",), rule=fold_out_of_turn.__name__,
    )  # fmt: skip
    after = _noted(state.with_hand(folded)._replace(held=kept, standing=standing), hand, act)
    if standing.declared is None and not folded.round_over and _is_skipped(after):
        return skipped_hand(after, folded, act)
    ruling = replace(ruling, reckoning=_gone_past(after) if after.gone_past else ())
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, "a fold out of turn binds")))


def talk(state: State, hand: Hand, act: Act) -> Effect:
    """Words out of turn that are not understood are no act, and nothing is held (R-032)."""
    _refuse_who_is_out(hand, act)
    ruling = Ruling(
        ruling=RulingKind.NONE, seat=act.seat, to=hand.bet(act.seat), alerts=("not-understood",), rule=talk.__name__
    )
    return Effect(state=state, ruling=replace(ruling, sentence=sentence(ruling, "the words were not understood")))


def call_of_an_unknown_amount(state: State, hand: Hand, act: Act) -> Effect:
    """A call before the amount is known: the floor may hold the player to any amount (TDA 59-B)."""
    verdict = Verdict(
        kind=RulingKind.FLOOR, why=f"called before seat {hand.next_seat} named an amount", cites=("TDA-59",),
        offers=("call", "withdraw"), rule=call_of_an_unknown_amount.__name__,
    )  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.FLOOR, seat=act.seat, to=hand.bet(act.seat), cites=verdict.cites, offers=verdict.offers,
        rule=verdict.rule,
    )  # fmt: skip
    after = state._replace(floor=FloorQuestion(act.seat, act, verdict))
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def statement_about_future_action(state: State, hand: Hand, act: Act) -> Effect:
    """A statement about future action binds if the floor says so, and is then keyed in turn (TDA 59-A; R-033)."""
    _refuse_who_is_out(hand, act)
    verdict = Verdict(
        kind=RulingKind.FLOOR, why="made a statement about future action", cites=("TDA-59",), offers=("withdraw",),
        rule=statement_about_future_action.__name__,
    )  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.FLOOR, seat=act.seat, to=hand.bet(act.seat), cites=verdict.cites, offers=verdict.offers,
        rule=verdict.rule,
    )  # fmt: skip
    after = state._replace(floor=FloorQuestion(act.seat, act, verdict))
    return Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, verdict.why)))


def _refuse_who_cannot_act(hand: Hand, act: Act) -> None:
    refuse_muck_of_a_called_hand(hand, act)
    _refuse_who_is_out(hand, act)


def _refuse_who_is_out(hand: Hand, act: Act) -> None:
    if act.seat not in hand.in_hand:
        lies = act.pushed or act.splashes or act.changes
        raise Illegal("not-open", f"{'Give the chips back' if lies else 'Go on'}: seat {act.seat} has folded.")
    if act.seat in hand.all_in:
        raise Illegal("not-open", f"Go on: seat {act.seat} is all-in and has nothing left to act with.")


def _calls(act: Act) -> bool:
    return _verb(act) is Verb.CALL


def _checks(act: Act) -> bool:
    return act.gesture == "tap" or _verb(act) is Verb.CHECK


def _verb(act: Act) -> Verb | None:
    said = heard(act)
    return None if said is None else said.verb
