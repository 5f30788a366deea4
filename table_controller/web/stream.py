"""One reader's stream of a channel, as an answer that goes on until the reader leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from starlette.types import Receive, Scope, Send

from betline.units import NS_PER_MS
from table_controller.web import sse
from table_controller.web.channels import Channels

TAKES_S: Final = 30.0
"""A reader that has taken nothing for so long is let go: it comes again by itself."""


class Stream:
    """Sends a channel to one reader. It takes the next message only when the reader has taken the one before.

    ``reads`` is called each time that the reader has taken something, a beat too.
    """

    def __init__(
        self, channels: Channels, channel: str, last_id: str, reads: Callable[[], object] = lambda: None
    ) -> None:
        self._channels = channels
        self._channel = channel
        self._last_id = last_id
        self._reads = reads

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            done, _ = await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending in done:
                sending.result()  # raises what has ended it
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        headers = [(b"content-type", sse.TYPE.encode()), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await _body(send, sse.opening(_now_ms()))
        async for data in self._channels.follow(self._channel, self._last_id):
            await _body(send, sse.beat(_now_ms()) if data is None else data)
            self._reads()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _body(send: Send, data: bytes) -> None:
    """Raises TimeoutError where the reader does not take it."""
    async with asyncio.timeout(TAKES_S):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _now_ms() -> int:
    return time.time_ns() // NS_PER_MS
