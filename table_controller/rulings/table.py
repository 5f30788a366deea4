"""The table as it stands and how it came there: every step goes through `Table.apply`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self, get_args

from betline import steps
from betline.steps import Step, TableSetup
from table_controller.betting import Hand, Illegal
from table_controller.positions import KillRecord, Player, first_positions, known_positions, options_of, structure_of
from table_controller.rulings.acts import acts, cards, dealer, order, run_out
from table_controller.rulings.between import clock, hands, open_stakes, race, seating, stack_moves, stakes
from table_controller.rulings.redo import corrections, overrides
from table_controller.rulings.redo.otherwise import Replayed, RuledOtherwise, moved, otherwise
from table_controller.rulings.redo.overrides import Decreed
from table_controller.rulings.values import house_money, outcomes
from table_controller.rulings.values.reckoning import Reckoning
from table_controller.rulings.values.ruling import Refusal, Ruling, RulingKind, Settled
from table_controller.rulings.values.sentences import named_rules
from table_controller.rulings.values.state import Effect, State

_HANDLERS: dict[type, Callable[[State, Any], Effect]] = {
    steps.Act: acts.act,
    steps.ClockExpired: acts.expires,
    steps.FloorDecision: acts.floor_decision,
    Decreed: overrides.decreed,
    steps.Deal: dealer.deal,
    steps.RunIt: run_out.run_it,
    steps.LayCards: cards.lays,
    steps.BringIn: dealer.bring_in,
    steps.Straddle: dealer.straddle,
    steps.Award: dealer.award,
    steps.PassOut: dealer.pass_out,
    steps.ChopBlinds: dealer.chop,
    steps.CorrectButton: hands.corrects_button,
    steps.Misdeal: hands.misdeal,
    steps.FouledDeck: hands.fouled,
    steps.Count: dealer.counts,
    steps.NextHand: hands.next_hand,
    steps.SitDown: seating.sits,
    steps.NamePlayer: seating.names,
    steps.Leave: seating.leaves,
    steps.ChangeSeat: seating.changes_seat,
    steps.KeepSeat: seating.keeps_seat,
    steps.SitOut: seating.away,
    steps.Return: seating.back,
    steps.Penalty: seating.penalty,
    steps.TakeRock: outcomes.takes_rock,
    steps.KillPot: outcomes.takes_kill,
    steps.Rebuy: stakes.adds,
    steps.MoneyBehind: stakes.behind,
    steps.Borrow: open_stakes.borrows,
    steps.MoveChips: stack_moves.moves,
    steps.ColorUp: race.race,
    steps.AfterMinutes: clock.after_minutes,
    steps.LastTwo: clock.last_two,
}


_MONEY_OR_SEATS = (
    steps.SitDown, steps.Leave, steps.ChangeSeat, steps.Rebuy, steps.Borrow, steps.MoveChips, steps.MoneyBehind,
    steps.Count, steps.ColorUp,
)  # fmt: skip

_BEGIN_A_HAND = (steps.NextHand, steps.Misdeal, steps.FouledDeck)
_OF_THIS_MOMENT = ("dead", "reopened")


@dataclass(frozen=True, slots=True)
class Table:
    """A state, and the chain of tables of this hand that led to it."""

    state: State
    before: Table | None = field(default=None, repr=False, compare=False)
    """The table before the last accepted step; None where nothing can be taken back."""
    step: Step | Decreed | None = field(default=None, compare=False)
    """The last accepted step."""
    ruling: Ruling | None = field(default=None, compare=False)
    """How it was ruled, where it was an act."""
    settled: tuple[Settled, ...] = field(default=(), compare=False)
    """Held acts that it settled."""
    replaced: Table | None = field(default=None, repr=False, compare=False)
    """The table before a correction that replayed the hand: what undo goes back to."""
    awarded: Table | None = field(default=None, repr=False, compare=False)
    """The table before the last award, as long as that may be taken back (TDA 22)."""

    @classmethod
    def begin(cls, setup: TableSetup) -> Self:
        """A table as its setup says, with the forced bets posted where a hand begins.

        Raises Illegal: `setup` where it makes no hand, `unsupported` for what is not honoured yet.
        """
        return cls(_begin(setup))

    def apply(self, step: Step | Decreed) -> Outcome:
        """What a step makes of the table; one that is refused leaves it as it is."""
        if isinstance(step, steps.FloorDecision):
            step = self._ruled_freely(step) or step
        try:
            if isinstance(step, steps.Undo):
                return self._undo(step.count)
            if isinstance(step, steps.CorrectBet | steps.CorrectRecord):
                return self._corrected(step)
            if isinstance(step, steps.Override) and step.ruling not in _OF_THIS_MOMENT:
                return self._overruled(step)
            if isinstance(step, steps.ReopenAward):
                return self._reopened()
            if isinstance(step, steps.Count) and step.bet is not None:
                return self._bet_counted(step.seat, step.bet, step)
            if isinstance(step, steps.KillHand):
                effect = dealer.kills(self.state, step, self._before_the_bet())
            elif isinstance(step, steps.Override):
                effect = self._of_this_moment(step)
            else:
                effect = _HANDLERS[type(step)](self.state, step)
            if effect.state.between_hands and not self.state.between_hands:
                effect = _ended(self.state, effect, awarded=isinstance(step, steps.Award))
        except Illegal as refusal:
            return self._refused(step, refusal)
        next_one = isinstance(step, steps.NextHand) and self.state.between_hands
        before = replace(self, before=None, replaced=None) if next_one else self
        awarded = self._award_that_stands(step, effect.state)
        table = Table(effect.state, before, step, effect.ruling, effect.settled, awarded=awarded)
        alerts = tuple(dict.fromkeys((*(effect.ruling.alerts if effect.ruling else ()), *effect.alerts)))
        return Outcome(
            table=table, ruling=effect.ruling, alerts=alerts, settled=effect.settled, cites=effect.cites,
            reckoning=effect.reckoning,
        )  # fmt: skip

    def _ruled_freely(self, step: steps.FloorDecision) -> steps.Override | None:
        """The floor's decision that was not on offer, where it gives its reason (TDA 1); None for any other."""
        question = self.state.floor
        if question is None or not step.why or step.choice in question.verdict.offers:
            return None
        ruling = next((one for one in get_args(steps.FloorRuling) if one == step.ruling), None)
        if ruling is None:
            return None
        return steps.Override(seat=question.seat, ruling=ruling, to=step.to, by="floor", why=step.why)

    def paid(self, seat: int, amount: int) -> Table:
        """The same table after chips that were seen to pay so much of what a seat owes."""
        lies = self.state.laid.get(seat)
        if lies is None or self.state.hand is None:
            return self
        paid = amount >= self.state.owed(seat)
        return replace(self, state=self.state.with_laid(seat, None if paid else lies + amount))

    def _refused(self, step: Step | Decreed, refusal: Illegal) -> Outcome:
        seat = getattr(step, "seat", None)
        bets = {} if self.state.hand is None else self.state.hand.bets
        to = bets.get(seat, 0) if seat is not None else 0
        ruling = Ruling(
            ruling=RulingKind.ILLEGAL, seat=seat, to=to, sentence=refusal.sentence,
            cites=refusal.cites or named_rules(refusal.sentence),
        )  # fmt: skip
        alerts = refusal.alerts if isinstance(refusal, order.Alerting) else ()
        return Outcome(
            table=self, ruling=ruling, alerts=alerts, error=Refusal(refusal.code, refusal.sentence)
        )  # fmt: skip

    def _award_that_stands(self, step: Step | Decreed, after: State) -> Table | None:
        """The table before the award that `reopens` would take back; none once chips or seats have moved otherwise."""
        if isinstance(step, steps.Award):
            return Table(self.state)
        ended = after.between_hands and not self.state.between_hands
        waits = isinstance(step, steps.Leave | steps.ChangeSeat) and after.players.keys() == self.state.players.keys()
        return None if ended or (isinstance(step, _MONEY_OR_SEATS) and not waits) else self.awarded

    def _reopened(self) -> Outcome:
        """The last award is taken back, until substantial action of the next hand (TDA 22; R-049)."""
        state = self.state
        later = state.hand is not None and (state.substantial or state.hand.street != state.structure.streets[0])
        if self.awarded is None or (later and not state.between_hands):
            raise Illegal("too-late", "Take back single steps with undo: the last award stands (TDA 22).")
        before = self.awarded.state._replace(minutes=state.minutes)
        return Outcome(table=replace(self.awarded, state=before, replaced=self), cites=("TDA-22",))

    def _before_the_bet(self) -> Hand | None:
        """The hand before the bet that is to be matched was made; None where a forced bet is."""
        hand, table = self.state.hand, self.before
        while hand is not None and table is not None and table.state.hand is not None:
            if table.state.hand.street != hand.street:
                return None
            if table.state.hand.level < hand.level:
                return table.state.hand
            table = None if isinstance(table.step, _BEGIN_A_HAND) else table.before
        return None

    def _bet_counted(self, seat: int, bet: int, step: Step) -> Outcome:
        """The dealer has counted a bet: the record follows it, `ledger-off` says that it differed (R-074)."""
        hand = acts.hand_of(self.state)
        if hand.bets.get(seat, 0) == bet:
            return Outcome(table=Table(self.state, self, step, awarded=self.awarded))
        corrected = self._corrected(steps.CorrectRecord(street=hand.street, seat=seat, to=bet))
        return replace(corrected, alerts=("ledger-off",))

    def _undo(self, count: int) -> Outcome:
        table = self
        for _ in range(count):
            earlier = table.before if table.replaced is None else table.replaced
            if earlier is None:
                raise Illegal("too-late", "Correct the record instead: no step of this hand is left to take back.")
            table = earlier
        return Outcome(table=table)

    def _corrected(self, step: steps.CorrectBet | steps.CorrectRecord) -> Outcome:
        """Replays the hand with one act put right (R-049, TDA 52).

        What came after a record is ruled on again; where that makes no hand it stands as it was ruled, as all does
        behind a bet that stands corrected.
        """
        story = self._story()
        number = corrections.find([(one.before.state, one.done, one.ruling) for one in story], self.state, step)
        since = story[number:]
        right = corrections.put_right(since[0].before.state, since[0].done, step)
        if isinstance(step, steps.CorrectBet):
            return replace(self._told_again(since, right, as_ruled=True), cites=("TDA-52",))
        try:
            return self._told_again(since, right, as_ruled=False, lies_there=step)
        except Illegal:
            return self._told_again(since, right, as_ruled=True, lies_there=step)

    def _overruled(self, step: steps.Override) -> Outcome:
        """Replays the hand with one act as the floor rules on it; what came after it stands as it was ruled."""
        story = self._story()
        number = overrides.find([(one.before.state, one.done) for one in story], self.state, step)
        since = self._with_what_lay_behind(story[number:], step)
        decreed = Decreed(since[0].done, step)
        outcome = self._told_again(since, decreed, as_ruled=True)
        changed = next((one.now for one in outcome.otherwise if not one.place), None)
        ruling = changed or since[0].before.apply(decreed).ruling
        return replace(outcome, ruling=ruling and replace(ruling, owes=max(outcome.moves.get(step.seat, 0), 0)))

    def _with_what_lay_behind(self, since: list[_Chapter], step: steps.Override) -> list[_Chapter]:
        """The floor makes chips that were found behind a bet a part of it: they are there when it is made (TDA 62)."""
        first, seat = since[0], step.seat
        then, now = first.before.state.hand, self.state.hand
        if then is None or now is None or step.to is None or step.ruling not in overrides.WAGERS:
            return since
        found = step.to - then.bet(seat) - then.stack(seat)
        counted = [
            (one.before.state, one.done) for one in since if isinstance(one.done, steps.Count) and one.done.seat == seat
        ]
        if found <= 0 or not counted or now.stack(seat) < found:
            return since
        off = sum([corrections.was_off(before, done) for before, done in counted])
        lay = first.before.apply(steps.Count(seat=seat, stack=then.stack(seat) + off)).table
        return [first._replace(before=lay), *[one for one in since[1:] if (one.before.state, one.done) not in counted]]

    def _told_again(
        self, since: Sequence[_Chapter], first: Step | Decreed, *, as_ruled: bool,
        lies_there: steps.CorrectRecord | None = None,
    ) -> Outcome:  # fmt: skip
        """The hand from a step on, with another one in its place; raises Illegal where that makes no hand.

        `as_ruled`: what followed stands as it was ruled. `lies_there` says what a seat has really put in.
        """
        if any(isinstance(chapter.done, steps.ColorUp) for chapter in since):
            raise Illegal("too-late", "Chips were coloured up since: the hand stands as it was ruled.")
        since = _counted_before(since, lies_there)
        replayed = since[0].before
        accounts: list[Replayed | None] = []
        for place, chapter in enumerate(since):
            step = first if not place else chapter.done
            if place and corrections.is_decided(replayed.state, step):
                accounts.append(None)
                continue
            if place and as_ruled:
                step = corrections.as_ruled(chapter.before.state, replayed.state, step, chapter.ruling)
            outcome = replayed.apply(step)
            if outcome.error is not None:
                why = f"The hand cannot be replayed that way: {outcome.error.sentence} Undo what came since first."
                raise Illegal(outcome.error.code, why)
            settled = outcome.settled
            if overrides.is_answered(outcome.table.state, first):
                outcome = outcome.table.apply(steps.FloorDecision(ruling=overrides.LIVE))
                settled += outcome.settled
            replayed = outcome.table
            accounts.append(chapter.account._replace(ruling=outcome.ruling, settled=settled))
        gone = next((was for was, now in zip(self.state.left, replayed.state.left, strict=True) if was != now), None)
        if gone is not None:
            raise Illegal(
                "too-late", f"Seat {gone.seat} has left with its chips since: the hand stands as it was ruled."
            )
        moves = moved(self.state, replayed.state, accounts, lies_there)
        changed = otherwise([chapter.account for chapter in since], accounts, moves)
        return Outcome(table=replace(replayed, replaced=self), otherwise=changed, moves=moves)

    def _of_this_moment(self, step: steps.Override) -> Effect:
        """What the floor says of a hand or of the right to raise, from now on."""
        if step.ruling == "reopened":
            return overrides.reopened(self.state, step)
        killed = steps.KillHand(seat=step.seat, why=f"the floor rules, {step.why}")
        return dealer.kills(self.state, killed, self._before_the_bet(), overrides.CITES)

    def _story(self) -> list[_Chapter]:
        """The steps of this hand, from its beginning on."""
        story: list[_Chapter] = []
        table = self
        while table.before is not None and table.step is not None and not isinstance(table.step, _BEGIN_A_HAND):
            story.append(_Chapter(table.before, table.step, table.ruling, table.settled))
            table = table.before
        story.reverse()
        return story


class _Chapter(NamedTuple):
    """A step of the hand: the table before it, and what it came to."""

    before: Table
    done: Step | Decreed
    ruling: Ruling | None
    settled: tuple[Settled, ...]

    @property
    def account(self) -> Replayed:
        """What is compared when the hand is replayed."""
        hand = self.before.state.hand
        decides = isinstance(self.done, steps.FloorDecision)
        seat = getattr(self.done, "seat", None)
        return Replayed("" if hand is None else hand.street, seat, self.ruling, self.settled, decides)


def _counted_before(since: Sequence[_Chapter], lies_there: steps.CorrectRecord | None) -> list[_Chapter]:
    """The chapters with what was counted on the way counted before the first: the book was wrong there already.

    So a correction moves chips from and to the stacks that there are, and who has too little for it is all-in.
    """
    lay = since[0].before
    kept = [since[0]]
    for one in since[1:]:
        if not isinstance(one.done, steps.Count) or corrections.stays_counted(one.before.state, one.done, lies_there):
            kept.append(one)
        elif off := corrections.was_off(one.before.state, one.done):
            stack = lay.state.stacks[one.done.seat] + off
            lay = lay.apply(steps.Count(seat=one.done.seat, stack=stack)).table
    return [kept[0]._replace(before=lay), *kept[1:]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a step: the table after it, the ruling of an act, and the refusal where it was refused."""

    table: Table
    ruling: Ruling | None = None
    alerts: tuple[str, ...] = ()
    error: Refusal | None = None
    settled: tuple[Settled, ...] = ()
    otherwise: tuple[RuledOtherwise, ...] = ()
    """The acts that a correction or the floor's override rules otherwise, in their order."""
    moves: Mapping[int, int] = field(default_factory=dict)
    """What seats must put in after it, or below 0 get back."""
    cites: tuple[str, ...] = ()
    """The rules that a step which is no act follows; those of an act stand in its ruling."""
    reckoning: Reckoning = ()
    """The arithmetic of a step that is no act."""


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
        return state._replace(last=positions)
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
        return state._replace(hand=hand, placed=placed)
    seats_in = tuple([seat for seat, player in sorted(players.items()) if player.stack and not player.away])
    return hands.posted(state, first_positions(structure, options, seats_in, setup.button))
