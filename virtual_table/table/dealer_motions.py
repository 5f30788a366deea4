"""What the dealer does at the virtual table: cards, gathering, change, bets returned, pots pushed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from virtual_table.table import bank
from virtual_table.table.holdings import POT, TRAY, bet_place, stack_place
from virtual_table.table.layout import board_places, deck_place
from virtual_table.table.motion import PathBuilder
from virtual_table.table.stage import Stage, alone
from virtual_table.table.things import BY_DEALER, Chip, Motion, WorldError
from virtual_table.table.timeline import HandVisit
from virtual_table.table.visit import HOME_HEIGHT_MM, Hand, Visit

_SWEEP_PACE = 0.6
_SWEEP_LIFT_MM = 34.0


class DealerMotions(Stage):
    """The motions of the dealer."""

    @alone
    def deal_cards(self, at_s: float, seats: Sequence[int], each: int = 2) -> Motion:
        """The dealer deals ``each`` cards to the seats, round by round in the order given."""
        for seat in seats:
            self._seat_place(seat, bet_place)
            if self._cards.held.get(seat):
                raise WorldError("has-cards", f"Seat {seat} still has cards: clear them first.")
        visit, rng = self._visit(self._dealer_right, at_s)
        builder, deck = visit.builder, deck_place(self.table)
        start = builder.now_s
        ready = builder.reach((*deck, 15.0))
        rest = self._cards.deal(seats, each, builder, rng) if seats else ready
        visit.hold(ready, builder.now_s)
        done = builder.now_s
        path = visit.finish().path
        end = max(path.end_s, self._hold_deck(start, ready, done, rng))
        for seat in seats:
            lies = self._cards.lies_s(seat)
            self._truth.tell("cards_dealt", seat, min(lies), max(lies), by_dealer=True)
        return self._done(Motion("deal_cards", BY_DEALER, None, start, rest, rest, end))

    @alone
    def deal_board(self, cards: int | Sequence[str], at_s: float) -> Motion:
        """The dealer puts board cards down: a number of them, or their names (``Ah``, ``Td``)."""
        faces: Sequence[str] = ["??"] * cards if isinstance(cards, int) else cards
        room = len(board_places(self.table)) - len(self._cards.board)
        if not 0 < len(faces) <= room:
            raise WorldError("no-room", f"The board has room for {room} more cards, not for {len(faces)}.")
        visit, rng = self._visit(self._dealer_right, at_s)
        builder = visit.builder
        start = builder.now_s
        ready = builder.reach((*deck_place(self.table), 15.0))
        rest = self._cards.deal_board(faces, builder, rng)
        visit.hold(ready, rest)
        done = builder.now_s
        path = visit.finish().path
        end = max(path.end_s, self._hold_deck(start, ready, done, rng))
        return self._done(Motion("deal_board", BY_DEALER, None, start, rest, rest, end))

    @alone
    def gather(self, at_s: float, only: Sequence[int] | None = None) -> Motion:
        """The dealer sweeps all bets into the pot, or those of some seats, each hand along its side of the table.

        What was over before the gathering that went before is forgotten.
        """
        asked = [seat for seat in self.table.seats if only is None or seat.number in only]
        seats = [seat for seat in asked if self._holdings.at(bet_place(seat.number))]
        chips = [chip for seat in seats for chip in self._holdings.at(bet_place(seat.number))]
        start = self._begin(BY_DEALER, at_s, chips)
        ends: list[tuple[float, float]] = []
        for hand, left in ((self._dealer_left, True), (self._dealer_right, False)):
            side = [seat.number for seat in seats if (seat.rail_mm[0] < 0) is left]
            if not side:
                continue
            pace = _SWEEP_PACE / self._haste
            visit = Visit(hand, self._holdings, self._timeline, start, self._next_rng(), pace, lift_mm=_SWEEP_LIFT_MM)
            swept: dict[int, tuple[Chip, ...]] = {}
            for seat in side if left else reversed(side):
                swept[seat] = self._holdings.at(bet_place(seat))
                visit.pick(swept[seat])
            carried = visit.place([chip for bets in swept.values() for chip in bets], POT)
            path = visit.finish().path
            ends.append((visit.rest_s, path.end_s))
            for seat, bets in swept.items():
                left_s = self._truth.leaves_place(path, [one for one in carried if one.chip in bets])
                self._truth.tell("pot_swept", seat, left_s, visit.rest_s, bets, by_dealer=True)
        rest = max((rested for rested, _ in ends), default=start)
        self._timeline.forget(self._gathered_s)
        self._gathered_s = min(start, at_s)
        end = max((ended for _, ended in ends), default=start)
        return self._done(Motion("gather", BY_DEALER, None, start, rest, rest, end, tuple(chips)))

    @alone
    def exchange(
        self,
        seat: int,
        give: Sequence[Chip],
        take: Sequence[Chip],
        at_s: float,
        change: Sequence[Chip] = (),
        bank_place: str = TRAY,
    ) -> Motion:
        """The dealer makes change in one visit: ``give`` comes to where ``take`` lay (the seat's bet or its stack),
        ``change`` to the seat's stack, and ``take`` goes to ``bank_place`` (the tray or the pot).

        What the dealer gives lies in the tray or the pot (see `from_tray`); both sides are worth the same.
        """
        self._seat_place(seat, bet_place)
        self._holdings.require([*give, *change], TRAY, POT)
        where = self._holdings.where(take[0]) if take else None
        if where not in (bet_place(seat), stack_place(seat)):
            raise WorldError("chip-elsewhere", f"What the dealer takes must lie in seat {seat}'s bet or stack.")
        self._holdings.require(take, where)
        if bank_place not in (TRAY, POT):
            raise WorldError("unknown-place", f"The dealer takes chips to the tray or the pot, not to {bank_place}.")
        given = bank.value(give) + bank.value(change)
        if given != bank.value(take):
            raise WorldError(
                "uneven", f"The dealer would give {given} for {bank.value(take)}: give as much as is taken."
            )
        visit, _ = self._visit(self._dealer_hand(seat), at_s, [*give, *take, *change])
        start = visit.builder.now_s
        visit.pick([*give, *change])
        given_now = visit.place(give, where, apart=True) if give else ()
        if change:
            visit.place(change, stack_place(seat))
        taken = visit.pick(take)
        carried = visit.place(take, bank_place)
        path = visit.finish().path
        if where == bet_place(seat):
            began = self._truth.leaves_place(path, carried)
            if given_now:
                began = min(began, self._truth.comes_into_zone(seat, path, given_now))
            self._truth.tell("bet_amended", seat, began, visit.rest_s, visit.chips, by_dealer=True)
        return self._done(Motion("exchange", BY_DEALER, seat, start, taken, visit.rest_s, path.end_s, visit.chips))

    @alone
    def change_pot(self, give: Sequence[Chip], take: Sequence[Chip], at_s: float) -> Motion:
        """The dealer changes chips of the pot for chips of the tray of the same worth."""
        self._holdings.require(give, TRAY)
        self._require_some(take, POT)
        if bank.value(give) != bank.value(take):
            raise WorldError("uneven", f"The dealer would give {bank.value(give)} for {bank.value(take)}.")
        visit, _ = self._visit(self._dealer_right, at_s, [*give, *take])
        start = visit.builder.now_s
        visit.pick(give)
        visit.place(give, POT, apart=True)
        taken = visit.pick(take)
        visit.place(take, TRAY)
        path = visit.finish().path
        return self._done(Motion("change_pot", BY_DEALER, None, start, taken, visit.rest_s, path.end_s, visit.chips))

    @alone
    def return_bet(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """The dealer gives chips of a seat's bet back to its stack (the part that nobody called)."""
        self._seat_place(seat, bet_place)
        self._require_some(chips, bet_place(seat))
        visit, _ = self._visit(self._dealer_hand(seat), at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        carried = visit.place(chips, stack_place(seat))
        path = visit.finish().path
        cross = self._truth.comes_back(seat, path, carried)
        self._truth.tell("chips_retracted", seat, cross, visit.rest_s, visit.chips, by_dealer=True)
        return self._done(Motion("return_bet", BY_DEALER, seat, start, cross, visit.rest_s, path.end_s, visit.chips))

    @alone
    def push_pot(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """The dealer pushes chips of the pot to a seat's stack."""
        self._seat_place(seat, stack_place)
        self._require_some(chips, POT)
        motion, began = self._carry("push_pot", seat, chips, stack_place(seat), at_s)
        self._truth.tell("pot_pushed", seat, began, motion.rest_s, chips, by_dealer=True)
        return motion

    @alone
    def pay_out(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """The dealer takes chips that a player has bought from the tray to its stack (see `from_tray`)."""
        self._seat_place(seat, stack_place)
        self._require_some(chips, TRAY)
        return self._carry("pay_out", seat, chips, stack_place(seat), at_s)[0]

    @alone
    def take_in(self, seat: int, at_s: float) -> Motion:
        """The dealer takes the whole stack of a player who leaves to the tray, which keeps its float of it."""
        chips = self._holdings.at(self._seat_place(seat, stack_place))
        self._require_some(chips, stack_place(seat))
        motion, _ = self._carry("take_in", seat, chips, TRAY, at_s)
        self._stock_tray(motion.end_s)
        return motion

    def _carry(self, kind: str, seat: int, chips: Sequence[Chip], where: str, at_s: float) -> tuple[Motion, float]:
        """Also returns when the first chip has left its place."""
        visit, _ = self._visit(self._dealer_hand(seat), at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        carried = visit.place(chips, where)
        path = visit.finish().path
        rest = visit.rest_s
        motion = self._done(Motion(kind, BY_DEALER, seat, start, rest, rest, path.end_s, visit.chips))
        return motion, self._truth.leaves_place(path, carried)

    @alone
    def clear_cards(self, at_s: float) -> Motion:
        """The dealer takes all cards off the table and puts the tray in order for the next hand."""
        visit, rng = self._visit(self._dealer_right, max(at_s, self._cards.lie_s()))
        builder = visit.builder
        start = builder.now_s
        reached = builder.reach((*self.table.muck_mm, 0.0))
        rest = self._cards.clear(reached, rng)
        builder.move((*deck_place(self.table), 15.0), max(0.3, rest - reached))
        path = visit.finish().path
        self._stock_tray(path.end_s)
        return self._done(Motion("clear_cards", BY_DEALER, None, start, rest, rest, path.end_s))

    def _dealer_hand(self, seat: int) -> Hand:
        return self._dealer_left if self.table.seat(seat).rail_mm[0] < 0 else self._dealer_right

    def _hold_deck(self, start_s: float, ready_s: float, until_s: float, rng: Random) -> float:
        """The dealer's other hand holds the deck meanwhile; returns when it is back."""
        hand, deck = self._dealer_left, deck_place(self.table)
        builder = PathBuilder(start_s, (*hand.home_mm, HOME_HEIGHT_MM), rng)
        builder.move((deck[0] - 30.0, deck[1] - 25.0, 20.0), ready_s - start_s)
        builder.wait(until_s - builder.now_s)
        back = builder.move((*hand.home_mm, HOME_HEIGHT_MM), 0.4)
        closed = ((ready_s, until_s),)
        path = builder.build()
        self._timeline.visit(HandVisit(hand.owner, hand.shoulder_mm, path, closed, hand.right, hand.looks))
        return back
