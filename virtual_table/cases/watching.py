"""What the dealer of a case watches: the state, what the readers say, and questions, which he answers as they are."""

from __future__ import annotations

from collections.abc import Callable

from betline.messages.table import Question
from betline.steps import Act, Answer
from virtual_table.cases.chip_set import moved
from virtual_table.cases.chips_at_hand import ChipsAtHand
from virtual_table.cases.listening import CaseLink
from virtual_table.play.clock import Clock, Stopped

SEEN_WAIT_S = 5.0
"""So long the readers may take to say what lies there."""
LOOK_S = 0.25
OF_THE_CASE = frozenset({"floor", "rebuy", "clock", "award"})
"""Questions that the case itself answers, or nobody."""
DENIALS = ("no-bet", "keep-the-key")


class Watching:
    """Waits for what the controller says, and answers what it asks meanwhile."""

    def __init__(self, link: CaseLink, clock: Clock, chips: ChipsAtHand) -> None:
        self._link = link
        self._clock = clock
        self._chips = chips
        self._answered: set[str] = set()
        self.acting: Act | None = None
        """The act that is done now: what is asked about its chips is about it."""

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits for a condition; False where it does not come true. Raises Stopped."""
        deadline_s = self._clock.now_s() + timeout_s
        while not condition():
            if self._clock.stopped:
                raise Stopped
            left_s = deadline_s - self._clock.now_s()
            if left_s <= 0:
                return False
            self._link.wait(lambda: condition() or bool(self._asked()), min(LOOK_S, left_s))
            self._answer()
        return True

    def let(self, seconds: float) -> None:
        """Lets time pass."""
        self.wait(lambda: False, seconds)

    def wait_for_the_felt(self) -> None:
        """Waits until everything lies still and the readers say so."""
        self._chips.wait_until_still()
        self.wait(self._felt_agrees, SEEN_WAIT_S)

    def on_felt(self, seat: int) -> int | None:
        """What the readers say that lies before a seat."""
        return next(one.on_felt for one in self._link.now.seats if one.seat == seat)

    def _felt_agrees(self) -> bool:
        """Whether the readers say what lies there, and every seat's base line is taken."""
        state = self._link.now
        betting = state.phase == "betting"
        return all(
            one.on_felt in (None, self._chips.lies(one.seat)) and (one.based or not betting) for one in state.seats
        )

    def _asked(self) -> list[Question]:
        return [
            one
            for one in self._link.now.questions
            if one.choices and one.kind not in OF_THE_CASE and one.id not in self._answered
        ]

    def _answer(self) -> None:
        for question in self._asked():
            self._answered.add(question.id)
            self._link.command(Answer(question=question.id, choice=self._choice(question)))

    def _choice(self, question: Question) -> str:
        """What is true at this table, as the case has it."""
        act, choices = self.acting, question.choices
        if question.kind == "which-first" and act is not None:
            return act.first
        if question.kind == "unreported" and "out-of-turn" in choices:
            return "out-of-turn"
        if question.kind == "mucked" and "folded" in choices:
            return "folded"
        if question.kind == "count":
            return choices[-1]
        pushing = act is not None and act.seat == question.seat and any(moved(act))
        denied = next((one for one in DENIALS if one in choices), None)
        if denied is not None and not pushing:
            return denied
        return next((one for one in choices if one not in DENIALS), choices[0])
