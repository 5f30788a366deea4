"""`betline web` from its options to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from betline.joining import join
from betline.options import DONE, Address
from betline.settings import TableSettings
from betline.topics import Namespace
from betline.watchdog import Watchdog
from table_controller.web.app import Web, make_app
from table_controller.web.channels import Channels
from table_controller.web.door import Door
from table_controller.web.server import Table, listening, serve, stops_by_signal, yield_to_others

SENDER = "web"


def run_web(table: TableSettings, address: Address, names: Namespace, door: Door, notify: Callable[[str], None]) -> int:
    """Serves the pages of a table until SIGTERM or SIGINT; returns the exit status. Raises UserError."""
    line = listening(door.host, door.port)
    try:
        bus = join(address, names, SENDER)
    except BaseException:
        line.close()
        raise

    async def main() -> None:
        loop, stop, channels = asyncio.get_running_loop(), asyncio.Event(), Channels()
        stops_by_signal(loop, stop)
        shown = Table(channels, tuple(seat.number for seat in table.seats))
        shown.listen(bus, loop)
        app = make_app(Web(channels, door.gate, shown.feed.channels))
        notify(f"The pages of the table are at {door.url}/board; Ctrl-C ends them.")
        await serve(app, channels, line, door.tls, Watchdog().serves, stop)

    try:
        yield_to_others()
        asyncio.run(main())
    finally:
        bus.close()
    return DONE
