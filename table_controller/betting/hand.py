"""One hand of poker, from the forced bets to the last pot: what it asks at any moment, and what an act makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add, sub

from table_controller.betting import pots as pot_rules
from table_controller.betting import sizes, turns
from table_controller.betting.acts import Act, Action, ActionKind, Illegal
from table_controller.betting.forced import NOT_ACTED, SLEEPS, Post, clockwise, post_all, standard_posts
from table_controller.betting.pots import Parts, Payout, PayoutKind, Pot
from table_controller.betting.structure import (
    BettingOptions,
    BringInEqual,
    HeadsUpCap,
    Limit,
    OddChip,
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortAllIn,
    ShortBlindPot,
    ShortOpenAllIn,
    Structure,
    SubstantialAction,
)

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Setup:
    """What does not change during a hand; positions are clockwise from the left of the button."""

    structure: Structure
    options: BettingOptions
    button: int
    seats: tuple[int, ...]
    position_of: Mapping[int, int]
    starting: tuple[int, ...]
    reserve: tuple[int, ...]
    """What each stack holds beyond the cap of a cap game: it cannot be bet (R-126)."""
    big_bet: bool
    half_counts: bool
    big_blind: int
    small_blinds: tuple[int, ...]
    missing_blinds: int
    """What blinds that are missing or short lack of the full ones (R-157)."""
    last_forced: int
    """Position of the last blind or straddle; -1 where none was posted or the hand began in the middle."""


@dataclass(frozen=True, slots=True)
class Hand:
    """An immutable hand. Every question is answered in seats and whole chips; `act` and its like make a new hand.

    Make one with `Hand.start` or `Hand.resume`; the fields with a leading underscore are by position and private.
    Undoing an act is keeping the hand from before it.
    """

    setup: Setup
    _street: int
    _behind: tuple[int, ...]
    _wagers: tuple[int, ...]
    _paid: tuple[int, ...]
    _acted: tuple[int, ...]
    _live: int
    _able: int
    _dead: int
    pot: int
    """All chips in the pots and in front of the seats."""
    level: int
    """The bet to match this round."""
    last_raise: int
    """The largest full bet or raise of this round, at first the minimum bet (R-081)."""
    _full: int
    _raises: int
    _capped: bool
    _entrants: int
    acts: int
    """Actions taken on this street; forced bets are none."""
    acts_with_chips: int
    aggressive_acts: int
    """Bets, raises and completions of this street, short all-ins among them."""
    _aggressor: int
    _turn: int
    last_act: Act | None
    payouts: tuple[Payout, ...]
    """All that has gone from the middle to a seat so far, in order."""
    _bring_in: int

    # making a hand

    @classmethod
    def start(
        cls, structure: Structure, options: BettingOptions, stacks: Mapping[int, int], button: int,
        posts: Sequence[Post] | None = None, carried: int = 0,
    ) -> Hand:  # fmt: skip
        """Begin a hand: antes and forced bets are put in, and the first seat is to act.

        `stacks` names the seats that are dealt in. `posts` are all the forced bets but the antes of `structure`, in
        posting order; None: the blinds of the structure, clockwise from the button. `carried` is money of an earlier
        hand that nobody won (R-307). In stud the hand waits for `bring_in`.

        Raises Illegal (`setup`) where this makes no hand.
        """
        seats = clockwise(tuple(stacks), button)
        _check_seats(stacks, button, least=1)
        position_of = {seat: position for position, seat in enumerate(seats)}
        starting = tuple([stacks[seat] for seat in seats])
        behind, reserve = _capped_stacks(starting, structure.cap, (0,) * len(seats))
        if posts is None:
            posts = standard_posts(structure, options, seats, button)
        opening = post_all(structure, options, behind, position_of, button, posts)
        players = len(seats)
        setup = Setup(
            structure=structure, options=options, button=button, seats=seats, position_of=position_of,
            starting=starting, reserve=reserve, big_bet=structure.limit.is_big_bet,
            half_counts=_half_counts(structure, options), big_blind=opening.big_blind,
            small_blinds=opening.small_blinds,
            missing_blinds=max(sum(structure.blinds) - opening.blinds_in, 0) if posts else 0,
            last_forced=opening.first_after,
        )  # fmt: skip
        everyone = (1 << players) - 1
        able = sum([1 << p for p in range(players) if opening.behind[p]])
        wagers, acted = tuple(opening.wagers), tuple(opening.acted)
        size = structure.bet_range(0)[0]
        waits = structure.bring_in > 0
        first = (opening.first_after + 1) % players
        return cls(
            setup=setup, _street=0, _behind=tuple(opening.behind), _wagers=wagers, _paid=tuple(opening.paid),
            _acted=acted, _live=everyone, _able=able, _dead=opening.dead + carried,
            pot=opening.dead + carried + sum(opening.wagers) + sum(opening.paid), level=opening.level,
            last_raise=opening.last_raise if setup.big_bet else size, _full=opening.level if opening.level >= size else 0,
            _raises=opening.straddles if options.straddle_counts_as_raise else 0, _capped=False, _entrants=players,
            acts=0, acts_with_chips=0, aggressive_acts=0, _aggressor=NOBODY,
            _turn=NOBODY if waits else turns.next_to_act(first, able, everyone, opening.level, wagers, acted),
            last_act=None, payouts=(), _bring_in=NOBODY,
        )._after_forced_bets(waits=waits)  # fmt: skip

    @classmethod
    def resume(
        cls, structure: Structure, options: BettingOptions, stacks: Mapping[int, int], button: int, *, street: str,
        pot: int, paid: Mapping[int, int] | None = None, folded: Sequence[int] = (), first: int | None = None,
    ) -> Hand:  # fmt: skip
        """Begin on a later street: nothing is posted, `stacks` is what remains.

        `pot` came from all the seats in equal shares, or from those of `paid`, whose amounts make it. The first live
        seat left of the button acts first, in stud the seat `first`.

        Raises Illegal (`setup`) where this makes no hand.
        """
        _check_seats(stacks, button, least=0)
        seats = clockwise(tuple(stacks), button)
        position_of = {seat: position for position, seat in enumerate(seats)}
        shares = _shares_of_pot(pot, paid, seats)
        if street not in structure.streets:
            raise Illegal("setup", f"There is no street {street!r}; there are {', '.join(structure.streets)}.")
        if unknown := [seat for seat in folded if seat not in position_of]:
            raise Illegal("setup", f"Seat {unknown[0]} has folded but is not in the hand.")
        behind, reserve = _capped_stacks(tuple([stacks[s] for s in seats]), structure.cap, shares)
        setup = Setup(
            structure=structure, options=options, button=button, seats=seats, position_of=position_of,
            starting=tuple([stacks[s] + shares[position_of[s]] for s in seats]), reserve=reserve,
            big_bet=structure.limit.is_big_bet, half_counts=_half_counts(structure, options),
            big_blind=NOBODY, small_blinds=(), missing_blinds=0, last_forced=NOBODY,
        )  # fmt: skip
        live = sum([1 << p for p, seat in enumerate(seats) if seat not in folded])
        if not live & (live - 1):
            raise Illegal("setup", "At least two seats must still be in the hand.")
        players = len(seats)
        hand = cls(
            setup=setup, _street=0, _behind=tuple(behind), _wagers=(0,) * players, _paid=shares, _acted=(0,) * players,
            _live=live, _able=sum([1 << p for p in range(players) if live >> p & 1 and behind[p]]), _dead=0, pot=pot,
            level=0, last_raise=0, _full=0, _raises=0, _capped=False, _entrants=players, acts=0, acts_with_chips=0,
            aggressive_acts=0, _aggressor=NOBODY, _turn=NOBODY, last_act=None, payouts=(), _bring_in=NOBODY,
        )  # fmt: skip
        return hand._open_street(structure.streets.index(street), first)

    # questions

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats dealt in, clockwise from the left of the button."""
        return self.setup.seats

    @property
    def street(self) -> str:
        """The name of the street."""
        return self.setup.structure.streets[self._street]

    @property
    def next_seat(self) -> int | None:
        """The seat that acts now; None when the round is over (or stud waits for its bring-in)."""
        return None if self._turn < 0 else self.setup.seats[self._turn]

    @property
    def bets(self) -> dict[int, int]:
        """Each seat's bet of this round."""
        return dict(zip(self.setup.seats, self._wagers, strict=True))

    @property
    def stacks(self) -> dict[int, int]:
        """What each seat has behind."""
        behind = zip(self._behind, self.setup.reserve, strict=True)
        return {seat: chips + kept for seat, (chips, kept) in zip(self.setup.seats, behind, strict=True)}

    @property
    def contributions(self) -> dict[int, int]:
        """What each seat has in the pot over the whole hand, without dead money."""
        return dict(zip(self.setup.seats, self._contributions(), strict=True))

    @property
    def dead_money(self) -> int:
        """Chips of the main pot that are nobody's contribution: dead posts, a table's ante, a carried pot."""
        return self._dead

    @property
    def folded(self) -> frozenset[int]:
        """Seats whose hand is out."""
        return self._seats_of(~self._live)

    @property
    def all_in(self) -> frozenset[int]:
        """Live seats that have nothing left to bet (in a cap game: that have reached the cap)."""
        return self._seats_of(self._live & ~self._able)

    @property
    def in_hand(self) -> frozenset[int]:
        """Seats that can still win something."""
        return self._seats_of(self._live)

    @property
    def has_acted(self) -> frozenset[int]:
        """Seats that have acted on this street; posting is not acting (R-006)."""
        return frozenset([s for s, memory in zip(self.setup.seats, self._acted, strict=True) if memory >= 0])

    @property
    def awaiting_bring_in(self) -> bool:
        """Stud: the dealer must name the seat that brings it in before anybody acts (R-202)."""
        return (
            self._bring_in < 0
            and self._street == 0
            and self.setup.structure.bring_in > 0
            and bool(self._live & (self._live - 1))
        )

    @property
    def round_over(self) -> bool:
        """Nobody has anything to decide on this street."""
        return self._turn < 0 and not self.awaiting_bring_in

    @property
    def betting_over(self) -> bool:
        """Nobody will have anything to decide any more: the last street is done, or at most one player has chips."""
        return self.round_over and (
            self._street == len(self.setup.structure.streets) - 1 or not self._able & (self._able - 1)
        )

    @property
    def hand_over(self) -> bool:
        """Every pot is paid."""
        return self._turn < 0 and (not self._live & (self._live - 1) or (self.pot == 0 and self.betting_over))

    @property
    def to_call(self) -> int | None:
        """What the seat to act must add to call, at most its stack; None where nobody is to act."""
        turn = self._turn
        if turn < 0:
            return None
        owed = self._matching() - self._wagers[turn]
        behind = self._behind[turn]
        return 0 if owed <= 0 else behind if behind < owed else owed

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """The least and the most that the seat to act may make it, within its stack; None where it may not.

        A seat that can only go all-in for less sees its all-in total twice.
        """
        if self._turn < 0 or self._why_no_raise() is not None:
            return None
        return self._raise_range()

    @property
    def min_raise_to(self) -> int | None:
        """The least that the seat to act may make it (a bet counts as a raise); None where it may not."""
        bounds = self.raise_range
        return None if bounds is None else bounds[0]

    @property
    def max_raise_to(self) -> int | None:
        """The most that the seat to act may make it; None where it may not raise."""
        bounds = self.raise_range
        return None if bounds is None else bounds[1]

    @property
    def pot_bet(self) -> sizes.PotBet | None:
        """Pot-limit: the reckoning of the pot bet of the seat to act, before its stack bounds it; else None."""
        if self._turn < 0 or self.setup.structure.limit is not Limit.POT_LIMIT:
            return None
        return self._pot_bet()

    @property
    def may(self) -> frozenset[ActionKind]:
        """The actions open to the seat to act; going all-in is one of these."""
        return frozenset([kind for kind in ActionKind if kind is not ActionKind.ALL_IN and self.why_not(kind) is None])

    def why_not(self, kind: ActionKind) -> tuple[str, str] | None:
        """Why an action is not open to the seat to act: a code and a sentence; None where it is open."""
        if self._turn < 0:
            return self._why_nobody_acts()
        facing = self._matching() > self._wagers[self._turn]
        match kind:
            case ActionKind.FOLD | ActionKind.ALL_IN:
                return None
            case ActionKind.CHECK if facing:
                return "not-open", f"There is a bet of {self.level}: call {self.to_call}, or fold."
            case ActionKind.CALL if not facing:
                return "not-open", "There is nothing to call: check."
            case ActionKind.CHECK | ActionKind.CALL:
                return None
        refusal = self._why_no_raise()
        if refusal is not None:
            return refusal
        proper = self._wager_kind()
        return None if proper is kind else ("not-open", f"This would be a {proper}, not a {kind}.")

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots, main pot first: those of the finished rounds, and of this one once it is over (R-260)."""
        if not self.pot:
            return ()
        contributions = self._contributions() if self._turn < 0 else self._paid
        seats = self.setup.seats
        return tuple([
            Pot(amount, tuple(sorted([seats[p] for p in positions])))
            for amount, positions in pot_rules.levels(contributions, self._live, self._dead)
        ])  # fmt: skip

    @property
    def substantial(self) -> bool:
        """Whether substantial action has taken place on this street (R-224)."""
        if self.setup.options.substantial_action is SubstantialAction.WSOP_LIVE:
            return self.acts >= 2
        return self.acts >= 3 or (self.acts >= 2 and self.acts_with_chips >= 1)

    @property
    def option(self) -> bool:
        """The seat to act has a live blind, post or straddle that nobody raised: it may check or raise (R-006, R-184)."""
        turn = self._turn
        return turn >= 0 and 0 < self.level == self._wagers[turn] and self._acted[turn] < 0

    @property
    def aggressor(self) -> int | None:
        """The seat of this street's last bet or raise; None where nobody has made one."""
        return None if self._aggressor < 0 else self.setup.seats[self._aggressor]

    @property
    def unopened(self) -> bool:
        """Nobody has bet on this street, and no blind is out."""
        return self.level == 0

    @property
    def only_opening_bet(self) -> bool:
        """The bet to match is the opening bet: the blind before the flop, the first bet later (TDA 51)."""
        return self.level > 0 and self.aggressive_acts <= (0 if self._street == 0 and self._blind_opens() else 1)

    def bet(self, seat: int) -> int:
        """The seat's bet of this round."""
        return self._wagers[self.setup.position_of[seat]]

    def stack(self, seat: int) -> int:
        """What the seat has behind."""
        position = self.setup.position_of[seat]
        return self._behind[position] + self.setup.reserve[position]

    def acted_at(self, seat: int) -> int | None:
        """The bet to match when the seat last acted on this street; None where it has not acted (R-010)."""
        memory = self._acted[self.setup.position_of[seat]]
        return None if memory < 0 else memory

    # acts

    def act(self, action: Action, seat: int | None = None, *, accepted: bool = False) -> Hand:
        """The seat to act takes an action.

        `seat` says who acts, and is refused where it is another's turn (`not-your-turn`). `accepted`: the size was
        illegal and nobody noticed, so it stands as put. An amount that is no multiple of the betting unit goes to the
        nearest, a tie down (R-072).

        Raises Illegal: `not-your-turn`, `not-open`, `below-minimum`, `above-maximum`, `too-late`, `action-pending`.
        """
        turn = self._turn
        if seat is not None and (turn < 0 or self.setup.seats[turn] != seat):
            if self._may_still_complete(seat, action.kind):
                return replace(self, _turn=self.setup.position_of[seat]).act(action)
            if turn >= 0:
                raise Illegal("not-your-turn", f"It is seat {self.next_seat}'s turn, not seat {seat}'s.")
        if turn < 0:
            raise Illegal(*self._why_nobody_acts())
        kind = action.kind
        if kind is ActionKind.FOLD:
            return self._fold(turn)
        wager, behind = self._wagers[turn], self._behind[turn]
        owed = self._matching() - wager
        if kind is ActionKind.CHECK:
            if owed > 0:
                raise Illegal(*_known(self.why_not(kind)))
            return self._put(turn, 0, ActionKind.CHECK)
        if kind is ActionKind.CALL or (kind is ActionKind.ALL_IN and behind <= owed):
            if owed <= 0:
                raise Illegal(*_known(self.why_not(ActionKind.CALL)))
            return self._put(turn, behind if behind < owed else owed, ActionKind.CALL)
        return self._put_wager(turn, action, accepted=accepted)

    def fold(self, seat: int) -> Hand:
        """A seat's hand is out, in turn or not: a fold out of turn counts at once (R-221), so does a killed hand.

        Raises Illegal (`not-open`) where the seat has no live hand, `too-late` when every pot is paid.
        """
        position = self.setup.position_of.get(seat, NOBODY)
        if self.hand_over:
            raise Illegal("too-late", "The hand is over.")
        if position < 0 or not self._live >> position & 1:
            raise Illegal("not-open", f"Seat {seat} has no live hand to fold.")
        return self._fold(position)

    def bring_in(self, seat: int) -> Hand:
        """Stud: the seat posts the bring-in, or what it has if less; until another has acted it may be moved (R-202).

        Raises Illegal: `not-open` where there is none to post, `too-late` when somebody has acted.
        """
        structure = self.setup.structure
        if not structure.bring_in or self._street:
            raise Illegal("not-open", "There is no bring-in to post here.")
        if self.acts:
            raise Illegal("too-late", "The next hand has acted: the bring-in stands where it is.")
        position = self.setup.position_of.get(seat, NOBODY)
        if position < 0:
            raise Illegal("not-open", f"Seat {seat} is not in the hand.")
        behind = [b + w for b, w in zip(self._behind, self._wagers, strict=True)]
        posted = min(structure.bring_in, behind[position])
        behind[position] -= posted
        players = len(behind)
        wagers = [0] * players
        wagers[position] = posted
        size = structure.bet_range(0)[0]
        optional = structure.bring_in >= size and self.setup.options.bring_in_equal is BringInEqual.LIVE_OPTION
        acted = [NOT_ACTED] * players
        acted[position] = NOT_ACTED if optional else SLEEPS
        able = sum([1 << p for p in range(players) if self._live >> p & 1 and behind[p]])
        turn = turns.next_to_act(
            (position + 1) % players, able, self._live, structure.bring_in, tuple(wagers), tuple(acted)
        )
        return replace(
            self, _behind=tuple(behind), _wagers=tuple(wagers), _acted=tuple(acted), _able=able,
            pot=self.pot - sum(self._wagers) + posted, level=structure.bring_in,
            _full=structure.bring_in if structure.bring_in >= size else 0, _turn=turn, _bring_in=position,
        )._settled()  # fmt: skip

    def deal(self, street: str, first: int | None = None) -> Hand:
        """The round's bets are gathered and the next street begins; in stud the dealer names who is first.

        Raises Illegal: `action-pending` while somebody is to act, `too-late` when the hand or its streets are over,
        `not-open` for another street than the next, or a missing or impossible `first`.
        """
        if not self.round_over:
            raise Illegal(*self._why_pending("The next street"))
        streets = self.setup.structure.streets
        if self.hand_over or self._street == len(streets) - 1:
            raise Illegal("too-late", "There is no street left to deal.")
        if street != streets[self._street + 1]:
            raise Illegal("not-open", f"The next street is {streets[self._street + 1]}, not {street}.")
        return self._open_street(self._street + 1, first)

    def award(self, winners: Sequence[Sequence[int] | Parts]) -> Hand:
        """Pay every pot, from the last side pot to the main pot (R-264).

        `winners` names for each of `pots`, main pot first, the seats that split it, or its `Parts`. Splits go down to
        multiples of the betting unit; odd units go to the winners left of the button, or to the first name, as the
        house says.

        Raises Illegal: `action-pending` while betting is not over, `too-late` when the pots are paid, `not-open` where
        the winners do not fit the pots.
        """
        if self.hand_over:
            raise Illegal("too-late", "The pots have been paid.")
        if not self.betting_over:
            raise Illegal(*self._why_pending("The award"))
        pots = self.pots
        if len(winners) != len(pots):
            raise Illegal("not-open", f"There are {len(pots)} pots to award, and winners of {len(winners)} were named.")
        paid: list[Payout] = []
        for number in reversed(range(len(pots))):
            paid += self._award_pot(number, pots[number], winners[number])
        behind = list(self._behind)
        for payout in paid:
            behind[self.setup.position_of[payout.seat]] += payout.amount
        return self._paid_out(tuple(behind), tuple(paid))

    # how acts change the hand

    def _put_wager(self, turn: int, action: Action, *, accepted: bool) -> Hand:
        """A bet, raise or completion."""
        refusal = self._why_no_raise()
        if refusal is not None:
            raise Illegal(*refusal)
        kind = action.kind
        proper = self._wager_kind()
        if kind is not proper and kind is not ActionKind.ALL_IN:
            raise Illegal("not-open", f"This would be a {proper}, not a {kind}.")
        wager = self._wagers[turn]
        everything = wager + self._behind[turn]
        least, most = self._raise_range()
        if kind is ActionKind.ALL_IN:
            to = everything
        elif action.to is not None:
            to = action.to
        elif least == most:
            to = least
        else:
            raise Illegal("not-open", f"The {kind} needs an amount from {least} to {most}.")
        unit = self.setup.structure.unit
        if unit > 1 and to != everything:
            to = sizes.to_unit(to, unit)
        if to > everything:
            raise Illegal("above-maximum", f"The stack allows {everything} at most, not {to}.")
        if proper is ActionKind.COMPLETE and to < least:
            proper = ActionKind.RAISE
        if accepted and to > self.level:
            return self._put(turn, to - wager, proper)
        if to < least:
            raise Illegal("below-minimum", f"Make it at least {least}, not {to}.")
        if to > most:
            raise Illegal("above-maximum", f"Make it at most {most}, not {to}.")
        return self._put(turn, to - wager, proper)

    def _put(self, turn: int, chips: int, kind: ActionKind) -> Hand:
        """Chips of a legal act go in, and the turn passes."""
        setup = self.setup
        wager = self._wagers[turn] + chips
        left = self._behind[turn] - chips
        following = turn + 1
        behind, wagers, able = self._behind, self._wagers, self._able
        if chips:
            behind = (*behind[:turn], left, *behind[following:])
            wagers = (*wagers[:turn], wager, *wagers[following:])
            if not left:
                able &= ~(1 << turn)
        level, last_raise, full, raises, capped = self.level, self.last_raise, self._full, self._raises, self._capped
        aggressor, aggressive = self._aggressor, self.aggressive_acts
        if wager > level:
            aggressor, aggressive = turn, aggressive + 1
            if setup.big_bet:
                if wager - level >= last_raise:
                    last_raise, full = wager - level, wager
            elif sizes.is_full(wager - full, last_raise, half_counts=setup.half_counts):
                if full:
                    raises += 1
                    capped = capped or self._caps(raises)
                last_raise = max(last_raise, min(wager - full, setup.structure.bet_range(self._street)[1]))
                full = wager
            level = wager
        acted = (*self._acted[:turn], level, *self._acted[following:])
        players = len(behind)
        turn_next = turns.next_to_act(
            following if following < players else 0, able, self._live, level, wagers, acted
        )  # fmt: skip
        hand = Hand(
            setup, self._street, behind, wagers, self._paid, acted, self._live, able, self._dead, self.pot + chips,
            level, last_raise, full, raises, capped, self._entrants, self.acts + 1,
            self.acts_with_chips + 1 if chips else self.acts_with_chips, aggressive, aggressor, turn_next,
            Act(setup.seats[turn], kind, wager, chips, not left), self.payouts, self._bring_in,
        )  # fmt: skip
        return hand if turn_next >= 0 else hand._settled()

    def _fold(self, position: int) -> Hand:
        setup = self.setup
        bit = 1 << position
        live, able = self._live & ~bit, self._able & ~bit
        turn = self._turn
        if turn >= 0:
            players = len(self._behind)
            start = (position + 1) % players if position == turn else turn
            turn = turns.next_to_act(start, able, live, self.level, self._wagers, self._acted)
            if not live & (live - 1):
                turn = NOBODY
        hand = Hand(
            setup, self._street, self._behind, self._wagers, self._paid, self._acted, live, able, self._dead, self.pot,
            self.level, self.last_raise, self._full, self._raises, self._capped, self._entrants, self.acts + 1,
            self.acts_with_chips, self.aggressive_acts, self._aggressor, turn,
            Act(setup.seats[position], ActionKind.FOLD, self._wagers[position], 0, all_in=False), self.payouts,
            self._bring_in,
        )  # fmt: skip
        return hand if turn >= 0 else hand._settled()

    def _after_forced_bets(self, *, waits: bool) -> Hand:
        return self if waits or self._turn >= 0 else self._settled()

    def _settled(self) -> Hand:
        """The round is over: what cannot be contested goes back, and a hand that all others folded to is won."""
        if self._turn >= 0 or self.awaiting_bring_in:
            return self
        hand = self
        while (settlement := pot_rules.settle(hand._contributions(), hand._live)) is not None:
            hand = hand._take(settlement)
        if not hand._live & (hand._live - 1) and hand.pot:
            winner = hand._live.bit_length() - 1
            behind = list(hand._behind)
            behind[winner] += hand.pot
            hand = hand._paid_out(
                tuple(behind), (Payout(self.setup.seats[winner], hand.pot, PayoutKind.POT, 0),)
            )  # fmt: skip
        return hand

    def _take(self, settlement: pot_rules.Settlement) -> Hand:
        taker, amount, contributions = settlement.taker, settlement.amount, settlement.contributions
        paid = tuple(map(min, self._paid, contributions))
        behind = list(self._behind)
        behind[taker] += amount
        uncalled = settlement.kind is PayoutKind.UNCALLED
        number = None if uncalled else sum(1 for _ in pot_rules.levels(contributions, self._live, self._dead))
        return replace(
            self, _behind=tuple(behind), _wagers=tuple(map(sub, contributions, paid)), _paid=paid,
            pot=self.pot - amount, _able=self._able | (1 << taker & self._live),
            payouts=(*self.payouts, Payout(self.setup.seats[taker], amount, settlement.kind, number)),
        )  # fmt: skip

    def _paid_out(self, behind: tuple[int, ...], payouts: tuple[Payout, ...]) -> Hand:
        nothing = (0,) * len(behind)
        return replace(
            self, _behind=behind, _wagers=nothing, _paid=nothing, _dead=0, pot=0, payouts=self.payouts + payouts
        )  # fmt: skip

    def _award_pot(self, number: int, pot: Pot, winners: Sequence[int] | Parts) -> list[Payout]:
        parts = winners.parts if isinstance(winners, Parts) else (tuple(winners),)
        if not parts or not all(parts):
            raise Illegal("not-open", f"Pot {number + 1} needs a winner.")
        for part in parts:
            if stranger := [seat for seat in part if seat not in pot.seats]:
                raise Illegal("not-open", f"Seat {stranger[0]} cannot win pot {number + 1}.")
            if len(set(part)) != len(part):
                raise Illegal("not-open", f"A seat is named twice for pot {number + 1}.")
        unit = self.setup.structure.unit
        by_name = self.setup.options.odd_chip is OddChip.HIGH_CARD_SUIT
        amounts: dict[int, int] = {}
        for (_, amount), part in zip(pot_rules.shares(pot.amount, range(len(parts)), unit), parts, strict=True):
            if by_name:
                split = pot_rules.shares_first(amount, part, unit)
            else:
                split = pot_rules.shares(amount, sorted(part, key=self.setup.position_of.__getitem__), unit)
            for seat, share in split:
                amounts[seat] = amounts.get(seat, 0) + share
        return [Payout(seat, amount, PayoutKind.POT, number) for seat, amount in amounts.items() if amount]

    def _open_street(self, street: int, first: int | None) -> Hand:
        setup = self.setup
        start = 0
        if setup.structure.opener_named and self._able & (self._able - 1):
            if first is None:
                raise Illegal("not-open", "Name the seat that is first on this street (`first`).")
            start = setup.position_of.get(first, NOBODY)
            if start < 0 or not self._live >> start & 1:
                raise Illegal("not-open", f"Seat {first} has no live hand and cannot be first.")
        players = len(self._behind)
        nothing, nobody_acted = (0,) * players, (NOT_ACTED,) * players
        return Hand(
            setup, street, self._behind, nothing, self._contributions(), nobody_acted, self._live, self._able,
            self._dead, self.pot, 0, setup.structure.bet_range(street)[0], 0, 0, False, self._live.bit_count(), 0, 0, 0,
            NOBODY, turns.next_to_act(start, self._able, self._live, 0, nothing, nobody_acted), None, self.payouts,
            NOBODY,
        )  # fmt: skip

    # sizes and rights

    def _matching(self) -> int:
        turn = self._turn
        if self._able & ~(1 << turn):
            return self.level
        return turns.matching(turn, self._able, self._live, self.level, self._wagers)

    def _raise_range(self) -> tuple[int, int]:
        setup, turn, level = self.setup, self._turn, self.level
        structure = setup.structure
        everything = self._wagers[turn] + self._behind[turn]
        limit = structure.limit
        if setup.big_bet:
            to_minimum = setup.options.short_open_all_in is ShortOpenAllIn.TO_MINIMUM
            min_bet = structure.bet_range(self._street)[0]
            least = sizes.no_limit_minimum(level, self.last_raise, min_bet, short_open_to_minimum=to_minimum)
            most = everything if limit is Limit.NO_LIMIT else self._pot_bet().maximum
        else:
            smallest, largest = structure.bet_range(self._street)
            least = sizes.limit_size(self._full, max(smallest, self.last_raise))
            most = sizes.limit_size(self._full, max(largest, self.last_raise))
        if structure.unit > 1:
            least = sizes.up_to_unit(least, structure.unit)
            most = sizes.to_unit(most, structure.unit)
        most = max(most, least)
        return (least if least < everything else everything), (most if most < everything else everything)

    def _pot_bet(self) -> sizes.PotBet:
        turn = self._turn
        round_total = sum(self._wagers)
        start = self.pot - round_total
        if self._street == 0 and self.setup.big_blind >= 0:
            start += self._assumed_in_pot()
        return sizes.pot_bet(
            level=self._matching(), bet=self._wagers[turn], round_total=round_total, start=start,
            round_to=self.setup.options.pot_round_to,
        )  # fmt: skip

    def _assumed_in_pot(self) -> int:
        """What counts as in the pot before the flop although it is not (R-155, R-156, R-157)."""
        setup, turn = self.setup, self._turn
        options = setup.options
        assumed = setup.missing_blinds if options.short_blind_pot is ShortBlindPot.FULL else 0
        big_blind = setup.structure.big_blind
        if options.pot_limit_preflop is PotLimitPreflop.ASSUMED_CALL and self._acted[setup.big_blind] < 0:
            assumed += sum([max(big_blind - self._wagers[p], 0) for p in setup.small_blinds if p != turn])
        folded_to = self._live == 1 << turn | 1 << setup.big_blind
        if options.pot_limit_small_blind is PotLimitSmallBlind.AS_POT and turn in setup.small_blinds and folded_to:
            assumed += self._wagers[turn] if self.level == big_blind else 0
        return assumed

    def _why_no_raise(self) -> tuple[str, str] | None:
        """Why the seat to act may not bet or raise; None where it may."""
        turn, level = self._turn, self.level
        setup = self.setup
        if self._wagers[turn] + self._behind[turn] <= self._matching():
            return "not-open", "The stack holds no more than the call."
        if not self._others_can_answer():
            return "not-open", "Nobody else can put in more (R-106)."
        memory = self._acted[turn]
        if memory >= 0:
            if not sizes.is_full(level - memory, self.last_raise, half_counts=setup.half_counts):
                return "not-open", f"Nobody has made a full raise since seat {self.next_seat} acted (R-100)."
        if self._capped:
            return "not-open", f"The cap of {setup.options.max_raises} raises is reached (R-121)."
        if (
            not level
            and setup.structure.limit is Limit.POT_LIMIT
            and setup.options.pot_below_minimum is PotBelowMinimum.NO_BET
            and self._pot_bet().maximum < self.last_raise
        ):
            return "not-open", f"The pot is smaller than the minimum bet of {self.last_raise} (R-151)."
        return None

    def _others_can_answer(self) -> bool:
        """Somebody else could put in more than the bet to match."""
        able, level, turn, behind = self._able, self.level, self._turn, self._behind
        for position, wager in enumerate(self._wagers):
            if position != turn and able >> position & 1 and wager + behind[position] > level:
                return True
        return False

    def _caps(self, raises: int) -> bool:
        """Whether this raise caps the round; once capped, a fold does not uncap it (R-121)."""
        options = self.setup.options
        if options.max_raises is None or raises < options.max_raises:
            return False
        match options.heads_up_cap:
            case HeadsUpCap.ALWAYS:
                return True
            case HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP:
                return self._entrants > 2
            case HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP:
                return self._live.bit_count() > 2

    def _wager_kind(self) -> ActionKind:
        """What more chips than the call would be: a bet, a raise, or the completion of an incomplete bet (R-104)."""
        if not self.level:
            return ActionKind.BET
        return ActionKind.RAISE if self.setup.big_bet or self.level == self._full else ActionKind.COMPLETE

    def _may_still_complete(self, seat: int, kind: ActionKind) -> bool:
        """The bring-in may be completed by its poster until another seat has acted (R-202)."""
        return (
            kind is ActionKind.COMPLETE
            and self._bring_in >= 0
            and self.acts == 0
            and self.setup.seats[self._bring_in] == seat
        )

    def _why_nobody_acts(self) -> tuple[str, str]:
        if self.hand_over:
            return "too-late", "The hand is over."
        if self.awaiting_bring_in:
            return "action-pending", "Name the seat that brings it in first."
        if self.betting_over:
            return "not-open", "The betting of the hand is over: deal what is left, or award the pots."
        return "not-open", "The betting round is over: deal the next street."

    def _why_pending(self, what: str) -> tuple[str, str]:
        if self._turn >= 0:
            return "action-pending", f"{what} must wait: seat {self.next_seat} is to act."
        if self.awaiting_bring_in:
            return "action-pending", f"{what} must wait: name the seat that brings it in."
        return "action-pending", f"{what} must wait: streets with betting are still to be dealt."

    def _contributions(self) -> tuple[int, ...]:
        return tuple(map(add, self._paid, self._wagers))

    def _seats_of(self, positions: int) -> frozenset[int]:
        return frozenset([seat for p, seat in enumerate(self.setup.seats) if positions >> p & 1])

    def _blind_opens(self) -> bool:
        return self.setup.last_forced >= 0 or self._bring_in >= 0


def _check_seats(stacks: Mapping[int, int], button: int, *, least: int) -> None:
    if len(stacks) < 2:
        raise Illegal("setup", "A hand needs at least two seats.")
    for seat in (*stacks, button):
        if not 1 <= seat <= 10:
            raise Illegal("setup", f"Seats are 1 to 10, not {seat}.")
    for seat, stack in stacks.items():
        if stack < least:
            raise Illegal("setup", f"Seat {seat} has {stack} chips and cannot be dealt in.")


def _capped_stacks(
    stacks: tuple[int, ...], cap: int | None, paid: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:  # fmt: skip
    """What each may still bet, and what a cap game keeps out of it (R-126)."""
    if cap is None:
        return stacks, (0,) * len(stacks)
    playable = tuple([min(stack, max(cap - gone, 0)) for stack, gone in zip(stacks, paid, strict=True)])
    return playable, tuple([stack - part for stack, part in zip(stacks, playable, strict=True)])


def _shares_of_pot(pot: int, paid: Mapping[int, int] | None, seats: tuple[int, ...]) -> tuple[int, ...]:
    if pot < 0:
        raise Illegal("setup", f"The pot cannot be {pot}.")
    if paid is None:
        each, over = divmod(pot, len(seats))
        if over:
            raise Illegal("setup", f"{len(seats)} seats cannot have put in equal shares of {pot}: say who put in what.")
        return (each,) * len(seats)
    if unknown := [seat for seat in paid if seat not in seats]:
        raise Illegal("setup", f"Seat {unknown[0]} has put in chips but is not in the hand.")
    shares = tuple([paid.get(seat, 0) for seat in seats])
    if min(shares) < 0 or sum(shares) != pot:
        raise Illegal("setup", f"The seats have put in {sum(shares)}, which does not make a pot of {pot}.")
    return shares


def _half_counts(structure: Structure, options: BettingOptions) -> bool:
    return not structure.limit.is_big_bet and options.short_all_in is ShortAllIn.HALF


def _known(reason: tuple[str, str] | None) -> tuple[str, str]:
    if reason is None:
        raise AssertionError("an act was refused without a reason")
    return reason
