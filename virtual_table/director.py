"""Acts scripts out: players move their chips, the dealer moves and keys, and every ruling is compared.

The director knows what everybody means; the controller hears of it only through readers, camera and keys.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from betline.messages import Question, Ruling, TableState
from virtual_table import dealer
from virtual_table.cashier import Cashier
from virtual_table.felt import Felt
from virtual_table.link import ControllerLink
from virtual_table.players import NoSuchChips, Plan, plan
from virtual_table.report import Report
from virtual_table.script import Awarded, HandScript, Manner, PlayerAct, StreetDealt
from virtual_table.things import Chip, Motion
from virtual_table.world import World

TURN_WAIT_S = 15.0
RULING_WAIT_S = 12.0
_NS = 1e9


class Stopped(Exception):
    """The evening was ended from outside."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long people take, in seconds, before ``speed`` divides it."""

    think_s: tuple[float, float]
    between_hands_s: float
    look_s: float

    @classmethod
    def lively(cls) -> Pauses:
        """As people at a table play: to be watched."""
        return cls((0.6, 2.2), 2.5, 0.8)

    @classmethod
    def short(cls) -> Pauses:
        """For runs that nobody watches."""
        return cls((0.05, 0.25), 0.2, 0.05)


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
        self._keys = 0
        self._felt = Felt({seat.number: 0 for seat in world.table.seats})
        self._answered: set[str] = set()
        self._cashier = Cashier(world, self._now_s, self._wait_until)

    # --- a hand ------------------------------------------------------------------------------------------------------

    def play(self, script: HandScript, told: Callable[[str], None] = lambda _sentence: None) -> None:
        """Acts one hand out and adds what came of it to the report; raises ControllerSilent and Stopped."""
        began_s, self._keys = time.monotonic(), 0
        self._begin(script)
        for step in script.steps:
            if isinstance(step, PlayerAct):
                self._act(step)
            elif isinstance(step, StreetDealt):
                self._street(step)
            else:
                self._award(script, step)
        self._end(script)
        self.report.hands += 1
        self.report.keys_by_hand.append(self._keys)
        self.report.hand_seconds.append(time.monotonic() - began_s)
        told(f"{script.title}: {self.report.acts} acts so far, {self.report.wrong} wrong")

    def seat_everybody(self, stacks: Mapping[int, int]) -> None:
        """Everybody sits down and buys in."""
        for seat, stack in stacks.items():
            self._key("sits", {"seat": seat, "stack": stack}, counted=False)

    def _begin(self, script: HandScript) -> None:
        self._felt = Felt(script.seats, script.pot)
        for seat, amount in script.adds:
            self._world.fill_stack(seat, amount, self._now_s())
            self._key("adds", {"seat": seat, "amount": amount}, counted=False)
        self._set_stacks(script)
        if script.pot:
            self._world.fill_pot(script.pot, self._now_s())
        if script.setup is not None:
            self._key("setup", script.setup, counted=False)
        else:
            self._key("next-hand", {"button": script.button} if self.report.hands == 0 else {})
        if script.posts or script.antes:
            self._post(script)
            order = self._from_left_of(script.button)
            self._wait_until(self._world.deal_cards(self._now_s(), order, script.hole_cards).rest_s)
            self._dealer_pause()
            self._key("cards-out", {})
        elif script.hole_cards:
            order = self._from_left_of(script.button)
            self._wait_until(self._world.deal_cards(self._now_s(), order, script.hole_cards).rest_s)

    def _from_left_of(self, button: int) -> list[int]:
        seats = sorted(self._felt.stacks)
        return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]

    def _set_stacks(self, script: HandScript) -> None:
        """Makes the chips on the table what the script says that everybody begins with, and gives change."""
        for seat, stack in script.seats.items():
            held = self._world.value(self._world.stack(seat))
            if script.setup is not None and held != stack:
                self._world.clear_stack(seat, self._now_s())
                self._world.fill_stack(seat, stack, self._now_s())
            elif held != stack:
                self.report.faults.append(f"{script.title}: seat {seat} has {held} in chips, meant are {stack}")

    def _post(self, script: HandScript) -> None:
        motions = []
        for seat, ante in script.antes.items():
            motions.append(self._push_exact(seat, ante))
            self._felt.post(seat, ante, dead=True)
        if motions:
            self._wait_until(max(motion.end_s for motion in motions))
            self._wait_until(self._world.gather(self._now_s()).end_s)
        motions = []
        for seat, blind in script.posts.items():
            amount = min(blind, self._felt.stacks[seat])
            motions.append(self._push_exact(seat, amount))
            self._felt.post(seat, amount)
        if motions:
            self._wait_until(max(motion.rest_s for motion in motions))

    def _push_exact(self, seat: int, amount: int) -> Motion:
        return self._world.push(seat, self._cashier.exact(seat, amount), self._now_s())

    # --- an act ------------------------------------------------------------------------------------------------------

    def _act(self, act: PlayerAct) -> None:
        self.report.acts += 1
        if not self._await_turn(act.seat):
            self._rescue(act, "the action did not reach the seat")
            return
        self._sleep(self._chance.uniform(*self._pauses.think_s) / self._speed)
        level, bet = self._felt.level, self._felt.bets[act.seat]
        mark, announced = self._link.marks()
        how = self._plan(act, bet, level)
        motion = self._do(act, how)
        adds = self._felt.bet_to(act.seat, act.to) if act.kind not in ("fold", "check") else 0
        ruling = self._await_ruling(act, mark)
        if ruling is None:
            self._rescue(act, "no ruling came")
            return
        if not self._as_meant(act, ruling):
            self.report.wrong += 1
            self.report.faults.append(
                f"hand {ruling.hand_no}, {ruling.street}: seat {act.seat} meant {act.kind} to {act.to}, "
                f"the ruling was {ruling.ruling} to {ruling.to}: {ruling.sentence}"
            )
        if motion is not None and how.told_by_chips:
            self._measure(motion, announced)
        pushed = self._world.value(how.chips)
        if pushed > adds:
            self._give_change(act.seat, act.to, ruling)

    def _plan(self, act: PlayerAct, bet: int, level: int) -> Plan:
        if act.manner is not None:
            return self._told_plan(act.seat, act.manner)
        try:
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)
        except NoSuchChips:
            self._cashier.exact(act.seat, act.to - bet)
            return plan(act, self._world.stack(act.seat), bet, level, self._chance)

    def _told_plan(self, seat: int, manner: Manner) -> Plan:
        """The chips that a case names, out of the seat's stack; the dealer changes some where the stack lacks them."""
        motions = []
        used: list[Chip] = []
        for values in manner.motions:
            chips = []
            for value in values:
                chip = self._cashier.one_worth(seat, value, used)
                used.append(chip)
                chips.append(chip)
            motions.append(tuple(chips))
        return Plan(tuple(motions), manner.says, manner.gesture)

    def _do(self, act: PlayerAct, how: Plan) -> Motion | None:
        """The player acts, and the dealer keys what chips do not tell."""
        seat = act.seat
        if how.gesture == "muck":
            motion = self._world.muck(seat, self._now_s())
            self._dealer_keys(seat, *self._fold_key(seat))
            return motion
        if how.gesture == "tap":
            motion = self._world.tap(seat, self._now_s())
            self._dealer_keys(seat, "passive", {"seat": seat})
            return motion
        if how.says is not None:
            self._dealer_keys(seat, "says", {"seat": seat, "text": how.says})
        if not how.chips and how.says is not None:
            return self._pay(act)
        if how.chips:
            motion = self._world.push(seat, how.motions, self._now_s())
            self._wait_until(motion.rest_s)
            return motion
        return None

    def _pay(self, act: PlayerAct) -> Motion | None:
        """After words alone the player puts what it owes over the line."""
        owes = act.to - self._felt.bets[act.seat]
        if owes <= 0:
            return None
        motion = self._push_exact(act.seat, owes)
        self._wait_until(motion.end_s)
        return motion

    def _fold_key(self, seat: int) -> tuple[str, Mapping[str, Any]]:
        facing = self._felt.level > self._felt.bets[seat]
        return ("passive", {"seat": seat}) if facing else ("act", {"seat": seat, "action": "fold"})

    @staticmethod
    def _as_meant(act: PlayerAct, ruling: Ruling) -> bool:
        if act.kind in ("fold", "check"):
            return ruling.ruling == act.kind
        return ruling.ruling == act.kind and ruling.to == act.to

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

    def _rescue(self, act: PlayerAct, why: str) -> None:
        """The dealer keys what should have been understood, so that the hand goes on; the act counts as wrong."""
        self.report.wrong += 1
        state = self._link.state
        self.report.faults.append(
            f"seat {act.seat} meant {act.kind} to {act.to}: {why}"
            f" (the controller waits for {state.to_act if state else None})"
        )
        args: dict[str, Any] = {"seat": act.seat, "action": act.kind}
        if act.kind in ("bet", "raise"):
            args["to"] = act.to
        self._key("act", args)

    def _measure(self, motion: Motion, announced: int) -> None:
        """The time from chips at rest, and from the last byte on the serial line, to the announcement."""

        def said() -> list[Any]:
            return [heard for heard in self._link.announcements(announced) if heard.body.cause_ns is not None]

        if not self._wait(lambda: bool(said()), 2.0):
            return
        first = said()[0]
        self.report.rest_to_announcement_ms.append((first.sent_ns - motion.rest_s * _NS) / 1e6)
        self.report.serial_to_announcement_ms.append((first.sent_ns - first.body.cause_ns) / 1e6)

    # --- the dealer --------------------------------------------------------------------------------------------------

    def _dealer_keys(self, seat: int, verb: str, args: Mapping[str, Any]) -> None:
        """Keys what a seat did, late, and once in a while for the wrong seat, which is put right."""
        self._dealer_pause()
        if self._chance.random() < dealer.WRONG_SEAT_SHARE:
            state = self._link.state
            others = [s.seat for s in state.seats if s.status == "in" and s.seat != seat] if state else []
            if others:
                reply = self._key("act", {"seat": self._chance.choice(others), "action": "fold"})
                self._sleep(dealer.delay_s(self._chance))
                if reply:
                    self._key("undo", {})
                self.report.corrected += 1
        self._key(verb, args)

    def _key(self, verb: str, args: Mapping[str, Any], *, counted: bool = True) -> bool:
        if counted:
            self._keys += dealer.keys_of(verb, args)
        reply = self._link.command(verb, args)
        if not reply.ok:
            self.report.faults.append(f"{verb} {dict(args)} was refused ({reply.code}): {reply.sentence}")
        return reply.ok

    def _new_questions(self) -> list[Question]:
        state = self._link.state
        return [question for question in (state.questions if state else ()) if question.id not in self._answered]

    def _answer_questions(self) -> None:
        for question in self._new_questions():
            self._answered.add(question.id)
            self.report.asked += 1
            self._dealer_pause()
            self._key("answer", {"question": question.id, "choice": self._true_answer(question)})

    @staticmethod
    def _true_answer(question: Question) -> str:
        """Scripted players act in turn and mean what they push: the first choice is the ordinary one."""
        return question.choices[0]

    def _give_change(self, seat: int, to: int, ruling: Ruling) -> None:
        """The dealer makes the chips in front of a seat what the ruling says, and gives the rest back."""
        surplus = self._world.value(self._world.bets(seat)) - to
        if surplus > 0 and ruling.to == to:
            self._sleep(self._pauses.look_s / self._speed)
            self._wait_until(self._cashier.give_back(seat, surplus).end_s)

    def _return_uncalled(self) -> None:
        uncalled = self._felt.uncalled()
        if uncalled is not None:
            self._felt.take_back(*uncalled)
            self._wait_until(self._cashier.give_back(*uncalled).end_s)

    def _street(self, street: StreetDealt) -> None:
        self._return_uncalled()
        self._felt.gather()
        self._sleep(self._pauses.look_s / self._speed)
        self._wait_until(self._world.gather(self._now_s()).end_s)
        self._wait_until(self._world.deal_board(street.cards, self._now_s()).rest_s)
        if street.betting:
            self._dealer_pause()
            self._key("deal", {"street": street.street})

    def _award(self, script: HandScript, award: Awarded) -> None:
        self._return_uncalled()
        self._felt.gather()
        self._wait_until(self._world.gather(self._now_s()).end_s)
        if award.pots:
            self._wait(lambda: self._phase() in ("showdown", "round-over", "hand-over"), TURN_WAIT_S)
            self._dealer_pause()
            self._key("award", {"pots": [list(winners) for winners in award.pots]})
        finishing = script.finishing or {}
        for seat in sorted(finishing):
            amount = finishing[seat] - self._felt.stacks[seat]
            if amount > 0:
                self._wait_until(self._world.push_pot(seat, self._cashier.from_pot(amount), self._now_s()).rest_s)
                self._felt.pay(seat, amount)

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

    # --- time --------------------------------------------------------------------------------------------------------

    def _phase(self) -> str | None:
        state: TableState | None = self._link.state
        return state.phase if state else None

    @staticmethod
    def _now_s() -> float:
        return time.monotonic()

    def _dealer_pause(self) -> None:
        self._sleep(dealer.delay_s(self._chance))

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
            self._link.wait(lambda: condition() or bool(self._new_questions()), 0.25)
            self._answer_questions()
        return True
