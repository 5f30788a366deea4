"""Whether this controller may serve its table, or another one does already. Pure.

A controller that starts says on the bus what it is (its birth) and listens. One that serves answers a strange birth
with its own presence and birth at once. The one that starts gives way where a living controller was heard; that the
broker keeps "online" is only a reason to wait: a controller that died unnoticed cannot answer, and locks nobody out.
"""

from __future__ import annotations

from typing import Final, Literal

from betline.bus import Received
from betline.messages.common import Birth, Presence
from betline.units import NS_PER_MS

ANSWER_NS: Final = 1_500 * NS_PER_MS
"""How long a controller that starts waits for another one's answer, where the broker says that there is one."""
REPEAT_NS: Final = 1_000 * NS_PER_MS
"""A controller that serves says so again at most this often."""
TOGETHER_NS: Final = 3_000 * NS_PER_MS
"""Of two that began to serve within this time one gives way."""

Verdict = Literal["wait", "serve", "give-way"]


class Standing:
    """What one controller knows of others at its table. Times are of its own monotonic clock."""

    def __init__(self, boot_id: str) -> None:
        self._boot_id = boot_id
        self._asked_ns: int | None = None
        self._echoed = False
        self._claims: str | None = None
        """The other life of which the broker keeps that it is online."""
        self._lives: str | None = None
        """The other life that was heard speaking."""
        self._gone: str | None = None
        self._served_ns: int | None = None
        self._answer_due = False
        self._answered_ns: int | None = None

    @property
    def rival(self) -> str | None:
        """The life of another controller that serves the same table as this one does."""
        return self._lives if self._served_ns is not None else None

    def asked(self, now_ns: int) -> None:
        """The birth was published, and all subscriptions are confirmed."""
        if self._asked_ns is None:
            self._asked_ns = now_ns

    def served(self, now_ns: int) -> None:
        """It serves from now on."""
        self._served_ns = now_ns

    def heard(self, received: Received) -> None:
        """A controller's presence or birth came, its own included."""
        life, body = received.envelope.boot_id, received.body
        if life == self._boot_id:
            self._echoed = self._echoed or (isinstance(body, Birth) and not received.retained)
            return
        offline = isinstance(body, Presence) and body.state == "offline"
        if offline:
            self._gone = life
            self._claims = None if self._claims == life else self._claims
            self._lives = None if self._lives == life else self._lives
        elif received.retained:
            self._claims = life if isinstance(body, Presence) and life != self._gone else self._claims
        elif isinstance(body, Presence):
            self._lives = life
        if not received.retained:
            self._answer_due = True  # it asks, or what it said now stands where ours should

    def verdict(self, now_ns: int) -> Verdict:
        """Whether a controller that starts may serve; of two that began together the one with the lower id stays."""
        if self._served_ns is not None:
            together = now_ns - self._served_ns < TOGETHER_NS
            return "give-way" if together and self._lives is not None and self._lives < self._boot_id else "serve"
        if self._lives is not None:
            return "give-way"
        if self._asked_ns is None:
            return "wait"
        if self._echoed and self._claims is None:
            return "serve"
        return "serve" if now_ns - self._asked_ns >= ANSWER_NS else "wait"

    def answers(self, now_ns: int) -> bool:
        """Whether a controller that serves must say so again now."""
        if not self._answer_due or self._served_ns is None:
            return False
        if self._answered_ns is not None and now_ns - self._answered_ns < REPEAT_NS:
            return False
        self._answer_due, self._answered_ns = False, now_ns
        return True
