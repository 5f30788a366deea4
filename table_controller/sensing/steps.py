"""The fold of all evidence and of the table's view into acts, questions and alerts: a function a step.

Every step takes the state and the time, and gives the next state and what was observed. Nothing here reads a clock;
between inputs `tick` lets time pass. After a step that observed a ChipsMoved, a Covered or an Implied the service must
give the view (changed or not): the next act waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from table_controller.sensing import dead_money, presence, questions, rounds
from table_controller.sensing.account import Account
from table_controller.sensing.belief import ZoneBelief, ZoneReading
from table_controller.sensing.following import Step, first_waiting, following
from table_controller.sensing.observations import Covered
from table_controller.sensing.setup import HOUSE_ZONES, seat_of, zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import HandView
from table_controller.sensing.witness import CameraSeen, LineSeen


def zone(sensing: SensingState, reading: ZoneReading, now_ns: int) -> Step:
    """The evidence of a zone after an inventory round. One that is not newer, or of no zone here, changes nothing."""
    old = sensing.zones.get(reading.zone)
    if old is None:
        return sensing, ()
    thresholds = sensing.setup.thresholds
    others = [one for one in sensing.zones.values() if one is not old and one.heard(now_ns, thresholds.stale_ms)]
    beside = sensing.setup.beside(reading.zone)
    compared_ns = min((one.at_ns for one in others if one.zone in beside), default=reading.at_ns)
    new = presence.after(old, reading, others, thresholds, compared_ns, sensing.hand_ns)
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
    return following(state, now_ns)


def line(sensing: SensingState, seen: LineSeen, now_ns: int) -> Step:
    """An event at a betting line."""
    cues = sensing.cues.line(seen, sensing.hand, sensing.hand_ns, now_ns)
    return following(replace(sensing, witness=sensing.witness.line(seen, now_ns), cues=cues), now_ns)


def camera(sensing: SensingState, seen: CameraSeen | None, now_ns: int) -> Step:
    """The camera's picture of all seats, its sign of life; None: its last will said that it is gone."""
    return following(replace(sensing, witness=sensing.witness.camera(seen, now_ns)), now_ns)


def view(sensing: SensingState, hand: HandView, now_ns: int) -> Step:
    """What the table's books say now."""
    old = sensing.hand
    turn = sensing.turn.after(old, hand, now_ns)
    travels = sensing.travels.viewed(old, hand, sensing.accounts.values(), now_ns)
    state = replace(sensing, hand=hand, turn=turn, cues=sensing.cues.after(old, hand, now_ns), travels=travels)
    beliefs = state.mature(now_ns)
    if rounds.begins_street(old, hand):
        state = _street_begins(state, old, beliefs, now_ns)
    elif sensing.origins.thrown and any(book.keyed not in (None, old.book(book.seat).keyed) for book in hand.seats):
        state = replace(state, origins=sensing.origins.accounted())
    accounts = {seat: rounds.booked(account, old, hand, now_ns) for seat, account in state.accounts.items()}
    saw_posting = old.phase == "posting" and old.hand_no == hand.hand_no
    if hand.phase == "betting" and saw_posting:
        accounts = {seat: rounds.dead_gathered(account, hand.book(seat)) for seat, account in accounts.items()}
    if hand.phase == "betting" and (saw_posting or old.hand_no != hand.hand_no):
        accounts = {
            seat: rounds.posted(account, beliefs.get(seat), hand.book(seat).bet, saw_posting)
            for seat, account in accounts.items()
        }
        if saw_posting:
            accounts = {seat: rounds.before_cards(account, hand.book(seat)) for seat, account in accounts.items()}
            accounts = {seat: rounds.dead_beside(account, hand.book(seat)) for seat, account in accounts.items()}
    return following(_looked_at(replace(state, accounts=accounts), list(state.zones), now_ns), now_ns)


def answer(sensing: SensingState, question: str, choice: str, now_ns: int) -> Step:
    """The dealer answers an open question; an unknown question or choice changes nothing."""
    asked = sensing.questions.get(question)
    if asked is None or choice not in asked.choices:
        return sensing, ()
    seat = asked.seats[0]
    match choice:
        case "passive":
            early = first_waiting(sensing)
            origins = sensing.origins if early is None else sensing.origins.betting(sensing.accounts[early].new)
            state = replace(sensing, turn=replace(sensing.turn, implied=asked.seats), origins=origins)
        case "folded":
            state = replace(sensing, cues=sensing.cues.confirming(asked.seats))
        case "still-in":
            state = replace(sensing, cues=sensing.cues.denying(asked.seats))
        case "as-it-lies":
            state = sensing.accounting(replace(sensing.accounts[seat], under_hand=True))
        case "out-of-turn":
            waiting = first_waiting(sensing)
            state = replace(sensing, turn=replace(sensing.turn, out_of_turn=waiting))
        case _ if asked.kind == "unreported":
            seat = first_waiting(sensing) or seat
            account = sensing.accounts[seat]
            origins = sensing.origins.protecting(account.new, seat)
            state = replace(sensing.accounting(account.set_aside()), origins=origins)
        case "straddle":
            return _straddled(sensing, sensing.accounts[seat], now_ns)
        case questions.NO_BET:
            account = sensing.accounts[seat]
            state = sensing.accounting(account.no_bet())
            state = replace(state, origins=sensing.origins.answered(account, choice))
        case _:
            account = sensing.accounts[seat]
            state = sensing.accounting(account.taken_for_bet())
            state = replace(state, origins=sensing.origins.answered(account, "bet"))
    return following(_looked_at(state, [zone_of(seat)], now_ns), now_ns)


def _straddled(sensing: SensingState, account: Account, now_ns: int) -> Step:
    """The chips before the cards are a straddle, posted by now: what lies there beyond it goes back."""
    belief = sensing.belief(account.seat)
    lies = {uid: belief.present.get(uid) or 0 for uid in account.doubt}
    least = min(sensing.hand.book(account.seat).straddle, account.total + sum(lies.values()))
    over = account.total + sum(lies.values()) - least
    counted = account.taken_for_bet()
    state = sensing.accounting(replace(counted, counted={**counted.counted, **lies}))
    state, observed = following(state, now_ns)
    return state, (Covered(account.seat, "keyed", least, over, tuple(lies), belief.at_ns), *observed)


def tick(sensing: SensingState, now_ns: int) -> Step:
    """Time has passed; every 50 to 100 ms is enough."""
    return following(sensing, now_ns)


def _street_begins(sensing: SensingState, old: HandView, beliefs: dict[int, ZoneBelief], now_ns: int) -> SensingState:
    camera = sensing.camera_live(now_ns)
    witness = sensing.witness if camera else None
    pot = sensing.zones.get("pot")
    early = rounds.early_chips(
        old, sensing.hand, beliefs, sensing.accounts, witness, sensing.origins.handed,
        frozenset() if pot is None else frozenset(pot.present), sensing.travels.closed_ns,
    )  # fmt: skip
    bets: dict[int, frozenset[str]] = {}
    doubtful: dict[int, frozenset[str]] = {}
    for seat, (chips, mixed, _) in early.items():
        others = rounds.bet_of_others(sensing.accounts[seat], sensing.accounts.values())
        if not camera or mixed or chips & others or chips <= sensing.origins.handed:
            doubtful[seat] = chips
        elif rounds.brought_by_hand(seat, chips, beliefs[seat], sensing.witness):
            bets[seat] = chips
        else:
            doubtful[seat] = chips
    accounts = rounds.base_line(sensing.setup.seats, beliefs, bets, doubtful, now_ns)
    for seat in doubtful:
        if early[seat].unsure:
            accounts[seat] = replace(accounts[seat], aside="early-amount")
    turn = replace(sensing.turn, street_ns=now_ns, quiet_ns=now_ns)
    state = replace(sensing, accounts=accounts, turn=turn, origins=sensing.origins.accounted())
    if old.hand_no == sensing.hand.hand_no:
        owing = {seat: dead_money.carried(sensing.accounts[seat], one) for seat, one in accounts.items()}
        return replace(state, accounts=owing)
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
        if sensing.hand.phase == "round-over":
            account = account.leaving()
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
