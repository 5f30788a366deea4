"""Keys that were on their way when something changed: what they may no longer do. Pure; times are seconds.

A dealer reads the screen, decides, and presses: that takes some 0.4 s. A key that comes sooner after the sensors have
ruled on a seat, or after a question came up, was meant for what stood there before. What is typed after a key that was
refused belonged to that key; and an Enter after a number and its key ends that number, as in the dialogs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from betline.messages.table import Ruling, TableState
from table_controller.console.intents import Refused, asked

READING_S = 0.4
SWALLOW_S = 1.5
"""So long after a refusal digits and Enter belong to the key that was refused, and Enter to a number and its key."""
ANSWERS = ("answer-1", "answer-2", "answer-3", "answer-4")
_OF_THE_TURN = frozenset({"passive", "call", "raise", "fold", "all-in", "rest-folds", "tap", "says", "answer-1"})
"""Keys that mean the seat to act where no number is typed."""
_BY_SENSORS = ("chips", "inferred")
_LONG_AGO_S = float("-inf")


@dataclass(frozen=True, slots=True)
class Guard:
    """What has changed on the screen, and when."""

    seat: int | None = None
    """The seat to act that is shown."""
    ruling: Ruling | None = None
    """The newest one that is shown."""
    by_sensors: Ruling | None = None
    """The ruling of the sensors with which the turn came to that seat; None where something else led to it."""
    turn_s: float = _LONG_AGO_S
    question: str | None = None
    asked_s: float = _LONG_AGO_S
    refused_s: float = _LONG_AGO_S
    lost_digit_s: float = _LONG_AGO_S
    """When the last digit was swallowed; a key after it was meant for that number."""
    number_s: float = _LONG_AGO_S
    """When a key last took a number."""

    def shown(self, state: TableState | None, now_s: float) -> Guard:
        """After this state is on the screen."""
        if state is None:
            return self
        question = asked(state)
        seen = replace(self, ruling=state.rulings[-1] if state.rulings else None)
        if (question.id if question else None) != self.question:
            seen = replace(seen, question=question.id if question else None, asked_s=now_s)
        if state.to_act == self.seat:
            return seen
        new = seen.ruling if seen.ruling != self.ruling else None
        led = new if self.seat is not None and new is not None and new.source in _BY_SENSORS else None
        return replace(seen, seat=state.to_act, by_sensors=led, turn_s=now_s)

    def after_refusal(self, now_s: float) -> Guard:
        """After a key was refused."""
        return replace(self, refused_s=now_s)

    def after_key(self) -> Guard:
        """After a key that is neither digit nor Enter: what comes now belongs to it."""
        return replace(self, refused_s=_LONG_AGO_S, lost_digit_s=_LONG_AGO_S, number_s=_LONG_AGO_S)

    def after_number(self, now_s: float) -> Guard:
        """After a key that took a number."""
        return replace(self, number_s=now_s)

    def after_lost_digit(self, now_s: float) -> Guard:
        """After a digit that was swallowed."""
        return replace(self, lost_digit_s=now_s)

    def lost_number(self, now_s: float) -> bool:
        """Whether the number of a key that comes now was swallowed: without it the key would mean another seat."""
        return now_s - self.lost_digit_s < SWALLOW_S

    def ends_number(self, now_s: float) -> bool:
        """Whether an Enter ends the number that a key has just taken: it would fold or check the next seat."""
        return now_s - self.number_s < SWALLOW_S

    def swallows(self, now_s: float) -> bool:
        """Whether a digit or Enter still belongs to a key that was refused."""
        return now_s - self.refused_s < SWALLOW_S

    def stops(self, action: str, number: int | None, now_s: float) -> Refused | None:
        """Why a key may not do now what it says; None where it may."""
        if number is not None and action != "raise":
            return None
        if action in ANSWERS and self.question is not None:
            if now_s - self.asked_s < READING_S:
                return Refused("A question has just come up: read it, then press again.")
            return None
        if action in _OF_THE_TURN and self.by_sensors is not None and now_s - self.turn_s < READING_S:
            what = self.by_sensors.sentence.split(": ")[0].rstrip(".")
            return Refused(f"Key dropped: {what}, ruled just before it. Press again for seat {self.seat}.")
        return None
