"""The voice: the port through which announcements are spoken. On the bus and the screen they are text in any case."""

from __future__ import annotations

from typing import Protocol

from betline.messages.table import Announcement


class Voice(Protocol):
    """Speaks announcements; it must return at once and never raise, for the table does not wait for speech."""

    def say(self, announcement: Announcement) -> None:
        """Speaks the text, or drops it where something newer is waiting."""
        ...

    def close(self) -> None:
        """Falls silent."""
        ...


class Silent:
    """The voice of a table without a loudspeaker."""

    def say(self, announcement: Announcement) -> None:
        """Says nothing."""

    def close(self) -> None:
        """Has nothing to end."""
