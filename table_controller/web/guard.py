"""What every answer goes through: the name the server is called by, whose page asks, and the headers of safety."""

from __future__ import annotations

import re
import traceback
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from table_controller.web.gate import Gate
from table_controller.web.refused import Refused

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]+)?|\[[0-9A-Fa-f:.]+\](?::[0-9]+)?")
SAFE_METHODS: Final = ("GET", "HEAD")
LONGEST_BODY: Final = 4096


class Guard:
    """Refuses what does not come from a page of this server, and sets the headers of every answer."""

    def __init__(self, app: ASGIApp, gate: Gate, refused: Refused) -> None:
        """`refused` counts by reason what was refused."""
        self._app = app
        self._gate = gate
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._gate.is_called(host):
            await self._refuse("host", "This server is not called by that name.", 421, scope, receive, send)
            return
        asks = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        strange = not self._gate.is_own(origin, host) if asks else _is_read_by_another(headers)
        if strange:
            await self._refuse("origin", "Only a page of this server may ask that.", 403, scope, receive, send)
            return
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LONGEST_BODY:
            await self._refuse("length", "That is too long.", 413, scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                _safe(MutableHeaders(scope=message), tls=self._gate.tls)
            await send(message)

        try:
            await self._app(scope, receive, guarded)
        except TimeoutError:
            self._refused.note("slow")
            raise
        except Exception as error:
            self._refused.note("fault", _fault(error))
            raise

    async def _refuse(self, why: str, sentence: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
        self._refused.note(why)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": sentence})
            return
        response = PlainTextResponse(f"{sentence}\n", status)
        _safe(response.headers, tls=self._gate.tls)
        await response(scope, receive, send)


def terminal_policy(host: str, *, tls: bool) -> str:
    """The policy of the page with the terminal: its styles are made by its script, and it has a line to this server.

    Not every browser takes 'self' for a line (WebSocket) too, so the host that the page was asked of is named.
    """
    line = f" {'wss' if tls else 'ws'}://{host}" if _HOST.fullmatch(host) else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'"
        f"{line}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _is_read_by_another(headers: Headers) -> bool:
    """Whether a page of another server reads from here; a link that leads here is none."""
    return headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate"


def _fault(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"A fault of the program ended a request ({what}, {place.filename}:{place.lineno}); please report this line."


def _safe(headers: MutableHeaders, *, tls: bool) -> None:
    headers.setdefault("content-security-policy", POLICY)
    headers["x-content-type-options"] = "nosniff"
    headers["referrer-policy"] = "no-referrer"
    headers["cross-origin-opener-policy"] = "same-origin"
    headers["cross-origin-resource-policy"] = "same-origin"
    headers["permissions-policy"] = "camera=(), microphone=(), geolocation=()"
    headers.setdefault("cache-control", "no-store")
    if tls:
        headers["strict-transport-security"] = "max-age=31536000"
