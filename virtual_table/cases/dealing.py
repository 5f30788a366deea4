"""What the dealer of a case does with his hands: he sets the table up, deals, gathers, gives change, pushes pots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from betline.cases import Case
from betline.messages.common import Reply
from betline.messages.table import SeatState
from betline.steps import CardsOut, NextHand, Setup
from virtual_table.cases.chips_at_hand import ChipsAtHand
from virtual_table.cases.listening import CaseLink
from virtual_table.cases.watching import Watching
from virtual_table.play.clock import Clock
from virtual_table.table.dealer_motions import deal_board, deal_cards
from virtual_table.table.layout import board_places

BOARD: Final[Mapping[str, int]] = {"flop": 3, "turn": 1, "river": 1}
WITH_CARDS: Final = ("in", "all-in")
BETWEEN: Final = ("hand-over", "idle")
TOLD_S: Final = 1.2
"""So long after cards were dealt the camera may tell it; told after the pot was pushed they would be another hand's."""


class Dealing:
    """The dealer's hands at one table."""

    def __init__(self, link: CaseLink, clock: Clock, chips: ChipsAtHand, watching: Watching) -> None:
        self._link = link
        self._clock = clock
        self._chips = chips
        self._watching = watching
        self._hands_follow = False

    def set_up(self, case: Case) -> Reply:
        """The table as the case begins; the reply is that to the command which says so."""
        setup, chips = case.setup, self._chips
        self._hands_follow = any(isinstance(entry, NextHand) for entry in case.play)
        chips.clear()
        chips.clear_cards()
        self._watching.wait_for_the_felt()
        for seat, stack in setup.seats.items():
            chips.count(seat, stack)
        if setup.start is not None and setup.start.pot:
            chips.fill_pot(setup.start.pot)
        reply = self._link.obeyed(Setup.of(setup))
        if reply.ok:
            if setup.start is not None:
                self._deal(sorted(set(setup.seats) - set(setup.start.folded)))
            for seat, lying in setup.in_front.items():
                chips.push(seat, [lying])
            self.put_posts_out(setup.seats)
        return reply

    # --- a hand begins

    def put_posts_out(self, before: Mapping[int, int]) -> None:
        """What the hand has made everybody put out: dead money, which is gathered, then what is live.

        ``before`` has the stacks before it.
        """
        if self._link.now.phase != "posting":
            return
        if self._dead_money(before):
            self._chips.wait_until_still()
            self._chips.gather()
            self._chips.wait_until_still()
        self.make_good()
        self._chips.wait_until_still()

    def _dead_money(self, before: Mapping[int, int]) -> bool:
        """Antes and dead blinds are put out; returns whether there were any."""
        dead = {
            one.seat: before[one.seat] - one.stack - one.bet
            for one in self._link.now.seats
            if before.get(one.seat, 0) > one.stack + one.bet
        }
        for seat, amount in dead.items():
            self._chips.push_amount(seat, amount)
        return bool(dead)

    def begin_hand(self, before: Mapping[int, int]) -> None:
        """The chips of a hand that has just begun; a bomb pot begins on the flop."""
        self.put_posts_out(before)
        if self._link.now.phase == "betting":
            self.count_stacks(with_bets=True)
            self._chips.empty_pot(self._link.now.pot)
            self.deal_hole_cards()

    def deal_again(self) -> None:
        """Every chip of the hand has gone back, and it is posted once more."""
        chips = self._chips
        for one in self._link.now.seats:
            if chips.lies(one.seat):
                chips.take_all_back(one.seat, chips.lies(one.seat))
        chips.clear_cards()
        chips.wait_until_still()
        before = {one.seat: one.stack + one.bet for one in self._link.now.seats if one.status != "empty"}
        dead = self._link.now.pot - sum(one.bet for one in self._link.now.seats)
        chips.empty_pot(dead)
        self.count_stacks(with_bets=True)
        self.put_posts_out(before)

    def cards_out(self) -> None:
        """The cards are dealt, where that has not been done in this hand."""
        if self._link.now.phase == "posting":
            self.make_good()
            self._watching.wait_for_the_felt()
            self.deal_hole_cards()
            self._link.obeyed(CardsOut())

    def deal_hole_cards(self) -> None:
        """Everybody in the hand gets cards."""
        self._deal([one.seat for one in self._link.now.seats if one.status in WITH_CARDS])

    def _deal(self, seats: Sequence[int]) -> None:
        without = [seat for seat in seats if not self._chips.world.hole_cards(seat)]
        if without:
            self._chips.begun(deal_cards(self._chips.world, self._clock.now_s(), without))
        if without and self._hands_follow:
            self._chips.wait_until_still()
            self._watching.let(TOLD_S)

    def next_street(self, street: str) -> None:
        """The bets are gathered and the board's cards laid; the board of a second run lies over the first."""
        self._chips.gather()
        world, count = self._chips.world, BOARD.get(street, 0)
        if count and len(world.cards.board) + count <= len(board_places(world.table)):
            self._chips.begun(deal_board(world, count, self._clock.now_s()))
        self._chips.wait_until_still()

    # --- what follows from rulings

    def put_right(self, undecided: Collection[int]) -> None:
        """Before anybody does something else: what lies there beyond a bet goes back, with change if need be.

        Chips of ``undecided`` seats, of acts that are held and of those that wait for the floor stay.
        """
        state, chips = self._link.now, self._chips
        if state.phase in BETWEEN:
            return
        waiting = {one.seat for one in state.questions if one.kind == "floor"}
        stay = waiting.union(undecided, (one.seat for one in state.seats if one.held))
        over = {one.seat: chips.lies(one.seat) - one.bet for one in state.seats if one.seat not in stay}
        given = [seat for seat, amount in over.items() if amount > 0]
        for seat in given:
            chips.take_all_back(seat, over[seat])
        if given:
            self._watching.wait_for_the_felt()

    def make_good(self, only: int | None = None, among: Sequence[int] = ()) -> None:
        """Seats put in what their bets say that they have put in, if possible those chips ``among`` them."""
        for one in self._link.now.seats:
            short = one.bet - self._chips.lies(one.seat)
            if short > 0 and only in (None, one.seat):
                self._chips.push_amount(one.seat, short, among)

    def end_hand(self) -> None:
        """After a hand bets are gathered, pots pushed, cards cleared, and the stacks are as the books have them."""
        state, chips = self._link.now, self._chips
        if state.phase not in BETWEEN:
            return
        chips.wait_until_still()
        chips.gather()
        chips.wait_until_still()
        for push in state.payouts:
            if isinstance(push.to, int) and push.pot is not None:
                chips.pay(push.to, push.amount)
        chips.clear_cards()
        chips.wait_until_still()
        chips.empty_pot(state.carried)
        self.count_stacks()
        self._watching.wait_for_the_felt()

    def count_stacks(self, *, with_bets: bool = False) -> None:
        """Makes every stack what the books say, with the bets that are still to be put out."""
        for one in self._link.now.seats:
            self._chips.count(one.seat, _owned(one, with_bets=with_bets))


def _owned(seat: SeatState, *, with_bets: bool) -> int:
    return seat.stack + seat.bet if with_bets else seat.stack
