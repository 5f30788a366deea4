"""The program `betline web`: a client of the bus, and a server of pages (uvicorn) in one event loop.

The bus calls on its own thread and only hands over; nothing of the table waits for a browser. The process yields to
the others of the table where the machine has too much to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from betline.bus import Bus, Received
from betline.options import FAILED, UserError
from table_controller.web.channels import Channels
from table_controller.web.feed import HEARD, Feed
from table_controller.web.guard import LONGEST_BODY

NICE: Final = 5
STOP_S: Final = 2
SEND_BUFFER: Final = 65536
"""What the kernel keeps for one reader: some seconds of news for one that is slow, and no more."""
TAKES_MS: Final = 45_000
"""The kernel closes a connection whose reader has taken nothing for so long, with what still waited for it."""
CONNECTIONS_THAT_WAIT: Final = 512


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate with its chain, and its key."""

    cert: Path
    key: Path


class Table:
    """What is heard on the bus, to the channels."""

    def __init__(self, channels: Channels, seats: tuple[int, ...]) -> None:
        self._channels = channels
        self._feed = Feed(seats)
        for channel in self._feed.channels:
            channels.put(channel, self._feed.shown(channel))

    @property
    def feed(self) -> Feed:
        """What was heard so far."""
        return self._feed

    def listen(self, bus: Bus, loop: asyncio.AbstractEventLoop) -> None:
        """Begins to hear what is said on the bus; what it brings is told in the loop."""

        def received(message: Received) -> None:
            hand_over(loop, lambda: self._tell(self._feed.heard(message.topic, message.body)))

        def connection(there: bool) -> None:
            hand_over(loop, lambda: self._tell(self._feed.connected(there)))

        bus.on_connection(connection)
        for kind in HEARD:
            bus.subscribe(kind, received)

    def _tell(self, feed: Feed) -> None:
        before, self._feed = self._feed, feed
        for channel in feed.changed(before):
            self._channels.put(channel, feed.shown(channel))


def hand_over(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    """Does something in the loop, asked from another thread; nothing where the loop is over."""
    with contextlib.suppress(RuntimeError):  # the loop is over: so is the server
        loop.call_soon_threadsafe(work)


class _Protocol(H11Protocol):
    """HTTP/1.1 that takes no more from us until the reader has taken what it was sent: nothing piles up."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=1, low=0)  # with TLS a high of 0 would stop it for good


class _Server(uvicorn.Server):
    """It leaves signals to us, and lets its readers go when it ends."""

    def __init__(self, config: uvicorn.Config, channels: Channels) -> None:
        super().__init__(config)
        self._channels = channels

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._channels.close()
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises UserError where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKES_MS)
        line.bind((host, port))
        line.listen(CONNECTIONS_THAT_WAIT)
    except OSError as error:
        line.close()
        raise UserError(
            f"The web server cannot listen on {host}:{port} ({error.strerror}): name another with --host or --port.",
            FAILED,
        ) from None
    return line


async def serve(
    app: Any, channels: Channels, line: socket.socket, tls: Tls | None, serves: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serves until `stop`; `serves` is called some times a minute while it works."""

    async def sign_of_life() -> None:
        serves()

    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # its tracebacks are for nobody; faults are counted
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="websockets-sansio",
        ws_max_size=LONGEST_BODY,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=tls.cert if tls else None,
        ssl_keyfile=tls.key if tls else None,
        timeout_graceful_shutdown=STOP_S,
        callback_notify=sign_of_life,
        timeout_notify=2,
    )
    server = _Server(config, channels)

    async def await_stop() -> None:
        await stop.wait()
        server.should_exit = True

    waiting = asyncio.ensure_future(await_stop())
    try:
        await server.serve(sockets=[line])
    finally:
        waiting.cancel()


def stops_by_signal(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Interrupt and termination end the server in order."""
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)


def yield_to_others() -> None:
    """Whoever rules comes before whoever shows."""
    with contextlib.suppress(OSError):
        os.nice(NICE)
