"""Which of the camera's pictures belong to which act of a hand. Pure over recorded entries.

The journal has the ids of the camera's events (entries of kind ``camera``), each with the wall clock of the first frame
that showed it. An event may be reported after its act was ruled, but what it shows was before: it belongs to its seat's
first act that was journalled after that frame. What belonged to an act that was taken back belongs to the next one too.
"""

from __future__ import annotations

from collections.abc import Iterable

from betline.steps import Undo
from table_controller.journal.entries import CameraSaw, HandBegan, HandOver, Obeyed, Observed, Recorded, Stepped

SHOW = "betline vision ring show"


def pictured(entries: Iterable[Recorded]) -> dict[int, tuple[str, ...]]:
    """The ids of the events that belong to each act of a hand, by the act's number in the journal, oldest first."""
    hand = [(recorded, recorded.entry) for recorded in entries if recorded.kind in (CameraSaw.kind, Stepped.kind)]
    seen: dict[int, list[tuple[int, str]]] = {}
    for _, entry in hand:
        if isinstance(entry, CameraSaw):
            seen.setdefault(entry.seat, []).append((entry.from_ms, entry.id))
    found: dict[int, tuple[str, ...]] = {}
    since_ms: dict[int, int] = {}
    standing: list[tuple[int | None, int]] = []
    for recorded, entry in hand:
        if not isinstance(entry, Stepped):
            continue
        if isinstance(entry.step, Undo):
            for _ in range(min(entry.step.count, len(standing))):
                seat, before_ms = standing.pop()
                if seat is not None:
                    since_ms[seat] = before_ms
            continue
        seat = acting(entry)
        before_ms = since_ms.get(seat, -1) if seat is not None else -1
        standing.append((seat, before_ms))
        if seat is None:
            continue
        ids = tuple(name for at_ms, name in sorted(seen.get(seat, ())) if before_ms < at_ms <= recorded.at_ms)
        if ids:
            found[recorded.seq] = ids
        since_ms[seat] = recorded.at_ms
    return found


def acting(entry: Stepped) -> int | None:
    """The seat whose act a step is, None where it is none."""
    return None if entry.ruling is None else entry.ruling.seat


def about(recorded: Recorded, seat: int) -> bool:
    """Whether an entry of a hand concerns a seat; that a hand began and ended concerns every seat."""
    entry = recorded.entry
    match entry:
        case HandBegan() | HandOver():
            return True
        case Stepped():
            return any(ruling.seat == seat for ruling in entry.rulings) or getattr(entry.step, "seat", None) == seat
        case Observed(observation=seen):
            return seat in (getattr(seen, "seat", None), *getattr(seen, "seats", ()))
        case Obeyed():
            return bool(entry.args.get("seat") == seat)
    return bool(getattr(entry, "seat", None) == seat)
