"""`betline floor` from its options to its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from betline.bus import MqttBus
from betline.joining import enter
from betline.metrics.serving import served
from betline.options import DONE, Address, UserError
from betline.tables_there import tables_on
from betline.topics import SiteNamespace
from cardroom.floor.desk import SENDER, TableFiles, desks_at
from cardroom.floor.ear import Ear
from cardroom.floor.floor import Floor
from cardroom.floor.view import NEEDS, Row, in_order, rows_of

LOOK_S: Final = 1.0
"""How long to wait for a broker before the screen opens without one and says so."""
FINE: Final = "none"
"""What a table needs that needs nobody, in figures."""
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


Pits = Mapping[str, tuple[str, ...]]
"""The tables of each pit."""


def run_floor(
    address: Address,
    site: str,
    files: TableFiles,
    theme: str,
    figures_at: Address | None = None,
    pits: Pits | None = None,
) -> int:
    """Shows the floor until it is quit; returns the exit status. A broker that is not there is waited for."""
    from cardroom.floor.screen.app import FloorApp  # noqa: PLC0415  # Textual takes a tenth of a second

    bus = _listening(address, site)
    try:
        enter(bus, LOOK_S, waits=True)
        ear = Ear(bus, site, time.monotonic, pits)
        ear.start()
        app = FloorApp(ear, desks_at(address, site), files, where=str(address), theme=theme)
        with served(figures_at, bus, own=lambda: figures(ear.look(), time.monotonic(), app.redraws)):
            status = app.run()
    finally:
        bus.close()
    return DONE if status is None else status


def floor_now(address: Address, site: str, pits: Pits | None = None) -> dict[str, Any]:
    """What the floor knows after listening for some seconds, as one JSON document. Raises UserError."""
    bus = _listening(address, site)
    try:
        enter(bus, LISTEN_S)
        ear = Ear(bus, site, time.monotonic, pits)
        ear.start()
        time.sleep(LISTEN_S)
        return document(ear.look(), time.monotonic())
    finally:
        bus.close()


def figures(floor: Floor, now_s: float, redraws: int) -> dict[str, float]:
    """What Prometheus is shown beside the client of the bus."""
    rows = rows_of(floor, now_s)
    needs = Counter(row.need or FINE for row in rows)
    return {
        **{f"floor_tables_{need or FINE}": needs[need or FINE] for need in NEEDS},
        **{f"site_link_up_{one.pit}": one.stands for one in floor.links.values() if floor.lost_s is None},
        "floor_ruling_waits_s": max((row.waits_for_s for row in rows), default=0),
        "floor_redraws": redraws,
    }


def document(floor: Floor, now_s: float) -> dict[str, Any]:
    """The floor as JSON: the tables as the screen has them, those that need a person first."""
    links = [
        {
            "pit": one.pit,
            "stands": one.stands,
            "for_s": int(now_s - one.since_s),
            "longer": one.longer,
            "tables": sorted(floor.tables_of(one.pit), key=in_order),
        }
        for one in sorted(floor.links.values(), key=lambda one: in_order(one.pit))
    ]
    return {"site": floor.site, "links": links, "tables": [_table(row, floor) for row in rows_of(floor, now_s)]}


def _table(row: Row, floor: Floor) -> dict[str, Any]:
    table = floor.tables[row.name]
    state = table.state
    return {
        "table": row.name,
        "pit": floor.pit_of(row.name),
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
