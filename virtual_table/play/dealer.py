"""The virtual dealer's keys: how late they come, how many a command is, and the odd one for the wrong seat.

The dealer keys words, checks, folds, streets and awards, 0.3 to 2.5 s late, and never an act that the chips show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from betline.messages.table import Question
from virtual_table.play.link import ControllerLink
from virtual_table.play.pace import Pace, Stopped
from virtual_table.play.report import Report

MIN_DELAY_S, MAX_DELAY_S = 0.3, 2.5
WRONG_SEAT_SHARE = 1 / 200
LOOK_S = 0.25


def delay_s(chance: Random) -> float:
    """How late a key comes: mostly well under a second, at times when the dealer is busy."""
    return MIN_DELAY_S + (MAX_DELAY_S - MIN_DELAY_S) * chance.betavariate(1.2, 5.0)


def keys_of(verb: str, args: Mapping[str, Any]) -> int:
    """How many keys of the console a command takes."""
    if verb == "act" and args.get("to") is not None:
        return 2 + len(str(args["to"]))
    if verb == "act" and args["action"] == "all-in":
        return 2
    if verb == "says":
        digits = sum(character.isdigit() for character in args["text"])
        return 2 + digits if digits else 2
    if verb == "award":
        return 1 + sum(len(str(seat)) + 1 for pot in args.get("pots", ()) for seat in pot)
    if verb in ("jump", "gesture", "straddle"):
        return 1 + len(str(args["seat"]))
    if verb in ("sits", "adds", "leaves", "away", "back"):  # the seat, its menu, the letter; then words, or once more
        typed = " ".join(str(args[name]) for name in ("stack", "amount", "name") if args.get(name))
        sure = 1 if typed or verb == "leaves" else 0
        return len(str(args["seat"])) + 2 + len(typed) + sure
    if verb == "next-hand" and args.get("button") is not None:
        return 1 + len(str(args["button"]))
    if verb == "chop":
        return 3
    if verb == "game":
        return 3 + len(args["name"])
    return 1


class Dealer:
    """Keys on the bus what chips do not show, and answers what the controller asks."""

    def __init__(self, link: ControllerLink, report: Report, chance: Random, pace: Pace) -> None:
        self._link = link
        self._report = report
        self._chance = chance
        self._pace = pace
        self._answered: set[str] = set()
        self.keys = 0

    def pause(self) -> None:
        """The time until the dealer gets to the keys."""
        self._pace.sleep(delay_s(self._chance))

    def key(self, verb: str, args: Mapping[str, Any], *, counted: bool = True, done_already: str | None = None) -> bool:
        """Sends a command; what is refused becomes a fault of the report, but for the code ``done_already``, by which
        the controller says that a sensor was quicker.
        """
        if counted:
            self.keys += keys_of(verb, args)
        reply = self._link.command(verb, args)
        if not reply.ok and reply.code != done_already:
            self._report.faults.append(f"{verb} {dict(args)} was refused ({reply.code}): {reply.sentence}")
        return reply.ok

    def tells(self, verb: str, args: Mapping[str, Any], seat: int) -> None:
        """Keys what a seat did, late, and once in a while for another seat first, which is put right."""
        self.pause()
        if self._chance.random() < WRONG_SEAT_SHARE:
            state = self._link.state
            others = [s.seat for s in state.seats if s.status == "in" and s.seat != seat] if state else []
            if others:
                self._key_wrongly(self._chance.choice(others))
        self.key(verb, args)

    def _key_wrongly(self, seat: int) -> None:
        """A fold is keyed for a seat that did not fold; where the controller took it, it is taken back."""
        args = {"seat": seat, "gesture": "muck"}
        self.keys += keys_of("gesture", args)
        taken = self._link.command("gesture", args).ok
        self.pause()
        if taken:
            self.key("undo", {})
        self._report.corrected += 1

    def new_questions(self) -> list[Question]:
        """What the controller asks, with a choice of answers, and the dealer has not answered."""
        state = self._link.state
        asked = state.questions if state else ()
        return [question for question in asked if question.choices and question.id not in self._answered]

    def answer(self) -> None:
        """Answers every open question: people act in turn and mean what they push: a bet, or the first choice."""
        for question in self.new_questions():
            self._answered.add(question.id)
            self._report.asked += 1
            self.pause()
            choice = "bet" if "bet" in question.choices else question.choices[0]
            self.key("answer", {"question": question.id, "choice": choice})

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits for a condition, answering what the controller asks meanwhile; False where it does not come true."""
        deadline_s = self._pace.now_s() + timeout_s
        while not condition():
            if self._pace.stopped:
                raise Stopped
            if self._pace.now_s() > deadline_s:
                return False
            self._link.wait(lambda: condition() or bool(self.new_questions()), LOOK_S)
            self.answer()
        return True
