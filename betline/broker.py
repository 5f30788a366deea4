"""The embedded MQTT 3.1.1 broker: amqtt on the loopback interface, in a process of its own.

amqtt's anonymous plugin marks every client anonymous and then drops what is queued for persistent sessions, so the
authentication plugin is ours. A real table uses mosquitto with the shipped configuration (config/broker).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable

from amqtt.broker import Broker
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 1883


class BrokerError(Exception):
    """The broker cannot serve; the text says why and what to do."""


class LoopbackAuth(BaseAuthPlugin):  # type: ignore[misc]  # amqtt has no type marker
    """Admits every client: the listener is on loopback, so a client is a program of this machine."""

    async def authenticate(self, *, session: Session) -> bool:
        """True, and the session is not marked anonymous."""
        return session is not None


def free_port() -> int:
    """A loopback port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether a program could listen on this loopback port at this moment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def serve(port: int = DEFAULT_PORT, listening: Callable[[], None] = lambda: None) -> None:
    """Serves until SIGTERM or SIGINT, and calls ``listening`` once it does; raises BrokerError if the port is taken."""
    logging.getLogger("amqtt").setLevel(logging.CRITICAL)  # it logs tracebacks of what we tell in a sentence
    logging.getLogger("transitions").setLevel(logging.ERROR)
    asyncio.run(_serve(port, listening))


async def _serve(port: int, listening: Callable[[], None]) -> None:
    broker = Broker(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"{LOOPBACK}:{port}"}},
            "plugins": {"betline.broker.LoopbackAuth": {}},
        }
    )
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop.set)
    try:
        await broker.start()
    except Exception as error:
        raise BrokerError(
            f"The broker cannot listen on {LOOPBACK}:{port} ({error.__cause__ or error}); "
            "stop what uses that port or name another with --broker."
        ) from None
    listening()
    try:
        await stop.wait()
    finally:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(broker.shutdown(), timeout=3)
