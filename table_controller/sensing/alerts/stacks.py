"""A stack that its antenna reads otherwise than the books have it: the dealer counts it, nothing is ruled from it."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.sensing import audit
from table_controller.sensing.alerts.evidence import alert
from table_controller.sensing.observations import Alert
from table_controller.sensing.state import SensingState


def of_seat(sensing: SensingState, seat: int, now_ns: int) -> Iterator[Alert]:
    """The alert about a seat's stack, at tables with antennas for stacks."""
    drift = audit.stack(sensing, seat, now_ns)
    if drift is not None:
        books = sensing.hand.book(seat).stack
        sentence = f"Seat {seat}: count its stack: {drift.read} stand there, the books say {books}."
        yield alert(sensing, "stack-off", seat, sentence, drift.short or drift.over)
