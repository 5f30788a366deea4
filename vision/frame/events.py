"""What the camera reports: one value from the frame that made it certain to the message on the bus."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.devices import LineEventType


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraEvent:
    """Something certain, at one seat or, with ``seat`` None, of the whole picture.

    ``t_first_ns`` is dated back to when it began, ``t_confirm_ns`` is the time of ``frame``, which made it certain;
    both are of the camera's clock. ``conf`` is a share, 0 to 1. Area, footprints and motions are of the chips or cards
    that it is about, 0 where there are none.
    """

    kind: LineEventType
    seat: int | None
    t_first_ns: int
    t_confirm_ns: int
    frame: int
    conf: float
    area_mm2: float = 0.0
    footprints: int = 0
    motions: int = 0
