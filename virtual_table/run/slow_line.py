"""A TCP line between programs and their broker that can be slow or cut; it passes bytes and knows nothing of them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Final

from betline.broker import LOOPBACK

_CHUNK: Final = 65_536


class SlowLine:
    """Listens on a port of loopback and passes all to another, until it is closed; may be told from any thread.

    Raises OSError where the port cannot be had.
    """

    def __init__(self, port: int, to_port: int) -> None:
        self._to_port = to_port
        self.address: Final = (LOOPBACK, port)
        """Where it listens."""
        self._later_s = 0.0
        self._cut = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, LOOPBACK, port))
        self._thread = threading.Thread(target=self._run, name="slow-line", daemon=True)
        self._thread.start()

    def late_by(self, later_s: float) -> None:
        """From now on every byte comes so much later, each way."""
        self._later_s = later_s

    def cut(self) -> None:
        """Everybody is hung up on, and nobody gets through."""
        self._cut = True
        self._loop.call_soon_threadsafe(self._hang_up)

    def mend(self) -> None:
        """Whoever calls gets through again."""
        self._cut = False

    def close(self) -> None:
        """Hangs up and stops listening."""
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._until_closed())
        self._loop.close()

    async def _until_closed(self) -> None:
        await self._ending.wait()
        self._server.close()
        self._hang_up()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _hang_up(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # the line is closed
            await self._connect(reader, writer)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if self._cut:
                return
            there, back = await asyncio.open_connection(LOOPBACK, self._to_port)
        except OSError:  # the broker is not there: neither is this line
            return
        else:
            self._writers.add(back)
            try:
                ways = {asyncio.create_task(self._pass(reader, back)), asyncio.create_task(self._pass(there, writer))}
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
            finally:
                self._writers.discard(back)
                back.transport.abort()
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes bytes on in their order, each piece when it is due."""
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.create_task(self._send(due, writer))
        try:
            with contextlib.suppress(OSError):
                while data := await reader.read(_CHUNK):
                    due.put_nowait((self._loop.time() + self._later_s, data))
                due.put_nowait((self._loop.time() + self._later_s, b""))
                await sending
        finally:
            sending.cancel()

    async def _send(self, due: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        while True:
            at_s, data = await due.get()
            await asyncio.sleep(max(0.0, at_s - self._loop.time()))
            if not data:
                return
            writer.write(data)
            with contextlib.suppress(OSError):
                await writer.drain()
