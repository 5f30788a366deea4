"""Why there is no broker: looked for sparingly, and said once an outage."""

from __future__ import annotations

import time

from betline.bus.trouble import Trouble, refused, why_not
from betline.login import Login

LOOK_AGAIN_S = 30.0
"""How long a cause is believed while the same failure repeats: finding it takes one more connection."""


class Outage:
    """What one client knows of the broker that it does not reach, and what it has said of that."""

    def __init__(self, host: str, port: int, login: Login | None) -> None:
        self._address = (host, port)
        self._login = login
        self._said = False
        self._said_code = ""
        self._looked_at: str | None = None
        self._looked_s = 0.0
        self.where = f"{host}:{port}"
        self.trouble: Trouble | None = None
        """The last cause that was found; None before anything was tried."""

    def look(self, error: str) -> None:
        """Finds the cause of a failed connection: for each kind of failure once, and again after a while."""
        now_s = time.monotonic()
        if error == self._looked_at and now_s - self._looked_s < LOOK_AGAIN_S:
            return
        self._looked_at, self._looked_s = error, now_s
        self.trouble = why_not(*self._address, self._login) or self.trouble

    def login_refused(self) -> None:
        """The broker has answered that it does not take this client's name and password."""
        self.trouble = refused(self.where, self._login)

    def complaint(self) -> str | None:
        """What is to be said now: the cause once an outage, and again where it is another one; else None."""
        if self.trouble is None or (self._said and self.trouble.code == self._said_code):
            return None
        self._said, self._said_code = True, self.trouble.code
        return f"{self.trouble.sentence} It is tried again."

    def begins(self, reason: str) -> str:
        """A connection was lost: what is said of it."""
        self._said = True
        return f"The broker at {self.where} was lost ({reason}); it is waited for."

    def ends(self) -> str | None:
        """A connection stands: what is said of it, None where nobody was told that there was none."""
        if not self._said:
            return None
        self._said = False
        return f"The broker at {self.where} is there."
