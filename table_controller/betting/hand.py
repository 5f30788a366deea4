"""One hand of poker, from the forced bets to the last pot: what it answers at any moment, and what acts make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table_controller.betting import moves, opening, play, pots, rights, sizes
from table_controller.betting.acts import ALL_IN, Act, Action, ActionKind, Illegal
from table_controller.betting.forced import Post
from table_controller.betting.pots import Parts, Payout, Pot, Pull
from table_controller.betting.state import State
from table_controller.betting.structure import BettingOptions, Limit, Structure, SubstantialAction

_ACTIONS = tuple([kind for kind in ActionKind if kind is not ALL_IN])


@dataclass(frozen=True, slots=True)
class Hand:
    """An immutable hand: its properties answer in seats and whole chips; `act` and its like make a new hand.

    Make one with `Hand.start` or `Hand.resume`. Undoing an act is keeping the hand from before it.
    """

    state: State

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
        return cls(moves.open_street(state, number, play.first_position(state, first)))

    # who is in it

    @property
    def structure(self) -> Structure:
        """The game played."""
        return self.state.setup.structure

    @property
    def options(self) -> BettingOptions:
        """The house options in force."""
        return self.state.setup.options

    @property
    def button(self) -> int:
        """The seat of the button; nobody need sit there."""
        return self.state.setup.button

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats dealt in, clockwise from the left of the button."""
        return self.state.setup.seats

    @property
    def starting_stacks(self) -> dict[int, int]:
        """What each seat had before the first forced bet of this hand."""
        return dict(zip(self.seats, self.state.setup.starting, strict=True))

    @property
    def in_hand(self) -> frozenset[int]:
        """Seats that have not folded."""
        return self._seats_of(self.state.live)

    @property
    def folded(self) -> frozenset[int]:
        """Seats whose hand is out."""
        return self._seats_of(~self.state.live)

    @property
    def all_in(self) -> frozenset[int]:
        """Live seats that have nothing left to bet (in a cap game: that have reached the cap)."""
        return self._seats_of(self.state.live & ~self.state.able)

    @property
    def has_acted(self) -> frozenset[int]:
        """Seats that have acted on this street; posting is not acting (R-006)."""
        return frozenset([seat for seat, memory in zip(self.seats, self.state.acted, strict=True) if memory >= 0])

    def acted_at(self, seat: int) -> int | None:
        """The bet to match when the seat last acted on this street; None where it has not (R-010)."""
        memory = self.state.acted[self.state.setup.position_of[seat]]
        return None if memory < 0 else memory

    # where the chips are

    @property
    def bets(self) -> dict[int, int]:
        """Each seat's bet of this round; without the uncalled part from the act on that ends the round."""
        return dict(zip(self.seats, self.state.wagers, strict=True))

    @property
    def stacks(self) -> dict[int, int]:
        """What each seat has behind."""
        return {seat: self.stack(seat) for seat in self.seats}

    @property
    def contributions(self) -> dict[int, int]:
        """What each seat has in the pot over the whole hand, without dead money."""
        return dict(zip(self.seats, self.state.contributions(), strict=True))

    @property
    def dead_money(self) -> int:
        """Chips of the main pot that are nobody's contribution: dead posts, a table's ante, a carried pot."""
        return self.state.dead

    @property
    def pot(self) -> int:
        """All chips in the pots and in front of the seats."""
        return self.state.pot

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots, main pot first: those of the finished rounds, and of this one once it is over (R-260).

        A pot that only one seat could still win has been paid and is not among them.
        """
        state = self.state
        contributions = state.contributions() if state.turn < 0 else state.paid
        return self._pots(contributions, able=0)

    @property
    def pots_now(self) -> tuple[Pot, ...]:
        """The pots at this moment with the bets on the felt, main pot first: every all-in caps one (R-260).

        A seat that has chips to bet may still match every bet and is in each of them. Once the round is over these are
        `pots`.
        """
        state = self.state
        return self._pots(state.contributions(), state.able) if state.turn >= 0 else self.pots

    def _pots(self, contributions: tuple[int, ...], able: int) -> tuple[Pot, ...]:
        state = self.state
        if not state.pot:
            return ()
        return tuple([
            Pot(level.amount, tuple(sorted([state.setup.seats[p] for p in level.positions])))
            for level in pots.levels(contributions, state.live, state.dead, able)
        ])  # fmt: skip

    @property
    def can_win(self) -> dict[int, int]:
        """What each live seat takes of all that lies in the middle now if it wins every pot that it is in (R-260).

        A seat that has put in less than others wins no more of theirs than it has put in itself.
        """
        state = self.state
        contributions = state.contributions()
        live = [p for p in range(len(contributions)) if state.live >> p & 1]
        most = max([contributions[p] for p in live])
        return {
            state.setup.seats[p]: state.pot
            if contributions[p] == most
            else state.dead + sum([min(other, contributions[p]) for other in contributions])
            for p in live
        }

    @property
    def pulls(self) -> tuple[Pull, ...]:
        """How the round's bets are taken in once it is over; empty while somebody is to act (R-305)."""
        state = self.state
        if not state.round_over:
            return ()
        lay = state.lay or state
        return pots.pull_plan(self.seats, lay.paid, lay.wagers, lay.live, lay.dead, lay.aggressor)

    @property
    def carried(self) -> int:
        """What nobody has won and the next hand inherits (R-307)."""
        return self.state.carried

    @property
    def payouts(self) -> tuple[Payout, ...]:
        """All that has gone from the middle to a seat so far, in order."""
        return self.state.payouts

    def bet(self, seat: int) -> int:
        """The seat's bet of this round."""
        return self.state.wagers[self.state.setup.position_of[seat]]

    def stack(self, seat: int) -> int:
        """What the seat has behind."""
        position = self.state.setup.position_of[seat]
        return self.state.behind[position] + self.state.setup.reserve[position]

    # how far the hand is

    @property
    def street(self) -> str:
        """The name of the street."""
        return self.structure.streets[self.state.street]

    @property
    def awaiting_bring_in(self) -> bool:
        """Stud: the dealer must name the seat that brings it in before anybody acts (R-202)."""
        return self.state.awaiting_bring_in

    @property
    def round_over(self) -> bool:
        """Nobody has anything to decide on this street."""
        return self.state.round_over

    @property
    def betting_over(self) -> bool:
        """Nobody will decide anything any more: the last street is done, or at most one player has chips (R-008)."""
        return self.state.betting_over

    @property
    def hand_over(self) -> bool:
        """Every pot is paid."""
        return self.state.hand_over

    @property
    def first_next_street(self) -> int | None:
        """The seat that would open the next street as things stand (R-002).

        None where there is no betting on it, and in stud, where the dealer names the seat (R-003).
        """
        state = self.state
        structure = state.setup.structure
        last = state.street == len(structure.streets) - 1
        if last or structure.opener_named or state.hand_over or not state.able & (state.able - 1):
            return None
        return state.setup.seats[(state.able & -state.able).bit_length() - 1]

    @property
    def began_heads_up(self) -> bool:
        """Two hands were live when the round began."""
        return self.state.entrants == 2

    @property
    def last_act(self) -> Act | None:
        """The last act of this street; None before the first."""
        done = self.state.last_act
        return None if done is None else Act(self.seats[done[0]], *done[1:])

    @property
    def acts(self) -> int:
        """Acts of this street, folds out of turn among them; forced bets do not count."""
        return self.state.acts

    @property
    def acts_with_chips(self) -> int:
        """Acts of this street that put chips in."""
        return self.state.acts_with_chips

    @property
    def aggressive_acts(self) -> int:
        """Bets, raises and completions of this street, short all-ins among them."""
        return self.state.aggressive_acts

    @property
    def substantial(self) -> bool:
        """Whether substantial action has taken place on this street (R-224)."""
        if self.options.substantial_action is SubstantialAction.WSOP_LIVE:
            return self.acts >= 2
        return self.acts >= 3 or (self.acts >= 2 and self.acts_with_chips >= 1)

    # the bet to match

    @property
    def level(self) -> int:
        """The bet to match this round; 0 where nobody has bet and no blind is out."""
        return self.state.level

    @property
    def last_raise(self) -> int:
        """The largest full bet or raise of this round, at first the minimum bet (R-081)."""
        return self.state.last_raise

    @property
    def aggressor(self) -> int | None:
        """The seat of this street's last bet or raise; None where nobody has made one."""
        return None if self.state.aggressor < 0 else self.seats[self.state.aggressor]

    @property
    def only_opening_bet(self) -> bool:
        """The bet to match is the opening bet: the blind before the flop, the first bet later (TDA 51)."""
        state = self.state
        blind_opened = state.street == 0 and (state.setup.blind_opened or state.bring_in >= 0)
        return state.level > 0 and state.aggressive_acts <= (0 if blind_opened else 1)

    # the seat to act

    @property
    def next_seat(self) -> int | None:
        """The seat that acts now; None when the round is over (or stud waits for its bring-in)."""
        turn = self.state.turn
        return None if turn < 0 else self.state.setup.seats[turn]

    @property
    def to_call(self) -> int | None:
        """What the seat to act must add to call, at most its stack; None where nobody is to act."""
        state = self.state
        if state.turn < 0:
            return None
        owed = rights.owed(state)
        behind = state.behind[state.turn]
        return 0 if owed <= 0 else behind if behind < owed else owed

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """The least and the most that the seat to act may make it (a bet counts as a raise), within its stack.

        None where it may not. A seat that can only go all-in for less sees its all-in total twice.
        """
        state = self.state
        if state.turn < 0 or rights.why_no_raise(state) is not None:
            return None
        return rights.raise_range(state)

    @property
    def min_raise_to(self) -> int | None:
        """The least of `raise_range`."""
        bounds = self.raise_range
        return None if bounds is None else bounds[0]

    @property
    def max_raise_to(self) -> int | None:
        """The most of `raise_range`."""
        bounds = self.raise_range
        return None if bounds is None else bounds[1]

    @property
    def pot_bet(self) -> sizes.PotBet | None:
        """Pot-limit: the reckoning of the pot bet of the seat to act, before its stack bounds it; else None."""
        if self.state.turn < 0 or self.structure.limit is not Limit.POT_LIMIT:
            return None
        return rights.pot_bet(self.state)

    @property
    def option(self) -> bool:
        """The seat to act has a live blind, post or straddle that nobody raised: it may check or raise (R-184)."""
        state = self.state
        turn = state.turn
        return turn >= 0 and 0 < state.level <= state.wagers[turn] and state.acted[turn] < 0

    @property
    def may(self) -> frozenset[ActionKind]:
        """The actions open to the seat to act; going all-in is one of these."""
        return frozenset([kind for kind in _ACTIONS if rights.why_not(self.state, kind) is None])

    @property
    def wager_kind(self) -> ActionKind:
        """What more chips than the call would be, were it open to the seat to act."""
        return rights.wager_kind(self.state)

    @property
    def may_bring_in_for_more(self) -> int | None:
        """The poster of the bring-in while it may still make it a full bet; None otherwise (R-202)."""
        state = self.state
        return self.seats[state.bring_in] if state.bring_in >= 0 and not state.acts and not state.street else None

    def why_not(self, kind: ActionKind) -> tuple[str, str] | None:
        """Why an action is not open to the seat to act: a code and a sentence; None where it is open."""
        return rights.why_not(self.state, kind)

    # acts

    def act(self, action: Action, seat: int | None = None, *, accepted: bool = False) -> Hand:
        """The seat to act takes an action.

        `seat` says who acts, and is refused where it is another's turn (`not-your-turn`). `accepted`: the size was
        illegal and nobody noticed, so it stands as put. An amount that is no multiple of the betting unit goes to the
        nearest, a tie down (R-072).

        Raises Illegal: `not-your-turn`, `not-open`, `below-minimum`, `above-maximum`, `too-late`, `action-pending`.
        """
        return Hand(play.act(self.state, action, seat, accepted=accepted))

    def fold(self, seat: int) -> Hand:
        """A seat's hand is out, in turn or not: a fold out of turn counts at once (R-221), so does a killed hand.

        Raises Illegal (`not-open`) where the seat has no live hand, `too-late` when every pot is paid.
        """
        return Hand(play.fold(self.state, seat))

    def forfeit(self, chips: int) -> Hand:
        """The seat to act folds and leaves chips in the pot that it had pushed and may not take back (TDA 51-B).

        Raises Illegal (`above-maximum`) where that is more than the call, `not-open` where nobody is to act.
        """
        return Hand(play.forfeit(self.state, chips))

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
        return Hand(play.bring_in(self.state, seat))

    def deal(self, street: str, first: int | None = None, *, doubled: bool = False) -> Hand:
        """The round's bets are gathered and the next street begins; in stud the dealer names who is first.

        `doubled`: an open pair lets anybody bet the size of the last street as well, in fixed limit (R-130).

        Raises Illegal: `action-pending` while somebody is to act, `too-late` when the hand or its streets are over,
        `not-open` for another street than the next, or a missing or impossible `first`.
        """
        return Hand(play.deal(self.state, street, first, doubled=doubled))

    def award(self, winners: Sequence[Sequence[int] | Parts], taken: Sequence[int] = ()) -> Hand:
        """Pay every pot, from the last side pot to the main pot (R-264).

        `winners` names for each of `pots`, main pot first, the seats that split it, or its `Parts`. Splits go down to
        multiples of the betting unit; odd units go to the winners left of the button, or to the first name, as the
        house says. `taken` is what the house takes out of each pot before it is split (R-284, R-285).

        Raises Illegal: `action-pending` while betting is not over, `too-late` when the pots are paid, `not-open` where
        the winners do not fit the pots.
        """
        return Hand(play.award(self.state, self.pots, winners, taken))

    def pass_out(self) -> Hand:
        """Nobody has opened, and nobody wins: the pot is carried to the next hand (R-307: `carried` of `start`).

        Raises Illegal: `action-pending` while somebody is to act, `not-open` once somebody has bet or a hand is the
        only one left, `too-late` when the hand is over.
        """
        return Hand(play.pass_out(self.state))

    def _seats_of(self, positions: int) -> frozenset[int]:
        return frozenset([seat for p, seat in enumerate(self.seats) if positions >> p & 1])
