"""Which browser has which remote: a handful of them, lent by the secret that a browser keeps."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from table_controller.remote.session import RemoteSession

MOST: Final = 6
"""So many phones have a remote at once."""
IDLE_S: Final = 900.0
"""A remote that nobody has used or watched for so long goes to the next who asks."""


@dataclass(slots=True)
class Room:
    """A remote, who has it, and when it was used last."""

    channel: str
    session: RemoteSession = field(init=False)
    secret: str = ""
    used_s: float = 0.0


class Rooms:
    """The remotes. They are begun as they are needed, and used again: a bus has no end of listening."""

    def __init__(
        self,
        begin: Callable[[Callable[[], str]], RemoteSession],
        ends: Callable[[str], object] = lambda _: None,
        most: int = MOST,
    ) -> None:
        """``begin`` makes a remote that shows itself on the channel that it is told then; ``ends`` ends a channel."""
        self._begin = begin
        self._ends = ends
        self._most = most
        self._number = 0
        self._rooms: list[Room] = []

    def of(self, secret: str, now_s: float) -> Room | None:
        """The remote of a browser, by its secret; None where it has none any more."""
        for room in self._rooms:
            if room.secret and hmac.compare_digest(room.secret.encode(), secret.encode()):
                room.used_s = now_s
                return room
        return None

    def watched(self, channel: str, now_s: float) -> None:
        """Somebody looks at what a channel shows: its remote is in use."""
        for room in self._rooms:
            if room.channel == channel:
                room.used_s = now_s

    def lend(self, secret: str, now_s: float) -> Room | None:
        """A remote for a browser that has none; None where all are in use."""
        room = next((room for room in self._rooms if not room.secret or now_s - room.used_s > IDLE_S), None)
        if room is not None:
            room.session.clear()
            self._ends(room.channel)  # whoever still looks on sees nothing of the next one
            room.channel = self._next()
        elif len(self._rooms) < self._most:
            room = self._new()
            self._rooms.append(room)
        else:
            return None
        room.secret, room.used_s = secret, now_s
        return room

    def _new(self) -> Room:
        room = Room(self._next())
        room.session = self._begin(lambda: room.channel)
        return room

    def _next(self) -> str:
        self._number += 1
        return f"remote-{self._number}"

    def end(self) -> None:
        """Ends all of them."""
        for room in self._rooms:
            room.session.end()
