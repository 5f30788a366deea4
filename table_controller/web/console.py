"""The console's addresses, for the staff only: a browser opens a line, and behind each line runs a console of its own.

The floor's screen has the same below `/floor`.

| address | what it does |
| --- | --- |
| GET /console/ready | whether a line would be opened now, and why not, as a sentence |
| WebSocket /console/line?columns=100&rows=30 | a console: what its screen shows, and what is typed there |
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from table_controller.remote.rooms import IDLE_S
from table_controller.web.gate import Gate
from table_controller.web.packets import NoPackets
from table_controller.web.refused import Refused
from table_controller.web.stream import TAKES_S
from table_controller.web.strokes import size_in, stroke_in
from table_controller.web.terminal import Terminal

MOST: Final = 4
"""So many browsers have a console at once: each is a program of its own."""
ENDED: Final = 1000
AWAY: Final = 1008
"""Close codes of a line (RFC 6455, 7.4.1): the console ended by itself, or it was ended from here."""
LONGEST_REASON: Final = 120
"""Bytes of a sentence that a line is closed with; the standard has room for 123."""


class Runs(Protocol):
    """A console that runs, as a line uses it."""

    refused: list[str]

    def shown(self) -> AsyncIterator[bytes]: ...
    async def give(self, packet: bytes) -> bool: ...
    async def last_words(self) -> str: ...
    async def end(self) -> None: ...


Starts = Callable[[int, int], Coroutine[Any, Any, Runs]]
"""Starts a console on a screen of so many columns and rows; raises OSError."""


def screens_of(verb: str, words: Sequence[str]) -> Starts:
    """What starts `betline console`, or the floor, with these words: table and broker, as this server was told them."""
    return lambda columns, rows: Terminal.start((verb, *words), columns, rows)


@dataclass(slots=True)
class Consoles:
    """What the addresses share."""

    starts: Starts
    gate: Gate
    refused: Refused
    path: str = "/console"
    what: str = "console"
    """What it is called in sentences."""
    most: int = MOST
    idle_s: float = IDLE_S
    takes_s: float = TAKES_S
    open: int = field(default=0, init=False)
    """How many run now."""

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [Route(f"{self.path}/ready", self._ready), WebSocketRoute(f"{self.path}/line", self._line)]

    def _refusal(self, asks: HTTPConnection) -> Response | None:
        """Why a browser gets no console now; None where it gets one."""
        if not self.gate.is_staff(asks.cookies, time.time()):
            self.refused.note("pass")
            return _sentence(f"The {self.what} is for the staff: open its link with the code again.", 401)
        if self.open >= self.most:
            self.refused.note("consoles")
            return _sentence(f"All {self.most} {self.what}s are in use: close one that is not needed.", 503)
        return None

    async def _ready(self, request: Request) -> Response:
        return self._refusal(request) or Response(None, 204)

    async def _line(self, socket: WebSocket) -> None:
        size = size_in(socket.query_params.get("columns", ""), socket.query_params.get("rows", ""))
        refusal = self._refusal(socket) or (_sentence("No screen has that size.", 400) if size is None else None)
        if refusal is not None or size is None:
            await socket.send_denial_response(refusal or Response(None, 400))
            return
        self.open += 1
        try:
            await socket.accept()
            code, why = await self._serve(socket, *size)
        except WebSocketDisconnect:
            return
        finally:
            self.open -= 1
        await _close(socket, code, why)

    async def _serve(self, socket: WebSocket, columns: int, rows: int) -> tuple[int, str]:
        """Runs a console for a browser; returns how the line is to be closed, and why."""
        try:
            console = await self.starts(columns, rows)
        except OSError as error:
            return AWAY, f"The {self.what} could not be started ({error.strerror})."
        try:
            return await self._first(self._show(socket, console), self._hear(socket, console), self._expires(socket))
        finally:
            await console.end()
            for what in console.refused:
                self.refused.note(
                    "wants", f"A {self.what} wanted {what or 'something'} of a browser, and did not get it."
                )

    async def _first(self, *lives: Coroutine[Any, Any, tuple[int, str]]) -> tuple[int, str]:
        """What ended first says how the line is closed; the others are ended."""
        tasks = [asyncio.ensure_future(one) for one in lives]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next(one for one in tasks if one in done).result()
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _show(self, socket: WebSocket, console: Runs) -> tuple[int, str]:
        """What the console shows, to the browser: the next piece is read once it has taken the one before."""
        try:
            async for data in console.shown():
                async with asyncio.timeout(self.takes_s):
                    await socket.send_bytes(data)
        except NoPackets as error:
            self.refused.note("packets", f"A {self.what} in a browser was ended. {error}")
            return AWAY, f"The {self.what} ended: it could not be understood."
        except TimeoutError:
            self.refused.note("slow")
            return AWAY, f"This page took nothing of what the {self.what} shows for half a minute."
        return ENDED, await console.last_words() or f"The {self.what} was closed."

    async def _hear(self, socket: WebSocket, console: Runs) -> tuple[int, str]:
        """What the browser says, to the console."""
        used_s = time.monotonic()
        while True:
            try:
                async with asyncio.timeout(max(0.0, used_s + self.idle_s - time.monotonic())):
                    message = await socket.receive()
            except TimeoutError:
                return AWAY, f"Nobody has used this {self.what} for a quarter of an hour: it was closed, signed out."
            if message["type"] == "websocket.disconnect":
                return ENDED, ""
            stroke = stroke_in(message.get("text") or "")
            if stroke is None:
                self.refused.note("stroke")
                return AWAY, "The page said something that is not understood: load it again."
            if stroke.by_hand:
                used_s = time.monotonic()
            if not await console.give(stroke.packet):
                return ENDED, await console.last_words() or f"The {self.what} has ended."

    async def _expires(self, socket: WebSocket) -> tuple[int, str]:
        """Waits until what this browser was let in by is good no more."""
        while (left_s := self.gate.staff_for_s(socket.cookies, time.time())) > 0:
            await asyncio.sleep(min(left_s, 60.0))
        self.refused.note("pass")
        return AWAY, f"The code of this browser has expired: open the {self.what}'s link again."


async def _close(socket: WebSocket, code: int, why: str) -> None:
    reason = why.encode()[:LONGEST_REASON].decode(errors="ignore")
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the browser has left
        await socket.close(code, reason)


def _sentence(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)
