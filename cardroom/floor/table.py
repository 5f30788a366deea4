"""What the floor knows of one table: a fold over what was heard of it. Pure; times are seconds that only rise.

Messages come late, twice and in another order, and a broker keeps old ones. What was heard is told apart from what is
known: only a message that the table has just sent shows that it is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from betline.messages.common import Birth, Body, Envelope, Presence, PresenceState
from betline.messages.people import StaffState
from betline.messages.table import Question, TableState
from cardroom.floor.pace import NO_PACE, Pace

CONTROLLER: Final = "controller"
SILENT_S: Final = 7.0
"""A controller says every 2 s how it does: after three that did not come it is silent."""
FORMER: Final = 8
"""So many earlier lives of a controller are remembered: what still comes from them counts no more."""
WILL: Final = -1
"""The number of a last will: the broker says it, not the table."""
FLOOR: Final = "floor"
"""The kind of a question that waits for the floor."""

Trouble = Literal["", "offline", "silent", "unheard", "stale", "starting", "unread"]
"""Why what is known of a table may not be so now; empty where it is fresh. ``unread``: it says what this program does
not understand. ``unheard``: the broker has kept something of it, and nothing has come from itself yet."""


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table as far as it was heard."""

    name: str
    since_s: float
    """When this program first heard of it."""
    heard_s: float | None = None
    """When it said something last; None before it has."""
    presence: PresenceState | None = None
    presence_s: float = 0.0
    version: str = ""
    """Of its program."""
    life: str = ""
    former: tuple[str, ...] = ()
    state: TableState | None = None
    state_life: str = ""
    """The life of the controller that said it."""
    waits_s: float | None = None
    """Since when a ruling waits for the floor; None where none does."""
    badge: str = ""
    """Whose badge lies there, by name."""
    pace: Pace = NO_PACE
    unread: str = ""
    """Why its newest message could not be read; empty where it could."""

    def heard(self, envelope: Envelope, body: Body, at_s: float, *, retained: bool) -> FloorTable:
        """After one message of its controller."""
        if envelope.sender != CONTROLLER or envelope.boot_id in self.former:
            return self
        now = self
        if envelope.seq != WILL:
            now = now._of_life(envelope.boot_id)
            now = now if retained else replace(now, heard_s=at_s)
        elif self.life not in ("", envelope.boot_id):
            return self
        match body:
            case Presence():
                same = body.state == now.presence
                return replace(now, presence=body.state, presence_s=now.presence_s if same else at_s)
            case Birth():
                return replace(now, version=body.version)
            case StaffState():
                badge = next((one.name for one in body.people if one.id == body.badge), "")
                return replace(now, badge=badge)
            case TableState():
                return now._in_state(body, at_s)
        return now

    def not_read(self, why: str, at_s: float) -> FloorTable:
        """After a message that could not be read: what is known stays, and is not fresh any more."""
        return replace(self, unread=why, heard_s=at_s)

    def trouble(self, now_s: float) -> Trouble:
        """Whether what is known can be so now."""
        if self.presence == "offline":
            return "offline"
        if self.heard_s is None:
            return "unheard" if now_s - self.since_s < SILENT_S else "silent"
        if now_s - self.heard_s >= SILENT_S:
            return "silent"
        if self.unread:
            return "unread"
        return self.presence if self.presence in ("starting", "stale") else ""

    @property
    def waiting(self) -> Question | None:
        """The ruling that waits for the floor, if one does."""
        return None if self.state is None else waiting_in(self.state)

    @property
    def dealer(self) -> str:
        """Who deals: who was named, else whose badge lies there; empty where nobody is known."""
        return (self.state.dealer if self.state else "") or self.badge

    def _of_life(self, boot_id: str) -> FloorTable:
        """A controller that was started anew counts its states from the beginning."""
        if boot_id == self.life:
            return self
        former = (*self.former, self.life)[-FORMER:] if self.life else self.former
        return replace(self, life=boot_id, former=former, unread="")

    def _in_state(self, state: TableState, at_s: float) -> FloorTable:
        """One that is older than what is known is late, and changes nothing."""
        if self.state is not None and self.state_life == self.life and state.version <= self.state.version:
            return self
        waits = waiting_in(state)
        before = self.waiting
        same = waits is not None and before is not None and waits.id == before.id
        waits_s = None if waits is None else self.waits_s if same else at_s
        pace = self.pace.after(state, at_s)
        return replace(self, state=state, state_life=self.life, waits_s=waits_s, pace=pace, unread="")


def waiting_in(state: TableState) -> Question | None:
    """The ruling that waits for the floor, if one does."""
    return next((one for one in state.questions if one.kind == FLOOR), None)
