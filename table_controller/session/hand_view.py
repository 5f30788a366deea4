"""The table as sensing must know it."""

from __future__ import annotations

from collections.abc import Mapping

from betline.steps import NextHand
from table_controller.betting import Hand, PayoutKind
from table_controller.positions import StraddleKind
from table_controller.rulings.values.state import State
from table_controller.sensing.view import HandView, SeatBook
from table_controller.session.book import Book
from table_controller.session.closed import Straddles, open_straddles
from table_controller.session.history import moved_last, steps_since_fold
from table_controller.session.situation import may_be_straddled, phase

_BOARD: Mapping[str, int] = {"flop": 3, "turn": 4, "river": 5}
"""How many cards the board has on a street."""


def hand_view(book: Book) -> HandView:
    """The table as sensing must know it."""
    state = None if book.table is None else book.table.state
    if state is None:
        return HandView()
    hand = state.hand
    now = phase(book)
    acting = hand.next_seat if hand is not None and now in ("posting", "betting") else None
    straddles = open_straddles(state) if now in ("posting", "betting") and may_be_straddled(book) else ()
    pot = (hand.carried if hand.hand_over else hand.pot) if hand is not None else state.carried
    coming = _next_hand(book) if now == "hand-over" else None
    return HandView(
        phase=now,
        hand_no=book.hand_no,
        street=book.street,
        to_act=acting,
        order=_order(hand, acting) if hand is not None and acting is not None else (),
        seats=tuple(_seat_book(seat, book, state, hand, straddles) for seat in sorted(state.players)),
        implied_passive=state.house.implied_passive,
        moved_last=moved_last(book),
        hold=book.doubt is not None,
        level=hand.level if hand is not None else 0,
        pot=pot,
        in_play=sum(state.stacks.values()) + pot,
        back=_paid(hand, PayoutKind.UNCALLED),
        won=_paid(hand, PayoutKind.POT),
        taken=sum(taking.rake + taking.kitty for taking in state.takings) if now == "hand-over" else 0,
        contested=tuple(frozenset(one.seats) for one in hand.pots if one.amount and one.seats)
        if hand is not None and now == "showdown" and state.runs is None
        else (),
        board_now=_BOARD.get(book.street, 0),
        board_next=_board_next(hand) if state.runs is None else 0,
        next_seats=frozenset(coming.in_hand) if coming is not None else frozenset(),
        next_posts={seat: bet for seat in coming.seats if (bet := coming.bet(seat))} if coming is not None else {},
        next_dead=coming.pot - coming.carried - sum(map(coming.bet, coming.seats)) if coming is not None else 0,
    )


def _board_next(hand: Hand | None) -> int:
    """How many cards the board has on the next street; 0 where none comes."""
    if hand is None or hand.hand_over:
        return 0
    streets = hand.structure.streets
    following = streets[streets.index(hand.street) + 1 :]
    return _BOARD.get(following[0], 0) if following else 0


def _next_hand(book: Book) -> Hand | None:
    """The hand that would begin now as the last one did; None where none can."""
    if book.table is None or book.table.state.may_be_redealt or not book.table.state.players:
        return None
    outcome = book.table.apply(NextHand())
    return None if outcome.error is not None else outcome.table.state.hand


def _paid(hand: Hand | None, kind: PayoutKind) -> dict[int, int]:
    """By seat what has gone to it from the middle for that reason."""
    paid: dict[int, int] = {}
    for payout in hand.payouts if hand is not None else ():
        if payout.kind is kind:
            paid[payout.seat] = paid.get(payout.seat, 0) + payout.amount
    return paid


def _order(hand: Hand, acting: int) -> tuple[int, ...]:
    """The seats that can still act, in turn."""
    place = hand.seats.index(acting)
    can = hand.in_hand - hand.all_in
    return tuple(seat for seat in (*hand.seats[place:], *hand.seats[:place]) if seat in can)


def _seat_book(seat: int, book: Book, state: State, hand: Hand | None, straddles: Straddles) -> SeatBook:
    dealt_in = hand is not None and seat in hand.seats
    put_in = hand.starting_stacks[seat] - hand.stack(seat) if hand is not None and dealt_in else 0
    return SeatBook(
        seat,
        hand.bet(seat) if hand is not None and dealt_in else 0,
        book.owes.get(seat, 0),
        book.change_due.get(seat, 0),
        state.stacks.get(seat, 0),
        hand is not None and seat in hand.in_hand,
        dealt_in and hand is not None and seat in hand.has_acted,
        book.keyed.get(seat),
        hand is not None and seat in hand.all_in,
        put_in,
        put_in - hand.bet(seat) if hand is not None and dealt_in and hand.street == state.first_street else 0,
        min([least for one, kind, least in straddles if one == seat and kind is not StraddleKind.SLEEPER], default=0),
        any(one.seat == seat for one in book.blind_raises),
        steps_since_fold(book, seat),
    )
