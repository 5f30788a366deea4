"""What the chips that moved at one seat are by all that is known: where they came from, whose hand brought them."""

from __future__ import annotations

from table_controller.sensing import acts, dead_money, questions, rounds
from table_controller.sensing.account import Account
from table_controller.sensing.origins import Exchanged, SetAside, in_a_stack, is_one_push
from table_controller.sensing.state import SensingState


def verdict_on(
    sensing: SensingState, account: Account, now_ns: int
) -> tuple[acts.Verdict | Exchanged | SetAside | dead_money.Beside, bool]:
    """What the chips that moved at a seat are as they lie now, and whether the seat's own hand brought them all."""
    seat, thresholds, book = account.seat, sensing.setup.thresholds, sensing.hand.book(account.seat)
    belief, seen = sensing.belief(seat), sensing.seen(seat, now_ns)
    its_turn = seat == sensing.hand.to_act
    came = frozenset(account.new)
    own = seen is not None and bool(came) and rounds.brought_by_hand(seat, came, belief, sensing.witness)
    its_push = own or (its_turn and bool(came) and is_one_push(account, belief))
    house = frozenset() if its_push else sensing.house - in_a_stack(account, belief)
    again = seat == sensing.hand.moved_last and acts.is_second_motion(account, belief, seen)
    plain = acts.judge(account, book, its_turn, house, now_ns, thresholds, again)
    if own and its_turn and plain == acts.Cover("swap", 0) and _changes_a_bet_that_covers(sensing, account):
        plain = acts.Act()
    turn_ns, call = sensing.turn.since_ns if its_turn else -1, sensing.hand.call(seat)
    verdict = sensing.origins.judged(plain, account, belief, book, seen, own, turn_ns, call)
    if isinstance(verdict, Exchanged):
        verdict = _unless_gathered(sensing, account, verdict, now_ns)
    if its_turn and isinstance(verdict, acts.Act) and not account.new.keys() & sensing.origins.bets:
        asked = questions.is_asked_about(seat, sensing.questions.values())
        verdict = SetAside("protector") if asked else verdict
    if isinstance(verdict, acts.Act) or (isinstance(verdict, acts.Cover) and verdict.why == "keyed"):
        late = dead_money.late(sensing, account, now_ns)
        if late is not None and (isinstance(verdict, acts.Act) or late != SetAside("dead-money")):
            return late, own
    return verdict, own


def _unless_gathered(
    sensing: SensingState, account: Account, exchanged: Exchanged, now_ns: int
) -> acts.Act | acts.Wait | Exchanged | SetAside:
    """What new chips are that may have taken the place of others: an act where the dealer has put those into the pot.

    He may gather antes, or bets of the street before, just when their seat bets as much: the pot's reader is awaited.
    """
    pot = sensing.zones.get("pot")
    if pot is not None and exchanged.taken & pot.present.keys():
        return acts.Act()
    tells = pot is not None and pot.fresh(now_ns, sensing.setup.thresholds.stale_ms)
    first_ns = min(sensing.belief(account.seat).tracks[uid].since_ns for uid in account.new)
    if tells and now_ns - first_ns < dead_money.POT_NS:
        return acts.WAIT
    return SetAside("dead-amount") if exchanged.more else exchanged


def _changes_a_bet_that_covers(sensing: SensingState, account: Account) -> bool:
    """Whether a seat that faces a bet has replaced chips in front of it that cover it by others of its own.

    Taking them back leaves it a call at least (TDA 46-B, R-062), so it is an act and no change.
    """
    book, call = sensing.hand.book(account.seat), sensing.hand.call(account.seat)
    if len(account.new) == len(account.gone) or account.new.keys() & sensing.house:
        return False
    return 0 < call <= account.total - (book.bet - book.owes)
