"""A stack that its antenna reads otherwise than the books have it: the dealer counts it, nothing is ruled from it.

A stack that shrinks although its seat bet nothing has gone south: its chips were pocketed or went to another player
(R-074). Chips that were won, or given as change, may still be on their way into it.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.sensing import audit
from table_controller.sensing.alerts.evidence import alert
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import stack_zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import ELSEWHERE


def of_seat(sensing: SensingState, seat: int, now_ns: int) -> Iterator[Alert]:
    """The alert about a seat's stack, at tables with antennas for stacks."""
    drift = audit.stack(sensing, seat, now_ns)
    if drift is None:
        return
    books, zone = sensing.hand.book(seat).stack, stack_zone_of(seat)
    if drift.short:
        left = sensing.travels.moved(zone, ELSEWHERE)
        sentence = (
            f"Seat {seat}: have {drift.short} put back or call the floor: {drift.read} stand there, "
            f"the books say {books}, and nobody won the rest."
        )
        yield alert(sensing, "stack-short", seat, sentence, drift.short, left, zone)
    else:
        sentence = f"Seat {seat}: count its stack: {drift.read} stand there, the books say {books}."
        yield alert(sensing, "stack-off", seat, sentence, drift.over, zone=zone)
