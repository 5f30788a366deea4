"""From the table to the readers of each page: the newest message wins, so that a slow reader never has a queue.

It belongs to one event loop. What other threads bring goes in by `call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Final

from table_controller.web.sse import message

BEAT_S: Final = 4.0


class Channels:
    """The newest message of each channel, and who waits for the next one."""

    def __init__(self) -> None:
        self._life = uuid.uuid4().hex[:8]
        self._number = 0
        self._newest: dict[str, tuple[str, bytes]] = {}
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._closed = False
        self._ended: set[str] = set()
        self.readers = 0
        """How many follow a channel now."""

    @property
    def closed(self) -> bool:
        """Whether no more comes."""
        return self._closed

    def put(self, channel: str, data: str) -> None:
        """A channel shows something else; `data` is JSON on one line. The bytes are made once for all readers."""
        if channel in self._ended:
            return
        self._number += 1
        number = f"{self._life}-{self._number}"
        self._newest[channel] = (number, message(number, data))
        self._wake(channel)

    def newest(self, channel: str) -> tuple[str, bytes]:
        """The number of a channel's newest message, and the message; both empty where there is none yet."""
        return self._newest.get(channel, ("", b""))

    def end(self, channel: str) -> None:
        """Ends a channel for good: its readers are let go, and what it showed is forgotten."""
        self._ended.add(channel)
        self._newest.pop(channel, None)
        self._wake(channel)

    def close(self) -> None:
        """Ends what every reader follows."""
        self._closed = True
        for channel in tuple(self._waiting):
            self._wake(channel)

    async def follow(self, channel: str, last_id: str = "", beat_s: float = BEAT_S) -> AsyncIterator[bytes | None]:
        """The newest message of a channel as often as it changes, and None when it is time for a beat.

        A reader that comes again and says what it had last does not get that once more. Whoever takes its time gets
        the newest then, and nothing of what came meanwhile.
        """
        self.readers += 1
        try:
            while not self._closed and channel not in self._ended:
                number, data = self.newest(channel)
                if number != last_id and data:
                    last_id = number
                    yield data
                elif not await self._changes(channel, beat_s):
                    yield None
        finally:
            self.readers -= 1

    async def _changes(self, channel: str, within_s: float) -> bool:
        """Waits for the next message of a channel; False where none came in time."""
        waiting = self._waiting.get(channel)
        if waiting is None:
            waiting = self._waiting[channel] = asyncio.get_running_loop().create_future()
        done, _ = await asyncio.wait((waiting,), timeout=within_s)
        return bool(done)

    def _wake(self, channel: str) -> None:
        waiting = self._waiting.pop(channel, None)
        if waiting is not None:
            waiting.set_result(None)
