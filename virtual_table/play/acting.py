"""The virtual players act: chips move, the dealer keys the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Literal

from betline.messages.table import Ruling
from betline.steps import Act, Jump, Passive, RestFolds, Says
from virtual_table.play.cashier import Cashier
from virtual_table.play.dealer import Dealer
from virtual_table.play.habits import Habits
from virtual_table.play.link import ControllerLink
from virtual_table.play.no_bets import NoBets
from virtual_table.play.pace import Pace
from virtual_table.play.players import NoSuchChips, Plan, plan
from virtual_table.play.report import Report
from virtual_table.play.rulings import Rulings
from virtual_table.scripts.expected_chips import ExpectedChips
from virtual_table.scripts.script import Awarded, Manner, PlayerAct, Step, StreetDealt
from virtual_table.table.player_motions import muck, pull_back, push, swap_for_recent, tap
from virtual_table.table.things import Chip, Motion
from virtual_table.table.world import World

SEEN_WAIT_S = 4.0
"""So long a dealer who spares keys waits for what his hands have told."""


class Acting:
    """Does the acts of the players at one table; ``expected`` is where the chips of the hand should be."""

    def __init__(
        self,
        world: World,
        link: ControllerLink,
        dealer: Dealer,
        cashier: Cashier,
        report: Report,
        pace: Pace,
        chance: Random,
        habits: Habits,
        no_bets: NoBets,
    ) -> None:
        self._world = world
        self._link = link
        self._dealer = dealer
        self._cashier = cashier
        self._report = report
        self._pace = pace
        self._chance = chance
        self._habits = habits
        self._no_bets = no_bets
        self._rulings = Rulings(link, dealer, report, pace)
        self.take_up: Callable[[int], None] = lambda _seat: None
        """A seat takes up chips that it has left before it."""
        self._unkeyed: list[PlayerAct] = []
        """Folds and checks that were done, and that the next chips will tell."""
        self._unkeyed_mark = 0
        """How many rulings there were before them."""
        self.expected = ExpectedChips({seat.number: 0 for seat in world.table.seats})

    def push_exact(self, seat: int, amount: int) -> Motion:
        """A seat pushes chips of exactly that value, after the dealer has made change if needed."""
        return push(self._world, seat, self.exact(seat, amount), self._pace.now_s())

    def exact(self, seat: int, amount: int) -> tuple[Chip, ...]:
        """Chips of the seat's stack of exactly that value, after the dealer has made change if needed."""
        return self._traded(seat, self._cashier.exact(seat, amount))

    def _traded(self, seat: int, chips: tuple[Chip, ...]) -> tuple[Chip, ...]:
        """The same chips, or others worth the same that somebody else had until now."""
        if not self._habits.trades or self._chance.random() >= self._habits.trades:
            return chips
        return swap_for_recent(self._world, seat, chips, self._pace.now_s())

    def do(self, acts: Sequence[PlayerAct], steps: Sequence[Step]) -> None:
        """Acts that follow one another; done together if each checks for nothing or folds facing a bet."""
        if self._habits.spares_keys and self._is_told(acts, steps):
            self._pass_unkeyed(acts)
            return
        passive = all(act.kind == "check" or self.expected.level > self.expected.bets[act.seat] for act in acts)
        if len(acts) > 1 and passive:
            self._pass_along(acts, steps)
            self._rulings.pass_over(acts)
            return
        for act in acts:
            self._act(act)
            self._dealer.performing = None
            self._rulings.pass_over([act])

    def _is_told(self, acts: Sequence[PlayerAct], steps: Sequence[Step]) -> bool:
        """Whether these acts are checks and folds after which a player or the dealer does something that is read.

        That is chips that a player puts out, bets that go to the pot, a board card, the pot that goes to a seat.
        """
        passive = all(
            act.manner is None and act.kind == ("fold" if self._faces_a_bet(act) else "check") for act in acts
        )
        if not self._world.table.readers or not passive:
            return False
        following = _after(acts[-1], steps)
        while isinstance(following, PlayerAct) and following.kind in ("check", "fold") and following.manner is None:
            following = _after(following, steps)
        if isinstance(following, StreetDealt | Awarded):
            return self.expected.level > 0 or bool(self._world.table.cameras)
        return isinstance(following, PlayerAct) and following.manner is None

    def _faces_a_bet(self, act: PlayerAct) -> bool:
        return self.expected.level > self.expected.bets[act.seat]

    def _pass_unkeyed(self, acts: Sequence[PlayerAct]) -> None:
        """These seats check or fold, and nobody keys it."""
        if self._unkeyed:
            self._report.acts += len(acts)
            self._unkeyed += acts
            self._pace.until(self._gesture(acts))
            return
        mark = self._pass(acts)
        if mark is not None:
            self._unkeyed, self._unkeyed_mark = list(acts), mark

    def finish_unkeyed(self, *, all_folded: bool = False) -> None:
        """What the dealer's hands have told by now is ruled on; what is not he keys."""
        unkeyed, mark = self._unkeyed, self._unkeyed_mark
        if not unkeyed:
            return
        self._dealer.wait(lambda: all(self._rulings.on(act, mark) for act in unkeyed), SEEN_WAIT_S)
        left = [act for act in unkeyed if self._rulings.on(act, mark) is None]
        if left and all_folded:
            self._dealer.key_for(RestFolds(), left[-1].seat)
        elif left:
            self._key_passes(left)
        self._compare_unkeyed()
        self._rulings.pass_over(unkeyed)

    def _key_passes(self, acts: Sequence[PlayerAct]) -> None:
        """The last passes of a round, by the fewest keys."""
        last = acts[-1].seat
        if len(acts) > 1:
            self._dealer.key_for(Jump(seat=last), last)
        self._dealer.key(Passive(seat=last))

    def _compare_unkeyed(self) -> None:
        """What was passed without a key has been ruled on by now as it was meant."""
        unkeyed, self._unkeyed = self._unkeyed, []
        for act in unkeyed:
            self._ruling_on(act, self._unkeyed_mark)

    def _pass(self, acts: Sequence[PlayerAct]) -> int | None:
        """Several seats in a row check, or fold, one after the other.

        Returns how many rulings there were before; None where it came to nothing.
        """
        self._report.acts += len(acts)
        self._dealer.key_what_is_owed()
        reached = self._rulings.wait_for_turn(acts[0].seat)
        if self._rulings.are_early(acts):
            return None
        mark, _ = self._link.marks()
        if not reached:
            self._rescue(acts, "turn", "the action did not reach the seat", mark)
            return None
        self._rulings.begin()
        self._pace.until(self._gesture(acts))
        return mark

    def _gesture(self, acts: Sequence[PlayerAct]) -> float:
        """The seats muck or tap one after the other; returns when the last of them has done it."""
        for act in acts:
            self._pace.pause(self._chance.uniform(*self._pace.pauses.follow_s))
            motion = muck if act.kind == "fold" else tap
            self._report.performed.append((self._pace.now_s(), act))
            if act.kind == "fold":
                self._dealer.folded.add(act.seat)
            done = motion(self._world, act.seat, self._pace.now_s())
        return done.cross_s

    def _pass_along(self, acts: Sequence[PlayerAct], steps: Sequence[Step]) -> None:
        """Several seats in a row check, or fold; the dealer keys who acts next."""
        mark = self._pass(acts)
        if mark is None:
            return
        following = _after(acts[-1], steps)
        if isinstance(following, PlayerAct):
            self._dealer.key_for(Jump(seat=following.seat), following.seat)
        elif isinstance(following, Awarded) and not following.pots:
            self._dealer.key_for(RestFolds(), acts[-1].seat)
        else:
            self._key_passes(acts)
        for act in acts:
            self._ruling_on(act, mark)

    def _act(self, act: PlayerAct) -> None:
        self._report.acts += 1
        if act.kind != "bet" or act.manner is not None:
            self._dealer.key_what_is_owed()
        early = self._dealer.owes is not None or bool(self._unkeyed)
        reached = early or self._rulings.wait_for_turn(act.seat)
        if self._rulings.are_early([act]):
            return
        if not reached:
            self._rescue([act], "turn", "the action did not reach the seat", self._link.marks()[0])
            return
        self._rulings.begin()
        self._pace.pause(self._chance.uniform(*self._pace.pauses.think_s))
        mark, announced = self._link.marks()
        if act.all_in:
            self.take_up(act.seat)
        how = self._plan(act)
        self._dealer.performing = act.seat
        if self._unkeyed and how.says is not None:
            self._dealer.key_for(Jump(seat=act.seat), act.seat)
            self._compare_unkeyed()
        self._report.performed.append((self._pace.now_s(), act))
        motion = self._do(act, how)
        self._compare_unkeyed()
        ruling = self._ruling_on(act, mark)
        if ruling is None:
            return
        if motion is not None and how.chips_suffice and self._world.table.readers and not early:
            self._rulings.time(motion, announced)
        self._expect(act)
        if ruling.to == self.expected.bets[act.seat]:
            self._settle_up(act.seat)

    def _expect(self, act: PlayerAct) -> None:
        if act.kind not in ("fold", "check"):
            self.expected.bet_to(act.seat, act.to)

    def _plan(self, act: PlayerAct) -> Plan:
        if act.manner is not None:
            return self._scripted_plan(act.seat, act.manner)
        bet, level = self.expected.bets[act.seat], self.expected.level
        try:
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)
        except NoSuchChips:
            self._cashier.exact(act.seat, act.to - bet)
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)

    def _scripted_plan(self, seat: int, manner: Manner) -> Plan:
        """The chips that a case names, out of the seat's stack."""
        motions = []
        used: list[Chip] = []
        for values in manner.motions:
            chips = []
            for value in values:
                chip = self._cashier.one_worth(seat, value, used)
                used.append(chip)
                chips.append(chip)
            motions.append(tuple(chips))
        bets = list(self._no_bets.bets(seat))
        back = tuple(bets.pop(next(n for n, chip in enumerate(bets) if chip.value == v)) for v in manner.takes_back)
        return Plan(tuple(motions), manner.says, manner.gesture, back, manner.chips_first)

    def _do(self, act: PlayerAct, how: Plan) -> Motion | None:
        """The player acts, and the dealer keys what chips do not show; returns the motion that brought the chips."""
        seat = act.seat
        if how.gesture == "muck":
            self._dealer.folded.add(seat)
            muck(self._world, seat, self._pace.now_s())
            if self.expected.level > self.expected.bets[seat]:
                self._dealer.key_for(Passive(seat=seat), seat)
            else:
                self._dealer.key_for(Act(seat=seat, action="fold"), seat)
            return None
        if how.gesture == "tap":
            tap(self._world, seat, self._pace.now_s())
            self._dealer.key_for(Passive(seat=seat), seat)
            return None
        motions: Sequence[Sequence[Chip]] = how.motions
        if how.says is not None and not how.chips_first and self._world.table.readers:
            self._dealer.key_for(self._said(act, how.says), seat)
            if not motions:
                motions = (self._cashier.exact(seat, act.to - self.expected.bets[seat]),)
        if how.takes_back:
            pull_back(self._world, seat, how.takes_back, self._pace.now_s())
        motions = [self._traded(seat, tuple(group)) for group in motions]
        motion = push(self._world, seat, motions, self._pace.now_s())
        self._pace.until(motion.rest_s)
        if self._dealer.owes is not None:
            self._dealer.pause()
            self._dealer.key_what_is_owed()
        if how.says is not None and how.chips_first:
            self._dealer.key_for(Says(seat=seat, text=how.says, first="chips"), seat)
        elif not self._world.table.readers:
            self._dealer.key_for(_keyed(act), seat)
        return motion

    def _said(self, act: PlayerAct, words: str) -> Says | Act:
        """The words as the dealer keys them: who spares keys keys the act that they are."""
        if not self._habits.spares_keys or act.manner is not None:
            return Says(seat=act.seat, text=words)
        return Act(seat=act.seat, action="all-in") if act.all_in else _keyed(act)

    def _ruling_on(self, act: PlayerAct, mark: int) -> Ruling | None:
        """The ruling on an act that holds in the end; where none comes the dealer keys it."""
        ruling = self._rulings.wait_for(act, mark)
        if ruling is None:
            self._rescue([act], "silence", "no ruling came", mark)
            return None
        return self._rulings.compare(act, ruling, mark)

    def _rescue(self, acts: Sequence[PlayerAct], kind: Literal["silence", "turn"], why: str, mark: int) -> None:
        """The dealer keys what should have been understood, so that the hand continues; the acts count as wrong, or as
        asked about where the controller said that somebody must see to it. A ruling may come while he keys.
        """
        told = self._rulings.are_asked_about(acts)
        for act in acts:
            self._rulings.lack(act, kind, why, told=told)
            self._expect(act)
            self._dealer.key(_keyed(act), unless=partial(self._rulings.are_as_meant, act, mark))
            self._settle_up(act.seat)

    def _settle_up(self, seat: int) -> None:
        """The chips in front of a seat become what was meant: the player adds what is missing, the dealer gives
        change.
        """
        surplus = self._world.value(self._no_bets.bets(seat)) - self.expected.bets[seat]
        if surplus == 0:
            return
        self._pace.pause(self._pace.pauses.look_s)
        if surplus < 0:
            self._pace.until(self.push_exact(seat, -surplus).end_s)
        else:
            self._pace.until(self._cashier.give_back(seat, surplus).end_s)


def _keyed(act: PlayerAct) -> Act:
    """The command by which the dealer keys an act that no sensor sees."""
    return Act(seat=act.seat, action=act.kind, to=act.to if act.kind in ("bet", "raise") else None)


def _after(act: PlayerAct, steps: Sequence[Step]) -> Step | None:
    """What follows an act in the script."""
    return next((second for first, second in pairwise(steps) if first is act), None)
