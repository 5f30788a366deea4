"""Bet-line events of a recorded video, with times from its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from betline.units import NS_PER_MS
from vision.detect.detector import Detector, Seen, TableSeen
from vision.imaging.sources import Frame, Source

Show = Callable[[Frame, tuple[Seen | TableSeen, ...]], None]


def events_of(source: Source, detector: Detector, show: Show | None = None) -> Iterator[dict[str, Any]]:
    """Each event as the object that ``betline vision detect --json`` prints; ``seat`` is null for the whole picture.

    ``t_ms`` is when it began, dated back, ``t_confirm_ms`` the frame that made it certain. ``show`` gets every frame
    after the detector, with what was told.
    """
    start_ns: int | None = None
    while not source.ended:
        frame = source.read(0.0)
        if frame is None:
            continue
        start_ns = frame.t_ns if start_ns is None else start_ns
        told = detector.process(frame.picture, frame.t_ns, frame.number)
        if show is not None:
            show(frame, told)
        for seen in told:
            yield _as_object(seen, start_ns)


def _as_object(seen: Seen | TableSeen, start_ns: int) -> dict[str, Any]:
    event = seen.event if isinstance(seen, Seen) else seen
    told: dict[str, Any] = {
        "t_ms": round((event.t_first_ns - start_ns) / NS_PER_MS, 1),
        "t_confirm_ms": round((event.t_confirm_ns - start_ns) / NS_PER_MS, 1),
        "seat": seen.seat if isinstance(seen, Seen) else None,
        "event": event.event,
        "conf": seen.event.conf if isinstance(seen, Seen) else 0.9,
        "frame": event.frame,
    }
    if isinstance(seen, Seen):
        told |= {
            "area_mm2": round(seen.event.area_mm2, 1),
            "footprints": seen.event.footprints,
            "motions": seen.event.motions,
        }
    return told
