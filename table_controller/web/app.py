"""The server's addresses: pages, what they follow, and the exchange of a token for a cookie.

| address | what it gives |
| --- | --- |
| GET /, /board, /overlay, /seat/3, /remote, /console, /floor | pages, which hold nothing of the table themselves |
| GET /files/NAME | what they are made of |
| GET /table | which seats there are |
| GET /events/CHANNEL | server-sent events: the newest of a channel, then each change |
| POST /enter | `{"token": ...}` becomes a cookie |
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from table_controller.web.body import said_in
from table_controller.web.channels import Channels
from table_controller.web.files import File, shipped_files
from table_controller.web.gate import PASS_S, Gate
from table_controller.web.guard import Guard, terminal_policy
from table_controller.web.refused import Refused
from table_controller.web.sse import TYPE
from table_controller.web.stream import Stream

MOST_READERS: Final = 1000
"""So many follow the table at once; who comes after them is asked to come later."""
PAGES: Final = {"/": "home.html", "/board": "board.html", "/overlay": "overlay.html", "/seat/{seat:int}": "seat.html"}
REMOTE: Final = {"/remote": "remote.html"}
CONSOLE: Final = {"/console": "console.html"}
FLOOR: Final = {"/floor": "floor.html"}


@dataclass(slots=True)
class Web:
    """What the addresses share."""

    channels: Channels
    gate: Gate
    names: tuple[str, ...]
    """The channels that there are."""
    files: dict[str, File] = field(default_factory=shipped_files)
    refused: Refused = field(default_factory=Refused)
    """What was refused, by reason."""
    remote: bool = False
    """Whether the staff may work at the table from here."""
    console: bool = False
    """Whether the staff may open a console here."""
    floor: bool = False
    """Whether the staff may open the floor's screen here."""


def make_app(web: Web, more: Sequence[BaseRoute] = ()) -> Starlette:
    """The server as an ASGI application; `more` are addresses of other parts."""
    terminals = {**(CONSOLE if web.console else {}), **(FLOOR if web.floor else {})}
    pages = {**PAGES, **(REMOTE if web.remote else {}), **terminals}

    def page(name: str) -> Route:
        async def answer(request: Request) -> Response:
            response = _send_file(web.files[pages[name]], request)
            if name in terminals:
                host = request.headers.get("host", "")
                response.headers["content-security-policy"] = terminal_policy(host, tls=web.gate.tls)
            return response

        return Route(name, answer)

    async def file(request: Request) -> Response:
        found = web.files.get(request.path_params["name"])
        return _nothing() if found is None else _send_file(found, request)

    async def events(request: Request) -> Response | ASGIApp:
        channel = request.path_params["channel"]
        if channel not in web.names:
            return _nothing()
        if not web.gate.may_see(channel, request.cookies, time.time()):
            web.refused.note("pass")
            return _sentence("This page needs its code: scan the QR code or open the link again.", 401)
        if web.channels.readers >= MOST_READERS:
            web.refused.note("readers")
            return _sentence("Too many pages are open: close some.", 503, {"retry-after": "10"})
        if request.method == "HEAD":
            return Response(None, 200, media_type=TYPE)
        return Stream(web.channels, channel, request.headers.get("last-event-id", ""))

    async def enter(request: Request) -> Response:
        said = await said_in(request, "token")
        role = None if said is None else web.gate.role_of_token(said["token"])
        if role is None:
            web.refused.note("token")
            return _sentence("This code is not known here: ask for a new one.", 403)
        response = JSONResponse({"role": role})
        response.set_cookie(
            web.gate.cookie_name(role),
            web.gate.new_pass(role, time.time()),
            max_age=PASS_S,
            secure=web.gate.tls,
            httponly=True,
            samesite="strict",
        )
        return response

    async def table(_: Request) -> Response:
        seats = [int(name.removeprefix("seat-")) for name in web.names if name.startswith("seat-")]
        return JSONResponse({"seats": seats, "remote": web.remote, "console": web.console, "floor": web.floor})

    routes = [
        *map(page, pages),
        Route("/files/{name}", file),
        Route("/table", table),
        Route("/events/{channel}", events),
        Route("/enter", enter, methods=["POST"]),
        *more,
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, gate=web.gate, refused=web.refused)])


def _send_file(file: File, request: Request) -> Response:
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, 200, {**headers, "content-encoding": "gzip"}, file.type)
    return Response(file.content, 200, headers, file.type)


def _nothing() -> Response:
    return _sentence("There is no such page. The board is at /board.", 404)


def _sentence(text: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{text}\n", status, headers)
