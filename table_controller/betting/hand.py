"""One hand of poker, from the forced bets to the last pot: what an act makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table_controller.betting import moves, opening, pots, rights
from table_controller.betting.acts import ALL_IN, CALL, CHECK, COMPLETE, FOLD, RAISE, Action, ActionKind, Illegal
from table_controller.betting.forced import Post
from table_controller.betting.pots import Parts, Payout, Pot
from table_controller.betting.questions import Questions
from table_controller.betting.state import NOBODY, State
from table_controller.betting.structure import BettingOptions, BringInEqual, Limit, OddChip, Structure


@dataclass(frozen=True, slots=True)
class Hand(Questions):
    """An immutable hand: `Questions` tells what it answers at any moment; `act` and its like make a new hand.

    Make one with `Hand.start` or `Hand.resume`. Undoing an act is keeping the hand from before it.
    """

    @classmethod
    def start(
        cls,
        structure: Structure,
        options: BettingOptions,
        stacks: Mapping[int, int],
        button: int,
        posts: Sequence[Post] | None = None,
        *,
        carried: int = 0,
    ) -> Hand:
        """Begin a hand: antes and forced bets are put in, and the first seat is to act.

        `stacks` names the seats that are dealt in. `posts` are all the forced bets but the antes of `structure`, in
        posting order; None: the blinds of the structure, clockwise from the button. `carried` is money of an earlier
        hand that nobody won (R-307). In stud the hand waits for `bring_in`.

        Raises Illegal (`setup`) where this makes no hand.
        """
        return cls(opening.start(structure, options, stacks, button, posts, carried))

    @classmethod
    def resume(
        cls,
        structure: Structure,
        options: BettingOptions,
        stacks: Mapping[int, int],
        button: int,
        *,
        street: str,
        pot: int,
        paid: Mapping[int, int] | None = None,
        folded: Sequence[int] = (),
        first: int | None = None,
        carried: int = 0,
    ) -> Hand:
        """Begin on a later street: nothing is posted, `stacks` is what remains.

        `pot` came from all the seats in equal shares, or from those of `paid`, whose amounts make it; `carried` money
        of an earlier hand lies there besides (R-307). The first live seat left of the button acts first, in stud the
        seat `first`.

        Raises Illegal (`setup`, or `not-open` for an impossible `first`) where this makes no hand.
        """
        if street not in structure.streets:
            raise Illegal("setup", f"There is no street {street!r}; there are {', '.join(structure.streets)}.")
        state = opening.resume(structure, options, stacks, button, pot, paid, folded, carried)
        number = structure.streets.index(street)
        return cls(moves.open_street(state, number, _first_position(state, first)))

    # acts

    def act(self, action: Action, seat: int | None = None, *, accepted: bool = False) -> Hand:
        """The seat to act takes an action.

        `seat` says who acts, and is refused where it is another's turn (`not-your-turn`). `accepted`: the size was
        illegal and nobody noticed, so it stands as put. An amount that is no multiple of the betting unit goes to the
        nearest, a tie down (R-072).

        Raises Illegal: `not-your-turn`, `not-open`, `below-minimum`, `above-maximum`, `too-late`, `action-pending`.
        """
        state = self.state
        if seat is not None:
            state = self._turned_to(seat, action.kind)
        if state.turn < 0:
            raise Illegal(*rights.why_nobody_acts(state))
        kind = action.kind
        if kind is FOLD:
            return Hand(moves.fold(state, state.turn))
        owed, behind = rights.owed(state), state.behind[state.turn]
        if kind is CHECK or kind is CALL:
            if (owed > 0) is (kind is CHECK):
                raise Illegal(*(rights.why_not(state, kind) or ("not-open", f"A {kind} is not open.")))
            called = behind if behind < owed else owed
            return Hand(moves.put(state, called if kind is CALL else 0, kind))
        if kind is ALL_IN and behind <= owed:
            return Hand(moves.put(state, behind, CALL))
        to, kind = rights.wager(state, action, accepted=accepted)
        return Hand(moves.put(state, to - state.wagers[state.turn], kind))

    def fold(self, seat: int) -> Hand:
        """A seat's hand is out, in turn or not: a fold out of turn counts at once (R-221), so does a killed hand.

        Raises Illegal (`not-open`) where the seat has no live hand, `too-late` when every pot is paid.
        """
        state = self.state
        position = state.setup.position_of.get(seat, NOBODY)
        if state.hand_over:
            raise Illegal("too-late", "The hand is over.")
        if position < 0 or not state.live >> position & 1:
            raise Illegal("not-open", f"Seat {seat} has no live hand to fold.")
        return Hand(moves.fold(state, position))

    def forfeit(self, chips: int) -> Hand:
        """The seat to act folds and leaves chips in the pot that it had pushed and may not take back (TDA 51-B).

        Raises Illegal (`above-maximum`) where that is more than the call, `not-open` where nobody is to act.
        """
        state = self.state
        if state.turn < 0:
            raise Illegal(*rights.why_nobody_acts(state))
        if not 0 <= chips <= (self.to_call or 0):
            raise Illegal("above-maximum", f"At most the call of {self.to_call} can be forfeited, not {chips}.")
        turn = state.turn
        behind, wagers = list(state.behind), list(state.wagers)
        behind[turn] -= chips
        wagers[turn] += chips
        left = state._replace(behind=tuple(behind), wagers=tuple(wagers), pot=state.pot + chips)
        return Hand(moves.fold(left, turn))

    def uncalled_back(self, seat: int, before: Hand) -> Hand:
        """A dead hand takes back the part of its bet or raise that nobody has called; `before` is the hand before it.

        For the others the bet to match is again what it was, or the largest that was called (R-047, R-266).
        """
        return Hand(moves.uncalled_back(self.state, self.state.setup.position_of[seat], before.state))

    def recounted(self, seat: int, stack: int) -> Hand:
        """The seat has this many chips behind, whatever the book said (R-074); an all-in stays one (TDA 62)."""
        return Hand(moves.recounted(self.state, self.state.setup.position_of[seat], stack))

    def charged(self, seat: int, amount: int) -> Hand:
        """So much left the stack of the seat outside betting, after the hand or beside it."""
        return Hand(moves.charged(self.state, self.state.setup.position_of[seat], amount))

    def raked(self, taken: Mapping[int, int]) -> Hand:
        """What the house took out of pots that were paid, by the number of the pot, is paid to nobody (R-285)."""
        return Hand(moves.raked(self.state, taken))

    def with_options(self, options: BettingOptions) -> Hand:
        """The same hand under other options: the event is down to two players (TDA 48)."""
        return Hand(self.state._replace(setup=replace(self.state.setup, options=options)))

    def reopened(self) -> Hand:
        """The seat to act may raise as if it had not acted on this street: the floor says so (R-291).

        What stack and cap forbid stays forbidden.
        """
        return Hand(moves.reopened(self.state))

    def bring_in(self, seat: int) -> Hand:
        """Stud: the seat posts the bring-in, or what it has if less; until another has acted it may be moved (R-202).

        Raises Illegal: `not-open` where there is none to post, `too-late` when somebody has acted.
        """
        state = self.state
        if not self.structure.bring_in or state.street:
            raise Illegal("not-open", "There is no bring-in to post here.")
        if state.acts:
            raise Illegal("too-late", "The next hand has acted: the bring-in stands where it is.")
        position = state.setup.position_of.get(seat, NOBODY)
        if position < 0:
            raise Illegal("not-open", f"Seat {seat} is not in the hand.")
        return Hand(moves.bring_in(state, position))

    def deal(self, street: str, first: int | None = None, *, doubled: bool = False) -> Hand:
        """The round's bets are gathered and the next street begins; in stud the dealer names who is first.

        `doubled`: an open pair lets anybody bet the size of the last street as well, in fixed limit (R-130).

        Raises Illegal: `action-pending` while somebody is to act, `too-late` when the hand or its streets are over,
        `not-open` for another street than the next, or a missing or impossible `first`.
        """
        state = self.state
        if not state.round_over:
            raise Illegal("action-pending", f"The next street must wait: {self._whom_it_waits_for()}.")
        streets = self.structure.streets
        following = state.street + 1
        if state.hand_over or following == len(streets):
            raise Illegal("too-late", "There is no street left to deal.")
        if street != streets[following]:
            raise Illegal("not-open", f"The next street is {streets[following]}, not {street}.")
        if doubled and self.structure.limit is Limit.FIXED_LIMIT:
            state = state._replace(setup=replace(state.setup, doubled_street=following))
        return Hand(moves.open_street(state, following, _first_position(state, first)))

    def award(self, winners: Sequence[Sequence[int] | Parts], taken: Sequence[int] = ()) -> Hand:
        """Pay every pot, from the last side pot to the main pot (R-264).

        `winners` names for each of `pots`, main pot first, the seats that split it, or its `Parts`. Splits go down to
        multiples of the betting unit; odd units go to the winners left of the button, or to the first name, as the
        house says. `taken` is what the house takes out of each pot before it is split (R-284, R-285).

        Raises Illegal: `action-pending` while betting is not over, `too-late` when the pots are paid, `not-open` where
        the winners do not fit the pots.
        """
        state = self.state
        if state.hand_over:
            raise Illegal("too-late", "The pots have been paid.")
        if not state.betting_over:
            raise Illegal("action-pending", f"The award must wait: {self._whom_it_waits_for()}.")
        here = self.pots
        if len(winners) != len(here):
            raise Illegal("not-open", f"There are {len(here)} pots to award, and winners of {len(winners)} were named.")
        payouts: list[Payout] = []
        first_name = self.options.odd_chip is OddChip.HIGH_CARD_SUIT
        for number in reversed(range(len(here))):
            pot = here[number]
            payouts += pots.award(
                number,
                Pot(pot.amount - taken[number], pot.seats) if taken else pot,
                winners[number],
                order=self.seats,
                unit=self.structure.unit,
                odd_to_first_name=first_name,
            )
        return Hand(moves.paid_out(state, tuple(payouts)))

    def pass_out(self) -> Hand:
        """Nobody has opened, and nobody wins: the pot is carried to the next hand (R-307: `carried` of `start`).

        Raises Illegal: `action-pending` while somebody is to act, `not-open` once somebody has bet or a hand is the
        only one left, `too-late` when the hand is over.
        """
        state = self.state
        if state.hand_over:
            raise Illegal("too-late", "The hand is over.")
        if not state.round_over:
            raise Illegal("action-pending", f"Passing out must wait: {self._whom_it_waits_for()}.")
        if state.street or state.level:
            raise Illegal("not-open", "Only a hand that nobody has opened on its first street is passed out.")
        return Hand(moves.passed_out(state))

    def _turned_to(self, seat: int, kind: ActionKind) -> State:
        """The state with the seat to act; its poster may make the bring-in a full bet until another acts (R-202)."""
        state = self.state
        seats = state.setup.seats
        if state.turn >= 0 and seats[state.turn] != seat:
            bring_in = state.bring_in
            if not state.acts and bring_in >= 0 and seats[bring_in] == seat and kind in self._over_own_bring_in:
                return state._replace(turn=bring_in)
            raise Illegal("not-your-turn", f"It is seat {self.next_seat}'s turn, not seat {seat}'s.")
        return state

    @property
    def _over_own_bring_in(self) -> tuple[ActionKind, ...]:
        """What the poster of the bring-in may still make of it: where it equals the bet, a raise if the house says."""
        big_bet = self.state.setup.big_bet and not self.state.full
        if big_bet or (self.state.full and self.options.bring_in_equal is BringInEqual.MAY_RAISE):
            return (RAISE,)
        return (COMPLETE,)

    def _whom_it_waits_for(self) -> str:
        if self.state.turn >= 0:
            return f"seat {self.next_seat} is to act"
        if self.state.awaiting_bring_in:
            return "name the seat that brings it in"
        return "streets with betting are still to be dealt"


def _first_position(state: State, first: int | None) -> int:
    """Where the next street begins: left of the button, in stud at the seat that the dealer names (R-002, R-003)."""
    setup = state.setup
    if not setup.structure.opener_named or not state.able & (state.able - 1):
        return 0
    if first is None:
        raise Illegal("not-open", "Name the seat that is first on this street (`first`).")
    position = setup.position_of.get(first, NOBODY)
    if position < 0 or not state.live >> position & 1:
        raise Illegal("not-open", f"Seat {first} has no live hand and cannot be first.")
    return position
