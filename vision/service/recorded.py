"""Bet-line events of a recorded video, with times from its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from betline.units import NS_PER_MS
from vision.detect.detector import Detector
from vision.frame.events import CameraEvent
from vision.imaging.sources import Frame, Source

Show = Callable[[Frame, tuple[CameraEvent, ...]], None]


def events_of(source: Source, detector: Detector, show: Show | None = None) -> Iterator[dict[str, Any]]:
    """Each event as the object that ``betline vision detect --json`` prints; ``seat`` is null for the whole picture.

    ``t_ms`` is when it began, dated back, ``t_confirm_ms`` the frame that made it certain. ``show`` gets every frame
    after the detector, with its events.
    """
    start_ns: int | None = None
    while not source.ended:
        frame = source.read(0.0)
        if frame is None:
            continue
        start_ns = frame.t_ns if start_ns is None else start_ns
        events = detector.process(frame.picture, frame.t_ns, frame.number)
        if show is not None:
            show(frame, events)
        for event in events:
            yield _as_object(event, start_ns)


def _as_object(event: CameraEvent, start_ns: int) -> dict[str, Any]:
    head: dict[str, Any] = {
        "t_ms": round((event.t_first_ns - start_ns) / NS_PER_MS, 1),
        "t_confirm_ms": round((event.t_confirm_ns - start_ns) / NS_PER_MS, 1),
        "seat": event.seat,
        "event": event.kind,
        "conf": event.conf,
        "frame": event.frame,
    }
    if event.seat is None:
        return head
    size = {"area_mm2": round(event.area_mm2, 1), "footprints": event.footprints, "motions": event.motions}
    return head | size
