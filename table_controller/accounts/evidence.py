"""What readers and camera had seen of each act of a hand, in words for a dispute. Pure over recorded entries."""

from __future__ import annotations

from collections.abc import Iterable

from betline.units import NS_PER_MS
from table_controller.accounts.pictures import pictured
from table_controller.accounts.read import time_of
from table_controller.journal.entries import CameraSaw, Observed, Recorded, Stepped
from table_controller.sensing.observations import ChipsMoved

_TIME = slice(11, 23)
"""Hours to milliseconds of a time."""


def evidence_of(entries: Iterable[Recorded]) -> dict[int, tuple[str, ...]]:
    """By the number of an act's entry what speaks for it, chips first, then what the camera saw."""
    hand = [one for one in entries if one.kind in (Observed.kind, CameraSaw.kind, Stepped.kind)]
    read: dict[int, str] = {}
    seen: dict[str, str] = {}
    for recorded in hand:
        match recorded.entry:
            case Observed(observation=ChipsMoved() as moved):
                read[moved.act_no] = _chips(recorded, moved)
            case CameraSaw() as saw:
                what = saw.event.replace("_", " ")
                seen[saw.id] = f"{time_of(saw.from_ms)[_TIME]}  Camera: {what} at seat {saw.seat}"
    shown = pictured(hand)
    found = {}
    for recorded in hand:
        entry = recorded.entry
        if isinstance(entry, Stepped):
            lines = [read[entry.felt_act]] if entry.felt_act in read else []
            lines += [seen[name] for name in shown.get(recorded.seq, ()) if name in seen]
            if lines:
                found[recorded.seq] = tuple(lines)
    return found


def _chips(recorded: Recorded, moved: ChipsMoved) -> str:
    first_ms = recorded.at_ms - max(0, recorded.mono_ns - moved.first_ns) // NS_PER_MS
    parts = [" + ".join(map(str, moved.pushed)) or "no chip"]
    if moved.taken_back:
        parts.append(f"{' + '.join(map(str, moved.taken_back))} taken back")
    if moved.motions > 1:
        parts.append(f"{moved.motions} motions, up to {moved.gap_ms} ms apart")
    if moved.unknown:
        parts.append(f"{moved.unknown} of unknown value")
    if moved.degraded:
        parts.append("no camera saw the hand leave")
    tags = f" (tags {', '.join(moved.uids)})" if moved.uids else ""
    return f"{time_of(first_ms)[_TIME]}  Antenna of seat {moved.seat}: {', '.join(parts)}{tags}"
