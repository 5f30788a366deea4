"""One `betline console` behind a page: a program of its own, under Textual's driver for browsers.

It is started with the words that this server was started with, so it reads table and logins from the same files; its
command line and environment name files and hold no secret. It ends with this server, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from typing import Final

from betline.supervise import child_line
from table_controller.web.packets import NoPackets, Packets, Shown, Told

DRIVER: Final = "textual.drivers.web_driver:WebDriver"
READ: Final = 32 * 1024
"""So many bytes are read at once. The pipe holds no more than 64 kB besides; then the console waits for its reader."""
ENDS_S: Final = 1.0
"""How long a console has to end in order; then it is killed."""
TAKES_S: Final = 10.0
"""A console that has not taken what was typed for so long hangs."""
_SAYS: Final = "betline: "
_LONGEST_WORDS: Final = 4096


class Terminal:
    """A console that runs. Made by `start`; `end` must follow."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._words = b""
        self._listening = asyncio.ensure_future(self._listen())
        self.refused: list[str] = []
        """What it wanted of the browser and does not get: addresses to open, files to hand out."""

    @classmethod
    async def start(cls, words: Sequence[str], columns: int, rows: int) -> Terminal:
        """Starts `betline` with these words on a screen of this size, in cells. Raises OSError."""
        process = await asyncio.create_subprocess_exec(
            *child_line(words),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=environment(dict(os.environ), columns, rows),
            start_new_session=True,
            limit=READ,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process, which leads a group of its own."""
        return self._process.pid

    async def shown(self) -> AsyncIterator[bytes]:
        """What the screen shows, piece by piece until the console ends. Nothing is read before it is asked for.

        Raises NoPackets for what is not Textual's.
        """
        assert self._process.stdout is not None
        packets = Packets()
        while data := await self._process.stdout.read(READ):
            packets, found = packets.fed(data)
            for one in found:
                match one:
                    case Shown():
                        yield one.data
                    case Told("exit"):
                        return
                    case Told():
                        self.refused.append(one.type[:40])
                        del self.refused[:-10]

    async def give(self, packet: bytes) -> bool:
        """Hands a packet to the console; False where it takes none any more."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(packet)
            async with asyncio.timeout(TAKES_S):
                await self._process.stdin.drain()
        except (OSError, RuntimeError, TimeoutError):
            return False
        return True

    async def last_words(self) -> str:
        """The sentence with which it ended by itself, empty where it said none."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ENDS_S):
                await asyncio.shield(self._listening)
        said = [line for line in self._words.decode(errors="replace").splitlines() if line.startswith(_SAYS)]
        return said[-1].removeprefix(_SAYS) if said else ""

    async def end(self) -> None:
        """Ends the console and whatever it has started."""
        try:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ENDS_S):
                    await self._emptied()
        finally:
            self._signal(signal.SIGKILL)
            self._listening.cancel()
            self._close()
        await self._process.wait()

    async def _emptied(self) -> None:
        """Lets the console end: one that waits until somebody takes what it shows would not."""
        assert self._process.stdout is not None
        while await self._process.stdout.read(READ):
            pass
        await self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def _close(self) -> None:
        transport = getattr(self._process, "_transport", None)  # else its pipes stay open until they are collected
        if transport is not None:
            transport.close()

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while said := await self._process.stderr.read(READ):
            self._words = (self._words + said)[-_LONGEST_WORDS:]


def environment(of_server: dict[str, str], columns: int, rows: int) -> dict[str, str]:
    """The environment of a console: that of the server, with the driver and the size of the screen."""
    kept = {name: value for name, value in of_server.items() if not name.startswith("TEXTUAL")}
    shown = {"TEXTUAL_DRIVER": DRIVER, "TEXTUAL_COLOR_SYSTEM": "truecolor", "COLUMNS": str(columns), "ROWS": str(rows)}
    return {**kept, **shown, "TERM": "xterm-256color"}


__all__ = ["NoPackets", "Terminal", "environment"]
