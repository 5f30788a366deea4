"""Which of the camera's pictures belong to which act of a hand. Pure over recorded entries.

The journal has the ids of the camera's events (entries of kind ``camera``), each with the wall clock of the first frame
that showed it. An event may be told after its act was ruled, but what it shows was before: it belongs to its seat's
first act that was journalled after that frame. What belonged to an act that was taken back belongs to the next one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from table_controller.journal.entries import Recorded

SHOW = "betline vision ring show"


def pictured(entries: Iterable[Recorded]) -> dict[int, tuple[str, ...]]:
    """The ids of the events that belong to each act of a hand, by the act's number in the journal, oldest first."""
    hand = tuple(entries)
    seen: dict[int, list[tuple[int, str]]] = {}
    for entry in hand:
        if entry.kind == "camera":
            seen.setdefault(entry.data["seat"], []).append((entry.data["from_ms"], entry.data["id"]))
    found: dict[int, tuple[str, ...]] = {}
    since_ms: dict[int, int] = {}
    standing: list[tuple[int | None, int]] = []
    for entry in hand:
        if entry.kind != "step":
            continue
        undone = entry.data["step"].get("undo")
        if undone is not None:
            for _ in range(min(int(undone), len(standing))):
                seat, before_ms = standing.pop()
                if seat is not None:
                    since_ms[seat] = before_ms
            continue
        seat = acting(entry.data)
        before_ms = since_ms.get(seat, -1) if seat is not None else -1
        standing.append((seat, before_ms))
        if seat is None:
            continue
        ids = tuple(name for at_ms, name in sorted(seen.get(seat, ())) if before_ms < at_ms <= entry.at_ms)
        if ids:
            found[entry.seq] = ids
        since_ms[seat] = entry.at_ms
    return found


def acting(data: Mapping[str, Any]) -> int | None:
    """The seat whose act a step is, None where it is none."""
    if not data["ruled"] or not data["rulings"]:
        return None
    seat = data["rulings"][0]["seat"]
    return None if seat is None else int(seat)


def about(entry: Recorded, seat: int) -> bool:
    """Whether an entry of a hand tells of a seat; that a hand began and ended concerns every seat."""
    data = entry.data
    match entry.kind:
        case "hand-began" | "hand-over":
            return True
        case "step":
            return any(ruling["seat"] == seat for ruling in data["rulings"]) or data["step"].get("seat") == seat
        case "observed":
            observed = data["observation"]
            return seat in (observed.get("seat"), *observed.get("seats", ()))
        case "command":
            return bool(data["args"].get("seat") == seat)
    return bool(data.get("seat") == seat)
