"""The sensors screen: what each sensor says, what the antennas read, what was dropped."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding
from typing_extensions import override

from betline.settings import TableSettings
from table_controller.console.canvas import Run, width_of, wrap
from table_controller.console.screens.page import PageScreen, Row, heading, row_of
from table_controller.console.seen import standing
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line, alert_line, sensor_line

_MOST_ROWS = 6


class SensorsScreen(PageScreen):
    """Sensors with the zones they serve, alerts, antennas against rulings, and this console's own traffic."""

    TITLE = "Sensors"
    BINDINGS: ClassVar = [Binding("v,V", "app.pop_screen", show=False)]

    def __init__(self, table: TableSettings, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._serves = {reader.id: ", ".join(a.zone for a in reader.antennas) for reader in table.readers}
        self._serves |= {camera.id: "every bet zone" for camera in table.cameras}

    @override
    def rows(self, snapshot: Snapshot, width: int) -> list[Row]:
        state = snapshot.state
        rows: list[Row] = []
        for alert in standing(state):
            rows += _whole(alert_line(alert), width)
        rows += heading("Sensors")
        for sensor in state.sensors if state else ():
            zones = self._serves.get(sensor.name, "")
            rows += _whole(sensor_line(sensor), width, zones)
        rows += heading("Antennas and rulings")
        for seat in state.seats if state else ():
            if seat.on_felt is not None:
                agrees = seat.on_felt == seat.bet
                rows.append(
                    [
                        Run(f"{'=' if agrees else '≠'} seat {seat.seat:<3}", "text" if agrees else "warn"),
                        Run(f"reads {seat.on_felt:,}, ruled {seat.bet:,}", "text" if agrees else "warn"),
                    ]
                )
        rows += heading("This console")
        rows += [row_of(line) for line in snapshot.traffic]
        return rows


def _whole(line: Line, width: int, more: str = "") -> list[Row]:
    """A line on as many rows as it needs, and behind it what else there is to know."""
    first, *others = wrap(line.text, width - 3, _MOST_ROWS)
    rows = [row_of(Line(line.mark, first, line.tone)), *(row_of(Line(" ", text, line.tone)) for text in others)]
    if more and sum(width_of(run.text) for run in rows[-1]) + 3 + width_of(more) > width:
        rows.append([Run("  ", "text")])
    if more:
        rows[-1].append(Run(f"   {more}", "dim"))
    return rows
