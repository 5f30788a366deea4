"""`betline floor` from its options to its end."""

from __future__ import annotations

import time
from typing import Any, Final

from betline.bus import MqttBus
from betline.joining import enter
from betline.options import DONE, Address, UserError
from betline.tables_there import tables_on
from betline.topics import SiteNamespace
from cardroom.floor.desk import SENDER, TableFiles, desks_at
from cardroom.floor.ear import Ear
from cardroom.floor.floor import Floor
from cardroom.floor.view import Row, rows_of

LOOK_S: Final = 1.0
"""How long to wait for a broker before the screen opens without one and says so."""
LISTEN_S: Final = 3.0
"""A table says something every 2 s at least: those that are there are heard within that."""


def site_there(address: Address, named: str | None, usual: str) -> str:
    """The site that was named, else the only one whose tables are played on the broker; UserError where several are."""
    if named is not None:
        return named
    sites = sorted({one.site for one in tables_on(address)})
    if len(sites) > 1:
        raise UserError(
            f"Several sites are played on the broker at {address}: {', '.join(sites)}. Name one with --site."
        )
    return sites[0] if sites else usual


def run_floor(address: Address, site: str, files: TableFiles, theme: str) -> int:
    """Shows the floor until it is quit; returns the exit status. A broker that is not there is waited for."""
    from cardroom.floor.screen.app import FloorApp  # noqa: PLC0415  # Textual takes a tenth of a second

    bus = _listening(address, site)
    try:
        enter(bus, LOOK_S, waits=True)
        ear = Ear(bus, site, time.monotonic)
        ear.start()
        app = FloorApp(ear, desks_at(address, site), files, where=str(address), theme=theme)
        status = app.run()
    finally:
        bus.close()
    return DONE if status is None else status


def floor_now(address: Address, site: str) -> dict[str, Any]:
    """What the floor knows after listening for some seconds, as one JSON document. Raises UserError."""
    bus = _listening(address, site)
    try:
        enter(bus, LISTEN_S)
        ear = Ear(bus, site, time.monotonic)
        ear.start()
        time.sleep(LISTEN_S)
        return document(ear.look(), time.monotonic())
    finally:
        bus.close()


def document(floor: Floor, now_s: float) -> dict[str, Any]:
    """The floor as JSON: the tables as the screen has them, those that need a person first."""
    return {"site": floor.site, "tables": [_table(row, floor) for row in rows_of(floor, now_s)]}


def _table(row: Row, floor: Floor) -> dict[str, Any]:
    table = floor.tables[row.name]
    state = table.state
    return {
        "table": row.name,
        "need": row.need,
        "fresh": row.fresh,
        "what": row.what,
        "heard": row.heard,
        "version": table.version,
        "hand_no": None if state is None else state.hand_no,
        "street": None if state is None else state.street,
        "to_act": None if state is None else state.to_act,
        "pot": None if state is None else state.pot,
        "hands_an_hour": row.hands_an_hour,
        "average_pot": row.average_pot,
        "ruling": None if row.waits is None else {"seat": row.waits.seat, "sentence": row.waits.sentence},
        "hold": None if row.hold is None else row.hold.model_dump(mode="json"),
        "alerts": [one.sentence for one in row.alerts],
        "sensors": {"well": row.sensors.well, "stale": row.sensors.stale, "away": row.sensors.away},
        "dealer": row.dealer,
    }


def _listening(address: Address, site: str) -> MqttBus:
    return MqttBus(address.host, address.port, SiteNamespace(site), SENDER, login=address.login)
