"""`betline web` from its options to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from betline.bus import Bus
from betline.joining import join
from betline.metrics.serving import served
from betline.options import DONE, Address
from betline.settings import TableSettings
from betline.topics import Namespace
from betline.watchdog import Watchdog
from table_controller.remote.rooms import Rooms
from table_controller.remote.session import RemoteSession
from table_controller.web.app import Web, make_app
from table_controller.web.channels import Channels
from table_controller.web.console import Consoles, screens_of
from table_controller.web.door import Door
from table_controller.web.remote import Remotes
from table_controller.web.server import Table, hand_over, listening, serve, stops_by_signal, yield_to_others

SENDER = "web"
DESK = "remote"
"""Who the commands of the remotes are from."""


def run_web(
    table: TableSettings,
    address: Address,
    names: Namespace,
    door: Door,
    notify: Callable[[str], None],
    desk_at: Address | None = None,
    console_words: Sequence[str] | None = None,
    floor_words: Sequence[str] | None = None,
    metrics: Address | None = None,
) -> int:
    """Serves the pages of a table until SIGTERM or SIGINT; returns the exit status. Raises UserError.

    ``desk_at`` is where the remotes join the bus, with a console's rights, and ``console_words`` what consoles are
    started with, ``floor_words`` the floor's screens; None where there are none.
    """
    line = listening(door.host, door.port)
    buses: list[Bus] = []
    try:
        bus = join(address, names, SENDER)
        buses.append(bus)
        desk = None if desk_at is None else join(desk_at, names, DESK)
        buses += [] if desk is None else [desk]
    except BaseException:
        line.close()
        for joined in buses:
            joined.close()
        raise

    async def main() -> None:
        loop, stop, channels = asyncio.get_running_loop(), asyncio.Event(), Channels()
        stops_by_signal(loop, stop)
        shown = Table(channels, tuple(seat.number for seat in table.seats))
        shown.listen(bus, loop)
        web = Web(
            channels,
            door.gate,
            shown.feed.channels,
            remote=desk is not None,
            console=console_words is not None,
            floor=floor_words is not None,
        )
        rooms = None if desk is None else rooms_on(desk, table, channels, loop)
        more = [] if rooms is None else Remotes(rooms, channels, door.gate, web.refused).routes()
        if console_words is not None:
            more += Consoles(screens_of("console", console_words), door.gate, web.refused).routes()
        if floor_words is not None:
            floors = screens_of("floor", floor_words)
            more += Consoles(floors, door.gate, web.refused, "/floor", "floor screen").routes()
        notify(f"The pages of the table are at {door.url}/board; Ctrl-C ends them.")
        if rooms is not None:
            notify(f"The staff's remote is at {door.url}/remote.")
        if console_words is not None:
            notify(f"A console for the staff is at {door.url}/console.")
        if floor_words is not None:
            notify(f"The floor, for the staff, is at {door.url}/floor.")
        await serve(make_app(web, more), channels, line, door.tls, Watchdog().serves, stop)
        if rooms is not None:
            rooms.end()

    try:
        yield_to_others()
        with served(metrics, bus):
            asyncio.run(main())
    finally:
        for joined in buses:
            joined.close()
    return DONE


def rooms_on(desk: Bus, table: TableSettings, channels: Channels, loop: asyncio.AbstractEventLoop) -> Rooms:
    """The remotes of a table on one connection to its bus; what each shows goes to its channel."""

    def begin(channel: Callable[[], str]) -> RemoteSession:
        session = RemoteSession(desk, table, lambda shown: hand_over(loop, lambda: channels.put(channel(), shown)))
        session.start()
        return session

    return Rooms(begin, channels.end)
