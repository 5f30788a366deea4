"""Of a case that breaks the table, the simplest one that still breaks it in the same way.

Delta debugging over the case's own parts: candidates are tried in order, the largest step first, and the first that
still breaks is taken; it ends where none does. Each step makes the case smaller, so it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from virtual_table.chaos.case import ChaosCase
from virtual_table.chaos.play import OF_PLAY, Broken
from virtual_table.faults.event import FaultEvent
from virtual_table.faults.plan import TablePlan, names
from virtual_table.readers.reading import Reading

SHORTEST_S: Final = 0.1
MOST_SINGLE: Final = 40

FirstBroken = Callable[[Sequence[ChaosCase]], tuple[int, Broken] | None]
"""The first of some cases, in order, that breaks, and what broke; None where none does."""


def shrink(
    case: ChaosCase, broken: Broken, first_broken: FirstBroken, most_rounds: int = 1000
) -> tuple[ChaosCase, Broken]:
    """The simplest case found, and what breaks in it; gives up after so many rounds of candidates."""
    for _ in range(most_rounds):
        candidates = list(simpler(case, broken))
        found = first_broken(candidates)
        if found is None:
            break
        number, broken = found
        case = candidates[number]
    return case, broken


def simpler(case: ChaosCase, broken: Broken) -> Iterator[ChaosCase]:
    """Simpler cases, the largest steps first."""
    if broken.hand < case.hands:
        yield case.model_copy(update={"hands": broken.hand})
    yield from (_with_events(case, events) for events in _fewer(case.faults.events))
    yield from _plainer_evening(case)
    for events in _single(case, broken):
        yield _with_events(case, events)
    for number, event in enumerate(case.faults.events):
        for plainer in _plainer(event):
            events = case.faults.events
            yield _with_events(case, (*events[:number], plainer, *events[number + 1 :]))


def _with_events(case: ChaosCase, events: Iterable[FaultEvent]) -> ChaosCase:
    return _with_faults(case, case.faults.model_copy(update={"events": tuple(events)}))


def _with_faults(case: ChaosCase, faults: TablePlan) -> ChaosCase:
    return case.model_copy(update={"faults": faults})


def _fewer(events: tuple[FaultEvent, ...]) -> Iterator[tuple[FaultEvent, ...]]:
    """Without all events, without each half of them, each quarter and so on to each single one."""
    size = len(events)
    while size:
        for begin in range(0, len(events), size):
            yield events[:begin] + events[begin + size :]
        size //= 2


def _plainer_evening(case: ChaosCase) -> Iterator[ChaosCase]:
    if case.hands > 1:
        yield case.model_copy(update={"hands": case.hands - 1})
    if case.eyes:
        yield case.model_copy(update={"eyes": 0.0})
    if case.hurry:
        yield case.model_copy(update={"hurry": False})
    for number in range(len(case.people)):
        yield case.model_copy(update={"people": case.people[:number] + case.people[number + 1 :]})
    if case.sensors == "readers+camera" and not any(_needs_camera(event) for event in case.faults.events):
        yield case.model_copy(update={"sensors": "readers"})
    if case.faults.readers:
        yield _with_faults(case, case.faults.model_copy(update={"readers": {}}))
    for reading in _plainer_reading(case.faults.reading):
        yield _with_faults(case, case.faults.model_copy(update={"reading": reading}))


def _needs_camera(event: FaultEvent) -> bool:
    return event.strikes == "camera" or event.on == "vision"


def _plainer_reading(reading: Reading) -> Iterator[Reading]:
    """Each of its keys left out, and at half."""
    said = reading.model_dump(exclude_unset=True)
    for key, value in said.items():
        rest = {one: other for one, other in said.items() if one != key}
        yield Reading(**rest)
        if round(value / 2, 2) < value and round(value / 2, 2) > 0:
            yield Reading(**rest, **{key: round(value / 2, 2)})


def _single(case: ChaosCase, broken: Broken) -> Iterator[tuple[FaultEvent, ...]]:
    """An event that recurs, or that strikes all or any, as the single ones that it was until it broke."""
    table, events = case.settings(), case.faults.events
    for number, event in enumerate(events):
        single = event.every_s is None and event.per_minute is None
        if single and (event.target not in ("all", "any") or len(names(event, table)) < 2):
            continue
        coming = case.faults.occurrences(table, case.seed, lambda one, event=event: one is event)  # type: ignore[misc]
        before = takewhile(lambda one: one.at_s <= broken.at_s, coming)
        struck = [(one.at_s, name) for one in before for name in one.on][-MOST_SINGLE:]
        singles = [
            event.model_copy(update={"at_s": round(at_s, 3), "every_s": None, "per_minute": None, "on": name})
            for at_s, name in struck
        ]
        for one in reversed(singles):
            yield (*events[:number], one, *events[number + 1 :])
        if singles and not single:
            yield (*events[:number], *singles, *events[number + 1 :])


def _plainer(event: FaultEvent) -> Iterator[FaultEvent]:
    """Shorter, milder, at a rounder time."""
    if event.for_s is not None:
        for shorter in (1.0, round(event.for_s / 2, 1), float(int(event.for_s)), int(event.for_s * 10) / 10):
            if SHORTEST_S <= shorter < event.for_s:
                yield event.model_copy(update={"for_s": shorter})
    if event.at_s is not None:
        for at_s in (float(round(event.at_s)), round(event.at_s, 1)):
            if _rounder(at_s, event.at_s):
                yield event.model_copy(update={"at_s": at_s})
    if event.latency_ms is not None and event.latency_ms >= 40:
        yield event.model_copy(update={"latency_ms": float(round(event.latency_ms / 2, -1))})
    if event.step_s is not None and abs(event.step_s) > 1:
        yield event.model_copy(update={"step_s": float(round(event.step_s / 2))})
    if event.what == "misreads":
        for reading in _plainer_reading(event.reading):
            if reading.model_fields_set:
                yield event.model_copy(update={"reading": reading})


def _rounder(one: float, other: float) -> bool:
    """Whether a number is written with fewer digits."""
    return len(f"{one:g}") < len(f"{other:g}")


def shape(case: ChaosCase, broken: Broken) -> tuple[str, ...]:
    """What two findings of the same fault have in common: how it breaks, and the kinds of its events."""
    events = (f"{event.what} {event.on if event.strikes == 'program' else ''}" for event in case.faults.events)
    return ("play" if broken.kind in OF_PLAY else broken.kind, *sorted(events))
