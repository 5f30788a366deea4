"""Plays a case of chaos in the laboratory and says what broke.

Broken is what a strict trial calls wrong: a ruling that nobody meant, an act on which nothing is ruled and nothing said
for 12 s, an action that never reaches a seat, books that are not the chips on the table, a program that fails; and
besides a chip that vanishes, and a table that the journal does not give back.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from typing import Any, Final

from betline.messages.table import TableState
from table_controller.session import Now
from table_controller.session.fold import resume
from virtual_table.chaos.case import ChaosCase
from virtual_table.laboratory import trial
from virtual_table.laboratory.camera import MEASURED, Eyes
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.laboratory.trial import Spoiled, StrictReport

OF_PLAY: Final = frozenset({"ruling", "silence", "turn", "books", "award", "begun"})
FALSE_PER_MINUTE: Final = 0.02
_SAME: Final = ("phase", "hand_no", "street", "button", "to_act", "call", "pot", "house_money")
_SAME_SEAT: Final = ("seat", "stack", "bet", "status", "change_due", "away", "missed")


@dataclass(frozen=True, slots=True)
class Broken:
    """What broke, in which hand (from 1), and how many seconds after play began."""

    kind: str
    hand: int
    at_s: float
    seat: int | None
    sentence: str

    def alike(self, other: Broken) -> bool:
        """Whether it may be the same fault: what is ruled wrongly now is not ruled at all some moments later."""
        return self.kind == other.kind or {self.kind, other.kind} <= OF_PLAY


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a case."""

    acts: int
    hands: int
    broken: Broken | None = None


def play(case: ChaosCase) -> Played:
    """Plays a case until its hands are over or something breaks; raises SettingsError for a plan that does not fit."""
    report = StrictReport()
    lab = Laboratory(case.settings(), case.seed, conditions_of(case), report)
    began_s, chips = lab.agenda.now_s(), {chip.uid for chip in lab.world.chips()}
    broken: Broken | None = None
    found: tuple[str, int | None, str]
    while report.hands < case.hands and broken is None:
        number = report.hands + 1
        try:
            lab.play(1)
        except Spoiled as wrong:
            last = report.wrongs[-1]
            found = last.kind, last.seat, str(wrong)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            found = "crash", None, f"{type(error).__name__} in {place.name}, line {place.lineno}: {error}"
        else:
            quiet = _after_hand(lab, chips)
            if quiet is None:
                continue
            found = quiet
        kind, seat, sentence = found
        broken = Broken(kind, number, round(lab.agenda.now_s() - began_s, 3), seat, sentence)
    return Played(report.acts, report.hands, broken)


def conditions_of(case: ChaosCase) -> Conditions:
    """The case as the laboratory takes it: what the plan does not say of readers is perfect."""
    eyes = Eyes(
        {kind: min(0.5, share * case.eyes) for kind, share in MEASURED.items()},
        FALSE_PER_MINUTE * case.eyes,
        board_missed=0.03 * case.eyes,
        board_miscounted=0.02 * case.eyes,
        first_error_s=0.025 if case.eyes else 0.0,
    )
    return replace(trial.conditions_of(case.trial()), eyes=eyes, faults=case.faults)


def _after_hand(lab: Laboratory, chips: set[str]) -> tuple[str, int | None, str] | None:
    gone = chips - {chip.uid for chip in lab.world.chips()}
    if gone:
        return "chips", None, f"{len(gone)} chips are nowhere any more, one of them {min(gone)}"
    controller = lab.controller
    if not controller.running:
        return None
    is_now = _books(controller.state())
    now = Now(lab.agenda.wall_ms("controller"), lab.agenda.now_ns)
    folded = resume(controller.terms, controller.pages, now).session.table_state(0, len(controller.pages), "")
    unlike = [name for name, value in _books(folded).items() if is_now[name] != value]
    if not unlike:
        return None
    name = unlike[0]
    return "fold", None, f"{name} is {is_now[name]}, the journal gives {_books(folded)[name]}"


def _books(state: TableState) -> dict[str, Any]:
    books = {name: getattr(state, name) for name in _SAME}
    for seat in state.seats:
        books[f"seat {seat.seat}"] = {name: getattr(seat, name) for name in _SAME_SEAT}
    return books
