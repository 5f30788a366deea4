"""What a page says in the body of a request: a small JSON object of texts."""

from __future__ import annotations

import json

from starlette.requests import ClientDisconnect, Request

from table_controller.web.guard import LONGEST_BODY


async def said_in(request: Request, *names: str) -> dict[str, str] | None:
    """The texts of these names; None where one is missing or is no text, or where the body is no such object."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                return None
        said = json.loads(body)
    except (ValueError, RecursionError, ClientDisconnect):
        return None
    if not isinstance(said, dict):
        return None
    found = {name: said.get(name) for name in names}
    return {name: text for name, text in found.items() if isinstance(text, str)} if _are_texts(found) else None


def _are_texts(found: dict[str, object]) -> bool:
    return all(isinstance(text, str) for text in found.values())
