"""The pot against the bets that were gathered into it."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.sensing.alerts.evidence import alert
from table_controller.sensing.observations import Alert
from table_controller.sensing.state import SensingState


def past_every_zone(sensing: SensingState) -> Iterator[Alert]:
    """Chips that came into the pot and lay in front of no seat: a wager that nobody reported (R-068)."""
    pot = sensing.zones["pot"].present
    for seat in sorted(set(sensing.origins.thrown.values())):
        chips = {uid: pot[uid] for uid, last in sensing.origins.thrown.items() if last == seat and uid in pot}
        value = sum(value or 0 for value in chips.values())
        if value:
            sentence = f"Seat {seat}: key what it did: {value} that it had came into the pot past every zone."
            yield alert(sensing, "chips-in-pot", seat, sentence, value, chips, "pot")
