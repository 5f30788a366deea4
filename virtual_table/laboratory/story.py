"""The story of one hand of a trial: what people did, what sensors said, what the controller made of it."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.sensing import Thresholds
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.laboratory import Laboratory
from virtual_table.laboratory.trial import Outcome, Plan, run
from virtual_table.play.telling import Listener, news, sensed, told


def tell(
    plan: Plan, hand: int, thresholds: Thresholds | None = None, faults: TablePlan = NO_FAULTS
) -> tuple[Outcome, list[str]]:
    """Plays a trial to the end of that hand; returns what came of it and the lines of the hand's story."""
    listeners: list[Listener] = []
    starts: list[float] = []

    def made(lab: Laboratory) -> None:
        listeners.append(Listener(lab.console, lab.agenda.now_s))

    def before(lab: Laboratory) -> None:
        starts.append(lab.agenda.now_s())

    lab, outcome = run(plan, thresholds, faults, last_hand=hand, made=made, before_hand=before)
    began_s = starts[min(hand, len(starts)) - 1]
    return outcome, [f"{plan.seed}: {plan.named}", *_lines(lab, listeners[0], began_s), *_wrongs(outcome)]


def _wrongs(outcome: Outcome) -> Iterator[str]:
    for hand, wrong in outcome.wrongs:
        yield f"WRONG in hand {hand} ({wrong.kind}, seat {wrong.seat}): {wrong.sentence}"


def _lines(lab: Laboratory, listener: Listener, began_s: float) -> list[str]:
    found: list[tuple[float, str]] = []
    for at_s, act in lab.report.performed:
        found.append((at_s, f"PLAYER  seat {act.seat} begins to {act.kind}{f' to {act.to}' if act.to else ''}"))
    for at_s, name, body in listener.heard:
        line = sensed(lab.world, name, body)
        if line:
            found.append((at_s, line))
    found += [(one.at_s, line) for one in lab.messages if (line := told(one.body))]
    found.sort(key=lambda one: one[0])
    return [f"{at_s - began_s:8.3f}  {line}" for at_s, line in news(found) if at_s >= began_s]
