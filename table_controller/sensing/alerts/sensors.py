"""Sensors that are silent, read badly, or contradict one another."""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.evidence import alert
from table_controller.sensing.observations import Alert
from table_controller.sensing.presence import ZoneBelief
from table_controller.sensing.state import SensingState


def camera(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The camera is silent."""
    if sensing.setup.camera and not sensing.witness.live(now_ns, sensing.setup.thresholds.stale_ms):
        sentence = "Key folds and checks: the camera is silent, acts are read from the chips alone."
        yield alert(sensing, "camera-stale", None, sentence)


def silent(sensing: SensingState, seat: int) -> Alert:
    """The reader of a seat is silent."""
    return alert(sensing, "reader-stale", seat, f"Key what seat {seat} does: its reader is silent.")


def unsure(sensing: SensingState, seat: int, belief: ZoneBelief, now_ns: int) -> Iterator[Alert]:
    """The chips of a seat are not sure for so long that a person must help."""
    if now_ns - belief.unsettled_ns > sensing.setup.thresholds.unsure_ms * NS_PER_MS:
        sentence = f"Seat {seat}: spread its chips, or key the act: they read badly or lie between two zones."
        yield alert(sensing, "unsure-chip", seat, sentence)
