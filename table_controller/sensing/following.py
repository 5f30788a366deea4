"""What follows from evidence, books and time: the acts that are settled, then what is shown, asked and warned of.

The judgement of chips that came or went is made here, once for every step of `steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from betline.units import NS_PER_MS
from table_controller.sensing import acts, dead_money, order, other_hand, piles, progress, questions, rounds, shorts
from table_controller.sensing.account import Account
from table_controller.sensing.alerts import raised as alerts_raised
from table_controller.sensing.alerts.standing import standing
from table_controller.sensing.cues import HINTED_WAIT_MS
from table_controller.sensing.observations import (
    Asked,
    AskedNoMore,
    Covered,
    HandBegun,
    Implied,
    Observation,
    Posted,
    StreetDealt,
    ZoneValue,
)
from table_controller.sensing.origins import Exchanged, SetAside
from table_controller.sensing.state import SensingState
from table_controller.sensing.verdicts import verdict_on
from table_controller.sensing.view import Phase

PATIENCE = 2
"""So many waits for seats before it an act waits at most for readers that come and go; then the dealer is asked."""
Step = tuple[SensingState, tuple[Observation, ...]]
"""The state after a step, and what was observed in it."""


def following(sensing: SensingState, now_ns: int) -> Step:
    """The acts that are settled now, then everything shown and asked that has changed."""
    state = sensing if sensing.began_ns >= 0 else replace(sensing, began_ns=now_ns)
    observed: list[Observation] = []
    waiting = None
    if state.hand.phase == "posting":
        state = _posts(state, observed, now_ns)
    elif state.hand.phase == "betting":
        state = _short(state, observed, now_ns)
        hold = state.hand.hold or shorts.waits_for_all_in(state, now_ns)
        state = _acts(state, observed, now_ns, hold=hold)
        if not state.turn.awaiting and not hold:
            state, waiting = _waiting(state, observed, now_ns)
    elif state.hand.phase in _OVER and not state.turn.awaiting:
        state = _paid_late(state, observed, now_ns)
        if not state.turn.awaiting:
            state = _short(state, observed, now_ns)
    if not state.turn.awaiting and waiting is None:
        state = _progress(state, observed, now_ns)
    return _shown(state, observed, waiting, now_ns)


def _progress(sensing: SensingState, observed: list[Observation], now_ns: int) -> SensingState:
    """What the dealer's hands say of the hand, each at most once (`progress`)."""
    what, infer = _INFERRED.get(sensing.hand.phase, ("", None))
    if infer is None or not sensing.cues.may_infer(what, sensing.hand):
        return sensing
    found = infer(sensing, now_ns)
    if found is None:
        return sensing
    observed.append(found)
    cues = sensing.cues.inferring(what, sensing.hand)
    if isinstance(found, Implied):
        cues = cues.without(found.mucked)
    return replace(sensing, cues=cues, turn=replace(sensing.turn, awaiting=True))


_Infer = Callable[[SensingState, int], Implied | StreetDealt | HandBegun | None]
_INFERRED: Mapping[Phase, tuple[str, _Infer]] = {
    "betting": ("closed", progress.round_closed),
    "round-over": ("dealt", progress.street_dealt),
    "showdown": ("dealt", progress.street_dealt),
    "hand-over": ("begun", progress.hand_begun),
}


def _posts(sensing: SensingState, observed: list[Observation], now_ns: int) -> SensingState:
    state = sensing
    thresholds = sensing.setup.thresholds
    for seat, account in sensing.accounts.items():
        if not account.new and not account.gone:
            continue
        belief = sensing.belief(seat)
        if belief.unreliable or not acts.ended(belief, sensing.seen(seat, now_ns), account.under_hand, thresholds):
            continue
        if sensing.origins.protects(account):
            state = state.accounting(account.set_aside())
            continue
        known = {uid: value for uid, value in account.new.items() if value is not None}
        if known or account.gone:
            observed.append(Posted(seat, tuple(known.values()), tuple(known), belief.at_ns))
        taken = account.taken + account.gone_value
        state = state.accounting(replace(rounds.awaiting(account.accounted(), sensing.hand.book(seat)), taken=taken))
    return state


_OVER: tuple[Phase, ...] = ("round-over", "showdown")


def _paid_late(sensing: SensingState, observed: list[Observation], now_ns: int) -> SensingState:
    """Chips that pay a debt once the betting is over: who says "call" last often puts them out only then (R-036), and
    a key of the dealer may have ended it before its chips came (R-042).

    A second motion of the act that ended it is a part of that act.
    """
    for seat, account in sensing.accounts.items():
        again, book = seat == sensing.hand.moved_last, sensing.hand.book(seat)
        keyed = book.keyed is not None and account.awaited > 0
        if not (again or book.owes or keyed) or not account.new or account.gone or account.held:
            continue
        belief, seen, thresholds = sensing.belief(seat), sensing.seen(seat, now_ns), sensing.setup.thresholds
        if not belief.fresh(now_ns, thresholds.stale_ms) or not acts.ended(
            belief, seen, account.under_hand, thresholds
        ):
            continue
        verdict, _ = verdict_on(sensing, account, now_ns)
        if isinstance(verdict, acts.Cover) and verdict.why in ("owed", "keyed"):
            return _covered(sensing, account, verdict, observed, now_ns)
        if again and isinstance(verdict, acts.Act) and acts.is_second_motion(account, belief, seen):
            return _act(sensing, account, acts.Manner(in_turn=False, again=True), observed, now_ns)
    return sensing


def _short(sensing: SensingState, observed: list[Observation], now_ns: int) -> SensingState:
    """The bets that were keyed or said and are short now, for what that asks."""
    state, short = shorts.told(sensing, now_ns)
    observed += short
    return replace(state, turn=replace(state.turn, awaiting=True)) if short else state


def _covered(
    sensing: SensingState, account: Account, cover: acts.Cover, observed: list[Observation], now_ns: int
) -> SensingState:
    """The chips that moved are no act: they make good what was ruled or keyed, or are change or a swap."""
    belief = sensing.belief(account.seat)
    observed.append(Covered(account.seat, cover.why, cover.amount, cover.over, tuple(account.new), belief.at_ns))
    awaited = max(0, account.awaited - cover.amount)
    paid_ns = now_ns if cover.why in ("keyed", "owed") else account.paid_ns
    state = sensing.accounting(replace(account.accounted(), awaited=awaited, paid_ns=paid_ns))
    return replace(state, turn=replace(state.turn, awaiting=True))


def _acts(sensing: SensingState, observed: list[Observation], now_ns: int, *, hold: bool) -> SensingState:
    """At most one thing that changes the books: chips that are no act, a late chip, or the act of the turn.

    `hold`: no act of the turn, what lies before another seat must be known first.
    """
    state = sensing
    for seat in (*sensing.hand.order, *(one for one in sensing.accounts if one not in sensing.hand.order)):
        account = state.accounts.get(seat)
        if account is None or not (account.new or account.gone or account.moved_here):
            continue
        state = _judged(state, account, observed, now_ns, hold=hold)
    return state


def _judged(
    sensing: SensingState, account: Account, observed: list[Observation], now_ns: int, *, hold: bool
) -> SensingState:
    seat, thresholds = account.seat, sensing.setup.thresholds
    belief, seen = sensing.belief(seat), sensing.seen(seat, now_ns)
    if not belief.fresh(now_ns, thresholds.stale_ms) or not acts.ended(belief, seen, account.under_hand, thresholds):
        moves = sensing.moves(seat, now_ns)
        return sensing.accounting(replace(account, ready_ns=-1)) if account.ready_ns >= 0 and moves else sensing
    if account.held:
        return sensing
    if account.moved_here and seat in sensing.hand.order:
        waits = now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS
        return sensing if waits else sensing.accounting(account.in_doubt(account.moved_here, "moved-chips"))
    swept = dead_money.gathered(sensing, account, now_ns)
    if swept is None:
        return sensing
    if swept is not account:
        return sensing.accounting(swept)
    its_turn = seat == sensing.hand.to_act
    book = sensing.hand.book(seat)
    changing = book.change_due and now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS
    if (
        account.gone
        and not account.new
        and not changing
        and acts.was_gathered(account, sensing.accounts.values(), sensing.zones.get("pot"), sensing.witness.swept_ns)
    ):
        return sensing.accounting(account.swept())
    verdict, own = verdict_on(sensing, account, now_ns)
    if sensing.turn.awaiting:
        return sensing
    if isinstance(verdict, dead_money.Beside):
        observed.append(Covered(seat, "keyed", verdict.amount, 0, tuple(account.new), belief.at_ns))
        state = sensing.accounting(replace(account.beside(verdict.dead, verdict.live, verdict.amount), paid_ns=now_ns))
        return replace(state, turn=replace(state.turn, awaiting=True))
    if isinstance(verdict, SetAside):
        taken = account.taken + account.new_value * (verdict.why == "dead-money")
        return sensing.accounting(replace(account.set_aside(verdict.why), taken=taken))
    if isinstance(verdict, Exchanged):
        observed.append(Covered(seat, "swap", 0, 0, tuple(account.new), belief.at_ns))
        state = sensing.accounting(account.exchanged(verdict.taken))
        return replace(state, turn=replace(state.turn, awaiting=True))
    if isinstance(verdict, acts.Cover):
        return _covered(sensing, account, verdict, observed, now_ns)
    if not isinstance(verdict, acts.Act):
        return sensing
    late = acts.is_late_chip(account, belief, book, seen, its_turn, thresholds)
    if not own and not late and not account.new.keys() <= sensing.origins.bets:
        by_another = other_hand.brought(sensing, account, now_ns)
        if by_another == "yes":
            return sensing.accounting(account.in_doubt(account.new, "other-hand"))
        if by_another == "wait":
            return sensing
    if its_turn and sensing.hand.moved_last == seat and acts.is_second_motion(account, belief, seen):
        return _act(sensing, account, acts.Manner(in_turn=False, again=True), observed, now_ns)
    if (its_turn and not hold) or late:
        return _act(sensing, account, acts.Manner(late=late, pays=verdict.pays), observed, now_ns)
    return sensing if account.ready_ns >= 0 else sensing.accounting(replace(account, ready_ns=now_ns))


def _act(
    sensing: SensingState, account: Account, manner: acts.Manner, observed: list[Observation], now_ns: int
) -> SensingState:
    belief, seen = sensing.belief(account.seat), sensing.seen(account.seat, now_ns)
    account, observation = acts.reported(sensing.act_no + 1, account, belief, seen, manner, sensing.turn.passed, now_ns)
    observed.append(observation)
    turn = replace(sensing.turn, awaiting=True, out_of_turn=None)
    return replace(sensing.accounting(account), act_no=sensing.act_no + 1, turn=turn)


def _waiting(
    sensing: SensingState, observed: list[Observation], now_ns: int
) -> tuple[SensingState, order.Waiting | None]:
    """The act that waits for seats before it; the camera, the house or the dealer may have decided about these."""
    thresholds, cues = sensing.setup.thresholds, sensing.cues
    first = first_waiting(sensing)
    hinted = first is not None and cues.hinted(sensing.hand, sensing.hand.before(first))
    if hinted:
        thresholds = replace(thresholds, implied_wait_ms=min(thresholds.implied_wait_ms, HINTED_WAIT_MS))
    turn, one = order.waiting(
        sensing.hand, sensing.accounts, sensing.turn, lambda seat: sensing.moves(seat, now_ns), now_ns, thresholds
    )
    state = sensing if turn is sensing.turn else replace(sensing, turn=turn)
    again = first is not None and order.moved_again(sensing.accounts[first], turn, thresholds)
    bets = {seat for seat in cues.answering if sensing.witness.seat(seat).bet_ns > cues.level_ns}
    folded = () if again or _may_be_no_act(sensing, first) else cues.folded(sensing.hand, first, bets)
    if folded and not any(sensing.moves(seat, now_ns) for seat in folded):
        return _implied(state, folded, folded, observed), None
    if one is None:
        return state, None
    stale_ms = thresholds.stale_ms
    badly_read = any(not sensing.belief(seat).fresh(now_ns, stale_ms) for seat in (one.seat, *one.before))
    due = "ask" if (hinted and one.due == "skipped") or (badly_read and one.due in ("skipped", "assume")) else one.due
    adds = sensing.hand.book(one.seat).bet > 0
    if due == "assume" and (adds or any(sensing.hand_there(seat, now_ns) for seat in one.before)):
        due = "ask"  # what is put with a blind or a bet may be no act at all, and would fold players who still think
    if due in ("assume", "skipped") and questions.is_asked_whether(one, sensing.questions.values()):
        due = "ask"  # who is asked answers, also where it could be said by now
    elif due == "assume" and not _lay_there(sensing, one, now_ns):
        since_ns = max(state.accounts[one.seat].ready_ns, turn.quiet_ns)
        waited = now_ns - since_ns >= PATIENCE * thresholds.implied_wait_ms * NS_PER_MS
        due = "ask" if waited else "wait"
    if turn.out_of_turn == one.seat or due in ("again", "skipped"):
        manner = acts.Manner(in_turn=False, again=due == "again")
        return _act(state, state.accounts[one.seat], manner, observed, now_ns), None
    if (turn.implied and turn.implied == one.before) or due == "assume":
        return _implied(state, one.before, cues.answering, observed), None
    return state, replace(one, due=due)


def _lay_there(sensing: SensingState, one: order.Waiting, now_ns: int) -> bool:
    """Whether the chips that wait have lain there all the time, by readers that were there all the time, as far as
    anybody can say: nobody knows what was taken up and put back here, or at the seats before, while one was not.
    """
    waits_ns = sensing.setup.thresholds.implied_wait_ms * NS_PER_MS
    belief = sensing.belief(one.seat)
    beliefs = (belief, *(sensing.belief(seat) for seat in one.before))
    heard = all(belief.tracks[uid].missed <= belief.quality.alive_misses for uid in sensing.accounts[one.seat].new)
    return heard and all(now_ns - each.again_ns >= waits_ns for each in beliefs)


def _may_be_no_act(sensing: SensingState, seat: int | None) -> bool:
    """Whether chips that wait for their turn were put with a blind or a bet and are less than a call: somebody may toy
    with them, so they do not show that the seats before have folded, not even those whose cards went into the muck.
    """
    if seat is None:
        return False
    book, new = sensing.hand.book(seat), sensing.accounts[seat].new_value
    return book.bet > 0 and new < min(sensing.hand.call(seat), book.stack)


def _implied(
    sensing: SensingState, seats: tuple[int, ...], folded: Container[int], observed: list[Observation]
) -> SensingState:
    """These seats acted unseen; of them those folded, for their cards went into the muck."""
    mucked = tuple(seat for seat in seats if seat in folded)
    observed.append(Implied(seats, mucked))
    turn = replace(sensing.turn, awaiting=True, implied=())
    return replace(sensing, turn=turn, cues=sensing.cues.without(mucked))


def _shown(sensing: SensingState, observed: list[Observation], waiting: order.Waiting | None, now_ns: int) -> Step:
    thresholds = sensing.setup.thresholds
    shown = {
        zone: belief.value if belief.fresh(now_ns, thresholds.stale_ms) else None
        for zone, belief in sensing.zones.items()
    }
    if shown != sensing.shown:
        observed.extend(ZoneValue(zone, value) for zone, value in shown.items() if value != sensing.shown.get(zone))
    mucked = _mucked(sensing, waiting, now_ns)
    asked = questions.standing(
        sensing.hand, sensing.accounts, sensing.belief, waiting, sensing.unread_bet(now_ns), sensing.cues, mucked,
        sensing.rests_on(now_ns), sensing.questions, progress.award(sensing, now_ns),
    )  # fmt: skip
    hands = tuple(seat for seat in sensing.hand.order if sensing.hand_on_chips(seat, now_ns))
    if asked or sensing.questions:
        observed.extend(AskedNoMore(one) for one in sensing.questions if one not in asked)
        observed.extend(question for one, question in asked.items() if one not in sensing.questions)
    # While the books of an act that was just observed are awaited, what they say of it is old.
    if sensing.turn.awaiting:
        return replace(sensing, shown=shown, questions=asked, hands=hands, pile=None), tuple(observed)
    raised, told, news = alerts_raised.after(sensing.raised, sensing.told, standing(sensing, now_ns), now_ns)
    observed.extend(news)
    pile = piles.counted(sensing, now_ns)
    state = replace(sensing, shown=shown, questions=asked, hands=hands, raised=raised, told=told, pile=pile)
    return state, tuple(observed)


def _mucked(sensing: SensingState, waiting: order.Waiting | None, now_ns: int) -> Asked | None:
    """The question about mucks that no later act has followed for a while."""
    since_ns = max(sensing.cues.muck_ns, sensing.turn.since_ns)
    soon = now_ns - since_ns < sensing.setup.thresholds.implied_wait_ms * NS_PER_MS
    if waiting is not None or sensing.turn.awaiting or soon:
        return None
    cues = sensing.cues
    bet_since = {seat for seat, muck_ns in cues.mucked_ns.items() if sensing.witness.seat(seat).bet_ns > muck_ns}
    asked = cues.asked(sensing.hand, bet_since)
    if asked is None or asked.id in sensing.questions:
        return asked
    return None if any(sensing.moves(seat, now_ns) for seat in asked.seats) else asked


def first_waiting(sensing: SensingState) -> int | None:
    """The seat of the first act that waits for its turn."""
    return order.first_waiting(sensing.hand, sensing.accounts, sensing.turn, sensing.setup.thresholds)
