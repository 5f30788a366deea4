"""One hand in both engines at once, compared at every act."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from dataclasses import dataclass, field

from pokerkit import Mode

from table_controller.betting import Action, ActionKind, PostKind
from tests.peers import differences as named
from tests.peers.corrections import Moment
from tests.peers.differences import CORRECTIONS, Difference
from tests.peers.questions import Question, pokerkit_question
from tests.peers.rounds import Round
from tests.peers.showdown import discard, pay, pots_before_payment, pots_of, run_out
from tests.peers.tables import Table, random_table
from tests.peers.variants import VARIANTS

WAGERS = frozenset({ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE})


@dataclass
class Tally:
    """What was played: hands, questions compared, hands in which each difference was met."""

    hands: int = 0
    compared: int = 0
    met: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.hands += other.hands
        self.compared += other.compared
        self.met.update(other.met)


def play_hand(variant: str, seed: int, number: int) -> Tally:
    """Play the hand of that name.

    Whatever goes wrong carries a note with the table, the acts so far, and how to play this hand alone again.
    """
    name = f"{variant}/{seed}/{number}"
    rng = random.Random(name)
    lockstep = None
    shuffling = random.getstate()
    random.seed(f"cards of {name}")  # PokerKit shuffles with the module's generator
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PokerKit warns of legal but unusual acts
            table = random_table(VARIANTS[variant], rng)
            lockstep = Lockstep(table, rng)
            lockstep.play()
    except Exception as problem:
        problem.add_note(f"hand {name}: ./run test tests/peers --hand {name}")
        if lockstep is not None:
            problem.add_note(f"{lockstep.table}\nacts: {' '.join(lockstep.acts) or 'none'}")
        raise
    finally:
        random.setstate(shuffling)
    return Tally(1, lockstep.compared, Counter(difference.name for difference in lockstep.met))


class Lockstep:
    """A hand and PokerKit's state of it, moved together."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.acts: list[str] = []
        self.compared = 0
        self.met: set[Difference] = set()
        if table.shortened_ante is not None:
            self.met.add(named.BLIND_BEFORE_ANTE)
        self.hand = table.ours()
        self.peer = table.theirs()
        self.round = Round(table, 0, len(table.stacks))
        self.temper = (rng.choice((0.05, 0.2, 0.4)), rng.choice((0.1, 0.35, 0.7, 0.9)))
        """How often a player folds, and how often it bets or raises where it does not."""

    def play(self) -> None:
        if self.hand.awaiting_bring_in:
            self._bring_in()
        elif self.hand.next_seat is not None:
            self._first_to_act()
        while True:
            while self.hand.next_seat is not None:
                self._step()
            if self.hand.betting_over or self.hand.hand_over:
                break
            self._deal()
        if self.peer.actor_index is not None and sum(self.peer.statuses) > 1:
            self._needless_check()
        self.met |= pay(self.hand, self.peer, run_out(self.peer, self.rng))

    def _needless_check(self) -> None:
        assert not self.peer.checking_or_calling_amount, "PokerKit asks for chips, the engine's betting is over"
        assert self.peer.min_completion_betting_or_raising_to_amount is None
        self.peer.check_or_call()
        assert self.peer.actor_index is None, "PokerKit goes on betting"
        self.met.add(named.NO_QUESTION)

    def _first_to_act(self) -> None:
        """PokerKit is told who acts in the first round where it takes that from the bets that were really posted."""
        order = [p.seat for p in self.table.posts if p.kind in (PostKind.BLIND, PostKind.STRADDLE)]
        players, peer = len(self.table.stacks), self.peer
        first = order[-1] % players if order else 0
        expected = [i % players for i in range(first, first + players) if peer.stacks[i % players]]
        passed_over = [i for i in expected if i not in peer.actor_indices]
        assert all(peer.get_effective_stack(i) == 0 for i in passed_over)
        if passed_over:
            self.met.add(named.COVERING)
        if [i for i in expected if i in peer.actor_indices] != list(peer.actor_indices):
            self.met.add(named.FIRST_TO_ACT)
        peer.actor_indices.clear()
        peer.actor_indices.extend(expected)

    def _bring_in(self) -> None:
        opener = self.peer.opener_index
        assert opener is not None
        seat, actor = opener + 1, self.peer.actor_index
        self.hand = self.hand.bring_in(seat)
        self.acts.append(f"{seat} brings it in")
        if actor is None or actor != opener:  # the low card is all-in for the ante: the next one comes in
            return
        bring_in, stack = self.table.structure.bring_in, self.peer.stacks[actor]
        answerable = max(stack for i, stack in enumerate(self.peer.stacks) if i != actor) > bring_in
        if answerable and stack > bring_in and self.rng.random() < 0.3:
            assert self.hand.may_bring_in_for_more == seat
            to = self.peer.min_completion_betting_or_raising_to_amount
            assert to == min(stack, self.round.size)
            assert self.peer.max_completion_betting_or_raising_to_amount == to
            self.hand = self.hand.act(Action(ActionKind.COMPLETE, to), seat)
            self.round.wager(seat, to, self._betting, bring_in)
            self.peer.complete_bet_or_raise_to(to)
            self.acts.append(f"and completes to {to}")
        else:
            self.peer.post_bring_in()

    def _deal(self) -> None:
        discard(self.peer, self.rng)
        street = self.hand.state.street + 1
        first = None
        if self.hand.structure.opener_named:
            assert self.peer.opener_index is not None
            first = self.peer.opener_index + 1
        self.hand = self.hand.deal(self.hand.structure.streets[street], first)
        self.round = Round(self.table, street, sum(self.peer.statuses))
        self.acts.append(f"{self.hand.street}:")

    def _step(self) -> None:
        """Compare what is asked, then act."""
        hand, peer = self.hand, self.peer
        seat = hand.next_seat
        assert seat is not None
        assert peer.actor_index == seat - 1, f"seat {seat} is to act, PokerKit's index {peer.actor_index}"
        assert peer.street_index == hand.state.street
        assert [hand.stack(s) for s in self.table.seats] == peer.stacks
        assert [hand.bet(s) for s in self.table.seats] == peer.bets
        theirs = pots_of(peer)
        assert hand.pot == sum(amount for amount, _ in theirs) + sum(peer.bets)
        assert pots_before_payment(hand) == theirs, f"pots {pots_before_payment(hand)}, PokerKit's {theirs}"
        question = pokerkit_question(peer, self.table.variant.limit)
        expected = self._corrected(question, seat)
        assert hand.to_call == expected.to_call, f"to call {hand.to_call}, expected {expected.to_call}: {expected}"
        assert hand.raise_range == expected.raise_range, (
            f"the range is {hand.raise_range}, expected {expected.raise_range}, PokerKit's {question.raise_range}"
        )
        passive = ActionKind.CALL if expected.to_call else ActionKind.CHECK
        assert hand.may - WAGERS == {ActionKind.FOLD, passive}
        assert len(hand.may & WAGERS) == (expected.raise_range is not None)
        may_fold = peer.can_fold()
        if not may_fold:
            self.met.add(named.BRING_IN_FOLD if peer.bring_in_status else named.UNFORCED_FOLD)
            assert peer.bring_in_status or (not question.to_call and peer.mode is Mode.TOURNAMENT)
        self.compared += 1
        self._act(seat, question, expected, may_fold=may_fold)

    def _corrected(self, question: Question, seat: int) -> Question:
        moment = Moment(seat, self.round, self.peer)
        for difference in CORRECTIONS:
            assert difference.correct is not None
            corrected = difference.correct(moment, question)
            if (corrected.to_call, corrected.raise_range) != (question.to_call, question.raise_range):
                self.met.add(difference)
            question = corrected
        return question

    def _act(self, seat: int, theirs: Question, ours: Question, *, may_fold: bool) -> None:
        fold, aggression = self.temper
        chance = self.rng.random()
        if may_fold and chance < (fold if ours.to_call else 0.03):
            self.peer.fold()
            self.round.gone.add(seat)
            self._take(seat, Action(ActionKind.FOLD))
            return
        if self.rng.random() < aggression and ours.raise_range and theirs.raise_range:
            least = max(ours.raise_range[0], theirs.raise_range[0])
            most = min(ours.raise_range[1], theirs.raise_range[1])
            if least <= most:  # only what both allow is played
                self._raise(seat, self.rng.choice((least, least, most, self.rng.randint(least, most))))
                return
        self._call(seat, theirs, ours)

    def _raise(self, seat: int, to: int) -> None:
        (kind,) = self.hand.may & WAGERS
        self.round.wager(seat, to, self._betting, max(self.peer.bets))
        self.peer.complete_bet_or_raise_to(to)
        self._take(seat, Action(kind, to))

    @property
    def _betting(self) -> int:
        """How many live hands have chips."""
        return sum(bool(alive and stack) for alive, stack in zip(self.peer.statuses, self.peer.stacks, strict=True))

    def _call(self, seat: int, theirs: Question, ours: Question) -> None:
        if self.peer.bring_in_status:
            known = self.peer.effective_bring_in_amount or 0
            self.peer.post_bring_in()
        else:
            known = theirs.to_call
            self.peer.check_or_call()
        if (more := ours.to_call - known) > 0:  # PokerKit is told that a short forced bet is owed in full
            self.peer.bets[seat - 1] += more
            self.peer.stacks[seat - 1] -= more
            self.peer.payoffs[seat - 1] -= more
        self.round.seen[seat] = self.round.level
        self._take(seat, Action(ActionKind.CALL if ours.to_call else ActionKind.CHECK))

    def _take(self, seat: int, action: Action) -> None:
        self.acts.append(f"{seat} {action.kind}{'' if action.to is None else f' {action.to}'}")
        self.hand = self.hand.act(action)
