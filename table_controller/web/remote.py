"""The remote's addresses, for the staff only: a browser is lent a remote, follows it, and types for it.

| address | what it does |
| --- | --- |
| POST /remote/begin | lends a remote to this browser |
| GET /remote/events | server-sent events: what it shows |
| POST /remote/line | `{"line": "3 600"}`: a line of the plain console |
| POST /remote/sign-in | `{"person": ..., "pin": ...}`: signs in there |
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from table_controller.remote.rooms import Room, Rooms
from table_controller.web.body import said_in
from table_controller.web.channels import Channels
from table_controller.web.gate import Gate
from table_controller.web.refused import Refused
from table_controller.web.stream import Stream

COOKIE: Final = "remote"
Answer: TypeAlias = Callable[[Request], Awaitable[Response | Stream]]
_NAME: Final = 64
_PIN: Final = 32


@dataclass(frozen=True, slots=True)
class Remotes:
    """What the addresses share."""

    rooms: Rooms
    channels: Channels
    gate: Gate
    refused: Refused

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/remote/begin", self._for_staff(self._begin), methods=["POST"]),
            Route("/remote/events", self._for_staff(self._events)),
            Route("/remote/line", self._for_staff(self._line), methods=["POST"]),
            Route("/remote/sign-in", self._for_staff(self._sign_in), methods=["POST"]),
        ]

    def _for_staff(self, answer: Answer) -> Answer:
        async def guarded(request: Request) -> Response | Stream:
            if not self.gate.is_staff(request.cookies, time.time()):
                self.refused.note("pass")
                return _sentence("The remote is for the staff: open its link with the code again.", 401)
            return await answer(request)

        return guarded

    def _room(self, request: Request) -> Room | None:
        return self.rooms.of(request.cookies.get(self.gate.cookie_name(COOKIE), ""), time.monotonic())

    async def _begin(self, request: Request) -> Response:
        if self._room(request) is not None:
            return Response(None, 204)
        secret = secrets.token_urlsafe(24)
        if self.rooms.lend(secret, time.monotonic()) is None:
            self.refused.note("remotes")
            return _sentence(
                "All remotes are in use: close a page that is not needed, and try again in a quarter of an hour.",
                503,
            )
        response = Response(None, 204)
        response.set_cookie(
            self.gate.cookie_name(COOKIE), secret, secure=self.gate.tls, httponly=True, samesite="strict"
        )
        return response

    async def _events(self, request: Request) -> Response | Stream:
        room = self._room(request)
        if room is None:
            return _lost()
        if request.method == "HEAD":
            return Response(None, 200)
        rooms, channel = self.rooms, room.channel
        last_id = request.headers.get("last-event-id", "")
        return Stream(self.channels, channel, last_id, lambda: rooms.watched(channel, time.monotonic()))

    async def _line(self, request: Request) -> Response:
        room, said = self._room(request), await said_in(request, "line")
        if room is None:
            return _lost()
        if said is None or not room.session.type(said["line"]):
            self.refused.note("line")
            return _sentence("That was not taken: wait for the answer to the line before, and type a short one.", 429)
        return Response(None, 204)

    async def _sign_in(self, request: Request) -> Response:
        room, said = self._room(request), await said_in(request, "person", "pin")
        if room is None:
            return _lost()
        if said is None or len(said["person"]) > _NAME or not said["pin"].isalnum() or len(said["pin"]) > _PIN:
            self.refused.note("pin")
            return _sentence("Choose a name and type its PIN.", 400)
        if not room.session.type(f"sign in {said['person']} {said['pin']}"):
            self.refused.note("line")
            return _sentence("That was not taken: wait for the answer to the line before, then sign in.", 429)
        return Response(None, 204)


def _lost() -> Response:
    return _sentence("This browser has no remote any more: load the page again.", 410)


def _sentence(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)
