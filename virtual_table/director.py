"""Acts scripts out: players move their chips, the dealer moves and keys, and every ruling is compared.

The director knows what everybody means; the controller hears of it only through readers, camera and keys.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from betline.messages import Ruling
from virtual_table.cashier import Cashier
from virtual_table.dealer import Dealer
from virtual_table.felt import Felt
from virtual_table.link import ControllerLink
from virtual_table.players import NoSuchChips, Plan, plan
from virtual_table.report import Report
from virtual_table.script import Awarded, HandScript, Manner, PlayerAct, Step, StreetDealt
from virtual_table.things import Chip, Motion
from virtual_table.world import World

TURN_WAIT_S = 15.0
RULING_WAIT_S = 12.0
MEASURE_WAIT_S = 2.0
_NS = 1e9


class Stopped(Exception):
    """The evening was ended from outside."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long people take, in seconds, before ``speed`` divides it."""

    think_s: tuple[float, float]
    follow_s: tuple[float, float]
    between_hands_s: float
    look_s: float
    dealer_haste: float

    @classmethod
    def lively(cls) -> Pauses:
        """As people at a table play: to be watched."""
        return cls((0.6, 2.2), (0.5, 1.2), 2.5, 0.8, 1.0)

    @classmethod
    def short(cls) -> Pauses:
        """For runs that nobody watches."""
        return cls((0.05, 0.2), (0.2, 0.4), 0.2, 0.05, 2.4)


class Director:
    """Plays hand after hand; the world's clock is the monotonic clock."""

    def __init__(
        self, world: World, link: ControllerLink, seed: int, pauses: Pauses, speed: float, stop: threading.Event
    ) -> None:
        self._world = world
        self._link = link
        self._pauses = pauses
        self._speed = speed
        self._stop = stop
        self._chance = random.Random(f"people-{seed}")
        self.report = Report()
        self._dealer = Dealer(link, self.report, random.Random(f"dealer-{seed}"), self._sleep)
        self._cashier = Cashier(world, self._now_s, self._wait_until)
        self._felt = Felt({seat.number: 0 for seat in world.table.seats})

    # --- a hand ------------------------------------------------------------------------------------------------------

    def seat_everybody(self, stacks: Mapping[int, int]) -> None:
        """Everybody sits down and buys in."""
        for seat, stack in stacks.items():
            self._dealer.key("sits", {"seat": seat, "stack": stack}, counted=False)

    def play(self, script: HandScript, told: Callable[[str], None] = lambda _sentence: None) -> None:
        """Acts one hand out and adds what came of it to the report; raises ControllerSilent and Stopped."""
        began_s, self._dealer.keys = time.monotonic(), 0
        self._begin(script)
        for steps in _together(script.steps):
            step = steps[0]
            if isinstance(step, PlayerAct):
                acts = [act for act in steps if isinstance(act, PlayerAct)]
                self._pass(acts, script.steps) if len(acts) > 1 else self._act(step)
                told(f"hand {self.report.hands + 1}: {self.report.acts} acts, {self.report.wrong} wrong")
            elif isinstance(step, StreetDealt):
                self._street(step)
            else:
                self._award(script, step)
        self._end(script)
        self.report.hands += 1
        self.report.keys_by_hand.append(self._dealer.keys)
        self.report.hand_seconds.append(time.monotonic() - began_s)

    def _begin(self, script: HandScript) -> None:
        self._felt = Felt(script.seats, script.pot)
        for seat, amount in script.adds:
            self._world.fill_stack(seat, amount, self._now_s())
            self._dealer.key("adds", {"seat": seat, "amount": amount}, counted=False)
        self._set_stacks(script)
        if script.pot:
            self._world.fill_pot(script.pot, self._now_s())
        if script.setup is not None:
            self._dealer.key("setup", script.setup, counted=False)
        else:
            self._dealer.key("next-hand", {"button": script.button} if self.report.hands == 0 else {})
        if script.posts or script.antes:
            self._post(script)
        seats = sorted(script.seats)
        order = [seat for seat in seats if seat > script.button] + [seat for seat in seats if seat <= script.button]
        self._wait_until(self._world.deal_cards(self._now_s(), order, script.hole_cards).rest_s)
        if script.posts or script.antes:
            self._dealer.pause()
            self._dealer.key("cards-out", {})

    def _set_stacks(self, script: HandScript) -> None:
        """Makes the chips on the table what the script says that everybody begins with."""
        for seat, stack in script.seats.items():
            held = self._world.value(self._world.stack(seat))
            if script.setup is not None and held != stack:
                self._world.clear_stack(seat, self._now_s())
                self._world.fill_stack(seat, stack, self._now_s())
            elif held != stack:
                self.report.faults.append(f"{script.title}: seat {seat} has {held} in chips, meant are {stack}")

    def _post(self, script: HandScript) -> None:
        antes = [self._push_exact(seat, ante) for seat, ante in script.antes.items()]
        for seat, ante in script.antes.items():
            self._felt.post(seat, ante, dead=True)
        if antes:
            self._wait_until(max(motion.end_s for motion in antes))
            self._wait_until(self._world.gather(self._now_s()).end_s)
        blinds = [self._push_exact(seat, min(blind, self._felt.stacks[seat])) for seat, blind in script.posts.items()]
        for seat, blind in script.posts.items():
            self._felt.post(seat, min(blind, self._felt.stacks[seat]))
        if blinds:
            self._wait_until(max(motion.rest_s for motion in blinds))

    def _push_exact(self, seat: int, amount: int) -> Motion:
        return self._world.push(seat, self._cashier.exact(seat, amount), self._now_s())

    def _street(self, street: StreetDealt) -> None:
        self._return_uncalled()
        self._felt.gather()
        self._sleep(self._pauses.look_s / self._speed)
        self._wait_until(self._world.gather(self._now_s()).rest_s)
        self._wait_until(self._world.deal_board(street.cards, self._now_s()).rest_s)
        if street.betting:
            self._dealer.pause()
            self._dealer.key("deal", {"street": street.street})

    def _award(self, script: HandScript, award: Awarded) -> None:
        self._return_uncalled()
        self._felt.gather()
        self._wait_until(self._world.gather(self._now_s()).rest_s)
        if award.pots:
            self._wait(lambda: self._phase() in ("showdown", "round-over", "hand-over"), TURN_WAIT_S)
            self._dealer.pause()
            self._dealer.key("award", {"pots": self._winners(award)})
        finishing = script.finishing or {}
        for seat in sorted(finishing):
            amount = finishing[seat] - self._felt.stacks[seat]
            if amount > 0:
                self._wait_until(self._world.push_pot(seat, self._cashier.from_pot(amount), self._now_s()).rest_s)
                self._felt.pay(seat, amount)

    def _winners(self, award: Awarded) -> list[list[int]]:
        """The winners of each pot as the table has them: who has the best hand wins every pot that is open to it.

        A script may name fewer pots, since pots between the same unbeaten hands are one to it.
        """
        state = self._link.state
        pots = [set(pot.seats) for pot in state.pots] if state else []
        if len(pots) <= len(award.pots):
            return [list(winners) for winners in award.pots]
        best = [next((set(w) & seats for w in award.pots if set(w) & seats), set()) for seats in pots]
        return [sorted(winners) for winners in best]

    def _end(self, script: HandScript) -> None:
        if script.finishing is not None and not self._wait(lambda: self._phase() == "hand-over", TURN_WAIT_S):
            self.report.faults.append(f"{script.title}: the hand did not end (phase {self._phase()})")
        state = self._link.state
        if state is not None:
            self.report.finishing_stacks = {s.seat: s.stack for s in state.seats if s.seat in script.seats}
        for seat, stack in (script.finishing or {}).items():
            told = self.report.finishing_stacks.get(seat)
            if told != stack:
                self.report.faults.append(f"{script.title}: seat {seat} should end with {stack}, it has {told}")
        if script.setup is not None:
            self.report.player_order = script.player_order
        self.report.alerts = len([alert for alert in self._link.alerts() if alert.active])
        self._wait_until(self._world.clear_cards(self._now_s()).end_s)
        for seat in self._felt.stacks:
            self._world.recolour_stack(seat, self._now_s())
        self._sleep(self._pauses.between_hands_s / self._speed)

    # --- acts --------------------------------------------------------------------------------------------------------

    def _pass(self, acts: Sequence[PlayerAct], steps: Sequence[Step]) -> None:
        """Several seats in a row check, or fold: one follows the other, and the dealer keys who acts next."""
        self.report.acts += len(acts)
        if not self._await_turn(acts[0].seat):
            self._rescue(acts, "the action did not reach the seat")
            return
        mark, _ = self._link.marks()
        for act in acts:
            self._sleep(self._chance.uniform(*self._pauses.follow_s) / self._speed)
            motion = self._world.muck if act.kind == "fold" else self._world.tap
            last = motion(act.seat, self._now_s())
        self._wait_until(last.cross_s)
        following = _after(acts[-1], steps)
        if isinstance(following, PlayerAct):
            self._dealer.tells("jump", {"seat": following.seat}, following.seat)
        elif isinstance(following, Awarded) and not following.pots:
            self._dealer.tells("rest-folds", {}, acts[-1].seat)
        else:
            self._dealer.tells("jump", {"seat": acts[-1].seat}, acts[-1].seat)
            self._dealer.key("passive", {"seat": acts[-1].seat})
        for act in acts:
            self._compare(act, self._await_ruling(act, mark))

    def _act(self, act: PlayerAct) -> None:
        self.report.acts += 1
        if not self._await_turn(act.seat):
            self._rescue([act], "the action did not reach the seat")
            return
        self._sleep(self._chance.uniform(*self._pauses.think_s) / self._speed)
        mark, announced = self._link.marks()
        how = self._plan(act)
        motion = self._do(act, how)
        ruling = self._await_ruling(act, mark)
        if ruling is None:
            self._felt_follows(act)
            self._rescue([act], "no ruling came")
            return
        self._compare(act, ruling)
        if motion is not None and how.told_by_chips:
            self._measure(motion, announced)
        self._felt_follows(act)
        self._settle_up(act.seat, ruling)

    def _felt_follows(self, act: PlayerAct) -> None:
        if act.kind not in ("fold", "check"):
            self._felt.bet_to(act.seat, act.to)

    def _plan(self, act: PlayerAct) -> Plan:
        if act.manner is not None:
            return self._told_plan(act.seat, act.manner)
        bet, level = self._felt.bets[act.seat], self._felt.level
        try:
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)
        except NoSuchChips:
            self._cashier.exact(act.seat, act.to - bet)
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)

    def _told_plan(self, seat: int, manner: Manner) -> Plan:
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
        bets = list(self._world.bets(seat))
        back = tuple(bets.pop(next(n for n, chip in enumerate(bets) if chip.value == v)) for v in manner.takes_back)
        return Plan(tuple(motions), manner.says, manner.gesture, back, manner.chips_first)

    def _do(self, act: PlayerAct, how: Plan) -> Motion | None:
        """The player acts, and the dealer keys what chips do not tell; the motion that brought the chips."""
        seat = act.seat
        if how.gesture == "muck":
            self._world.muck(seat, self._now_s())
            if self._felt.level > self._felt.bets[seat]:
                self._dealer.tells("passive", {"seat": seat}, seat)
            else:
                self._dealer.tells("act", {"seat": seat, "action": "fold"}, seat)
            return None
        if how.gesture == "tap":
            self._world.tap(seat, self._now_s())
            self._dealer.tells("passive", {"seat": seat}, seat)
            return None
        motions: Sequence[Sequence[Chip]] = how.motions
        if how.says is not None and not how.chips_first:
            self._dealer.tells("says", {"seat": seat, "text": how.says}, seat)
            if not motions:
                motions = (self._cashier.exact(seat, act.to - self._felt.bets[seat]),)
        if how.takes_back:
            self._world.pull_back(seat, how.takes_back, self._now_s())
        motion = self._world.push(seat, motions, self._now_s())
        self._wait_until(motion.rest_s)
        if how.says is not None and how.chips_first:
            self._dealer.tells("says", {"seat": seat, "text": how.says, "first": "chips"}, seat)
        return motion

    def _compare(self, act: PlayerAct, ruling: Ruling | None) -> None:
        if ruling is None:
            self._rescue([act], "no ruling came")
            return
        same_size = act.kind in ("fold", "check") or ruling.to == act.to
        if ruling.ruling != act.kind or not same_size:
            self.report.wrong += 1
            self.report.faults.append(
                f"hand {ruling.hand_no}, {ruling.street}: seat {act.seat} meant {act.kind} to {act.to}, "
                f"the ruling was {ruling.ruling} to {ruling.to}: {ruling.sentence}"
            )

    def _rescue(self, acts: Sequence[PlayerAct], why: str) -> None:
        """The dealer keys what should have been understood, so that the hand goes on; the acts count as wrong."""
        for act in acts:
            self.report.wrong += 1
            state = self._link.state
            self.report.faults.append(
                f"seat {act.seat} meant {act.kind} to {act.to}: {why} "
                f"(the controller waits for {state.to_act if state else None})"
            )
            args: dict[str, Any] = {"seat": act.seat, "action": act.kind}
            if act.kind in ("bet", "raise"):
                args["to"] = act.to
            self._dealer.key("act", args)

    def _measure(self, motion: Motion, announced: int) -> None:
        """The time from chips at rest, and from the last byte on the serial line, to the announcement."""

        def said() -> list[Any]:
            return [heard for heard in self._link.announcements(announced) if heard.body.cause_ns is not None]

        if self._wait(lambda: bool(said()), MEASURE_WAIT_S):
            first = said()[0]
            self.report.rest_to_announcement_ms.append((first.sent_ns - motion.rest_s * _NS) / 1e6)
            self.report.serial_to_announcement_ms.append((first.sent_ns - first.body.cause_ns) / 1e6)

    def _settle_up(self, seat: int, ruling: Ruling) -> None:
        """The chips in front of a seat become what the ruling says: it puts what it owes, the dealer gives change."""
        surplus = self._world.value(self._world.bets(seat)) - self._felt.bets[seat]
        if surplus == 0 or ruling.to != self._felt.bets[seat]:
            return
        self._sleep(self._pauses.look_s / self._speed)
        if surplus < 0:
            self._wait_until(self._push_exact(seat, -surplus).end_s)
        else:
            self._wait_until(self._cashier.give_back(seat, surplus).end_s)

    def _return_uncalled(self) -> None:
        uncalled = self._felt.uncalled()
        if uncalled is not None:
            self._felt.take_back(*uncalled)
            self._wait_until(self._cashier.give_back(*uncalled).end_s)

    # --- time and what is heard --------------------------------------------------------------------------------------

    def _await_turn(self, seat: int) -> bool:
        def turn() -> bool:
            state = self._link.state
            return state is not None and state.phase == "betting" and state.to_act == seat

        return self._wait(turn, TURN_WAIT_S)

    def _await_ruling(self, act: PlayerAct, mark: int) -> Ruling | None:
        def ruling() -> Ruling | None:
            found = [r for r in self._link.rulings(mark) if r.seat == act.seat and r.ruling not in ("none", "illegal")]
            return found[-1] if found else None

        return ruling() if self._wait(lambda: ruling() is not None, RULING_WAIT_S) else None

    def _phase(self) -> str | None:
        state = self._link.state
        return state.phase if state else None

    @staticmethod
    def _now_s() -> float:
        return time.monotonic()

    def _wait_until(self, moment_s: float) -> None:
        self._sleep(moment_s - time.monotonic())

    def _sleep(self, seconds: float) -> None:
        if self._stop.wait(max(0.0, seconds)):
            raise Stopped

    def _wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits for a condition, answering what the controller asks meanwhile."""
        deadline_s = time.monotonic() + timeout_s
        while not condition():
            if self._stop.is_set():
                raise Stopped
            if time.monotonic() > deadline_s:
                return False
            self._link.wait(lambda: condition() or bool(self._dealer.new_questions()), 0.25)
            self._dealer.answer()
        return True


def _after(act: PlayerAct, steps: Sequence[Step]) -> Step | None:
    """What the script has behind an act."""
    return next((second for first, second in pairwise(steps) if first is act), None)


def _together(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps, with checks in a row and folds in a row put together: their players follow one another quickly."""
    groups: list[list[Step]] = []
    for step in steps:
        last = groups[-1][-1] if groups else None
        passive = isinstance(step, PlayerAct) and step.manner is None and step.kind in ("check", "fold")
        alike = isinstance(last, PlayerAct) and isinstance(step, PlayerAct) and last.kind == step.kind
        if passive and alike and isinstance(last, PlayerAct) and last.manner is None:
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups
