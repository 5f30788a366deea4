"""What the dealer's hands say of the hand: the round is over, a street is dealt, a pot is won, the next hand is on.

Each takes two witnesses that cannot err together: the bets have left their seats and the pot's reader hears just what
the books say (or the camera saw each swept, or the board has just the cards of the next street). What one witness alone
says is a suggestion (`session.suggestions`), and what would cost a pot is asked. Each is inferred once: where it was
taken back, the dealer keys it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from betline.units import NS_PER_MS
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.cues import LIKELY
from table_controller.sensing.observations import Asked, HandBegun, Implied, StreetDealt
from table_controller.sensing.setup import stack_zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import HandView

REST_NS = 500 * NS_PER_MS
"""What lies in the pot and before the blinds must not have changed for this time, and a round begun since."""
PUSHED_NS = 1_200 * NS_PER_MS
"""A dealer who needs a second push for a large pot makes it this soon."""
MIN_DEALT = 2
"""Hands that were dealt to so many seats are no cards that a dealer tidies up."""
AWARD: Final = "award"


def round_closed(sensing: SensingState, now_ns: int) -> Implied | None:
    """The seats still to act, where what was seen says that the betting round is over: those who face a bet folded."""
    hand = sensing.hand
    bets = [book.seat for book in hand.seats if book.bet]
    if hand.hold or not all(_gathered(sensing, seat, now_ns) for seat in bets):
        return None
    left = tuple(seat for seat in hand.order if not hand.done(seat))
    seen = _closed_by(sensing, bets, now_ns) or _all_folded_by(sensing, left, now_ns)
    if not left or not seen or not all(_did_nothing(sensing, seat, now_ns) for seat in left):
        return None
    return Implied(left, tuple(seat for seat in left if seat in sensing.cues.answering), seen)


def street_dealt(sensing: SensingState, now_ns: int) -> StreetDealt | None:
    """The next street, where no betting goes on, no bet lies before a seat and the board has just its cards."""
    if not _board_laid(sensing) or not all(_gathered(sensing, seat, now_ns) for seat in sensing.accounts):
        return None
    return StreetDealt(sensing.hand.street, sensing.hand.board_next)


def hand_begun(sensing: SensingState, now_ns: int) -> HandBegun | None:
    """The next hand, where the pot has gone and just its blinds lie there, or its cards are dealt and nothing else."""
    hand, over_ns = sensing.hand, sensing.travels.over_ns
    if not hand.next_seats or over_ns < 0 or not _pot_has_gone(sensing, now_ns):
        return None
    lies = {seat: _posted(sensing, seat, over_ns, now_ns) for seat in sensing.setup.seats}
    posts = {seat: hand.next_posts.get(seat, 0) for seat in lies}
    if any(value is not None and value not in (0, posts[seat]) for seat, value in lies.items()):
        return None
    blinds = any(posts.values()) and all(lies[seat] == post for seat, post in posts.items() if post)
    dealt = tuple(sorted(sensing.cues.dealt_to))
    if not sensing.cues.dealt_to <= hand.next_seats:
        return None
    if len(dealt) < MIN_DEALT and not (blinds and all(value is not None for value in lies.values())):
        return None
    return HandBegun(tuple((seat, value) for seat, value in lies.items() if value), dealt)


def award(sensing: SensingState, now_ns: int) -> Asked | None:
    """The question whether the pots are those seats' to which they were pushed: one seat all, or some share one pot."""
    hand = sensing.hand
    if hand.phase != "showdown" or not hand.contested or not _all_pushed(sensing, now_ns):
        return None
    seats = tuple(dict.fromkeys(_paid(sensing)))
    alone, shared = len(seats) == 1, len(seats) > 1 and len(hand.contested) == 1
    if not (alone or shared) or not all(frozenset(seats) <= pot for pot in hand.contested):
        return None
    named = f"Seat {seats[0]} wins" if alone else f"Seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} share"
    sentence = f"{named} {hand.pot}? The pot was pushed there."
    return Asked(f"award-{hand.hand_no}-{'-'.join(map(str, seats))}", AWARD, seats, sentence, (AWARD,))


# --- a round


def _closed_by(sensing: SensingState, bets: list[int], now_ns: int) -> str:
    """What says that the betting is over; empty where nothing does."""
    board = _board_laid(sensing)
    if not bets:
        pushed = not sensing.hand.board_next and any(_paid(sensing)) and _all_pushed(sensing, now_ns)
        return "the board cards lie there" if board else "the pot was pushed" if pushed else ""
    pot = sensing.zones.get("pot")
    if pot is not None and pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        exact = not sensing.origins.thrown and _at_rest(pot, now_ns) and _is_whole(sensing, pot)
        return "all bets lie in the pot" if exact else ""
    if not all(seat in sensing.cues.swept_from or _has_gone(sensing, seat) for seat in bets):
        return ""
    swept = frozenset(bets) <= sensing.cues.swept_from and sensing.camera_live(now_ns)
    return "all bets were swept" if swept else "the bets are gone and the board cards lie there" if board else ""


def _all_folded_by(sensing: SensingState, left: tuple[int, ...], now_ns: int) -> str:
    """What says that all folded to the one seat that nobody called: its bet or the pot went there; empty where nothing
    does.
    """
    hand, pot = sensing.hand, sensing.zones.get("pot")
    stays = _stays(hand, left)
    if stays is None or pot is None or not pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return ""
    if _all_pushed(sensing, now_ns) and frozenset(_paid(sensing)) == frozenset((stays,)):
        return f"the pot was pushed to seat {stays}"
    bet = hand.book(stays).bet
    back = _has_gone(sensing, stays) and _at_rest(pot, now_ns) and pot.value == hand.pot - bet
    return f"the cards are mucked and seat {stays}'s bet went back" if bet and back and mucked_to(sensing) else ""


def mucked_to(sensing: SensingState) -> int | None:
    """The one seat that nobody calls, where all others still to act have mucked: the rest of its bet goes back."""
    left = tuple(seat for seat in sensing.hand.order if not sensing.hand.done(seat))
    mucked = all(sensing.cues.mucked.get(seat, 0) >= LIKELY for seat in left)
    return _stays(sensing.hand, left) if left and mucked else None


def _stays(hand: HandView, left: tuple[int, ...]) -> int | None:
    """The one seat that is in the hand when all who are left and face a bet have folded."""
    folds = frozenset(seat for seat in left if hand.call(seat) > 0)
    stays = [book.seat for book in hand.seats if book.live and book.seat not in folds]
    return stays[0] if len(stays) == 1 else None


def _is_whole(sensing: SensingState, pot: ZoneBelief) -> bool:
    """Whether the pot is what it is once all who are left have passed: without the part of a bet that nobody called, or
    with it where the dealer takes all of it; the bets of this round are in it.
    """
    hand, back = sensing.hand, uncalled(sensing.hand)
    bets = sum(book.bet for book in hand.seats)
    return pot.value in (hand.pot - back, hand.pot) and pot.value >= bets - back > 0


def uncalled(hand: HandView) -> int:
    """The part of the highest bet that no other bet matches."""
    bets = sorted((book.bet for book in hand.seats), reverse=True)
    return bets[0] - bets[1] if len(bets) > 1 else 0


def _has_gone(sensing: SensingState, seat: int) -> bool:
    """Whether a reader has heard chips of the seat's bet and hears them no more."""
    account = sensing.accounts[seat]
    return account.gathered > 0 or bool(account.gone)


def _did_nothing(sensing: SensingState, seat: int, now_ns: int) -> bool:
    """Whether a seat still to act has no chips, no hand and no doubt before it, by all that sees it."""
    account, belief = sensing.accounts[seat], sensing.belief(seat)
    if account.new or account.held or account.doubt or belief.unreliable or sensing.moves(seat, now_ns):
        return False
    known_ns = max(account.bet_told_ns, sensing.turn.street_ns)
    return not sensing.camera_live(now_ns) or sensing.witness.seat(seat).bet_ns <= known_ns


def _gathered(sensing: SensingState, seat: int, now_ns: int) -> bool:
    """Whether nothing that a seat has bet lies before it any more."""
    account = sensing.accounts[seat]
    if sensing.belief(seat).fresh(now_ns, sensing.setup.thresholds.stale_ms) and account.based:
        return not account.new and account.counted.keys() <= account.gone.keys()
    return not sensing.hand.book(seat).bet or seat in sensing.cues.swept_from


def _board_laid(sensing: SensingState) -> bool:
    return sensing.cues.next_street_laid(sensing.hand, sensing.turn.street_ns)


# --- the end of a hand, and the next one


def _all_pushed(sensing: SensingState, now_ns: int) -> bool:
    """Whether nothing lies in the pot any more; without its reader, whether no push has come for a while."""
    pot = sensing.zones.get("pot")
    if pot is not None and pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return not pot.value and not pot.unknown
    last_ns = max([at_ns for _, at_ns in sensing.witness.pushes], default=-1)
    return now_ns - last_ns >= PUSHED_NS


def _paid(sensing: SensingState) -> Iterable[int]:
    """The seats to which chips of the pot went since the street began, by the camera or a reader under a stack."""
    street_ns = sensing.turn.street_ns
    for seat, at_ns in sensing.witness.pushes:
        if at_ns >= street_ns >= 0:
            yield seat
    for seat in sensing.setup.seats:
        if sensing.travels.moved("pot", stack_zone_of(seat), max(street_ns, 0)):
            yield seat


def _pot_has_gone(sensing: SensingState, now_ns: int) -> bool:
    pot, hand = sensing.zones.get("pot"), sensing.hand
    if pot is not None and pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return _at_rest(pot, now_ns) and pot.value in (hand.pot, hand.pot + hand.next_dead)
    closed_ns = sensing.travels.closed_ns
    return any(at_ns >= closed_ns >= 0 for _, at_ns in sensing.witness.pushes)


def _posted(sensing: SensingState, seat: int, over_ns: int, now_ns: int) -> int | None:
    """What has come before a seat since the hand was over; None where nobody can say, or something still moves there.

    What lay there before may be anything: -1, which is no blind.
    """
    belief = sensing.belief(seat)
    if not belief.fresh(now_ns, sensing.setup.thresholds.stale_ms) or belief.unreliable:
        return None
    if not belief.settled or not _at_rest(belief, now_ns) or sensing.hand_there(seat, now_ns):
        return None
    if belief.unknown or any(belief.tracks[uid].since_ns < over_ns for uid in belief.present):
        return -1
    return belief.value


def _at_rest(belief: ZoneBelief, now_ns: int) -> bool:
    """Whether what lies in a zone has not changed for a while, all of it known, and nothing is coming."""
    coming = any(track.standing is Standing.CANDIDATE for track in belief.tracks.values())
    still = now_ns - belief.changed_ns >= REST_NS and belief.earlier_ns > belief.changed_ns
    return still and not coming and not belief.unknown
