"""The table as it stands and how it came there: every step goes through `Table.apply`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from betline import steps
from betline.steps import Step, TableSetup
from table_controller.betting import Hand, Illegal
from table_controller.positions import KillRecord, Player, first_positions, known_positions, options_of, structure_of
from table_controller.rulings import (
    acts,
    clock,
    corrections,
    dealer,
    hands,
    house_money,
    open_stakes,
    order,
    outcomes,
    race,
    seating,
    stack_moves,
    stakes,
)
from table_controller.rulings.ruling import Refusal, Ruling, RulingKind, Settled
from table_controller.rulings.state import Effect, State

_HANDLERS: dict[type, Callable[[State, Any], Effect]] = {
    steps.Act: acts.act,
    steps.Expires: acts.expires,
    steps.FloorDecision: acts.floor_decision,
    steps.Deal: dealer.deal,
    steps.BringIn: dealer.bring_in,
    steps.Straddle: dealer.straddle,
    steps.Award: dealer.award,
    steps.PassOut: dealer.pass_out,
    steps.Chop: dealer.chop,
    steps.CorrectsButton: hands.corrects_button,
    steps.Misdeal: dealer.misdeal,
    steps.Fouled: dealer.fouled,
    steps.Counts: dealer.counts,
    steps.NextHand: hands.next_hand,
    steps.Sits: seating.sits,
    steps.Leaves: seating.leaves,
    steps.Away: seating.away,
    steps.Back: seating.back,
    steps.Penalty: seating.penalty,
    steps.TakesRock: outcomes.takes_rock,
    steps.TakesKill: outcomes.takes_kill,
    steps.Adds: stakes.adds,
    steps.Behind: stakes.behind,
    steps.Borrows: open_stakes.borrows,
    steps.Moves: stack_moves.moves,
    steps.Race: race.race,
    steps.AfterMinutes: clock.after_minutes,
    steps.LastTwo: clock.last_two,
}


_MONEY_OR_SEATS = (
    steps.Sits, steps.Leaves, steps.Adds, steps.Borrows, steps.Moves, steps.Behind, steps.Counts, steps.Race,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A state, and the chain of tables of this hand that led to it."""

    state: State
    before: Table | None = field(default=None, repr=False, compare=False)
    """The table before the last accepted step; None where nothing can be taken back."""
    step: Step | None = field(default=None, compare=False)
    """The last accepted step."""
    ruling: Ruling | None = field(default=None, compare=False)
    """How it was ruled, where it was an act."""
    replaced: Table | None = field(default=None, repr=False, compare=False)
    """The table before a correction that told the hand again: what undo goes back to."""
    awarded: Table | None = field(default=None, repr=False, compare=False)
    """The table before the last award, as long as that may be taken back (TDA 22)."""

    @classmethod
    def begin(cls, setup: TableSetup) -> Self:
        """A table as its setup says, with the forced bets posted where a hand begins.

        Raises Illegal: `setup` where it makes no hand, `unsupported` for what is not honoured yet.
        """
        return cls(_begin(setup))

    def apply(self, step: Step) -> Outcome:
        """What a step makes of the table; one that is refused leaves it as it is."""
        try:
            if isinstance(step, steps.Undo):
                return self._undo(step.count)
            if isinstance(step, steps.Corrects | steps.Records):
                return self._corrected(step)
            if isinstance(step, steps.Reopens):
                return self._reopened()
            if isinstance(step, steps.Counts) and step.bet is not None:
                return self._bet_counted(step.seat, step.bet, step)
            if isinstance(step, steps.Kills):
                effect = dealer.kills(self.state, step, self._before_the_bet())
            else:
                effect = _HANDLERS[type(step)](self.state, step)
            if effect.state.between_hands and not self.state.between_hands:
                effect = _ended(self.state, effect, awarded=isinstance(step, steps.Award))
        except Illegal as refusal:
            return self._refused(step, refusal)
        before = replace(self, before=None, replaced=None) if isinstance(step, steps.NextHand) else self
        table = Table(effect.state, before, step, effect.ruling, awarded=self._award_that_stands(step, effect.state))
        alerts = tuple(dict.fromkeys((*(effect.ruling.alerts if effect.ruling else ()), *effect.alerts)))
        return Outcome(table=table, ruling=effect.ruling, alerts=alerts, settled=effect.settled)

    def _refused(self, step: Step, refusal: Illegal) -> Outcome:
        seat = getattr(step, "seat", None)
        bets = {} if self.state.hand is None else self.state.hand.bets
        to = bets.get(seat, 0) if seat is not None else 0
        ruling = Ruling(ruling=RulingKind.ILLEGAL, seat=seat, to=to, sentence=refusal.sentence)
        alerts = refusal.alerts if isinstance(refusal, order.Alerting) else ()
        return Outcome(
            table=self, ruling=ruling, alerts=alerts, error=Refusal(refusal.code, refusal.sentence)
        )  # fmt: skip

    def _award_that_stands(self, step: Step, after: State) -> Table | None:
        """The table before the award that `reopens` would take back; none once chips or seats have moved otherwise."""
        if isinstance(step, steps.Award):
            return Table(self.state)
        ended = after.between_hands and not self.state.between_hands
        return None if ended or isinstance(step, _MONEY_OR_SEATS) else self.awarded

    def _reopened(self) -> Outcome:
        """The last award is taken back, until substantial action of the next hand (TDA 22; R-049)."""
        state = self.state
        later = state.hand is not None and (state.substantial or state.hand.street != state.structure.streets[0])
        if self.awarded is None or (later and not state.between_hands):
            raise Illegal("too-late", "The last award stands: take back single steps with undo.")
        before = replace(self.awarded.state, minutes=state.minutes)
        return Outcome(table=replace(self.awarded, state=before, replaced=self))

    def _before_the_bet(self) -> Hand | None:
        """The hand before the bet that is to be matched was made; None where a forced bet is."""
        hand, table = self.state.hand, self.before
        while hand is not None and table is not None and table.state.hand is not None:
            if table.state.hand.street != hand.street:
                return None
            if table.state.hand.level < hand.level:
                return table.state.hand
            table = table.before
        return None

    def _bet_counted(self, seat: int, bet: int, step: Step) -> Outcome:
        """The dealer has counted a bet: the record follows it, `ledger-off` tells that it differed (R-074)."""
        hand = acts.hand_of(self.state)
        if hand.bets.get(seat, 0) == bet:
            return Outcome(table=Table(self.state, self, step, awarded=self.awarded))
        corrected = self._corrected(steps.Records(street=hand.street, seat=seat, to=bet))
        return replace(corrected, alerts=("ledger-off",))

    def _undo(self, count: int) -> Outcome:
        table = self
        for _ in range(count):
            earlier = table.before if table.replaced is None else table.replaced
            if earlier is None:
                raise Illegal("too-late", "There is no step of this hand left to take back.")
            table = earlier
        return Outcome(table=table)

    def _corrected(self, step: steps.Corrects | steps.Records) -> Outcome:
        """Tells the hand again with one act put right (R-049, TDA 52)."""
        chain: list[tuple[Table, Step, Ruling | None]] = []
        table = self
        while table.before is not None and table.step is not None and not isinstance(table.step, steps.NextHand):
            chain.append((table.before, table.step, table.ruling))
            table = table.before
        chain.reverse()
        number = corrections.find([(before.state, done) for before, done, _ in chain], self.state, step)
        told = chain[number][0]
        for place, (before, done, ruling) in enumerate(chain[number:]):
            again = done
            if place == 0:
                again = corrections.put_right(told.state, done, step)
            elif isinstance(step, steps.Corrects):
                again = corrections.as_ruled(before.state, told.state, done, ruling)
            outcome = told.apply(again)
            if outcome.error is not None:
                sentence = f"The hand cannot be told again so: {outcome.error.sentence}"
                raise Illegal(outcome.error.code, sentence)
            told = outcome.table
        return Outcome(table=replace(told, replaced=self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a step: the table after it, the ruling of an act, and the refusal where it was refused."""

    table: Table
    ruling: Ruling | None = None
    alerts: tuple[str, ...] = ()
    error: Refusal | None = None
    settled: tuple[Settled, ...] = ()


def _ended(before: State, effect: Effect, *, awarded: bool) -> Effect:
    """The table at the end of a hand: the house has its part, and what the hand leaves behind is known."""
    taken = house_money.out_of_pots(before, before.hand) if awarded and before.hand is not None else ()
    after = outcomes.carried_over(effect.state, [taking.amount for taking in taken])
    after = outcomes.with_short_winners(house_money.hand_over(after, taken))
    charged = clock.collected(after)
    alerts = effect.alerts if charged is after else (*effect.alerts, clock.TIME_DUE)
    return replace(effect, state=charged, alerts=alerts)


def _begin(setup: TableSetup) -> State:
    structure, options = structure_of(setup.game), options_of(setup.house)
    players = {
        seat: Player(stack, away=seat in setup.missed, missed=setup.missed.get(seat, ()))
        for seat, stack in setup.seats.items()
    }
    state = State(
        game=setup.game, house=setup.house, structure=structure, options=options, players=players,
        in_front=setup.in_front, kills=KillRecord(setup.kill, legs=setup.legs), rock=setup.rock,
    )  # fmt: skip
    if setup.last_hand is not None:
        last = setup.last_hand
        known = [seat for seat, player in players.items() if player.stack and not player.away]
        positions = known_positions(structure, options, known, last.button, last.small_blind, last.big_blind)
        return replace(state, last=positions)
    if setup.button is None:
        return state
    if setup.start is not None:
        start = setup.start
        hand = Hand.resume(
            structure, options, setup.seats, setup.button, street=start.street, pot=start.pot, paid=start.paid,
            folded=start.folded, first=start.first,
        )  # fmt: skip
        seats = frozenset(setup.seats)
        placed = hands.positions_of_a_hand_in_its_middle(structure, options, seats, setup.button)
        return replace(state, hand=hand, placed=placed)
    seats_in = tuple([seat for seat, player in sorted(players.items()) if player.stack and not player.away])
    return hands.posted(state, first_positions(structure, options, seats_in, setup.button))
