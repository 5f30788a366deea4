"""Which browser has which remote: a handful of them, lent by the secret that a browser keeps."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from table_controller.remote.session import RemoteSession

MOST: Final = 6
"""So many phones have a remote at once."""
IDLE_S: Final = 900.0
"""A remote that nobody has used for so long goes to the next who asks."""


@dataclass(slots=True)
class Room:
    """A remote, who has it, and when it was used last."""

    channel: str
    session: RemoteSession
    secret: str = ""
    used_s: float = 0.0


class Rooms:
    """The remotes. They are begun as they are needed, and used again: a bus has no end of listening."""

    def __init__(self, begin: Callable[[str], RemoteSession], most: int = MOST) -> None:
        """``begin`` makes the remote that shows itself on a channel."""
        self._begin = begin
        self._most = most
        self._rooms: list[Room] = []

    def of(self, secret: str, now_s: float) -> Room | None:
        """The remote of a browser, by its secret; None where it has none any more."""
        for room in self._rooms:
            if room.secret and hmac.compare_digest(room.secret.encode(), secret.encode()):
                room.used_s = now_s
                return room
        return None

    def lend(self, secret: str, now_s: float) -> Room | None:
        """A remote for a browser that has none; None where all are in use."""
        room = next((room for room in self._rooms if not room.secret or now_s - room.used_s > IDLE_S), None)
        if room is not None:
            room.session.clear()
        elif len(self._rooms) < self._most:
            channel = f"remote-{len(self._rooms) + 1}"
            room = Room(channel, self._begin(channel))
            self._rooms.append(room)
        else:
            return None
        room.secret, room.used_s = secret, now_s
        return room

    def end(self) -> None:
        """Ends all of them."""
        for room in self._rooms:
            room.session.end()
