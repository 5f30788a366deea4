"""The fold of all evidence and of the table's view into acts, questions and alerts: a function a step.

Every step takes the state and the time, and gives the next state and what was observed. Nothing here reads a clock;
between inputs `tick` lets time pass. After a step that observed a ChipsMoved, a Covered or an Implied the service must
give the view (changed or not): the next act waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from betline.units import NS_PER_MS
from table_controller.sensing import acts, order, other_hand, presence, questions, rounds, shorts
from table_controller.sensing.account import Account
from table_controller.sensing.alerts import raised as alerts_raised
from table_controller.sensing.alerts.standing import standing
from table_controller.sensing.cues import HINTED_WAIT_MS
from table_controller.sensing.observations import (
    Asked,
    AskedNoMore,
    Covered,
    Implied,
    Observation,
    Posted,
    ZoneValue,
)
from table_controller.sensing.origins import Exchanged, SetAside
from table_controller.sensing.presence import ZoneBelief, ZoneReading
from table_controller.sensing.setup import HOUSE_ZONES, seat_of, zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import HandView
from table_controller.sensing.witness import CameraSeen, LineSeen

Step = tuple[SensingState, tuple[Observation, ...]]
"""The state after a step, and what was observed in it."""


def zone(sensing: SensingState, reading: ZoneReading, now_ns: int) -> Step:
    """The evidence of a zone after an inventory round. One that is not newer, or of no zone here, changes nothing."""
    old = sensing.zones.get(reading.zone)
    if old is None:
        return sensing, ()
    thresholds = sensing.setup.thresholds
    others = [one for one in sensing.zones.values() if one is not old and one.heard(now_ns, thresholds.stale_ms)]
    new = presence.after(old, reading, others, thresholds, sensing.hand_ns)
    if new is old:
        return sensing, ()
    zones = {**sensing.zones, reading.zone: new}
    arrived = new.present.keys() - old.present.keys()
    touched = [reading.zone]
    for other in others if arrived else ():
        lost = arrived & other.present.keys()
        if lost:
            zones[other.zone] = other.without(lost)
            touched.append(other.zone)
    travels = sensing.travels
    if new.present is not old.present:
        travels = travels.after(sensing.zones, zones, touched, now_ns)
    if reading.zone == "tray":
        travels = travels.floated(new, sensing.hand)
    state = replace(sensing, zones=zones, travels=travels)
    if reading.zone in HOUSE_ZONES and arrived:
        origins = sensing.origins
        if reading.zone == "pot" and sensing.hand.phase == "betting":
            origins = origins.in_pot(arrived, new, sensing.accounts.values(), sensing.turn.betting_ns, sensing.hand_ns)
        state = replace(state, house=state.house | arrived, origins=origins)
    account = sensing.accounts.get(seat_of(reading.zone))
    if arrived and account is not None:
        state = replace(state, origins=sensing.origins.arrived(arrived, new, sensing.hand_ns))
    if new.present is not old.present or account is None or not account.based or account.base or account.unposted:
        state = _looked_at(state, touched, now_ns)
    return _following(state, now_ns)


def line(sensing: SensingState, seen: LineSeen, now_ns: int) -> Step:
    """An event at a betting line."""
    cues = sensing.cues.line(seen, sensing.hand, sensing.hand_ns, now_ns)
    return _following(replace(sensing, witness=sensing.witness.line(seen, now_ns), cues=cues), now_ns)


def camera(sensing: SensingState, seen: CameraSeen | None, now_ns: int) -> Step:
    """The camera's picture of all seats, its sign of life; None: its last will said that it is gone."""
    return _following(replace(sensing, witness=sensing.witness.camera(seen, now_ns)), now_ns)


def view(sensing: SensingState, hand: HandView, now_ns: int) -> Step:
    """What the table's books say now."""
    old = sensing.hand
    turn = sensing.turn.after(old, hand, now_ns)
    travels = sensing.travels.viewed(old, hand, sensing.accounts.values(), now_ns)
    state = replace(sensing, hand=hand, turn=turn, cues=sensing.cues.after(old, hand), travels=travels)
    beliefs = state.mature(now_ns)
    if rounds.begins_street(old, hand):
        state = _street_begins(state, old, beliefs, now_ns)
    elif sensing.origins.thrown and any(book.keyed not in (None, old.book(book.seat).keyed) for book in hand.seats):
        state = replace(state, origins=sensing.origins.accounted())
    accounts = {seat: rounds.booked(account, old, hand, now_ns) for seat, account in state.accounts.items()}
    saw_posting = old.phase == "posting" and old.hand_no == hand.hand_no
    if hand.phase == "betting" and (saw_posting or old.hand_no != hand.hand_no):
        accounts = {
            seat: rounds.posted(account, beliefs.get(seat), hand.book(seat).bet, saw_posting)
            for seat, account in accounts.items()
        }
        if saw_posting:
            accounts = {seat: rounds.before_cards(account, hand.book(seat)) for seat, account in accounts.items()}
    return _following(_looked_at(replace(state, accounts=accounts), list(state.zones), now_ns), now_ns)


def answer(sensing: SensingState, question: str, choice: str, now_ns: int) -> Step:
    """The dealer answers an open question; an unknown question or choice changes nothing."""
    asked = sensing.questions.get(question)
    if asked is None or choice not in asked.choices:
        return sensing, ()
    seat = asked.seats[0]
    match choice:
        case "passive":
            early = _first_waiting(sensing)
            origins = sensing.origins if early is None else sensing.origins.betting(sensing.accounts[early].new)
            state = replace(sensing, turn=replace(sensing.turn, implied=asked.seats), origins=origins)
        case "folded":
            state = replace(sensing, cues=sensing.cues.confirming(asked.seats))
        case "still-in":
            state = replace(sensing, cues=sensing.cues.without(asked.seats))
        case "as-it-lies":
            state = _with(sensing, replace(sensing.accounts[seat], under_hand=True))
        case "out-of-turn":
            waiting = _first_waiting(sensing)
            state = replace(sensing, turn=replace(sensing.turn, out_of_turn=waiting))
        case _ if asked.kind == "unreported":
            seat = _first_waiting(sensing) or seat
            account = sensing.accounts[seat]
            origins = sensing.origins.protecting(account.new, seat)
            state = replace(_with(sensing, account.set_aside()), origins=origins)
        case "straddle":
            return _straddled(sensing, sensing.accounts[seat], now_ns)
        case questions.NO_BET:
            account = sensing.accounts[seat]
            state = _with(sensing, replace(account, doubt=frozenset()))
            state = replace(state, origins=sensing.origins.answered(account, choice))
        case _:
            account = sensing.accounts[seat]
            state = _with(sensing, account.taken_for_bet())
            state = replace(state, origins=sensing.origins.answered(account, "bet"))
    return _following(_looked_at(state, [zone_of(seat)], now_ns), now_ns)


def _straddled(sensing: SensingState, account: Account, now_ns: int) -> Step:
    """The chips before the cards are a straddle, posted by now: what lies there beyond it goes back."""
    belief = sensing.belief(account.seat)
    lies = {uid: belief.present.get(uid) or 0 for uid in account.doubt}
    least = min(sensing.hand.book(account.seat).straddle, account.total + sum(lies.values()))
    over = account.total + sum(lies.values()) - least
    counted = account.taken_for_bet()
    state = _with(sensing, replace(counted, counted={**counted.counted, **lies}))
    state, observed = _following(state, now_ns)
    return state, (Covered(account.seat, "keyed", least, over, tuple(lies), belief.at_ns), *observed)


def tick(sensing: SensingState, now_ns: int) -> Step:
    """Time has passed; every 50 to 100 ms is enough."""
    return _following(sensing, now_ns)


def _first_waiting(sensing: SensingState) -> int | None:
    return order.first_waiting(sensing.hand, sensing.accounts, sensing.turn, sensing.setup.thresholds)


def _street_begins(sensing: SensingState, old: HandView, beliefs: dict[int, ZoneBelief], now_ns: int) -> SensingState:
    early = rounds.early_chips(old, sensing.hand, beliefs, sensing.accounts, sensing.house)
    bets: dict[int, frozenset[str]] = {}
    doubtful: dict[int, frozenset[str]] = {}
    camera = sensing.camera_live(now_ns)
    for seat, chips in early.items():
        others = rounds.bet_of_others(sensing.accounts[seat], sensing.accounts.values())
        if not camera or chips & others:
            doubtful[seat] = chips
        elif rounds.brought_by_hand(seat, chips, beliefs[seat], sensing.witness):
            bets[seat] = chips
    accounts = rounds.base_line(sensing.setup.seats, beliefs, bets, doubtful, now_ns)
    turn = replace(sensing.turn, street_ns=now_ns, quiet_ns=now_ns)
    state = replace(sensing, accounts=accounts, turn=turn, origins=sensing.origins.accounted())
    if old.hand_no == sensing.hand.hand_no:
        return state
    house = frozenset(sensing.zones["tray"].present) if "tray" in sensing.zones else frozenset()
    return replace(state, house=house, origins=sensing.origins.of_new_hand(), hand_ns=now_ns)


def _looked_at(sensing: SensingState, zones: list[str], now_ns: int) -> SensingState:
    """Accounts of these zones over what is believed now."""
    accounts = dict(sensing.accounts)
    mature = sensing.mature(now_ns)
    for zone in zones:
        seat = seat_of(zone)
        account, belief = accounts.get(seat), sensing.zones.get(zone)
        if account is None or belief is None:
            continue
        extra = belief.present.keys() - account.base - account.counted.keys()
        foreign = _of_others(sensing, account, belief, extra, now_ns) if extra else frozenset()
        based = account.based
        account = account.seen(belief, foreign, now_ns)
        if (account.unposted or not based) and account.based and seat in mature and belief.settled:
            account = rounds.found(account, belief, sensing.hand, new_base=not based)
        accounts[seat] = account
    return replace(sensing, accounts=accounts)


def _of_others(
    sensing: SensingState, account: Account, belief: ZoneBelief, uids: Iterable[str], now_ns: int
) -> frozenset[str]:
    """Which of these chips belong to another seat's base line or bet, so that they may only pass by.

    What lay before another seat and the own hand brings is the seat's own now; of a bet it is asked even then.
    """
    found: set[str] = set()
    for other in sensing.accounts.values():
        if other is not account:
            found.update(uid for uid in uids if uid not in sensing.origins.bets and uid in other.counted)
    for other in sensing.accounts.values():
        if other is account or not other.lay:
            continue
        for uid in uids:
            if uid in other.lay and uid not in found and uid not in sensing.origins.bets:
                own = sensing.camera_live(now_ns) and rounds.brought_by_hand(
                    account.seat, frozenset((uid,)), belief, sensing.witness
                )
                if not own:
                    found.add(uid)
    return frozenset(found)


def _following(sensing: SensingState, now_ns: int) -> Step:
    """The acts that are settled now, then everything shown and asked that has changed."""
    state = sensing if sensing.began_ns >= 0 else replace(sensing, began_ns=now_ns)
    observed: list[Observation] = []
    waiting = None
    if state.hand.phase == "posting":
        state = _posts(state, observed, now_ns)
    elif state.hand.phase == "betting":
        state, short = shorts.told(state, now_ns)
        observed += short
        state = replace(state, turn=replace(state.turn, awaiting=True)) if short else state
        hold = state.hand.hold or shorts.waits_for_all_in(state, now_ns)
        state = _acts(state, observed, now_ns, hold=hold)
        if not state.turn.awaiting and not hold:
            state, waiting = _waiting(state, observed, now_ns)
    return _shown(state, observed, waiting, now_ns)


def _posts(sensing: SensingState, observed: list[Observation], now_ns: int) -> SensingState:
    state = sensing
    thresholds = sensing.setup.thresholds
    for seat, account in sensing.accounts.items():
        if not account.new and not account.gone:
            continue
        belief = sensing.belief(seat)
        if belief.quality.unreliable or not acts.ended(
            belief, sensing.seen(seat, now_ns), account.under_hand, thresholds
        ):
            continue
        if sensing.origins.protects(account):
            state = _with(state, account.set_aside())
            continue
        known = {uid: value for uid, value in account.new.items() if value is not None}
        if known or account.gone:
            observed.append(Posted(seat, tuple(known.values()), tuple(known), belief.at_ns))
        state = _with(state, account.accounted())
    return state


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
        return _with(sensing, replace(account, ready_ns=-1)) if account.ready_ns >= 0 and moves else sensing
    if account.held:
        return sensing
    if account.moved_here and seat in sensing.hand.order:
        waits = now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS
        return sensing if waits else _with(sensing, account.in_doubt(account.moved_here, "moved-chips"))
    its_turn = seat == sensing.hand.to_act
    book = sensing.hand.book(seat)
    changing = book.change_due and now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS
    if (
        account.gone
        and not account.new
        and not changing
        and acts.was_gathered(account, sensing.accounts.values(), sensing.zones.get("pot"), sensing.witness.swept_ns)
    ):
        return _with(sensing, account.swept())
    came = frozenset(account.new)
    own = seen is not None and bool(came) and rounds.brought_by_hand(seat, came, belief, sensing.witness)
    plain = acts.judge(account, book, its_turn, frozenset() if own else sensing.house, now_ns, thresholds)
    turn_ns, call = sensing.turn.since_ns if its_turn else -1, sensing.hand.call(seat)
    verdict = sensing.origins.judged(plain, account, belief, book, seen, own, turn_ns, call)
    if its_turn and isinstance(verdict, acts.Act) and not account.new.keys() & sensing.origins.bets:
        asked = questions.is_asked_about(seat, sensing.questions.values())
        verdict = SetAside("protector") if asked else verdict
    if sensing.turn.awaiting:
        return sensing
    if isinstance(verdict, SetAside):
        return _with(sensing, account.set_aside(verdict.why))
    if isinstance(verdict, Exchanged):
        observed.append(Covered(seat, "swap", 0, 0, tuple(account.new), belief.at_ns))
        state = _with(sensing, account.exchanged(verdict.taken))
        return replace(state, turn=replace(state.turn, awaiting=True))
    if isinstance(verdict, acts.Cover):
        observed.append(Covered(seat, verdict.why, verdict.amount, verdict.over, tuple(account.new), belief.at_ns))
        awaited = max(0, account.awaited - verdict.amount)
        paid_ns = now_ns if verdict.why in ("keyed", "owed") else account.paid_ns
        state = _with(sensing, replace(account.accounted(), awaited=awaited, paid_ns=paid_ns))
        return replace(state, turn=replace(state.turn, awaiting=True))
    if not isinstance(verdict, acts.Act):
        return sensing
    came_ns = min(belief.tracks[uid].since_ns for uid in account.new)
    late = acts.is_late_chip(account, book, seen, its_turn, came_ns, thresholds)
    if not own and not late and not account.new.keys() <= sensing.origins.bets:
        by_another = other_hand.brought(sensing, account, now_ns)
        if by_another == "yes":
            return _with(sensing, account.in_doubt(account.new, "other-hand"))
        if by_another == "wait":
            return sensing
    if (its_turn and not hold) or late:
        return _act(sensing, account, acts.Manner(late=late, pays=verdict.pays), observed, now_ns)
    return sensing if account.ready_ns >= 0 else _with(sensing, replace(account, ready_ns=now_ns))


def _act(
    sensing: SensingState, account: Account, manner: acts.Manner, observed: list[Observation], now_ns: int
) -> SensingState:
    belief, seen = sensing.belief(account.seat), sensing.seen(account.seat, now_ns)
    account, observation = acts.reported(sensing.act_no + 1, account, belief, seen, manner, sensing.turn.passed, now_ns)
    observed.append(observation)
    turn = replace(sensing.turn, awaiting=True, out_of_turn=None)
    return replace(_with(sensing, account), act_no=sensing.act_no + 1, turn=turn)


def _waiting(
    sensing: SensingState, observed: list[Observation], now_ns: int
) -> tuple[SensingState, order.Waiting | None]:
    """The act that waits for seats before it; the camera, the house or the dealer may have decided about these."""
    thresholds, cues = sensing.setup.thresholds, sensing.cues
    first = _first_waiting(sensing)
    hinted = first is not None and cues.hinted(sensing.hand, sensing.hand.before(first))
    if hinted:
        thresholds = replace(thresholds, implied_wait_ms=min(thresholds.implied_wait_ms, HINTED_WAIT_MS))
    turn, one = order.waiting(
        sensing.hand, sensing.accounts, sensing.turn, lambda seat: sensing.moves(seat, now_ns), now_ns, thresholds
    )
    state = sensing if turn is sensing.turn else replace(sensing, turn=turn)
    again = first is not None and order.moved_again(sensing.accounts[first], turn, thresholds)
    folded = () if again else cues.folded(sensing.hand, first)
    if folded and not any(sensing.moves(seat, now_ns) for seat in folded):
        return _implied(state, folded, observed), None
    if one is None:
        return state, None
    badly_read = any(sensing.belief(seat).quality.unreliable for seat in one.before)
    due = "ask" if (hinted and one.due == "skipped") or (badly_read and one.due in ("skipped", "assume")) else one.due
    if due == "assume" and any(sensing.hand_there(seat, now_ns) for seat in one.before):
        due = "ask"
    if turn.out_of_turn == one.seat or due in ("again", "skipped"):
        manner = acts.Manner(in_turn=False, again=due == "again")
        return _act(state, state.accounts[one.seat], manner, observed, now_ns), None
    if (turn.implied and turn.implied == one.before) or due == "assume":
        return _implied(state, one.before, observed), None
    return state, replace(one, due=due)


def _implied(sensing: SensingState, seats: tuple[int, ...], observed: list[Observation]) -> SensingState:
    """These seats acted unseen; those whose cards went into the muck folded."""
    mucked = tuple(seat for seat in seats if seat in sensing.cues.mucked)
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
        sensing.rests_on(now_ns),
    )  # fmt: skip
    hands = tuple(seat for seat in sensing.hand.order if sensing.hand_on_chips(seat, now_ns))
    if asked or sensing.questions:
        observed.extend(AskedNoMore(one) for one in sensing.questions if one not in asked)
        observed.extend(question for one, question in asked.items() if one not in sensing.questions)
    # While the books of an act that was just observed are awaited, what they say of it is old.
    if sensing.turn.awaiting:
        return replace(sensing, shown=shown, questions=asked, hands=hands), tuple(observed)
    raised, told, news = alerts_raised.after(sensing.raised, sensing.told, standing(sensing, now_ns), now_ns)
    observed.extend(news)
    return replace(sensing, shown=shown, questions=asked, hands=hands, raised=raised, told=told), tuple(observed)


def _mucked(sensing: SensingState, waiting: order.Waiting | None, now_ns: int) -> Asked | None:
    """The question about mucks that no later act has followed for a while."""
    since_ns = max(sensing.cues.muck_ns, sensing.turn.since_ns)
    soon = now_ns - since_ns < sensing.setup.thresholds.implied_wait_ms * NS_PER_MS
    return None if waiting is not None or sensing.turn.awaiting or soon else sensing.cues.asked(sensing.hand)


def _with(sensing: SensingState, account: Account) -> SensingState:
    return replace(sensing, accounts={**sensing.accounts, account.seat: account})
