"""What is odd about single chips, wherever they lie: unknown, foreign, retired, hot, copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from table_controller.sensing.alerts.evidence import alert, counted, listed
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.observations import Alert, AlertCode
from table_controller.sensing.setup import seat_of
from table_controller.sensing.state import SensingState

_TO_DO: Final[Mapping[AlertCode, tuple[str, str]]] = {
    "retired-chip": ("change", "it is retired and worth nothing"),
    "hot-chip": ("tell the floor of", "it is on the hot list; the hand goes on"),
    "cloned-chip": ("call the floor about", "the same chip lies elsewhere too, so one of the two is a copy"),
    "foreign-chip": ("change", "the chip set in force does not have its type"),
}
"""What to do with such a chip, and why."""


def of_zone(sensing: SensingState, belief: ZoneBelief) -> Iterator[Alert]:
    """The alerts about single chips of a zone."""
    seat = seat_of(belief.zone) or None
    where = f"Seat {seat}" if seat else f"The {belief.zone}"
    unknown = {uid: None for uid, value in belief.present.items() if value is None and uid not in belief.noted}
    if unknown:
        sentence = (
            f"{where}: take {counted(len(unknown))} away or have them registered: "
            f"the register does not know {listed(sorted(unknown))}."
        )
        yield alert(sensing, "unknown-chip", seat, sentence, chips=unknown, zone=belief.zone)
    for code, (to_do, why) in _TO_DO.items():
        noted = {uid: note.what for uid, note in belief.noted.items() if note.code == code}
        if noted:
            sentence = f"{where}: {to_do} {listed(sorted(noted.values()))}: {why}."
            values = {uid: belief.present.get(uid) for uid in noted}
            yield alert(sensing, code, seat, sentence, chips=values, zone=belief.zone)
